// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Biases that are at hand, added to consecutive scores: one each, or one for
// all.
#if defined(ROPEWALK_SRC_ENCODINGS_ADD_BIAS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ENCODINGS_ADD_BIAS_INL_H_
#undef ROPEWALK_SRC_ENCODINGS_ADD_BIAS_INL_H_
#else
#define ROPEWALK_SRC_ENCODINGS_ADD_BIAS_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"

#include "simd/codec-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

struct BiasOfEach {
  const float* bias;

  template <class D>
  HWY_INLINE hn::Vec<D> At(D d, size_t i) const {
    return hn::LoadU(d, bias + i);
  }
};

struct BiasOfAll {
  float bias;

  template <class D>
  HWY_INLINE hn::Vec<D> At(D d, size_t /*i*/) const {
    return hn::Set(d, bias);
  }
};

template <class Codec, class Bias, class D>
HWY_INLINE hn::Vec<D> SumAt(D d, const typename Codec::T* scores,
                            const Bias& bias, size_t i) {
  return hn::Add(Codec::Load(d, scores + i), bias.At(d, i));
}

// What fills no vector is the end of one that overlaps others: it is read
// before they are written, and written last, with the same bits.
template <class Codec, class Bias>
HWY_INLINE void AddBias(typename Codec::T* scores, const Bias& bias,
                        size_t count) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> d1;
  const size_t N = hn::Lanes(d);
  if (count < N) {
    for (size_t i = 0; i < count; ++i) {
      Codec::Store(d1, SumAt<Codec>(d1, scores, bias, i), scores + i);
    }
    return;
  }
  const size_t last = count - N;
  const bool overlaps = count % N != 0;
  auto tail = hn::Zero(d);
  if (overlaps) tail = SumAt<Codec>(d, scores, bias, last);
  size_t i = 0;
  for (; i + 4 * N <= count; i += 4 * N) {
    const auto v0 = SumAt<Codec>(d, scores, bias, i);
    const auto v1 = SumAt<Codec>(d, scores, bias, i + N);
    const auto v2 = SumAt<Codec>(d, scores, bias, i + 2 * N);
    const auto v3 = SumAt<Codec>(d, scores, bias, i + 3 * N);
    Codec::StoreTwo(d, v0, v1, scores + i);
    Codec::StoreTwo(d, v2, v3, scores + i + 2 * N);
  }
  for (; i + N <= count; i += N) {
    Codec::Store(d, SumAt<Codec>(d, scores, bias, i), scores + i);
  }
  if (overlaps) Codec::Store(d, tail, scores + last);
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
