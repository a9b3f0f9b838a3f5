// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// bf16 <-> float32 lanes. Highway's own conversions truncate in 1.0.3, and
// round in 1.2: only those of the hardware are used.
#if defined(ROPEWALK_SRC_SIMD_BF16_CODEC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_SIMD_BF16_CODEC_INL_H_
#undef ROPEWALK_SRC_SIMD_BF16_CODEC_INL_H_
#else
#define ROPEWALK_SRC_SIMD_BF16_CODEC_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Whether stores to bf16 use the hardware's conversion (AVX512_BF16, Highway
// 1.2 or later), which takes and gives zero for denormals. Everything else is
// bit for bit what the other code does.
#undef ROPEWALK_NATIVE_BF16
#if HWY_ARCH_X86 && HWY_MAJOR * 100 + HWY_MINOR >= 102 && \
    defined(HWY_AVX3_HAVE_F32_TO_BF16C) && !ROPEWALK_PORTABLE_BF16
#define ROPEWALK_NATIVE_BF16 HWY_AVX3_HAVE_F32_TO_BF16C
#else
#define ROPEWALK_NATIVE_BF16 0
#endif

struct BF16Codec {
  using T = uint16_t;

  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const T* from) {
    const hn::RebindToUnsigned<D> du32;
    const hn::Rebind<uint16_t, D> du16;
    return hn::BitCast(
        d, hn::ShiftLeft<16>(hn::PromoteTo(du32, hn::LoadU(du16, from))));
  }

#if HWY_TARGET != HWY_SCALAR
  // Loads 2 * Lanes(d) elements without a shuffle: those of even and those of
  // odd index.
  template <class D>
  static HWY_INLINE void LoadEvenOdd(D d, const T* from, hn::Vec<D>& even,
                                     hn::Vec<D>& odd) {
    const hn::RebindToUnsigned<D> du32;
    const hn::Repartition<uint16_t, D> du16;
    const auto both = hn::BitCast(du32, hn::LoadU(du16, from));
    even = hn::BitCast(d, hn::ShiftLeft<16>(both));
    odd = hn::BitCast(d, hn::And(both, hn::Set(du32, 0xFFFF0000u)));
  }
#endif  // HWY_TARGET != HWY_SCALAR

#if ROPEWALK_NATIVE_BF16
  template <class D>
  static HWY_INLINE void Store(D /*d*/, hn::Vec<D> v, T* to) {
    const hn::Rebind<hwy::bfloat16_t, D> dbf16;
    const hn::Rebind<uint16_t, D> du16;
    hn::StoreU(hn::BitCast(du16, hn::DemoteTo(dbf16, v)), du16, to);
  }

  template <class D>
  static HWY_INLINE void StoreTwo(D d, hn::Vec<D> a, hn::Vec<D> b, T* to) {
    const hn::Repartition<uint16_t, D> du16;
    hn::StoreU(DemoteTwo(d, a, b), du16, to);
  }

  // Stores 2 * Lanes(d) elements.
  template <class D>
  static HWY_INLINE void StoreEvenOdd(D d, hn::Vec<D> even, hn::Vec<D> odd,
                                      T* to) {
    const hn::Repartition<uint16_t, D> du16;
    // Lane 2i comes from lane i of the even ones, which are the lower half.
    const auto half = hn::ShiftRight<1>(hn::Iota(du16, uint16_t{0}));
    const auto lanes = hn::Set(du16, static_cast<uint16_t>(hn::Lanes(d)));
    const auto index = hn::OddEven(hn::Add(half, lanes), half);
    hn::StoreU(hn::TableLookupLanes(DemoteTwo(d, even, odd),
                                    hn::IndicesFromVec(du16, index)),
               du16, to);
  }

 private:
  // a in the lower half.
  template <class D>
  static HWY_INLINE hn::Vec<hn::Repartition<uint16_t, D>> DemoteTwo(
      D /*d*/, hn::Vec<D> a, hn::Vec<D> b) {
    const hn::Repartition<hwy::bfloat16_t, D> dbf16;
    const hn::Repartition<uint16_t, D> du16;
    return hn::BitCast(du16, hn::OrderedDemote2To(dbf16, a, b));
  }
