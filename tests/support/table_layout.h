// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The layouts of ConstCosSinView's comment, for tests of tables of the host.
#pragma once
#include <cstdint>

#include "ropewalk/types.h"

namespace ropewalk::test {

// In the order of that comment.
enum class TableLayout {
  kCosSin,
  kSinCos,
  kInterleaved,
  kSeparate,
  kFullHalves,
  kFullNeighbours,
};
inline constexpr TableLayout kTableLayouts[] = {
    TableLayout::kCosSin,      TableLayout::kSinCos,
    TableLayout::kInterleaved, TableLayout::kSeparate,
    TableLayout::kFullHalves,  TableLayout::kFullNeighbours};
const char* NameOf(TableLayout layout);

// A row of one head, in bytes.
struct TableRow {
  bool two_arrays;      // cos and sin have one each
  int64_t width;        // of a row in an array
  int64_t cos;          // the first element, from the row's begin on
  int64_t sin;          // and so, of its own array if there are two
  int64_t pair_stride;  // as in the view
  int64_t copy_offset;
};
TableRow RowOf(TableLayout layout, DataType type, int pairs);

}  // namespace ropewalk::test
