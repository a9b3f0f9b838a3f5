// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernel behind TiedLogits.
#pragma once
#include <cstdint>

#include "encodings/rows_view.h"

namespace ropewalk::internal {

struct LogitsJob {
  RowsView table;
  RowsView hidden;
  RowsView logits;  // of float32
};

// The logits of rows [begin, end) of the table, for every token.
void WriteLogits(const LogitsJob& job, int64_t begin, int64_t end) noexcept;

}  // namespace ropewalk::internal