#else
  template <class D>
  static HWY_INLINE void Store(D /*d*/, hn::Vec<D> v, T* to) {
    const hn::RebindToUnsigned<D> du32;
    const hn::RebindToSigned<D> di32;
    const hn::Rebind<uint16_t, D> du16;
    const auto bits = hn::BitCast(du32, v);
    const auto upper = hn::ShiftRight<16>(bits);
    const auto odd = hn::And(upper, hn::Set(du32, 1u));
    const auto rounded =
        hn::ShiftRight<16>(hn::Add(bits, hn::Add(hn::Set(du32, 0x7FFFu), odd)));
    const auto magnitude =
        hn::BitCast(di32, hn::And(bits, hn::Set(du32, 0x7FFFFFFFu)));
    const auto nan = hn::RebindMask(
        du32, hn::Gt(magnitude, hn::Set(di32, int32_t{0x7F800000})));
    // The quiet bit: a payload in the lower half alone would read as Inf.
    const auto quiet = hn::Or(upper, hn::Set(du32, 0x40u));
    hn::StoreU(hn::TruncateTo(du16, hn::IfThenElse(nan, quiet, rounded)), du16,
               to);
  }

  // As two stores, with one shuffle and no look at each NaN.
  template <class D>
  static HWY_INLINE void StoreTwo(D d, hn::Vec<D> a, hn::Vec<D> b, T* to) {
#if HWY_TARGET != HWY_SCALAR
    // On SVE_256 Highway 1.0.3 joins vectors as if each was a whole one.
    constexpr bool kJoins = HWY_TARGET != HWY_SVE_256 ||
                            hn::MaxLanes(D()) * sizeof(float) == HWY_MAX_BYTES;
    if constexpr (kJoins && hn::MaxLanes(D()) >= 4) {
      // NaN where either is, or both are infinite.
      if (HWY_LIKELY(hn::AllFalse(d, hn::IsNaN(hn::Sub(a, b))))) {
        const hn::Repartition<uint16_t, D> du16;
        hn::StoreU(hn::ConcatOdd(du16, hn::BitCast(du16, RoundUpper(d, b)),
                                 hn::BitCast(du16, RoundUpper(d, a))),
                   du16, to);
        return;
      }
    }
#endif
    Store(d, a, to);
    Store(d, b, to + hn::Lanes(d));
  }

#if HWY_TARGET != HWY_SCALAR
  // Stores 2 * Lanes(d) elements. Rounds both halves in 16-bit lanes: the upper
  // half plus one where the lower is above 0x8000, or is 0x8000 and the upper
  // odd; the saturating difference reaches 0x8000 just then.
  // Requires: the lower half of a NaN is zero, as of every NaN that comes of
  // bf16 inputs and finite factors.
  template <class D>
  static HWY_INLINE void StoreEvenOdd(D /*d*/, hn::Vec<D> even, hn::Vec<D> odd,
                                      T* to) {
    const hn::RebindToUnsigned<D> du32;
    const hn::Repartition<uint16_t, D> du16;
    const auto even32 = hn::BitCast(du32, even);
    const auto odd32 = hn::BitCast(du32, odd);
    const auto upper =
        hn::OddEven(hn::BitCast(du16, odd32),
                    hn::BitCast(du16, hn::ShiftRight<16>(even32)));
    const auto lower = hn::OddEven(hn::BitCast(du16, hn::ShiftLeft<16>(odd32)),
                                   hn::BitCast(du16, even32));
    const auto is_even = hn::AndNot(upper, hn::Set(du16, uint16_t{1}));
    const auto up = hn::ShiftRight<15>(hn::SaturatedSub(lower, is_even));
    hn::StoreU(hn::Add(upper, up), du16, to);
  }
#endif  // HWY_TARGET != HWY_SCALAR

 private:
  // The upper half becomes the bf16, except of a NaN.
  template <class D>
  static HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> RoundUpper(D /*d*/,
                                                                hn::Vec<D> v) {
    const hn::RebindToUnsigned<D> du32;
    const auto bits = hn::BitCast(du32, v);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du32, 1u));
    return hn::Add(bits, hn::Add(hn::Set(du32, 0x7FFFu), odd));
  }
#endif  // ROPEWALK_NATIVE_BF16
};

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
