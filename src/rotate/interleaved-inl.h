// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets of interleaved pairing: pair i at elements 2i and 2i + 1 of the
// window. packets-inl.h says what a packet is.
#if defined(ROPEWALK_SRC_ROTATE_INTERLEAVED_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ROTATE_INTERLEAVED_INL_H_
#undef ROPEWALK_SRC_ROTATE_INTERLEAVED_INL_H_
#else
#define ROPEWALK_SRC_ROTATE_INTERLEAVED_INL_H_
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

#if HWY_TARGET != HWY_SCALAR
// Lanes(d) / 2 floats, each of them twice.
template <class D>
HWY_INLINE hn::Vec<D> LoadTwice(D d, const float* from) {
  const hn::Repartition<uint64_t, D> du64;
  const hn::Rebind<uint32_t, decltype(du64)> du32;
  const hn::Rebind<float, decltype(du64)> df32;
  const auto wide =
      hn::PromoteTo(du64, hn::BitCast(du32, hn::LoadU(df32, from)));
  return hn::BitCast(d, hn::Or(wide, hn::ShiftLeft<32>(wide)));
}
#endif  // HWY_TARGET != HWY_SCALAR

// Where the members of a pair are.
struct InterleavedPlaces {
  // Elements before the first member of pair i, and on to the second.
  static constexpr size_t First(size_t i) { return 2 * i; }
  static size_t ToSecond(const HeadsRun&) { return 1; }

  // What packets of so many pairs will load there.
  template <class T>
  static HWY_INLINE void Prefetch(const T* in, size_t /*to_second*/,
                                  size_t pairs) {
    PrefetchBytes(in, 2 * pairs * sizeof(T));
  }
};

// N elements in lanes a, the next N in lanes b: no element leaves its pair, and
// one exchange of neighbours is the only shuffle.
template <class InCodec, class OutCodec>
struct InterleavedPackets : InterleavedPlaces {
  using In = InCodec;
  using Out = OutCodec;
  static constexpr size_t kMinLanes = 2;

#if HWY_TARGET != HWY_SCALAR
  template <class D>
  static HWY_INLINE size_t Pairs(D d) {
    return hn::Lanes(d);
  }

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void LoadAngles(D d, const RowAngles& row, size_t i, V& ca,
                                    V& sa, V& cb, V& sb) {
    const size_t half = hn::Lanes(d) / 2;
    const V cos_scale = hn::Set(d, row.cos_scale);
    const V sin_scale =
        hn::OddEven(hn::Set(d, row.sin_scale), hn::Set(d, -row.sin_scale));
    ca = hn::Mul(LoadTwice(d, row.cos + i), cos_scale);
    cb = hn::Mul(LoadTwice(d, row.cos + i + half), cos_scale);
    sa = hn::Mul(LoadTwice(d, row.sin + i), sin_scale);
    sb = hn::Mul(LoadTwice(d, row.sin + i + half), sin_scale);
  }

  // The pairs lie in lanes a and b; the other two are of no use.
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void Load(D d, const typename In::T* in,
                              size_t /*to_second*/, V& xa, V& xb, V& unused_a,
                              V& unused_b) {
    unused_a = xa = In::Load(d, in);
    unused_b = xb = In::Load(d, in + hn::Lanes(d));
  }

  template <class V>
  static HWY_INLINE void Turn(V ca, V sa, V cb, V sb, V& xa, V& xb,
                              V& /*unused*/, V& /*unused*/) {
    const hn::DFromV<V> d;
    xa = RotateNeighbours(ca, sa, xa, hn::Reverse2(d, xa));
    xb = RotateNeighbours(cb, sb, xb, hn::Reverse2(d, xb));
  }

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void Store(D d, V xa, V xb, V /*unused*/, V /*unused*/,
                               typename Out::T* out, size_t /*to_second*/) {
    Out::StoreTwo(d, xa, xb, out);
  }
#endif  // HWY_TARGET != HWY_SCALAR
};

#if HWY_TARGET != HWY_SCALAR
// bf16 in place: the two halves of a 32-bit lane are a pair. N pairs in lanes
// a, the next N in lanes b.
template <>
struct InterleavedPackets<BF16Codec, BF16Codec> : InterleavedPlaces {
  using In = BF16Codec;
  using Out = BF16Codec;
  static constexpr size_t kMinLanes = 1;

  template <class D>
  static HWY_INLINE size_t Pairs(D d) {
    return 2 * hn::Lanes(d);
  }

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void LoadAngles(D d, const RowAngles& row, size_t i, V& ca,
                                    V& sa, V& cb, V& sb) {
    LoadAnglesInOrder(d, row, i, ca, sa, cb, sb);
  }

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void Load(D d, const uint16_t* in, size_t /*to_second*/,
                              V& x0a, V& x0b, V& x1a, V& x1b) {
    BF16Codec::LoadEvenOdd(d, in, x0a, x1a);
    BF16Codec::LoadEvenOdd(d, in + 2 * hn::Lanes(d), x0b, x1b);
  }

  template <class V>
  static HWY_INLINE void Turn(V ca, V sa, V cb, V sb, V& x0a, V& x0b, V& x1a,
                              V& x1b) {
    RotatePairs(ca, sa, x0a, x1a);
    RotatePairs(cb, sb, x0b, x1b);
  }

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void Store(D d, V x0a, V x0b, V x1a, V x1b, uint16_t* out,
                               size_t /*to_second*/) {
    BF16Codec::StoreEvenOdd(d, x0a, x1a, out);
    BF16Codec::StoreEvenOdd(d, x0b, x1b, out + 2 * hn::Lanes(d));
  }
};
#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
