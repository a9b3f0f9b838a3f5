// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The other ways to tell a model where a token is, and the table it comes
// from. In the component ropewalk::encodings, so that who only rotates links
// none of it.
#pragma once

#include "ropewalk/encodings/alibi.h"
#include "ropewalk/encodings/embedding_table.h"
#include "ropewalk/encodings/hidden_states.h"
#include "ropewalk/encodings/learned.h"
#include "ropewalk/encodings/scores.h"
#include "ropewalk/encodings/shaw.h"
#include "ropewalk/encodings/sinusoidal.h"
#include "ropewalk/encodings/t5_bias.h"
