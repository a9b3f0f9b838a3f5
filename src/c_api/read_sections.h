// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The lists of sections that axes and vision encoders take.
#pragma once
#include <cstdint>
#include <vector>

#include "ropewalk/status.h"

namespace ropewalk::internal {

// Throws std::bad_alloc.
Result<std::vector<int>> ReadSections(const int32_t* sections, int32_t count);

}  // namespace ropewalk::internal
