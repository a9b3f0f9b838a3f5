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

#include "hwy/highway.h"

#include "rotate/copy-inl.h"
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

// Finds heads [first, first + count) of a token in the tensors; returns the
// number of spans.
inline int FindHeads(const RowsJob& job, int64_t batch, int64_t token,
                     int64_t first, int64_t count, HeadSpan* spans) {
  int found = 0;
  for (int i = 0; count > 0; ++i) {
    const HeadsView& in = job.in[i];
    const HeadsView& out = job.out[i];
    if (first >= in.heads) {
      first -= in.heads;
      continue;
    }
    HeadSpan& span = spans[found++];
    span.in = static_cast<const uint8_t*>(in.data) + batch * in.batch_stride +
              token * in.token_stride + first * in.head_stride;
    span.out = static_cast<uint8_t*>(out.data) + batch * out.batch_stride +
               token * out.token_stride + first * out.head_stride;
    // The stride of a single head may be any number.
    span.in_stride = in.heads > 1 ? in.head_stride : 0;
    span.out_stride = out.heads > 1 ? out.head_stride : 0;
    span.heads = std::min(in.heads - first, count);
    count -= span.heads;
    first = 0;
  }
  return found;
}

// The angles of one row in the job's direction.
inline void SetAngles(const RowsJob& job, int64_t row, HeadsRun* run) {
  run->cos_scale = 1.0f;
  if (job.direction == Direction::kInverse) {
    const double m = job.rows->attention_factor(row);
    run->cos_scale = static_cast<float>(1.0 / (m * m));
  }
  run->sin_scale =
      job.direction == Direction::kForward ? 1.0f : -run->cos_scale;
  run->cos = job.rows->cos(row) + job.layout->first_pair;
  run->sin = job.rows->sin(row) + job.layout->first_pair;
  run->pairs = static_cast<size_t>(job.layout->rotary_dim / 2);
  run->distance = static_cast<size_t>(PairDistance(*job.layout));
}

// Rotates `count` heads of one token.
template <class In, class Out>
void RotateToken(const RowsJob& job, int64_t batch, int64_t token,
                 int64_t first_head, int64_t count) {
  const int64_t row =
      job.rows_per_batch ? batch * job.in->tokens + token : token;
  const bool identity = job.rows->identity(row);
  if (identity && job.in_place) return;
  const RotaryLayout& layout = *job.layout;
  HeadSpan spans[kMaxTensors];
  HeadsRun run;
  run.spans = spans;
  run.count = FindHeads(job, batch, token, first_head, count, spans);
  // Out of place there is one tensor.
  if (identity || layout.rotary_dim == 0)
    return CopyDims<In, Out>(spans[0], 0, layout.head_dim);
  if (!job.in_place) CopyUnrotatedDims<In, Out>(layout, spans[0]);
  SetAngles(job, row, &run);
  for (int i = 0; i < run.count; ++i) {
    spans[i].in += layout.rotary_offset * int64_t{sizeof(typename In::T)};
    spans[i].out += layout.rotary_offset * int64_t{sizeof(typename Out::T)};
  }
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
  const int64_t heads = job.heads;
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
