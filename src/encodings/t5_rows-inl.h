// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// T5's biases, added to rows of scores.
#if defined(ROPEWALK_SRC_ENCODINGS_T5_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ENCODINGS_T5_ROWS_INL_H_
#undef ROPEWALK_SRC_ENCODINGS_T5_ROWS_INL_H_
#else
#define ROPEWALK_SRC_ENCODINGS_T5_ROWS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

#include "encodings/add_bias-inl.h"
#include "encodings/t5_rows.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

// Columns [begin, end), one bucket after the other; `first` is the distance of
// column 0.
template <class Codec>
HWY_INLINE void AddBucketRuns(typename Codec::T* row, int64_t begin,
                              int64_t end, int64_t first, const T5Head& head) {
  while (begin < end) {
    int64_t last;
    const float bias = head.BiasAt(first + begin, &last);
    const int64_t next =
        last == INT64_MAX ? end : ColumnOf(first, end, last + 1);
    AddBias<Codec>(row + begin, BiasOfAll{bias},
                   static_cast<size_t>(next - begin));
    begin = next;
  }
}

template <class Codec>
HWY_INLINE void AddT5ToRow(typename Codec::T* row, int64_t columns,
                           int64_t first, const T5Head& head) {
  int64_t begin = ColumnOf(first, columns, -head.near());
  int64_t end = ColumnOf(first, columns, head.near() + 1);
  if (begin < end) {
    begin = begin / T5Head::kSlack * T5Head::kSlack;
    end = std::min(
        columns, (end + T5Head::kSlack - 1) / T5Head::kSlack * T5Head::kSlack);
    AddBias<Codec>(row + begin, BiasOfEach{head.NearFrom(first + begin)},
                   static_cast<size_t>(end - begin));
  }
  AddBucketRuns<Codec>(row, 0, begin, first, head);
  AddBucketRuns<Codec>(row, end, columns, first, head);
}

template <class Codec>
void AddT5To(const T5Job& job, int64_t begin, int64_t end) {
  T5Head head(job);
  ScoreRow row(job.rows, begin);
  for (int64_t i = begin; i < end; ++i, row.Next()) {
    if (i == begin || row.query() == 0) head.Load(row.head());
    AddT5ToRow<Codec>(reinterpret_cast<typename Codec::T*>(row.data()),
                      row.columns(), row.first_distance(), head);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
