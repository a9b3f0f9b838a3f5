// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the front of ALiBi hands to its kernels.
#pragma once
#include <cstdint>

#include "encodings/score_rows.h"

namespace ropewalk::internal {

struct AlibiJob {
  ScoreRows rows;
  const float* slopes;  // [heads]
};

// Adds the biases of rows [begin, end).
void AddAlibiRows(const AlibiJob& job, int64_t begin, int64_t end) noexcept;

}  // namespace ropewalk::internal
