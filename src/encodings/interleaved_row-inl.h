// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Two rows, added in turn to the elements of one.
#if defined(ROPEWALK_SRC_ENCODINGS_INTERLEAVED_ROW_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ENCODINGS_INTERLEAVED_ROW_INL_H_
#undef ROPEWALK_SRC_ENCODINGS_INTERLEAVED_ROW_INL_H_
#else
#define ROPEWALK_SRC_ENCODINGS_INTERLEAVED_ROW_INL_H_
#endif

#include <cstddef>
#include <type_traits>

#include "hwy/highway.h"

#include "simd/codec-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// Lanes(d) / 2 floats of each, in turn.
template <class D>
HWY_INLINE hn::Vec<D> LoadInTurn(D d, const float* even, const float* odd) {
  const hn::Repartition<uint64_t, D> du64;
  const hn::Rebind<uint32_t, decltype(du64)> du32;
  const hn::Rebind<float, decltype(du64)> df32;
  const auto low =
      hn::PromoteTo(du64, hn::BitCast(du32, hn::LoadU(df32, even)));
  const auto high =
      hn::PromoteTo(du64, hn::BitCast(du32, hn::LoadU(df32, odd)));
  return hn::BitCast(d, hn::Or(low, hn::ShiftLeft<32>(high)));
}

// Adds to 2 * Lanes(d) elements from to on.
template <class Codec, class D>
HWY_INLINE void AddInTurn(D d, const float* even, const float* odd,
                          typename Codec::T* to) {
  const size_t N = hn::Lanes(d);
  if constexpr (std::is_same_v<Codec, BF16Codec>) {
    // A sum's NaN is that of the element, or of Inf - Inf, which numbers do not
    // make: its lower half is zero.
    hn::Vec<D> a, b;
    BF16Codec::LoadEvenOdd(d, to, a, b);
    BF16Codec::StoreEvenOdd(d, hn::Add(a, hn::LoadU(d, even)),
                            hn::Add(b, hn::LoadU(d, odd)), to);
  } else {
    const auto a = hn::Add(Codec::Load(d, to), LoadInTurn(d, even, odd));
    const auto b = hn::Add(Codec::Load(d, to + N),
                           LoadInTurn(d, even + N / 2, odd + N / 2));
    Codec::StoreTwo(d, a, b, to);
  }
}

#endif  // HWY_TARGET != HWY_SCALAR

// to[2i] += even[i], to[2i + 1] += odd[i]. The numbers that are added are
// finite.
template <class Codec>
HWY_INLINE void AddInterleavedRow(const float* even, const float* odd,
                                  size_t pairs, typename Codec::T* to) {
  const hn::CappedTag<float, 1> d1;
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d);
  for (; i + N <= pairs; i += N) {
    AddInTurn<Codec>(d, even + i, odd + i, to + 2 * i);
  }
#endif
  for (; i < pairs; ++i) {
    typename Codec::T* const pair = to + 2 * i;
    Codec::Store(d1, hn::Add(Codec::Load(d1, pair), hn::Set(d1, even[i])),
                 pair);
    Codec::Store(d1, hn::Add(Codec::Load(d1, pair + 1), hn::Set(d1, odd[i])),
                 pair + 1);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
