// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The loops over units, heads and pairs, for any pairing and data types. They
// are written in packets.
//
// A packet is the pairs that two vectors of float32 lanes, a and b, hold for
// each member; its type says which pair is in which lane (whatever order costs
// no shuffle), how cos and sin are brought into that order, and how a packet
// of a head is rotated. One or two packets at a time keep their cos and sin in
// registers while they pass over all heads of the token. What is left of a row
// goes through the same functions with shorter vectors.
#if defined(ROPEWALK_SRC_ROTATE_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ROTATE_ROWS_INL_H_
#undef ROPEWALK_SRC_ROTATE_ROWS_INL_H_
#else
#define ROPEWALK_SRC_ROTATE_ROWS_INL_H_
#endif

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"

#include "rotate/half-inl.h"
#include "rotate/heads_run.h"
#include "rotate/interleaved-inl.h"
#include "rotate/pair-inl.h"
#include "rotate/rows.h"
#include "simd/codec-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Steps through the heads of a run.
template <class P>
struct HeadCursor {
  explicit HWY_INLINE HeadCursor(const HeadsRun& run)
      : in_at(run.in), out_at(run.out), left(run.heads) {}
  HWY_INLINE void Next(const HeadsRun& run) {
    in_at += run.in_stride;
    out_at += run.out_stride;
    --left;
  }
  HWY_INLINE const typename P::In::T* in() const {
    return reinterpret_cast<const typename P::In::T*>(in_at);
  }
  HWY_INLINE typename P::Out::T* out() const {
    return reinterpret_cast<typename P::Out::T*>(out_at);
  }

  const uint8_t* in_at;
  uint8_t* out_at;
  int64_t left;
};

// The functions below are not inlined, and copy the run: the loop over the
// heads is all they hold, and all of it stays in registers.

template <class P, class D, class V = hn::Vec<D>>
HWY_NOINLINE void RotateTwoPackets(D d, const HeadsRun& shared, size_t i) {
  const HeadsRun run = shared;
  const size_t j = i + P::Pairs(d);
  V ca, sa, cb, sb, cc, sc, cd, sd;
  P::LoadAngles(d, run, i, ca, sa, cb, sb);
  P::LoadAngles(d, run, j, cc, sc, cd, sd);
  for (HeadCursor<P> head(run); head.left > 0; head.Next(run)) {
    P::Rotate(d, run, head.in(), head.out(), i, ca, sa, cb, sb);
    P::Rotate(d, run, head.in(), head.out(), j, cc, sc, cd, sd);
  }
}

