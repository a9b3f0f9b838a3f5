// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What is done with a row of contiguous elements: copied or converted, added.
#if defined(ROPEWALK_SRC_ENCODINGS_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ENCODINGS_ROW_INL_H_
#undef ROPEWALK_SRC_ENCODINGS_ROW_INL_H_
#else
#define ROPEWALK_SRC_ENCODINGS_ROW_INL_H_
#endif

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"

#include "simd/codec-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Whether two vectors hold the elements of even and of odd index, which bf16
// stores without a look at each NaN: the lower half of a NaN must be zero. It
// is that of a bf16, or of a sum or product that makes one out of numbers.
template <class From, class To, bool kFinite>
constexpr bool TakesEvenOdd() {
#if HWY_TARGET == HWY_SCALAR
  return false;
#else
  return std::is_same_v<To, BF16Codec> &&
         (std::is_same_v<From, BF16Codec> ||
          (std::is_same_v<From, F32Codec> && kFinite));
#endif
}

// Loads 2 * Lanes(d) elements, either way.
template <class Codec, bool kEvenOdd, class D>
HWY_INLINE void LoadPair(D d, const typename Codec::T* from, hn::Vec<D>& a,
                         hn::Vec<D>& b) {
  if constexpr (!kEvenOdd) {
    a = Codec::Load(d, from);
    b = Codec::Load(d, from + hn::Lanes(d));
  } else if constexpr (std::is_same_v<Codec, F32Codec>) {
    hn::LoadInterleaved2(d, from, a, b);
  } else {
    Codec::LoadEvenOdd(d, from, a, b);
  }
}

template <class Codec, bool kEvenOdd, class D>
HWY_INLINE void StorePair(D d, hn::Vec<D> a, hn::Vec<D> b,
                          typename Codec::T* to) {
  if constexpr (kEvenOdd) {
    Codec::StoreEvenOdd(d, a, b, to);
  } else {
    Codec::StoreTwo(d, a, b, to);
  }
}

// to[i] = multiplier * from[i], bit for bit where nothing changes. The
// multiplier is finite.
template <class From, class To>
HWY_INLINE void CopyRow(const typename From::T* from, size_t width,
                        float multiplier, typename To::T* to) {
  if constexpr (std::is_same_v<From, To>) {
    if (multiplier == 1.0f) {
      std::memcpy(to, from, width * sizeof(*to));
      return;
    }
  }
  constexpr bool kEvenOdd = TakesEvenOdd<From, To, false>();
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> d1;
  const size_t N = hn::Lanes(d);
  const auto factor = hn::Set(d, multiplier);
  size_t i = 0;
  for (; i + 2 * N <= width; i += 2 * N) {
    hn::Vec<decltype(d)> a, b;
    LoadPair<From, kEvenOdd>(d, from + i, a, b);
    StorePair<To, kEvenOdd>(d, hn::Mul(a, factor), hn::Mul(b, factor), to + i);
  }
  for (; i + N <= width; i += N) {
    To::Store(d, hn::Mul(From::Load(d, from + i), factor), to + i);
  }
  for (; i < width; ++i) {
    To::Store(d1, hn::Mul(From::Load(d1, from + i), hn::Set(d1, multiplier)),
              to + i);
  }
}

// to[i] += from[i]. kFinite: the elements of `from` are known to be.
template <class From, class To, bool kFinite = false>
HWY_INLINE void AddRow(const typename From::T* from, size_t width,
                       typename To::T* to) {
  constexpr bool kEvenOdd = TakesEvenOdd<From, To, kFinite>();
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> d1;
  const size_t N = hn::Lanes(d);
  size_t i = 0;
  for (; i + 2 * N <= width; i += 2 * N) {
    hn::Vec<decltype(d)> a, b, x, y;
    LoadPair<To, kEvenOdd>(d, to + i, a, b);
    LoadPair<From, kEvenOdd>(d, from + i, x, y);
    StorePair<To, kEvenOdd>(d, hn::Add(a, x), hn::Add(b, y), to + i);
  }
  for (; i + N <= width; i += N) {
    To::Store(d, hn::Add(To::Load(d, to + i), From::Load(d, from + i)), to + i);
  }
  for (; i < width; ++i) {
    To::Store(d1, hn::Add(To::Load(d1, to + i), From::Load(d1, from + i)),
              to + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
