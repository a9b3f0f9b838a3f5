// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Products of rows with a vector, in an order that no target changes: element i
// goes to partial sum i % 16, each product rounded and then each sum, and the
// partial sums are added in a tree, s[i] += s[i + 8], + 4, + 2, + 1.
#if defined(ROPEWALK_SRC_ENCODINGS_DOT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ENCODINGS_DOT_INL_H_
#undef ROPEWALK_SRC_ENCODINGS_DOT_INL_H_
#else
#define ROPEWALK_SRC_ENCODINGS_DOT_INL_H_
#endif

#include <cstddef>
#include <cstring>

#include "hwy/highway.h"

#include "simd/codec-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kPartialSums = 16;

#if HWY_TARGET == HWY_SCALAR
// How many rows are taken at a time: each loaded vector of the other factor
// serves them all, and their sums do not wait for each other.
constexpr size_t kDotRows = 1;
#else
// Where the size of a vector is not known, the least that all have.
#if HWY_HAVE_SCALABLE
using DotTag = hn::CappedTag<float, 4>;
constexpr size_t kDotLanes = 4;
#else
using DotTag = hn::CappedTag<float, kPartialSums>;
constexpr size_t kDotLanes = hn::MaxLanes(DotTag());
#endif
using DotVec = hn::Vec<DotTag>;
constexpr size_t kDotVectors = kPartialSums / kDotLanes;  // of a row's sums
// Eight sums fit into sixteen registers beside what is loaded.
constexpr size_t kDotRows = 8 / kDotVectors;
#endif

// Adds up a row's partial sums.
HWY_INLINE float SumPartials(float* sums) {
  for (size_t half = kPartialSums / 2; half > 0; half /= 2) {
    for (size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  return sums[0];
}

// The last elements of a row, padded with zeros. They change no sum: a sum that
// begins as +0 is never -0.
template <class Codec>
HWY_INLINE void CopyTail(const typename Codec::T* row, size_t width,
                         typename Codec::T* tail) {
  const size_t count = width % kPartialSums;
  std::memset(tail, 0, kPartialSums * sizeof(*tail));
  std::memcpy(tail, row + (width - count), count * sizeof(*tail));
}

#if HWY_TARGET == HWY_SCALAR

template <class A, class X>
HWY_INLINE void AddProducts(const typename A::T* row, const typename X::T* x,
                            float* sums) {
  const hn::CappedTag<float, 1> d;
  for (size_t i = 0; i < kPartialSums; ++i) {
    sums[i] += hn::GetLane(hn::Mul(A::Load(d, row + i), X::Load(d, x + i)));
  }
}

template <class A, class X>
HWY_INLINE void DotRows(const typename A::T* const* rows,
                        const typename X::T* x, size_t width, float* dots) {
  float sums[kPartialSums] = {};
  size_t i = 0;
  for (; i + kPartialSums <= width; i += kPartialSums) {
    AddProducts<A, X>(rows[0] + i, x + i, sums);
  }
  if (i < width) {
    typename A::T row_tail[kPartialSums];
    typename X::T x_tail[kPartialSums];
    CopyTail<A>(rows[0], width, row_tail);
    CopyTail<X>(x, width, x_tail);
    AddProducts<A, X>(row_tail, x_tail, sums);
  }
  dots[0] = SumPartials(sums);
}

#else

// Vector `kIndex` of all rows' sums, with the products at element i.
template <size_t kIndex, class A, class X>
HWY_INLINE DotVec AddProduct(const typename A::T* const* rows,
                             const typename X::T* x, size_t i, DotVec sum) {
  const DotTag d;
  const size_t at = i + kIndex % kDotVectors * kDotLanes;
  return hn::Add(sum, hn::Mul(A::Load(d, rows[kIndex / kDotVectors] + at),
                              X::Load(d, x + at)));
}

template <class A, class X>
HWY_INLINE void AddProducts(const typename A::T* const* rows,
                            const typename X::T* x, size_t i, DotVec& s0,
                            DotVec& s1, DotVec& s2, DotVec& s3, DotVec& s4,
                            DotVec& s5, DotVec& s6, DotVec& s7) {
  s0 = AddProduct<0, A, X>(rows, x, i, s0);
  s1 = AddProduct<1, A, X>(rows, x, i, s1);
  s2 = AddProduct<2, A, X>(rows, x, i, s2);
  s3 = AddProduct<3, A, X>(rows, x, i, s3);
  s4 = AddProduct<4, A, X>(rows, x, i, s4);
  s5 = AddProduct<5, A, X>(rows, x, i, s5);
  s6 = AddProduct<6, A, X>(rows, x, i, s6);
  s7 = AddProduct<7, A, X>(rows, x, i, s7);
}

// dots[r] = the product of rows[r] with x, for kDotRows rows.
template <class A, class X>
HWY_INLINE void DotRows(const typename A::T* const* rows,
                        const typename X::T* x, size_t width, float* dots) {
  const DotTag d;
  DotVec s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0,
         s7 = s0;
  size_t i = 0;
  for (; i + kPartialSums <= width; i += kPartialSums) {
    AddProducts<A, X>(rows, x, i, s0, s1, s2, s3, s4, s5, s6, s7);
  }
  if (i < width) {
    typename A::T row_tails[kDotRows][kPartialSums];
    typename X::T x_tail[kPartialSums];
    const typename A::T* tails[kDotRows];
    for (size_t r = 0; r < kDotRows; ++r) {
      CopyTail<A>(rows[r], width, row_tails[r]);
      tails[r] = row_tails[r];
    }
    CopyTail<X>(x, width, x_tail);
    AddProducts<A, X>(tails, x_tail, 0, s0, s1, s2, s3, s4, s5, s6, s7);
  }
  HWY_ALIGN float sums[8 * kDotLanes];
  hn::StoreU(s0, d, sums);
  hn::StoreU(s1, d, sums + kDotLanes);
  hn::StoreU(s2, d, sums + 2 * kDotLanes);
  hn::StoreU(s3, d, sums + 3 * kDotLanes);
  hn::StoreU(s4, d, sums + 4 * kDotLanes);
  hn::StoreU(s5, d, sums + 5 * kDotLanes);
  hn::StoreU(s6, d, sums + 6 * kDotLanes);
  hn::StoreU(s7, d, sums + 7 * kDotLanes);
  for (size_t r = 0; r < kDotRows; ++r) {
    dots[r] = SumPartials(sums + r * kPartialSums);
  }
}

#endif  // HWY_TARGET == HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
