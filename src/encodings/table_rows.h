// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels behind Lookup and AddLearned: a row of a table for each token.
#pragma once
#include <cstdint>

#include "angles/position_reader.h"
#include "encodings/rows_view.h"

namespace ropewalk::internal {

// Which row each token takes: its id, or its position and an offset.
struct RowChoice {
  const TokenIds* ids;  // null: positions
  const PositionReader* positions;
  int64_t offset;

  int64_t operator()(int64_t token) const noexcept {
    return ids != nullptr ? (*ids)[token]
                          : positions->Integer(0, token) + offset;
  }
};

struct TableRowsJob {
  RowsView table;
  RowChoice choice;
  RowsView out;
  float multiplier;  // of CopyTableRows
};

// For tokens [begin, end).
void CopyTableRows(const TableRowsJob& job, int64_t begin,
                   int64_t end) noexcept;
void AddTableRows(const TableRowsJob& job, int64_t begin, int64_t end) noexcept;

}  // namespace ropewalk::internal
