// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The loops over the pairs and heads of a run, for any pairing and data types.
// They are written in packets.
//
// A packet is the pairs that two vectors of float32 lanes, a and b, hold for
// each member; its type says which pair is in which lane (whatever order costs
// no shuffle), how cos and sin are brought into that order, and how a packet
// of a head is loaded, turned and stored. One or two packets at a time keep
// their cos and sin in registers while they pass over all heads of a row. Where
// the pairs are no multiple of a packet, the last two of a head overlap: both
// are loaded before either is stored. Fewer pairs than a packet take shorter
// vectors.
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

template <class P, class D, class V = hn::Vec<D>>
HWY_INLINE void RotatePacket(D d, const typename P::In::T* in,
                             typename P::Out::T* out, size_t to_second, V ca,
                             V sa, V cb, V sb) {
  V x0a, x0b, x1a, x1b;
  P::Load(d, in, to_second, x0a, x0b, x1a, x1b);
  P::Turn(ca, sa, cb, sb, x0a, x0b, x1a, x1b);
  P::Store(d, x0a, x0b, x1a, x1b, out, to_second);
}

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
      RotatePacket<P>(d, head.in(), head.out(), to_second, ca, sa, cb, sb);
      RotatePacket<P>(d, head.in() + next, head.out() + next, to_second, cc, sc,
                      cd, sd);
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
      RotatePacket<P>(d, head.in(), head.out(), to_second, ca, sa, cb, sb);
    }
  }
}

// The packets from pairs i and j on, i < j, which share pairs.
template <class P, class D, class V = hn::Vec<D>>
HWY_NOINLINE void RotateOverlapping(D d, const HeadsRun& shared, size_t i,
                                    size_t j) {
  const HeadsRun run = shared;
  const size_t to_second = P::ToSecond(run);
  const size_t next = P::First(j - i);
  for (int span = 0; span < run.count; ++span) {
    const RowAngles& row = run.spans[span].angles;
    V ca, sa, cb, sb, cc, sc, cd, sd;
    P::LoadAngles(d, row, i, ca, sa, cb, sb);
    P::LoadAngles(d, row, j, cc, sc, cd, sd);
    HeadCursor<P> head(run.spans[span], run.offset + P::First(i));
    for (; head.Any(); head.Next()) {
      if (run.prefetch) {
        P::Prefetch(head.ahead(), to_second, j - i + P::Pairs(d));
      }
      V x0a, x0b, x1a, x1b, x0c, x0d, x1c, x1d;
      P::Load(d, head.in(), to_second, x0a, x0b, x1a, x1b);
      P::Load(d, head.in() + next, to_second, x0c, x0d, x1c, x1d);
      P::Turn(ca, sa, cb, sb, x0a, x0b, x1a, x1b);
      P::Turn(cc, sc, cd, sd, x0c, x0d, x1c, x1d);
      P::Store(d, x0a, x0b, x1a, x1b, head.out(), to_second);
      P::Store(d, x0c, x0d, x1c, x1d, head.out() + next, to_second);
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

// Fewer pairs than a packet of twice the lanes has, down to the shortest.
template <class P, size_t kLanes>
HWY_INLINE void RotateFewPairs(const HeadsRun& run) {
  if constexpr (kLanes >= P::kMinLanes) {
    const hn::CappedTag<float, kLanes> d;
    const size_t packet = P::Pairs(d);
    if (run.pairs == packet) return RotateOnePacket<P>(d, run, 0);
    if (run.pairs > packet) {
      return RotateOverlapping<P>(d, run, 0, run.pairs - packet);
    }
    if constexpr (kLanes > 1) return RotateFewPairs<P, kLanes / 2>(run);
  }
  for (size_t i = 0; i < run.pairs; ++i) RotateOnePair<P>(run, i);
}

template <class P>
HWY_INLINE void RotateHeads(const HeadsRun& run) {
#if HWY_TARGET == HWY_SCALAR
  for (size_t i = 0; i < run.pairs; ++i) RotateOnePair<P>(run, i);
#else
  const hn::ScalableTag<float> d;
  const size_t packet = P::Pairs(d);
  if (HWY_UNLIKELY(run.pairs < packet)) {
    return RotateFewPairs<P, HWY_MAX_BYTES / sizeof(float) / 2>(run);
  }
  const size_t left = run.pairs % packet;
  const size_t end = left == 0 ? run.pairs : run.pairs - left - packet;
  size_t i = 0;
  for (; i + 2 * packet <= end; i += 2 * packet) {
    RotateTwoPackets<P>(d, run, i);
  }
  if (i < end) {
    RotateOnePacket<P>(d, run, i);
    i += packet;
  }
  if (left != 0) RotateOverlapping<P>(d, run, i, run.pairs - packet);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
