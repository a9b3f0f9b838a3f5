// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "support/table_layout.h"

namespace ropewalk::test {

const char* NameOf(TableLayout layout) {
  switch (layout) {
    case TableLayout::kCosSin:
      return "[cos | sin]";
    case TableLayout::kSinCos:
      return "[sin | cos]";
    case TableLayout::kInterleaved:
      return "interleaved";
    case TableLayout::kSeparate:
      return "separate";
    case TableLayout::kFullHalves:
      return "full width, halves";
    case TableLayout::kFullNeighbours:
      return "full width, neighbours";
  }
  return "unknown";
}

TableRow RowOf(TableLayout layout, DataType type, int pairs) {
  const int64_t e = ElementSize(type);
  const int64_t half = pairs * e;
  switch (layout) {
    case TableLayout::kCosSin:
      return {false, 2 * half, 0, half, e, 0};
    case TableLayout::kSinCos:
      return {false, 2 * half, half, 0, e, 0};
    case TableLayout::kInterleaved:
      return {false, 2 * half, 0, e, 2 * e, 0};
    case TableLayout::kSeparate:
      return {true, half, 0, 0, e, 0};
    case TableLayout::kFullHalves:
      return {true, 2 * half, 0, 0, e, half};
    case TableLayout::kFullNeighbours:
      return {true, 2 * half, 0, 0, 2 * e, e};
  }
  return {};
}

}  // namespace ropewalk::test
