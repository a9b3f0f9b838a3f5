// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The loops over the pairs and heads of a run, for any pairing and data types.
// They are written in packets.
//
// A packet is the pairs that two vectors of float32 lanes, a and b, hold for
// each member; its type says which pair is in which lane (whatever order costs
// no shuffle), how cos and sin are brought into that order, and how a packet
// of a head is rotated. One or two packets at a time keep their cos and sin in
// registers while they pass over all heads of a row. What is left of a row goes
// through the same functions with shorter vectors.
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

// Steps through the heads of a span, at an element of each.
template <class P>
struct HeadCursor {
  using TIn = typename P::In::T;
  using TOut = typename P::Out::T;

  HWY_INLINE HeadCursor(const HeadSpan& span, size_t first)
      : in_(span.in + first * sizeof(TIn)),
        out_(span.out + first * sizeof(TOut)),
        in_stride_(span.in_stride),
        out_stride_(span.out_stride),
        ahead_(span.ahead),
        left_(span.heads) {}
  HWY_INLINE bool Any() const { return left_ > 0; }
  HWY_INLINE void Next() {
    in_ += in_stride_;
    out_ += out_stride_;
    --left_;
  }
  HWY_INLINE const TIn* in() const { return reinterpret_cast<const TIn*>(in_); }
  HWY_INLINE const TIn* ahead() const {
    return reinterpret_cast<const TIn*>(in_ + ahead_);
  }
  HWY_INLINE TOut* out() const { return reinterpret_cast<TOut*>(out_); }

 private:
  const uint8_t* in_;
  uint8_t* out_;
  int64_t in_stride_;
  int64_t out_stride_;
  int64_t ahead_;
  int64_t left_;
};

// The functions below are not inlined, and copy the run: the loops over the
// heads are all they hold, and all of it stays in registers.

template <class P, class D, class V = hn::Vec<D>>
HWY_NOINLINE void RotateTwoPackets(D d, const HeadsRun& shared, size_t i) {
  const HeadsRun run = shared;
  const size_t to_second = P::ToSecond(run);
  const size_t pairs = P::Pairs(d);
  const size_t next = P::First(pairs);
  for (int span = 0; span < run.count; ++span) {
    const RowAngles& row = run.spans[span].angles;
    V ca, sa, cb, sb, cc, sc, cd, sd;
    P::LoadAngles(d, row, i, ca, sa, cb, sb);
    P::LoadAngles(d, row, i + pairs, cc, sc, cd, sd);
    HeadCursor<P> head(run.spans[span], run.offset + P::First(i));
    for (; head.Any(); head.Next()) {
      if (run.prefetch) P::Prefetch(head.ahead(), to_second, 2 * pairs);
      P::Rotate(d, head.in(), head.out(), to_second, ca, sa, cb, sb);
      P::Rotate(d, head.in() + next, head.out() + next, to_second, cc, sc, cd,
                sd);
    }
  }
}

template <class P, class D, class V = hn::Vec<D>>
HWY_NOINLINE void RotateOnePacket(D d, const HeadsRun& shared, size_t i) {
  const HeadsRun run = shared;
  const size_t to_second = P::ToSecond(run);
  for (int span = 0; span < run.count; ++span) {
    V ca, sa, cb, sb;
    P::LoadAngles(d, run.spans[span].angles, i, ca, sa, cb, sb);
    HeadCursor<P> head(run.spans[span], run.offset + P::First(i));
    for (; head.Any(); head.Next()) {
      if (run.prefetch) P::Prefetch(head.ahead(), to_second, P::Pairs(d));
      P::Rotate(d, head.in(), head.out(), to_second, ca, sa, cb, sb);
    }
  }
}

template <class P>
HWY_NOINLINE void RotateOnePair(const HeadsRun& shared, size_t i) {
  const HeadsRun run = shared;
  const size_t to_second = P::ToSecond(run);
  const hn::CappedTag<float, 1> d;
  for (int span = 0; span < run.count; ++span) {
    const RowAngles& row = run.spans[span].angles;
    const auto c = hn::Set(d, row.cos[i] * row.cos_scale);
    const auto s = hn::Set(d, row.sin[i] * row.sin_scale);
    HeadCursor<P> head(run.spans[span], run.offset + P::First(i));
    for (; head.Any(); head.Next()) {
      auto x0 = P::In::Load(d, head.in());
      auto x1 = P::In::Load(d, head.in() + to_second);
      RotatePairs(c, s, x0, x1);
      P::Out::Store(d, x0, head.out());
      P::Out::Store(d, x1, head.out() + to_second);
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
