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
// Highway 1.0.3 forms an Iota in memory, lane by lane: a row cannot wait for
// it.
template <class D>
HWY_INLINE hn::Vec<D> DistancesFrom(D d, hn::Vec<D> iota, int64_t first) {
  return hn::Add(iota, hn::Set(d, static_cast<float>(first)));
}

// Four vectors, as far as there are so many. Returns where it ended.
template <class Codec, class D>
HWY_INLINE size_t AddToFours(D d, typename Codec::T* row, size_t columns,
                             hn::Vec<D> iota, int64_t first, float slope) {
  constexpr bool kEvenOdd = TakesEvenOdd<Codec, Codec, true>();
  const size_t N = hn::Lanes(d);
  // Of the elements of even and of odd index, or of one vector and the next.
  auto distance = DistancesFrom(d, iota, first);
  if (kEvenOdd) distance = hn::Add(distance, iota);
  const auto to_b = hn::Set(d, kEvenOdd ? 1.0f : static_cast<float>(N));
  const auto to_c = hn::Set(d, static_cast<float>(2 * N));
  const auto to_e = hn::Add(to_b, to_c);
  const auto step = hn::Set(d, static_cast<float>(4 * N));
  size_t i = 0;
  for (; i + 4 * N <= columns; i += 4 * N) {
    auto a = hn::Zero(d), b = a, c = a, e = a;
    LoadPair<Codec, kEvenOdd>(d, row + i, a, b);
    LoadPair<Codec, kEvenOdd>(d, row + i + 2 * N, c, e);
    a = Biased(d, a, distance, slope);
    b = Biased(d, b, hn::Add(distance, to_b), slope);
    c = Biased(d, c, hn::Add(distance, to_c), slope);
    e = Biased(d, e, hn::Add(distance, to_e), slope);
    distance = hn::Add(distance, step);
    StorePair<Codec, kEvenOdd>(d, a, b, row + i);
    StorePair<Codec, kEvenOdd>(d, c, e, row + i + 2 * N);
  }
  return i;
}

template <class Codec, class D>
HWY_INLINE hn::Vec<D> BiasedAt(D d, const typename Codec::T* row, size_t column,
                               hn::Vec<D> iota, int64_t first, float slope) {
  const auto distances =
      DistancesFrom(d, iota, first + static_cast<int64_t>(column));
  return Biased(d, Codec::Load(d, row + column), distances, slope);
}

// Rows of at least a vector. What fills no vector is the end of one that
// overlaps others: it is read before they are written, and written last, with
// the same bits where they overlap.
template <class Codec, class D>
HWY_INLINE void AddToVectors(D d, typename Codec::T* row, size_t columns,
                             hn::Vec<D> iota, int64_t first, float slope) {
  const size_t N = hn::Lanes(d);
  const size_t last = columns - N;
  const bool overlaps = columns % N != 0;
  auto tail = hn::Zero(d);
  if (overlaps) tail = BiasedAt<Codec>(d, row, last, iota, first, slope);
  size_t i = AddToFours<Codec>(d, row, columns, iota, first, slope);
  for (; i + N <= columns; i += N) {
    Codec::Store(d, BiasedAt<Codec>(d, row, i, iota, first, slope), row + i);
  }
  if (overlaps) Codec::Store(d, tail, row + last);
}

// Distances one at a time, each rounded by itself.
template <class Codec>
HWY_INLINE void AddOneByOne(typename Codec::T* row, int64_t columns,
                            int64_t first, float slope) {
  const hn::CappedTag<float, 1> d1;
  for (int64_t i = 0; i < columns; ++i) {
    const auto distance = hn::Set(d1, static_cast<float>(first + i));
    Codec::Store(d1, Biased(d1, Codec::Load(d1, row + i), distance, slope),
                 row + i);
  }
}

template <class Codec>
HWY_NOINLINE void AddFarAway(typename Codec::T* row, int64_t columns,
                             int64_t first, float slope) {
  AddOneByOne<Codec>(row, columns, first, slope);
}

template <class Codec>
void AddAlibiTo(const AlibiJob& job, int64_t begin, int64_t end) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto iota = hn::Iota(d, 0.0f);
  ScoreRow row(job.rows, begin);
  for (int64_t i = begin; i < end; ++i, row.Next()) {
    auto* const data = reinterpret_cast<typename Codec::T*>(row.data());
    const float slope = job.slopes[row.head()];
    const int64_t first = row.first_distance();
    const int64_t columns = row.columns();
    const int64_t near = ColumnOf(first, columns, -kExactDistance);
    const int64_t far = ColumnOf(first, columns, kExactDistance + 1);
    if (HWY_UNLIKELY(near > 0)) AddFarAway<Codec>(data, near, first, slope);
    if (far - near >= lanes) {
      AddToVectors<Codec>(d, data + near, static_cast<size_t>(far - near), iota,
                          first + near, slope);
    } else {
      AddOneByOne<Codec>(data + near, far - near, first + near, slope);
    }
    if (HWY_UNLIKELY(far < columns)) {
      AddFarAway<Codec>(data + far, columns - far, first + far, slope);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
