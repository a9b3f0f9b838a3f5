// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The loops over the pairs and heads of one angle row, for any pairing and data
// types. They are written in packets.
//
// A packet is the pairs that two vectors of float32 lanes, a and b, hold for
// each member; its type says which pair is in which lane (whatever order costs
// no shuffle), how cos and sin are brought into that order, and how a packet
// of a head is rotated. One or two packets at a time keep their cos and sin in
// registers while they pass over all heads of the row. What is left of a row
// goes through the same functions with shorter vectors.
#if defined(ROPEWALK_SRC_ROTATE_PACKETS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ROTATE_PACKETS_INL_H_
#undef ROPEWALK_SRC_ROTATE_PACKETS_INL_H_
#else
#define ROPEWALK_SRC_ROTATE_PACKETS_INL_H_
#endif

#include "hwy/highway.h"

#include "rotate/heads_run.h"
#include "rotate/pair-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Steps through the heads of a span.
template <class P>
struct HeadCursor {
  explicit HWY_INLINE HeadCursor(const HeadSpan& heads)
      : span(heads), left(heads.heads) {}
  HWY_INLINE void Next() {
    span.in += span.in_stride;
    span.out += span.out_stride;
    --left;
  }
  HWY_INLINE const typename P::In::T* in() const {
    return reinterpret_cast<const typename P::In::T*>(span.in);
  }
  HWY_INLINE const typename P::In::T* ahead() const {
    return reinterpret_cast<const typename P::In::T*>(span.in + span.ahead);
  }
  HWY_INLINE typename P::Out::T* out() const {
    return reinterpret_cast<typename P::Out::T*>(span.out);
  }

  HeadSpan span;
  int64_t left;
};

// The functions below are not inlined, and copy the run: the loops over the
// heads are all they hold, and all of it stays in registers.

template <class P, class D, class V = hn::Vec<D>>
HWY_NOINLINE void RotateTwoPackets(D d, const HeadsRun& shared, size_t i) {
  const HeadsRun run = shared;
  const size_t j = i + P::Pairs(d);
  V ca, sa, cb, sb, cc, sc, cd, sd;
  P::LoadAngles(d, run, i, ca, sa, cb, sb);
  P::LoadAngles(d, run, j, cc, sc, cd, sd);
  for (int span = 0; span < run.count; ++span) {
    for (HeadCursor<P> head(run.spans[span]); head.left > 0; head.Next()) {
      if (run.prefetch) P::Prefetch(run, head.ahead(), i, 2 * P::Pairs(d));
      P::Rotate(d, run, head.in(), head.out(), i, ca, sa, cb, sb);
      P::Rotate(d, run, head.in(), head.out(), j, cc, sc, cd, sd);
    }
  }
}

template <class P, class D, class V = hn::Vec<D>>
HWY_NOINLINE void RotateOnePacket(D d, const HeadsRun& shared, size_t i) {
  const HeadsRun run = shared;
  V ca, sa, cb, sb;
  P::LoadAngles(d, run, i, ca, sa, cb, sb);
  for (int span = 0; span < run.count; ++span) {
    for (HeadCursor<P> head(run.spans[span]); head.left > 0; head.Next()) {
      if (run.prefetch) P::Prefetch(run, head.ahead(), i, P::Pairs(d));
      P::Rotate(d, run, head.in(), head.out(), i, ca, sa, cb, sb);
    }
  }
}

template <class P>
HWY_NOINLINE void RotateOnePair(const HeadsRun& shared, size_t i) {
  const HeadsRun run = shared;
  const hn::CappedTag<float, 1> d;
  const auto c = hn::Set(d, run.cos[i] * run.cos_scale);
  const auto s = hn::Set(d, run.sin[i] * run.sin_scale);
  const size_t member0 = P::Member0(run, i);
  const size_t member1 = P::Member1(run, i);
  for (int span = 0; span < run.count; ++span) {
    for (HeadCursor<P> head(run.spans[span]); head.left > 0; head.Next()) {
      auto x0 = P::In::Load(d, head.in() + member0);
      auto x1 = P::In::Load(d, head.in() + member1);
      RotatePairs(c, s, x0, x1);
      P::Out::Store(d, x0, head.out() + member0);
      P::Out::Store(d, x1, head.out() + member1);
    }
  }
}

// Packets of at most kLanes lanes, then of fewer; returns the first pair left.
template <class P, size_t kLanes>
HWY_INLINE size_t RotateShortPackets(const HeadsRun& run, size_t i) {
  if constexpr (kLanes >= P::kMinLanes) {
    const hn::CappedTag<float, kLanes> d;
    for (; i + P::Pairs(d) <= run.pairs; i += P::Pairs(d)) {
      RotateOnePacket<P>(d, run, i);
    }
    if constexpr (kLanes > 1) i = RotateShortPackets<P, kLanes / 2>(run, i);
  }
  return i;
}

template <class P>
HWY_INLINE void RotateHeads(const HeadsRun& run) {
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<float> d;
  const size_t packet = P::Pairs(d);
  for (; i + 2 * packet <= run.pairs; i += 2 * packet) {
    RotateTwoPackets<P>(d, run, i);
  }
  if (i + packet <= run.pairs) {
    RotateOnePacket<P>(d, run, i);
    i += packet;
  }
  if (HWY_UNLIKELY(i < run.pairs)) {
    i = RotateShortPackets<P, HWY_MAX_BYTES / sizeof(float) / 2>(run, i);
  }
#endif
  for (; i < run.pairs; ++i) RotateOnePair<P>(run, i);
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
