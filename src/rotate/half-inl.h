// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets of half pairing: member 0 of pair i at element i of the window,
// member 1 at i + distance. packets-inl.h says what a packet is.
#if defined(ROPEWALK_SRC_ROTATE_HALF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ROTATE_HALF_INL_H_
#undef ROPEWALK_SRC_ROTATE_HALF_INL_H_
#else
#define ROPEWALK_SRC_ROTATE_HALF_INL_H_
#endif

#include "hwy/highway.h"

#include "rotate/heads_run.h"
#include "rotate/pair-inl.h"
#include "rotate/prefetch.h"
#include "simd/codec-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Where the members of a pair are, and how many pairs a packet has.
struct HalfPlaces {
  static constexpr size_t kMinLanes = 1;

  static size_t Member0(const HeadsRun&, size_t i) { return i; }
  static size_t Member1(const HeadsRun& run, size_t i) {
    return i + run.distance;
  }

  template <class D>
  static HWY_INLINE size_t Pairs(D d) {
    return 2 * hn::Lanes(d);
  }

  // What packets of so many pairs will load there.
  template <class T>
  static HWY_INLINE void Prefetch(const HeadsRun& run, const T* head, size_t i,
                                  size_t pairs) {
    PrefetchBytes(head + i, pairs * sizeof(T));
    PrefetchBytes(head + i + run.distance, pairs * sizeof(T));
  }
};

// Pairs i to i + N - 1 in lanes a, the next N in lanes b.
template <class InCodec, class OutCodec>
struct HalfPackets : HalfPlaces {
  using In = InCodec;
  using Out = OutCodec;
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void LoadAngles(D d, const HeadsRun& run, size_t i, V& ca,
                                    V& sa, V& cb, V& sb) {
    LoadAnglesInOrder(d, run, i, ca, sa, cb, sb);
  }

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void Rotate(D d, const HeadsRun& run,
                                const typename In::T* in, typename Out::T* out,
                                size_t i, V ca, V sa, V cb, V sb) {
    const size_t N = hn::Lanes(d);
    V x0a = In::Load(d, in + i);
    V x0b = In::Load(d, in + i + N);
    V x1a = In::Load(d, in + i + run.distance);
    V x1b = In::Load(d, in + i + run.distance + N);
    RotatePairs(ca, sa, x0a, x1a);
    RotatePairs(cb, sb, x0b, x1b);
    Out::StoreTwo(d, x0a, x0b, out + i);
    Out::StoreTwo(d, x1a, x1b, out + i + run.distance);
  }
};

#if HWY_TARGET != HWY_SCALAR
// bf16 in place: the even ones of 2N pairs in lanes a, the odd ones in b, so
// that no element crosses a lane. cos and sin are parted likewise, once a
// token.
template <>
struct HalfPackets<BF16Codec, BF16Codec> : HalfPlaces {
  using In = BF16Codec;
  using Out = BF16Codec;
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void LoadAngles(D d, const HeadsRun& run, size_t i, V& ca,
                                    V& sa, V& cb, V& sb) {
    const V cos_scale = hn::Set(d, run.cos_scale);
    const V sin_scale = hn::Set(d, run.sin_scale);
    hn::LoadInterleaved2(d, run.cos + i, ca, cb);
    hn::LoadInterleaved2(d, run.sin + i, sa, sb);
    ca = hn::Mul(ca, cos_scale);
    cb = hn::Mul(cb, cos_scale);
    sa = hn::Mul(sa, sin_scale);
    sb = hn::Mul(sb, sin_scale);
  }

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void Rotate(D d, const HeadsRun& run, const uint16_t* in,
                                uint16_t* out, size_t i, V ca, V sa, V cb,
                                V sb) {
    V x0a, x0b, x1a, x1b;
    BF16Codec::LoadEvenOdd(d, in + i, x0a, x0b);
    BF16Codec::LoadEvenOdd(d, in + i + run.distance, x1a, x1b);
    RotatePairs(ca, sa, x0a, x1a);
    RotatePairs(cb, sb, x0b, x1b);
    BF16Codec::StoreEvenOdd(d, x0a, x0b, out + i);
    BF16Codec::StoreEvenOdd(d, x1a, x1b, out + i + run.distance);
  }
};
#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
