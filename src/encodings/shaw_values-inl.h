// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Weighted sums of the rows of distances, added to outputs. Like the products
// in dot-inl.h the sums are in an order that no target changes.
#if defined(ROPEWALK_SRC_ENCODINGS_SHAW_VALUES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ENCODINGS_SHAW_VALUES_INL_H_
#undef ROPEWALK_SRC_ENCODINGS_SHAW_VALUES_INL_H_
#else
#define ROPEWALK_SRC_ENCODINGS_SHAW_VALUES_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

#include "encodings/add_bias-inl.h"
#include "encodings/dot-inl.h"
#include "encodings/shaw_rows.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

// Rows that are summed up at a time, in eight sums: row k goes to sum k % 8.
constexpr size_t kWeightedRows = 256;
// Dims that wait in float32: 4 KiB.
constexpr size_t kWeightedDims = 1024;

// The sum of weights: element i goes to partial sum i % 16.
template <class W>
HWY_NOINLINE float SumOfWeights(const typename W::T* weights, size_t count) {
  const hn::CappedTag<float, 1> d1;
  float sums[kPartialSums] = {};
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const DotTag d;
  DotVec s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  for (; i + kPartialSums <= count; i += kPartialSums) {
    s0 = hn::Add(s0, W::Load(d, weights + i));
    if (kDotVectors > 1) s1 = hn::Add(s1, W::Load(d, weights + i + kDotLanes));
    if (kDotVectors > 2) {
      s2 = hn::Add(s2, W::Load(d, weights + i + 2 * kDotLanes));
      s3 = hn::Add(s3, W::Load(d, weights + i + 3 * kDotLanes));
    }
  }
  hn::StoreU(s0, d, sums);
  if (kDotVectors > 1) hn::StoreU(s1, d, sums + kDotLanes);
  if (kDotVectors > 2) {
    hn::StoreU(s2, d, sums + 2 * kDotLanes);
    hn::StoreU(s3, d, sums + 3 * kDotLanes);
  }
#endif
  for (; i < count; ++i) {
    sums[i % kPartialSums] += hn::GetLane(W::Load(d1, weights + i));
  }
  return SumPartials(sums);
}

// The weights of entries [begin, begin + count).
template <class W>
HWY_INLINE void LoadWeightsFrom(const ShawEntries& entries, int64_t begin,
                                int64_t count, const typename W::T* from,
                                float* weights) {
  const hn::CappedTag<float, 1> d1;
  for (int64_t k = 0; k < count; ++k) {
    weights[k] = hn::GetLane(W::Load(d1, from + entries.Column(begin + k)));
  }
  if (begin == 0 && entries.has_left()) {
    weights[0] = SumOfWeights<W>(from, static_cast<size_t>(entries.left()));
  }
  if (begin + count == entries.count() && entries.has_right()) {
    weights[count - 1] = SumOfWeights<W>(
        from + entries.right(),
        static_cast<size_t>(entries.columns() - entries.right()));
  }
}

HWY_NOINLINE void LoadWeights(const ShawJob& job, const ScoreRow& row,
                              const ShawEntries& entries, int64_t begin,
                              int64_t count, float* weights) {
  const uint8_t* const from = row.data();
  switch (job.rows.scores.type) {
    case DataType::kF32:
      return LoadWeightsFrom<F32Codec>(
          entries, begin, count, reinterpret_cast<const float*>(from), weights);
    case DataType::kBF16:
      return LoadWeightsFrom<BF16Codec>(entries, begin, count,
                                        reinterpret_cast<const uint16_t*>(from),
                                        weights);
    case DataType::kF16:
      return LoadWeightsFrom<F16Codec>(entries, begin, count,
                                       reinterpret_cast<const uint16_t*>(from),
                                       weights);
  }
}

// Rows of the table and what they are multiplied by.
template <class T>
struct WeightedRows {
  const T* rows[kWeightedRows];
  float weights[kWeightedRows];
  size_t count;
};

// sum + weight * row, of the dims from `at` on.
template <class A, class D>
HWY_INLINE hn::Vec<D> AddWeighted(D d,
                                  const WeightedRows<typename A::T>& weighted,
                                  size_t k, size_t at, hn::Vec<D> sum) {
  return hn::Add(sum, hn::Mul(hn::Set(d, weighted.weights[k]),
                              A::Load(d, weighted.rows[k] + at)));
}

