// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The ropes on which ggml compares its backends: 870 in test-backend-ops.cpp of
// ggml d99724f (August 2026).
#pragma once
#include <vector>

#include "integration/ggml/rope_case.h"

namespace ropewalk::test {

// All of them of one of ggml's modes.
std::vector<RopeCase> RopeGrid(int mode);

}  // namespace ropewalk::test
