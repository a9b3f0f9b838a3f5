// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The rotation itself: the one place that holds its formula. And its angles.
#if defined(ROPEWALK_SRC_ROTATE_PAIR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ROTATE_PAIR_INL_H_
#undef ROPEWALK_SRC_ROTATE_PAIR_INL_H_
#else
#define ROPEWALK_SRC_ROTATE_PAIR_INL_H_
#endif

#include "hwy/highway.h"

#include "rotate/heads_run.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// (x0, x1) becomes (x0 c - x1 s, x0 s + x1 c), fused where the target has FMA:
// two roundings an output, or three.
template <class V>
HWY_INLINE void RotatePairs(V c, V s, V& x0, V& x1) {
  const V y0 = hn::NegMulAdd(x1, s, hn::Mul(x0, c));
  x1 = hn::MulAdd(x0, s, hn::Mul(x1, c));
  x0 = y0;
}

// The same, bit for bit, for pairs in neighbouring lanes: c twice each, s as
// (-s, s), swapped = the members exchanged.
template <class V>
HWY_INLINE V RotateNeighbours(V c, V signed_s, V x, V swapped) {
  return hn::MulAdd(swapped, signed_s, hn::Mul(x, c));
}

// cos and sin of pairs i to i + N - 1 in lanes a, of the next N in b.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void LoadAnglesInOrder(D d, const RowAngles& row, size_t i, V& ca,
                                  V& sa, V& cb, V& sb) {
  const size_t N = hn::Lanes(d);
  const V cos_scale = hn::Set(d, row.cos_scale);
  const V sin_scale = hn::Set(d, row.sin_scale);
  ca = hn::Mul(hn::LoadU(d, row.cos + i), cos_scale);
  cb = hn::Mul(hn::LoadU(d, row.cos + i + N), cos_scale);
  sa = hn::Mul(hn::LoadU(d, row.sin + i), sin_scale);
  sb = hn::Mul(hn::LoadU(d, row.sin + i + N), sin_scale);
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
