// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Out of place: the dims that do not turn, copied or converted.
#if defined(ROPEWALK_SRC_ROTATE_COPY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ROTATE_COPY_INL_H_
#undef ROPEWALK_SRC_ROTATE_COPY_INL_H_
#else
#define ROPEWALK_SRC_ROTATE_COPY_INL_H_
#endif

#include <cstring>
#include <type_traits>

#include "hwy/highway.h"

#include "rotate/heads_run.h"
#include "rotate/prefetch.h"
#include "rotate/rows.h"
#include "simd/codec-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Copies dims [begin, end) of each head bit for bit, or converts them.
template <class In, class Out>
void CopyDims(const HeadSpan& heads, int begin, int end) {
  using TIn = typename In::T;
  using TOut = typename Out::T;
  if (begin >= end) return;
  const size_t dims = static_cast<size_t>(end - begin);
  const size_t prefetch = heads.ahead == 0 ? 0 : dims * sizeof(TIn);
  for (int64_t head = 0; head < heads.heads; ++head) {
    const TIn* in =
        reinterpret_cast<const TIn*>(heads.in + head * heads.in_stride) + begin;
    PrefetchBytes(reinterpret_cast<const uint8_t*>(in) + heads.ahead, prefetch);
    TOut* out =
        reinterpret_cast<TOut*>(heads.out + head * heads.out_stride) + begin;
    if constexpr (std::is_same_v<In, Out>) {
      std::memmove(out, in, dims * sizeof(TIn));
    } else {
      const hn::ScalableTag<float> d;
      const hn::CappedTag<float, 1> d1;
      const size_t N = hn::Lanes(d);
      size_t i = 0;
      for (; i + 2 * N <= dims; i += 2 * N) {
        Out::StoreTwo(d, In::Load(d, in + i), In::Load(d, in + i + N), out + i);
      }
      for (; i + N <= dims; i += N) {
        Out::Store(d, In::Load(d, in + i), out + i);
      }
      for (; i < dims; ++i) Out::Store(d1, In::Load(d1, in + i), out + i);
    }
  }
}

// The dims outside the rotary window and, where the members of a pair are far
// apart, between them.
template <class In, class Out>
void CopyUnrotatedDims(const RotaryLayout& layout, const HeadSpan& heads) {
  const int pairs = layout.rotary_dim / 2;
  const bool half = layout.pairing == Pairing::kHalf;
  const int first_end = layout.rotary_offset + (half ? pairs : 2 * pairs);
  CopyDims<In, Out>(heads, 0, layout.rotary_offset);
  if (!half) return CopyDims<In, Out>(heads, first_end, layout.head_dim);
  const int second = layout.rotary_offset + PairDistance(layout);
  CopyDims<In, Out>(heads, first_end, second);
  CopyDims<In, Out>(heads, second + pairs, layout.head_dim);
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
