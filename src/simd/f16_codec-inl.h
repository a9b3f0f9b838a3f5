// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// f16 <-> float32 lanes. Highway's own conversions turn Inf into a number below
// AVX2: only those of the hardware are used.
#if defined(ROPEWALK_SRC_SIMD_F16_CODEC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_SIMD_F16_CODEC_INL_H_
#undef ROPEWALK_SRC_SIMD_F16_CODEC_INL_H_
#else
#define ROPEWALK_SRC_SIMD_F16_CODEC_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

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
