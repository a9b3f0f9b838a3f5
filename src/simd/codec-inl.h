// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Storage types <-> float32 lanes: one codec a data type. Stores round once, to
// nearest even; NaN stays NaN; denormals are kept.
//
// Highway's own 16-bit conversions differ between its versions and targets
// (1.0.3 truncates bf16, and below AVX2 turns f16 Inf into a number), so they
// are used only where they are right in every version.
#if defined(ROPEWALK_SRC_SIMD_CODEC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_SIMD_CODEC_INL_H_
#undef ROPEWALK_SRC_SIMD_CODEC_INL_H_
#else
#define ROPEWALK_SRC_SIMD_CODEC_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// GCC reads a vector from memory again for each use rather than keep it; two
// loads a cycle are then the limit of a rotation in L1, not its arithmetic.
template <class V>
HWY_INLINE V KeepInRegister(V v) {
#if HWY_ARCH_X86 && HWY_COMPILER_GCC && !HWY_COMPILER_CLANG
  asm("" : "+v"(v.raw));
#endif
  return v;
}

struct F32Codec {
  using T = float;

  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const T* from) {
    return KeepInRegister(hn::LoadU(d, from));
  }
  template <class D>
  static HWY_INLINE void Store(D d, hn::Vec<D> v, T* to) {
    hn::StoreU(v, d, to);
  }
  template <class D>
  static HWY_INLINE void StoreTwo(D d, hn::Vec<D> a, hn::Vec<D> b, T* to) {
    hn::StoreU(a, d, to);
    hn::StoreU(b, d, to + hn::Lanes(d));
  }
};

struct BF16Codec {
  using T = uint16_t;

  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const T* from) {
    const hn::RebindToUnsigned<D> du32;
    const hn::Rebind<uint16_t, D> du16;
    return hn::BitCast(
        d, hn::ShiftLeft<16>(hn::PromoteTo(du32, hn::LoadU(du16, from))));
  }

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
    if constexpr (hn::MaxLanes(D()) >= 4) {
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
};

// Whether Highway's f16 conversions are those of the hardware (F16C), which are
// right in every version.
#undef ROPEWALK_NATIVE_F16
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2 && !defined(HWY_DISABLE_F16C)
#define ROPEWALK_NATIVE_F16 1
#else
#define ROPEWALK_NATIVE_F16 0
#endif

struct F16Codec {
  using T = uint16_t;

#if ROPEWALK_NATIVE_F16
  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const T* from) {
    const hn::Rebind<hwy::float16_t, D> df16;
    const hn::Rebind<uint16_t, D> du16;
    return hn::PromoteTo(d, hn::BitCast(df16, hn::LoadU(du16, from)));
  }

  template <class D>
  static HWY_INLINE void Store(D /*d*/, hn::Vec<D> v, T* to) {
    const hn::Rebind<hwy::float16_t, D> df16;
    const hn::Rebind<uint16_t, D> du16;
    hn::StoreU(hn::BitCast(du16, hn::DemoteTo(df16, v)), du16, to);
  }
#else
  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const T* from) {
    const hn::RebindToUnsigned<D> du32;
    const hn::RebindToSigned<D> di32;
    const hn::Rebind<uint16_t, D> du16;
    const auto bits = hn::PromoteTo(du32, hn::LoadU(du16, from));
    const auto magnitude = hn::And(bits, hn::Set(du32, 0x7FFFu));
    const auto sign = hn::ShiftLeft<16>(hn::Xor(bits, magnitude));
    const auto as_signed = hn::BitCast(di32, magnitude);
    // Rebiases the exponent from 15 to 127.
    const auto shifted = hn::ShiftLeft<13>(magnitude);
    const auto normal = hn::Add(shifted, hn::Set(du32, 112u << 23));
    // 2^-24 times an integer is exact, and needs no float32 denormal.
    const auto small = hn::BitCast(
        du32, hn::Mul(hn::ConvertTo(d, as_signed), hn::Set(d, 0x1p-24f)));
    const auto is_small =
        hn::RebindMask(du32, hn::Gt(hn::Set(di32, int32_t{0x400}), as_signed));
    const auto special = hn::Or(shifted, hn::Set(du32, 0x7F800000u));
    const auto is_special =
        hn::RebindMask(du32, hn::Gt(as_signed, hn::Set(di32, int32_t{0x7BFF})));
    const auto is_nan =
        hn::RebindMask(du32, hn::Gt(as_signed, hn::Set(di32, int32_t{0x7C00})));
    const auto quiet = hn::IfThenElseZero(is_nan, hn::Set(du32, 0x400000u));
    const auto finite = hn::IfThenElse(is_small, small, normal);
    const auto value =
        hn::IfThenElse(is_special, hn::Or(special, quiet), finite);
    return hn::BitCast(d, hn::Or(value, sign));
  }

  template <class D>
  static HWY_INLINE void Store(D d, hn::Vec<D> v, T* to) {
    const hn::RebindToUnsigned<D> du32;
    const hn::RebindToSigned<D> di32;
    const hn::Rebind<uint16_t, D> du16;
    const auto bits = hn::BitCast(du32, v);
    const auto magnitude = hn::And(bits, hn::Set(du32, 0x7FFFFFFFu));
    const auto sign = hn::ShiftRight<16>(hn::Xor(bits, magnitude));
    const auto as_signed = hn::BitCast(di32, magnitude);
    const auto shifted = hn::ShiftRight<13>(magnitude);
    const auto odd = hn::And(shifted, hn::Set(du32, 1u));
    // Rebiases the exponent and rounds; 65520 carries into 0x7C00, Inf.
    const auto normal = hn::ShiftRight<13>(
        hn::Add(magnitude, hn::Add(hn::Set(du32, 0xFFFu - (112u << 23)), odd)));
    // Adding 0.5, whose ulp is the f16 denormal, rounds to that grid.
    const auto half = hn::Set(d, 0.5f);
    const auto small =
        hn::Sub(hn::BitCast(du32, hn::Add(hn::BitCast(d, magnitude), half)),
                hn::BitCast(du32, half));
    const auto is_small = hn::RebindMask(
        du32, hn::Gt(hn::Set(di32, int32_t{0x38800000}), as_signed));
    const auto is_large = hn::RebindMask(
        du32, hn::Gt(as_signed, hn::Set(di32, int32_t{0x477FFFFF})));
    const auto is_nan = hn::RebindMask(
        du32, hn::Gt(as_signed, hn::Set(di32, int32_t{0x7F800000})));
    const auto payload =
        hn::Or(hn::And(shifted, hn::Set(du32, 0x3FFu)), hn::Set(du32, 0x7E00u));
    const auto special =
        hn::IfThenElse(is_nan, payload, hn::Set(du32, 0x7C00u));
    const auto finite = hn::IfThenElse(is_small, small, normal);
    const auto value = hn::IfThenElse(is_large, special, finite);
    hn::StoreU(hn::TruncateTo(du16, hn::Or(value, sign)), du16, to);
  }
#endif  // ROPEWALK_NATIVE_F16

  template <class D>
  static HWY_INLINE void StoreTwo(D d, hn::Vec<D> a, hn::Vec<D> b, T* to) {
    Store(d, a, to);
    Store(d, b, to + hn::Lanes(d));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
