// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Scores in the terms of the kernels: rows of keys, one a head and query, and
// which of their columns get a bias.
#pragma once
#include <cstdint>

#include "parallel/parallel_for.h"
#include "ropewalk/encodings/scores.h"
#include "ropewalk/parallel.h"
#include "ropewalk/status.h"
#include "rotate/validate.h"

namespace ropewalk::internal {

// A distance is that from the query to the key: key - query.

// The first of `columns` columns whose distance is at least `distance`, or
// their number; column 0 has distance `first`. Nothing overflows.
constexpr int64_t ColumnOf(int64_t first, int64_t columns, int64_t distance) {
  if (first >= distance) return 0;
  const uint64_t gap =
      static_cast<uint64_t>(distance) - static_cast<uint64_t>(first);
  return gap < static_cast<uint64_t>(columns) ? static_cast<int64_t>(gap)
                                              : columns;
}

// Scores that have passed ValidateScores. A unit of work is a row.
struct ScoreRows {
  Scores scores;
  ScoreRange range;

  bool empty() const {
    return scores.heads == 0 || scores.queries == 0 || scores.keys == 0;
  }
  int64_t rows() const { return scores.heads * scores.queries; }
  // Of which the bytes are read and written, or the most that can be counted:
  // scores that a range leaves alone need not be memory.
  int64_t RowBytes() const {
    return MultiplyOrMax(scores.keys, 2 * ElementSize(scores.type));
  }
  int64_t Grain() const { return GrainOf(RowBytes()); }
};

// Walks over the rows of one head after the other.
class ScoreRow {
 public:
  ScoreRow(const ScoreRows& rows, int64_t index)
      : rows_(rows),
        head_(index / rows.scores.queries),
        query_(index % rows.scores.queries) {}

  void Next() {
    if (++query_ < rows_.scores.queries) return;
    query_ = 0;
    ++head_;
  }

  int64_t head() const { return head_; }
  int64_t query() const { return query_; }
  uint8_t* data() const {
    return static_cast<uint8_t*>(rows_.scores.data) +
           head_ * rows_.scores.head_stride +
           query_ * rows_.scores.query_stride;
  }
  // The distance of column 0.
  int64_t first_distance() const {
    return rows_.scores.first_key - (rows_.scores.first_query + query_);
  }
  // How many columns, from the first on, get a bias.
  int64_t columns() const {
    const int64_t keys = rows_.scores.keys;
    return rows_.range == ScoreRange::kAll
               ? keys
               : ColumnOf(first_distance(), keys, 1);
  }

 private:
  const ScoreRows& rows_;
  int64_t head_;
  int64_t query_;
};

// Scores as the view whose rules exist already: tokens of heads.
struct ScoresView {
  ScoresView(const Scores& scores, const char* name);
  NamedView named() const { return {&view, keys, name}; }

  HeadsView view;
  int64_t keys;
  TensorName name;
};

// Whether every score can be addressed, and every distance is an int64.
Status ValidateScores(const Scores& scores, const char* name) noexcept;

// Whether no two scores are one element. Requires: ValidateScores has passed,
// and the scores are not empty.
Status ValidateDistinctScores(const Scores& scores, const char* name) noexcept;

// Whether the range and the parallel are ones that there are.
Status ValidateWork(ScoreRange range, const Parallel& parallel) noexcept;

}  // namespace ropewalk::internal
