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

  // Elements before the first member of pair i, and on to the second.
  static constexpr size_t First(size_t i) { return i; }
  static size_t ToSecond(const HeadsRun& run) { return run.distance; }

  template <class D>
  static HWY_INLINE size_t Pairs(D d) {
    return 2 * hn::Lanes(d);
  }

  template <class V>
  static HWY_INLINE void Turn(V ca, V sa, V cb, V sb, V& x0a, V& x0b, V& x1a,
                              V& x1b) {
    RotatePairs(ca, sa, x0a, x1a);
    RotatePairs(cb, sb, x0b, x1b);
  }

  // What packets of so many pairs will load there.
  template <class T>
  static HWY_INLINE void Prefetch(const T* in, size_t to_second, size_t pairs) {
    PrefetchBytes(in, pairs * sizeof(T));
    PrefetchBytes(in + to_second, pairs * sizeof(T));
  }
};

// Pairs i to i + N - 1 in lanes a, the next N in lanes b.
template <class InCodec, class OutCodec>
struct HalfPackets : HalfPlaces {
  using In = InCodec;
  using Out = OutCodec;
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void LoadAngles(D d, const RowAngles& row, size_t i, V& ca,
                                    V& sa, V& cb, V& sb) {
    LoadAnglesInOrder(d, row, i, ca, sa, cb, sb);
  }

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void Load(D d, const typename In::T* in, size_t to_second,
                              V& x0a, V& x0b, V& x1a, V& x1b) {
    const size_t N = hn::Lanes(d);
    x0a = In::Load(d, in);
    x0b = In::Load(d, in + N);
    x1a = In::Load(d, in + to_second);
    x1b = In::Load(d, in + to_second + N);
  }

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void Store(D d, V x0a, V x0b, V x1a, V x1b,
                               typename Out::T* out, size_t to_second) {
    Out::StoreTwo(d, x0a, x0b, out);
    Out::StoreTwo(d, x1a, x1b, out + to_second);
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
  static HWY_INLINE void LoadAngles(D d, const RowAngles& row, size_t i, V& ca,
                                    V& sa, V& cb, V& sb) {
    const V cos_scale = hn::Set(d, row.cos_scale);
    const V sin_scale = hn::Set(d, row.sin_scale);
    hn::LoadInterleaved2(d, row.cos + i, ca, cb);
    hn::LoadInterleaved2(d, row.sin + i, sa, sb);
    ca = hn::Mul(ca, cos_scale);
    cb = hn::Mul(cb, cos_scale);
    sa = hn::Mul(sa, sin_scale);
    sb = hn::Mul(sb, sin_scale);
  }

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void Load(D d, const uint16_t* in, size_t to_second, V& x0a,
                              V& x0b, V& x1a, V& x1b) {
    BF16Codec::LoadEvenOdd(d, in, x0a, x0b);
    BF16Codec::LoadEvenOdd(d, in + to_second, x1a, x1b);
  }

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void Store(D d, V x0a, V x0b, V x1a, V x1b, uint16_t* out,
                               size_t to_second) {
    BF16Codec::StoreEvenOdd(d, x0a, x0b, out);
    BF16Codec::StoreEvenOdd(d, x1a, x1b, out + to_second);
  }
};
#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
