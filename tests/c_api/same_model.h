// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Fails the test where a struct of C says anything else than that of C++.
#pragma once
#include "ropewalk/config.h"
#include "ropewalk/ropewalk_c.h"

namespace ropewalk::test {

void ExpectSame(const ropewalk_layer_rope& got, const LayerRope& want);
void ExpectSame(const ropewalk_vision_rope& got, const VisionRope& want);
// All of a model, through every call that reads it.
void ExpectSame(const ropewalk_model* got, const ModelRope& want);

}  // namespace ropewalk::test
