// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What angle rows hold, and what they must hold after a fill.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "fuzz/draw_positions.h"
#include "fuzz/require.h"
#include "ropewalk/c/angle_rows.h"

namespace ropewalk::fuzz {

// A copy of all that a caller can see of them.
struct RowsContent {
  explicit RowsContent(const ropewalk_angle_rows* rows)
      : count(ropewalk_angle_rows_count(rows)),
        pairs(ropewalk_angle_rows_pairs(rows)),
        heads(ropewalk_angle_rows_heads(rows)) {
    for (int64_t row = 0; row < count; ++row) Append(rows, row);
  }

  // Whether the first rows are those of the other.
  bool SameRows(const RowsContent& other, int64_t rows) const {
    const size_t bytes = static_cast<size_t>(rows) * RowBytes();
    return (rows == 0 || (pairs == other.pairs && heads == other.heads)) &&
           bytes <= values.size() && bytes <= other.values.size() &&
           std::equal(values.begin(),
                      values.begin() + static_cast<int64_t>(bytes),
                      other.values.begin());
  }
  bool Same(const RowsContent& other) const {
    return count == other.count && pairs == other.pairs &&
           heads == other.heads && SameRows(other, count);
  }

  int64_t count;
  int32_t pairs;
  int32_t heads;
  std::vector<uint8_t> values;

 private:
  size_t RowBytes() const {
    return static_cast<size_t>(heads) *
               (static_cast<size_t>(pairs) * 8 + sizeof(int32_t)) +
           sizeof(double);
  }
  void Append(const ropewalk_angle_rows* rows, int64_t row) {
    const auto append = [&](const void* from, size_t bytes) {
      if (bytes == 0) return;
      const size_t at = values.size();
      values.resize(at + bytes);
      std::memcpy(values.data() + at, from, bytes);
    };
    const double factor = ropewalk_angle_rows_attention_factor(rows, row);
    append(&factor, sizeof(factor));
    for (int32_t head = 0; head < heads; ++head) {
      const size_t bytes = static_cast<size_t>(pairs) * 4;
      append(ropewalk_angle_rows_cos(rows, row, head), bytes);
      append(ropewalk_angle_rows_sin(rows, row, head), bytes);
      const int32_t identity = ropewalk_angle_rows_identity(rows, row, head);
      append(&identity, sizeof(identity));
    }
  }
};

}  // namespace ropewalk::fuzz