template <class A, class D>
HWY_INLINE hn::Vec<D> WeightedSumAt(D d,
                                    const WeightedRows<typename A::T>& weighted,
                                    size_t at) {
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0,
       s7 = s0;
  size_t k = 0;
  for (; k + 8 <= weighted.count; k += 8) {
    s0 = AddWeighted<A>(d, weighted, k, at, s0);
    s1 = AddWeighted<A>(d, weighted, k + 1, at, s1);
    s2 = AddWeighted<A>(d, weighted, k + 2, at, s2);
    s3 = AddWeighted<A>(d, weighted, k + 3, at, s3);
    s4 = AddWeighted<A>(d, weighted, k + 4, at, s4);
    s5 = AddWeighted<A>(d, weighted, k + 5, at, s5);
    s6 = AddWeighted<A>(d, weighted, k + 6, at, s6);
    s7 = AddWeighted<A>(d, weighted, k + 7, at, s7);
  }
  const size_t rest = weighted.count - k;
  if (rest > 0) s0 = AddWeighted<A>(d, weighted, k, at, s0);
  if (rest > 1) s1 = AddWeighted<A>(d, weighted, k + 1, at, s1);
  if (rest > 2) s2 = AddWeighted<A>(d, weighted, k + 2, at, s2);
  if (rest > 3) s3 = AddWeighted<A>(d, weighted, k + 3, at, s3);
  if (rest > 4) s4 = AddWeighted<A>(d, weighted, k + 4, at, s4);
  if (rest > 5) s5 = AddWeighted<A>(d, weighted, k + 5, at, s5);
  if (rest > 6) s6 = AddWeighted<A>(d, weighted, k + 6, at, s6);
  s0 = hn::Add(hn::Add(s0, s4), hn::Add(s2, s6));
  s1 = hn::Add(hn::Add(s1, s5), hn::Add(s3, s7));
  return hn::Add(s0, s1);
}

// Adds the weighted sum of dims [dim, dim + dims) to the totals.
template <class A>
HWY_NOINLINE void AddWeightedSums(const WeightedRows<typename A::T>& weighted,
                                  size_t dim, size_t dims, float* totals) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> d1;
  const size_t N = hn::Lanes(d);
  size_t i = 0;
  for (; i + N <= dims; i += N) {
    hn::StoreU(hn::Add(hn::LoadU(d, totals + i),
                       WeightedSumAt<A>(d, weighted, dim + i)),
               d, totals + i);
  }
  for (; i < dims; ++i) {
    totals[i] += hn::GetLane(WeightedSumAt<A>(d1, weighted, dim + i));
  }
}

template <class A>
HWY_INLINE void AddShawTotals(const ShawJob& job, const ScoreRow& row,
                              const ShawEntries& entries, size_t dim,
                              size_t dims, float* totals) {
  constexpr int64_t kRows = static_cast<int64_t>(kWeightedRows);
  WeightedRows<typename A::T> weighted;
  for (int64_t e = 0; e < entries.count(); e += kRows) {
    const int64_t count = std::min(kRows, entries.count() - e);
    LoadWeights(job, row, entries, e, count, weighted.weights);
    for (int64_t k = 0; k < count; ++k) {
      weighted.rows[k] = entries.Row<typename A::T>(e + k);
    }
    weighted.count = static_cast<size_t>(count);
    AddWeightedSums<A>(weighted, dim, dims, totals);
  }
}

HWY_NOINLINE void AddTotals(const ShawJob& job, const ScoreRow& row, size_t dim,
                            size_t dims, const float* totals) {
  switch (job.heads.type) {
    case DataType::kF32:
      return AddBias<F32Codec>(job.Head<float>(row) + dim, BiasOfEach{totals},
                               dims);
    case DataType::kBF16:
      return AddBias<BF16Codec>(job.Head<uint16_t>(row) + dim,
                                BiasOfEach{totals}, dims);
    case DataType::kF16:
      return AddBias<F16Codec>(job.Head<uint16_t>(row) + dim,
                               BiasOfEach{totals}, dims);
  }
}

template <class A>
void AddShawValuesFrom(const ShawJob& job, int64_t begin, int64_t end) {
  float totals[kWeightedDims];
  const auto width = static_cast<size_t>(job.table.width);
  ScoreRow row(job.rows, begin);
  for (int64_t i = begin; i < end; ++i, row.Next()) {
    const ShawEntries entries(job, row);
    if (entries.count() == 0) continue;
    for (size_t dim = 0; dim < width; dim += kWeightedDims) {
      const size_t dims = std::min(kWeightedDims, width - dim);
      std::fill(totals, totals + dims, 0.0f);
      AddShawTotals<A>(job, row, entries, dim, dims, totals);
      AddTotals(job, row, dim, dims, totals);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
