// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rotary windows on their way from one pairing to the other: elements change
// places, bit for bit, and nothing turns.
#if defined(ROPEWALK_SRC_ROTATE_CHANGE_PAIRING_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ROTATE_CHANGE_PAIRING_INL_H_
#undef ROPEWALK_SRC_ROTATE_CHANGE_PAIRING_INL_H_
#else
#define ROPEWALK_SRC_ROTATE_CHANGE_PAIRING_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

#include "rotate/heads_run.h"
#include "rotate/prefetch.h"
#include "rotate/rows.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Pairs from i on, from neighbours to halves.
struct ToHalf {
  template <class D, class T>
  static HWY_INLINE void MoveVector(D d, const T* from, size_t i, size_t pairs,
                                    T* to) {
    hn::Vec<D> member0, member1;
    hn::LoadInterleaved2(d, from + 2 * i, member0, member1);
    hn::StoreU(member0, d, to + i);
    hn::StoreU(member1, d, to + pairs + i);
  }
  template <class T>
  static HWY_INLINE void MoveOne(const T* from, size_t i, size_t pairs, T* to) {
    to[i] = from[2 * i];
    to[pairs + i] = from[2 * i + 1];
  }
};

// And from halves to neighbours.
struct ToInterleaved {
  template <class D, class T>
  static HWY_INLINE void MoveVector(D d, const T* from, size_t i, size_t pairs,
                                    T* to) {
    hn::StoreInterleaved2(hn::LoadU(d, from + i),
                          hn::LoadU(d, from + pairs + i), d, to + 2 * i);
  }
  template <class T>
  static HWY_INLINE void MoveOne(const T* from, size_t i, size_t pairs, T* to) {
    to[2 * i] = from[i];
    to[2 * i + 1] = from[pairs + i];
  }
};

// Moves a window by the longest vectors of at most kLanes that it fills; the
// last one may take again what the one before it took.
template <class To, size_t kLanes, class T>
HWY_INLINE void MoveWindow(const T* from, size_t pairs, T* to) {
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<T, kLanes> d;
  const size_t N = hn::Lanes(d);
  if (pairs >= N) {
    for (size_t i = 0; i + N <= pairs; i += N) {
      To::MoveVector(d, from, i, pairs, to);
    }
    if (pairs % N != 0) To::MoveVector(d, from, pairs - N, pairs, to);
    return;
  }
  if constexpr (kLanes * sizeof(T) > 16) {
    return MoveWindow<To, kLanes / 2>(from, pairs, to);
  }
#endif
  for (size_t i = 0; i < pairs; ++i) To::MoveOne(from, i, pairs, to);
}

// Moves windows of rotary_dim elements to the layout's output_pairing.
template <class T>
HWY_INLINE void MoveWindows(const RotaryLayout& layout,
                            const HeadSpan& windows) {
  constexpr size_t kLanes = HWY_MAX_BYTES / sizeof(T);
  const size_t pairs = static_cast<size_t>(layout.rotary_dim / 2);
  const bool to_half = layout.output_pairing == Pairing::kHalf;
  const size_t prefetch = windows.ahead == 0 ? 0 : 2 * pairs * sizeof(T);
  for (int64_t head = 0; head < windows.heads; ++head) {
    const uint8_t* in = windows.in + head * windows.in_stride;
    PrefetchBytes(in + windows.ahead, prefetch);
    const T* from = reinterpret_cast<const T*>(in);
    T* to = reinterpret_cast<T*>(windows.out + head * windows.out_stride);
    if (to_half) {
      MoveWindow<ToHalf, kLanes>(from, pairs, to);
    } else {
      MoveWindow<ToInterleaved, kLanes>(from, pairs, to);
    }
  }
}

// As many as stay in an L1 of 32 KiB with what is read and written: 8 KiB in
// float32.
inline int64_t WindowsAtATime(const RotaryLayout& layout) {
  constexpr int64_t kDims = 2048;
  return std::max(kDims / layout.rotary_dim, int64_t{1});
}

// A window as a head of its own, while its pairs are halves.
inline RotaryLayout HalfWindow(const RotaryLayout& layout) {
  RotaryLayout window;
  window.head_dim = window.rotary_dim = layout.rotary_dim;
  window.first_pair = layout.first_pair;
  return window;
}

// The windows of heads.
template <class In, class Out>
HWY_INLINE HeadSpan WindowsOf(const RotaryLayout& layout,
                              const HeadSpan& heads) {
  HeadSpan windows = heads;
  windows.in += layout.rotary_offset * int64_t{sizeof(typename In::T)};
  windows.out += layout.rotary_offset * int64_t{sizeof(typename Out::T)};
  return windows;
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
