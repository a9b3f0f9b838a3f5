// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Linear biases, added to rows of scores. What is added to a score depends on
// its distance alone, by whatever path it is reached.
#if defined(ROPEWALK_SRC_ENCODINGS_ALIBI_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ENCODINGS_ALIBI_ROWS_INL_H_
#undef ROPEWALK_SRC_ENCODINGS_ALIBI_ROWS_INL_H_
#else
#define ROPEWALK_SRC_ENCODINGS_ALIBI_ROWS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

#include "encodings/alibi_rows.h"
#include "encodings/row-inl.h"
#include "simd/codec-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Integers up to this are exact in float32, and so are their sums.
constexpr int64_t kExactDistance = int64_t{1} << 24;

// score - slope |distance|.
template <class D>
HWY_INLINE hn::Vec<D> Biased(D d, hn::Vec<D> score, hn::Vec<D> distance,
                             float slope) {
  return hn::MulAdd(hn::Set(d, -slope), hn::Abs(distance), score);
}

// The distances of a vector whose first lane has distance `first`.
template <class D>
HWY_INLINE hn::Vec<D> DistancesFrom(D d, int64_t first) {
  return hn::Add(hn::Iota(d, 0.0f), hn::Set(d, static_cast<float>(first)));
}

// Four vectors, as far as there are so many. Returns where it ended.
template <class Codec>
HWY_INLINE size_t AddToFours(typename Codec::T* row, size_t columns,
                             int64_t first, float slope) {
  constexpr bool kEvenOdd = TakesEvenOdd<Codec, Codec, true>();
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d);
  // Of the elements of even and of odd index, or of one vector and the next.
  auto a_distance = DistancesFrom(d, first);
  if (kEvenOdd) a_distance = hn::Add(a_distance, hn::Iota(d, 0.0f));
  auto b_distance =
      hn::Add(a_distance, hn::Set(d, kEvenOdd ? 1.0f : static_cast<float>(N)));
  const auto step = hn::Set(d, static_cast<float>(2 * N));
  size_t i = 0;
  for (; i + 4 * N <= columns; i += 4 * N) {
    auto a = hn::Zero(d), b = a, c = a, e = a;
    LoadPair<Codec, kEvenOdd>(d, row + i, a, b);
    LoadPair<Codec, kEvenOdd>(d, row + i + 2 * N, c, e);
    a = Biased(d, a, a_distance, slope);
    b = Biased(d, b, b_distance, slope);
    a_distance = hn::Add(a_distance, step);
    b_distance = hn::Add(b_distance, step);
    c = Biased(d, c, a_distance, slope);
    e = Biased(d, e, b_distance, slope);
    a_distance = hn::Add(a_distance, step);
    b_distance = hn::Add(b_distance, step);
    StorePair<Codec, kEvenOdd>(d, a, b, row + i);
    StorePair<Codec, kEvenOdd>(d, c, e, row + i + 2 * N);
  }
  return i;
}

// Rows of at least a vector. What fills no vector is the end of one that
// overlaps others: it is read before they are written, and written last, with
// the same bits where they overlap.
template <class Codec>
HWY_INLINE void AddToVectors(typename Codec::T* row, size_t columns,
                             int64_t first, float slope) {
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d);
  const size_t last = columns - N;
  const auto tail =
      Biased(d, Codec::Load(d, row + last),
             DistancesFrom(d, first + static_cast<int64_t>(last)), slope);
  size_t i = AddToFours<Codec>(row, columns, first, slope);
  for (; i + N <= columns; i += N) {
    const auto distance = DistancesFrom(d, first + static_cast<int64_t>(i));
    Codec::Store(d, Biased(d, Codec::Load(d, row + i), distance, slope),
                 row + i);
  }
  Codec::Store(d, tail, row + last);
}

// Requires: no distance is past kExactDistance.
template <class Codec>
HWY_INLINE void AddExact(typename Codec::T* row, int64_t columns, int64_t first,
                         float slope) {
  const hn::CappedTag<float, 1> d1;
  const int64_t lanes =
      static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()));
  if (columns >= lanes) {
    return AddToVectors<Codec>(row, static_cast<size_t>(columns), first, slope);
  }
  for (int64_t i = 0; i < columns; ++i) {
    Codec::Store(d1,
                 Biased(d1, Codec::Load(d1, row + i),
                        DistancesFrom(d1, first + i), slope),
                 row + i);
  }
}

// Any distances, each rounded by itself.
template <class Codec>
HWY_NOINLINE void AddRounded(typename Codec::T* row, int64_t columns,
                             int64_t first, float slope) {
  const hn::CappedTag<float, 1> d1;
  for (int64_t i = 0; i < columns; ++i) {
    const auto distance = hn::Set(d1, static_cast<float>(first + i));
    Codec::Store(d1, Biased(d1, Codec::Load(d1, row + i), distance, slope),
                 row + i);
  }
}

template <class Codec>
void AddAlibiTo(const AlibiJob& job, int64_t begin, int64_t end) {
  ScoreRow row(job.rows, begin);
  for (int64_t i = begin; i < end; ++i, row.Next()) {
    auto* const data = reinterpret_cast<typename Codec::T*>(row.data());
    const float slope = job.slopes[row.head()];
    const int64_t first = row.first_distance();
    const int64_t columns = row.columns();
    const int64_t near = ColumnOf(first, columns, -kExactDistance);
    const int64_t far = ColumnOf(first, columns, kExactDistance + 1);
    if (HWY_UNLIKELY(near > 0)) AddRounded<Codec>(data, near, first, slope);
    AddExact<Codec>(data + near, far - near, first + near, slope);
    if (HWY_UNLIKELY(far < columns)) {
      AddRounded<Codec>(data + far, columns - far, first + far, slope);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
