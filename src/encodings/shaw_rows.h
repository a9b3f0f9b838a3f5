// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the front of Shaw's relative positions hands to its kernels.
#pragma once
#include <algorithm>
#include <cstdint>

#include "encodings/rows_view.h"
#include "encodings/score_rows.h"
#include "ropewalk/encodings/shaw.h"
#include "ropewalk/types.h"

namespace ropewalk::internal {

struct ShawJob {
  ScoreRows rows;  // only read where values are added
  RowsView table;
  ShawRule rule;
  HeadsView heads;   // the queries, or the output
  float multiplier;  // of scores

  template <class T>
  T* Head(const ScoreRow& row) const {
    return reinterpret_cast<T*>(static_cast<uint8_t*>(heads.data) +
                                row.query() * heads.token_stride +
                                row.head() * heads.head_stride);
  }
};

// The columns of a row by the rows of the table. Those whose distance is
// clipped share one: all before `left`, and all from `right` on. An entry is a
// row of the table that a row of scores needs.
class ShawEntries {
 public:
  ShawEntries(const ShawJob& job, const ScoreRow& row)
      : job_(job),
        first_(row.first_distance()),
        columns_(row.columns()),
        left_(ColumnOf(first_, columns_, 1 - job.rule.clip)),
        right_(std::max(left_, ColumnOf(first_, columns_, job.rule.clip))) {}

  int64_t columns() const { return columns_; }
  int64_t left() const { return left_; }
  int64_t right() const { return right_; }
  bool has_left() const { return left_ > 0; }
  bool has_right() const { return right_ < columns_; }
  int64_t count() const {
    return (has_left() ? 1 : 0) + (right_ - left_) + (has_right() ? 1 : 0);
  }
  // A column of an entry: the last one of the left, the first of the right.
  int64_t Column(int64_t entry) const {
    return left_ + entry - (has_left() ? 1 : 0);
  }
  template <class T>
  const T* Row(int64_t entry) const {
    return job_.table.Row<const T>(
        ShawIndex(job_.rule, first_ + Column(entry)));
  }

 private:
  const ShawJob& job_;
  int64_t first_;
  int64_t columns_;
  int64_t left_;
  int64_t right_;
};

// Adds to the scores of rows [begin, end).
void AddShawScoreRows(const ShawJob& job, int64_t begin, int64_t end) noexcept;

// Adds to the outputs that belong to rows [begin, end).
void AddShawValueRows(const ShawJob& job, int64_t begin, int64_t end) noexcept;

}  // namespace ropewalk::internal
