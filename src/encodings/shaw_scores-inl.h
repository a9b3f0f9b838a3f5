// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Products of queries with the rows of their distances, added to scores.
#if defined(ROPEWALK_SRC_ENCODINGS_SHAW_SCORES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ENCODINGS_SHAW_SCORES_INL_H_
#undef ROPEWALK_SRC_ENCODINGS_SHAW_SCORES_INL_H_
#else
#define ROPEWALK_SRC_ENCODINGS_SHAW_SCORES_INL_H_
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

// Entries that are at hand at a time: 1 KiB of products.
constexpr int64_t kShawEntries = 256;
// Dims of a query that are at hand in float32: 4 KiB.
constexpr size_t kQueryDims = 1024;

template <class X>
HWY_INLINE void WidenTo(const typename X::T* from, size_t count, float* to) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> d1;
  const size_t N = hn::Lanes(d);
  size_t i = 0;
  for (; i + N <= count; i += N) hn::StoreU(X::Load(d, from + i), d, to + i);
  for (; i < count; ++i) hn::StoreU(X::Load(d1, from + i), d1, to + i);
}

HWY_NOINLINE void WidenQuery(const ShawJob& job, const ScoreRow& row,
                             size_t dim, size_t dims, float* query) {
  switch (job.heads.type) {
    case DataType::kF32:
      return WidenTo<F32Codec>(job.Head<const float>(row) + dim, dims, query);
    case DataType::kBF16:
      return WidenTo<BF16Codec>(job.Head<const uint16_t>(row) + dim, dims,
                                query);
    case DataType::kF16:
      return WidenTo<F16Codec>(job.Head<const uint16_t>(row) + dim, dims,
                               query);
  }
}

// Adds the products of entries [begin, begin + count) with dims
// [dim, dim + dims) of the query.
template <class A>
HWY_INLINE void AddProductsOf(const ShawEntries& entries, int64_t begin,
                              int64_t count, size_t dim, size_t dims,
                              const float* query, float* products) {
  constexpr int64_t kGroup = static_cast<int64_t>(kDotRows);
  for (int64_t first = 0; first < count; first += kGroup) {
    const int64_t last = std::min(first + kGroup, count) - 1;
    const typename A::T* rows[kDotRows];
    for (int64_t r = 0; r < kGroup; ++r) {
      rows[r] =
          entries.Row<typename A::T>(begin + std::min(first + r, last)) + dim;
    }
    float dots[kDotRows];
    DotRows<A, F32Codec>(rows, query, dims, dots);
    for (int64_t r = first; r <= last; ++r) products[r] += dots[r - first];
  }
}

// Adds the products of entries [begin, begin + count) to their columns.
template <class Codec>
HWY_INLINE void AddShawProducts(const ShawEntries& entries, int64_t begin,
                                int64_t count, const float* products,
                                typename Codec::T* scores) {
  int64_t near = 0;  // the first entry of one column
  int64_t near_end = count;
  if (begin == 0 && entries.has_left()) {
    AddBias<Codec>(scores, BiasOfAll{products[0]},
                   static_cast<size_t>(entries.left()));
    near = 1;
  }
  if (begin + count == entries.count() && entries.has_right()) {
    --near_end;
    AddBias<Codec>(scores + entries.right(), BiasOfAll{products[near_end]},
                   static_cast<size_t>(entries.columns() - entries.right()));
  }
  if (near < near_end) {
    AddBias<Codec>(scores + entries.Column(begin + near),
                   BiasOfEach{products + near},
                   static_cast<size_t>(near_end - near));
  }
}

HWY_NOINLINE void AddShawProductsTo(const ShawJob& job, const ScoreRow& row,
                                    const ShawEntries& entries, int64_t begin,
                                    int64_t count, const float* products) {
  uint8_t* const data = row.data();
  switch (job.rows.scores.type) {
    case DataType::kF32:
      return AddShawProducts<F32Codec>(entries, begin, count, products,
                                       reinterpret_cast<float*>(data));
    case DataType::kBF16:
      return AddShawProducts<BF16Codec>(entries, begin, count, products,
                                        reinterpret_cast<uint16_t*>(data));
    case DataType::kF16:
      return AddShawProducts<F16Codec>(entries, begin, count, products,
                                       reinterpret_cast<uint16_t*>(data));
  }
}

template <class A>
void AddShawScoresFrom(const ShawJob& job, int64_t begin, int64_t end) {
  float query[kQueryDims];
  float products[kShawEntries];
  const auto width = static_cast<size_t>(job.table.width);
  ScoreRow row(job.rows, begin);
  for (int64_t i = begin; i < end; ++i, row.Next()) {
    const ShawEntries entries(job, row);
    for (int64_t e = 0; e < entries.count(); e += kShawEntries) {
      const int64_t count = std::min(kShawEntries, entries.count() - e);
      std::fill(products, products + count, 0.0f);
      for (size_t dim = 0; dim < width; dim += kQueryDims) {
        const size_t dims = std::min(kQueryDims, width - dim);
        WidenQuery(job, row, dim, dims, query);
        AddProductsOf<A>(entries, e, count, dim, dims, query, products);
      }
      for (int64_t k = 0; k < count; ++k) products[k] *= job.multiplier;
      AddShawProductsTo(job, row, entries, e, count, products);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
