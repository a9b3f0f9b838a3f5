// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernel behind AddSinusoidal.
#pragma once
#include <cstdint>

#include "encodings/rows_view.h"
#include "ropewalk/angle_rows.h"
#include "ropewalk/encodings/sinusoidal.h"

namespace ropewalk::internal {

struct SinusoidalJob {
  const AngleRows* rows;
  RowsView hidden;
  SinusoidalOrder order;
};

// For tokens [begin, end).
void AddSinusoidalRows(const SinusoidalJob& job, int64_t begin,
                       int64_t end) noexcept;

}  // namespace ropewalk::internal
