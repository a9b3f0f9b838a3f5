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

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void Rotate(D d, const typename In::T* in,
                                typename Out::T* out, size_t /*to_second*/,
                                V ca, V sa, V cb, V sb) {
    const V xa = In::Load(d, in);
    const V xb = In::Load(d, in + hn::Lanes(d));
    Out::StoreTwo(d, RotateNeighbours(ca, sa, xa, hn::Reverse2(d, xa)),
                  RotateNeighbours(cb, sb, xb, hn::Reverse2(d, xb)), out);
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
  static HWY_INLINE void Rotate(D d, const uint16_t* in, uint16_t* out,
                                size_t /*to_second*/, V ca, V sa, V cb, V sb) {
    const size_t N = hn::Lanes(d);
    V x0a, x0b, x1a, x1b;
    BF16Codec::LoadEvenOdd(d, in, x0a, x1a);
    BF16Codec::LoadEvenOdd(d, in + 2 * N, x0b, x1b);
    RotatePairs(ca, sa, x0a, x1a);
    RotatePairs(cb, sb, x0b, x1b);
    BF16Codec::StoreEvenOdd(d, x0a, x1a, out);
    BF16Codec::StoreEvenOdd(d, x0b, x1b, out + 2 * N);
  }
};
#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
