// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Hidden states and tables in guarded memory: tensors of one head a token.
#pragma once
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/encodings/embedding_table.h"
#include "ropewalk/encodings/hidden_states.h"
#include "support/heads.h"

namespace ropewalk::test {

inline HeadsSpec RowsSpec(DataType type, int64_t rows, int width,
                          int64_t gap = 0, GuardSide side = GuardSide::kEnd,
                          int64_t shift = 0) {
  HeadsSpec spec;
  spec.type = type;
  spec.tokens = rows;
  spec.head_dim = width;
  spec.outer_gap = gap;
  spec.side = side;
  spec.shift = shift;
  return spec;
}

inline HiddenStates HiddenOf(const Heads& rows) {
  return {rows.view().data, rows.spec().type, rows.spec().tokens,
          rows.spec().head_dim, rows.view().token_stride};
}

inline EmbeddingTable TableOf(const Heads& rows) {
  return {rows.view().data, rows.spec().type, rows.spec().tokens,
          rows.spec().head_dim, rows.view().token_stride};
}

// Calls run(parallel) for every share of `count`, the last one first.
template <class Run>
void RunShares(int count, const Run& run) {
  for (int i = count - 1; i >= 0; --i) run(Parallel::Share(i, count));
}

// Around the vector sizes of every target, and both sides of 16.
inline constexpr int kWidths[] = {1,  2,  3,  4,  5,  7,  8,  9,   15,  16,
                                  17, 24, 31, 32, 33, 63, 65, 100, 129, 257};

}  // namespace ropewalk::test
