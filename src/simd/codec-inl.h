// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Storage types <-> float32 lanes: one codec a data type. Stores round once, to
// nearest even; NaN stays NaN; denormals are kept, except where the hardware
// converts to bf16.
#if defined(ROPEWALK_SRC_SIMD_CODEC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_SIMD_CODEC_INL_H_
#undef ROPEWALK_SRC_SIMD_CODEC_INL_H_
#else
#define ROPEWALK_SRC_SIMD_CODEC_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

#include "simd/bf16_codec-inl.h"
#include "simd/f16_codec-inl.h"

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

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