template <class P, class D, class V = hn::Vec<D>>
HWY_NOINLINE void RotateOnePacket(D d, const HeadsRun& shared, size_t i) {
  const HeadsRun run = shared;
  V ca, sa, cb, sb;
  P::LoadAngles(d, run, i, ca, sa, cb, sb);
  for (HeadCursor<P> head(run); head.left > 0; head.Next(run)) {
    P::Rotate(d, run, head.in(), head.out(), i, ca, sa, cb, sb);
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
  for (HeadCursor<P> head(run); head.left > 0; head.Next(run)) {
    auto x0 = P::In::Load(d, head.in() + member0);
    auto x1 = P::In::Load(d, head.in() + member1);
    RotatePairs(c, s, x0, x1);
    P::Out::Store(d, x0, head.out() + member0);
    P::Out::Store(d, x1, head.out() + member1);
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

// Copies dims [begin, end) of each head bit for bit, or converts them.
template <class In, class Out>
void CopyDims(const HeadsRun& heads, int begin, int end) {
  using TIn = typename In::T;
  using TOut = typename Out::T;
  if (begin >= end) return;
  const size_t dims = static_cast<size_t>(end - begin);
  for (int64_t head = 0; head < heads.heads; ++head) {
    const TIn* in =
        reinterpret_cast<const TIn*>(heads.in + head * heads.in_stride) + begin;
    TOut* out =
        reinterpret_cast<TOut*>(heads.out + head * heads.out_stride) + begin;
    if constexpr (std::is_same_v<In, Out>) {
      std::memmove(out, in, dims * sizeof(TIn));
    } else {
      const hn::ScalableTag<float> d;
      const hn::CappedTag<float, 1> d1;
      const size_t N = hn::Lanes(d);
      size_t i = 0;
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
void CopyUnrotatedDims(const RotaryLayout& layout, const HeadsRun& heads) {
  const int pairs = layout.rotary_dim / 2;
  const bool half = layout.pairing == Pairing::kHalf;
  const int first_end = layout.rotary_offset + (half ? pairs : 2 * pairs);
  CopyDims<In, Out>(heads, 0, layout.rotary_offset);
  if (!half) return CopyDims<In, Out>(heads, first_end, layout.head_dim);
  const int second = layout.rotary_offset + PairDistance(layout);
  CopyDims<In, Out>(heads, first_end, second);
  CopyDims<In, Out>(heads, second + pairs, layout.head_dim);
}

// Rotates `count` heads of one token.
template <class In, class Out>
void RotateToken(const RowsJob& job, int64_t batch, int64_t token,
                 int64_t first_head, int64_t count) {
  const int64_t row =
      job.rows_per_batch ? batch * job.in->tokens + token : token;
  const bool identity = job.rows->identity(row);
  if (identity && job.in_place) return;
  HeadsRun run;
  run.in = static_cast<const uint8_t*>(job.in->data) +
           batch * job.in->batch_stride + token * job.in->token_stride +
           first_head * job.in->head_stride;
  run.out = static_cast<uint8_t*>(job.out->data) +
            batch * job.out->batch_stride + token * job.out->token_stride +
            first_head * job.out->head_stride;
  run.in_stride = job.in->head_stride;
  run.out_stride = job.out->head_stride;
  run.heads = count;
  const RotaryLayout& layout = *job.layout;
  if (identity) return CopyDims<In, Out>(run, 0, layout.head_dim);
  if (!job.in_place) CopyUnrotatedDims<In, Out>(layout, run);
  run.cos_scale = 1.0f;
  if (job.direction == Direction::kInverse) {
    const double m = job.rows->attention_factor(row);
    run.cos_scale = static_cast<float>(1.0 / (m * m));
  }
  run.sin_scale = job.direction == Direction::kForward ? 1.0f : -run.cos_scale;
  run.cos = job.rows->cos(row) + layout.first_pair;
  run.sin = job.rows->sin(row) + layout.first_pair;
  run.pairs = static_cast<size_t>(layout.rotary_dim / 2);
  run.distance = static_cast<size_t>(PairDistance(layout));
  run.in += layout.rotary_offset * int64_t{sizeof(typename In::T)};
  run.out += layout.rotary_offset * int64_t{sizeof(typename Out::T)};
  if (layout.pairing == Pairing::kHalf) {
    RotateHeads<HalfPackets<In, Out>>(run);
  } else {
    RotateHeads<InterleavedPackets<In, Out>>(run);
  }
}

// Rotates one head of the tokens of a tile.
template <class In, class Out>
void RotateTile(const RowsJob& job, int64_t batch, int64_t tile, int64_t head) {
  const int64_t first = tile * job.tile;
  const int64_t last = std::min(first + job.tile, job.in->tokens);
  for (int64_t token = first; token < last; ++token) {
    RotateToken<In, Out>(job, batch, token, head, 1);
  }
}

template <class In, class Out>
void RotateUnits(const RowsJob& job, int64_t begin, int64_t end) {
  const int64_t heads = job.in->heads;
  int64_t head = 0, tile = 0, batch = 0;
  if (begin != 0) {
    head = begin % heads;
    tile = begin / heads % job.tiles;
    batch = begin / heads / job.tiles;
  }
  for (int64_t unit = begin; unit < end;) {
    int64_t count = 1;
    if (job.tile == 1) {
      count = std::min(heads - head, end - unit);
      RotateToken<In, Out>(job, batch, tile, head, count);
    } else {
      RotateTile<In, Out>(job, batch, tile, head);
    }
    unit += count;
    head += count;
    if (head < heads) continue;
    head = 0;
    if (++tile < job.tiles) continue;
    tile = 0;
    ++batch;
  }
}

template <class In>
void RotateUnitsFrom(const RowsJob& job, int64_t begin, int64_t end) {
  switch (job.out->type) {
    case DataType::kF32:
      return RotateUnits<In, F32Codec>(job, begin, end);
    case DataType::kBF16:
      return RotateUnits<In, BF16Codec>(job, begin, end);
    case DataType::kF16:
      return RotateUnits<In, F16Codec>(job, begin, end);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
