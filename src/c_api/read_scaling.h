// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// From ropewalk_rope_parameters to RopeParameters.
#pragma once
#include "ropewalk/c/scaling.h"
#include "ropewalk/scaling.h"
#include "ropewalk/status.h"

namespace ropewalk::internal {

// Throws std::bad_alloc: lists are copied.
Status Read(const char* name, const ropewalk_rope_parameters* given,
            RopeParameters* parameters);

}  // namespace ropewalk::internal
