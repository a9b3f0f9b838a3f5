// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What makes two tables the same: every field that changes a value, and
// nothing else.
#pragma once
#include <cstdint>
#include <vector>

#include "ropewalk/angles.h"

namespace ropewalk::internal {

// Doubles by their bits. Compared word by word.
using TableKey = std::vector<uint64_t>;

// Requires: resolved options. Throws std::bad_alloc.
TableKey MakeTableKey(const Frequencies& frequencies,
                      const AngleOptions& options);

}  // namespace ropewalk::internal
