// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The loops over units and tokens: which heads turn by which row.
#if defined(ROPEWALK_SRC_ROTATE_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ROTATE_ROWS_INL_H_
#undef ROPEWALK_SRC_ROTATE_ROWS_INL_H_
#else
#define ROPEWALK_SRC_ROTATE_ROWS_INL_H_
#endif

#include <algorithm>
#include <type_traits>

#include "hwy/highway.h"

#include "rotate/copy-inl.h"
#include "rotate/find_heads-inl.h"
#include "rotate/half-inl.h"
#include "rotate/heads_run.h"
#include "rotate/interleaved-inl.h"
#include "rotate/packets-inl.h"
#include "rotate/prefetch.h"
#include "rotate/rows.h"
#include "rotate/transform-inl.h"
#include "simd/codec-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

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
  run->offset = static_cast<size_t>(job.layout->rotary_offset);
  run->distance = static_cast<size_t>(PairDistance(*job.layout));
}

// Turns the heads of the spans by a row; out of place, and where there is
// nothing to turn, there is one span.
template <class In, class Out>
void RotateSpans(const RowsJob& job, int64_t row, bool in_place,
                 const HeadSpan* spans, int count) {
  const RotaryLayout& layout = *job.layout;
  if (layout.rotary_dim == 0 || job.rows->identity(row)) {
    return CopyDims<In, Out>(spans[0], 0, layout.head_dim);
  }
  if (!in_place) CopyUnrotatedDims<In, Out>(layout, spans[0]);
  HeadsRun run;
  run.spans = spans;
  run.count = count;
  SetAngles(job, row, &run);
  run.prefetch = spans[0].ahead != 0;
  if (layout.pairing == Pairing::kHalf) {
    RotateHeads<HalfPackets<In, Out>>(run);
  } else {
    RotateHeads<InterleavedPackets<In, Out>>(run);
  }
}

// As RotateSpans, but through float32 buffers, which the transform fills.
template <class In, class Out>
HWY_NOINLINE void TransformSpans(const RowsJob& job, int64_t row,
                                 const HeadSpan* spans, int count) {
  HWY_ALIGN float buffer[kMaxTransformDim];
  const int64_t head_dim = job.layout->head_dim;
  const int64_t group =
      std::min(kMaxTransformHeads, kMaxTransformDim / head_dim);
  const float scale = TokenScale(*job.transform, row);
  for (int i = 0; i < count; ++i) {
    HeadSpan left = spans[i];
    while (left.heads > 0) {
      HeadSpan some = left;
      some.heads = std::min(group, left.heads);
      TransformHeads<In>(*job.transform, scale, job.layout->head_dim, some,
                         buffer);
      left.in += some.heads * some.in_stride;
      left.out += some.heads * some.out_stride;
      left.heads -= some.heads;
      some.in = reinterpret_cast<const uint8_t*>(buffer);
      some.in_stride = head_dim * int64_t{sizeof(float)};
      some.ahead = 0;
      RotateSpans<F32Codec, Out>(job, row, /*in_place=*/false, &some, 1);
    }
  }
}

// The angles of a row that will be loaded.
inline void PrefetchRow(const RowsJob& job, int64_t row) {
  const size_t bytes =
      static_cast<size_t>(job.layout->rotary_dim / 2) * sizeof(float);
  if (bytes == 0) return;  // there may be no rows
  PrefetchBytes(job.rows->cos(row) + job.layout->first_pair, bytes);
  PrefetchBytes(job.rows->sin(row) + job.layout->first_pair, bytes);
}

// Rotates heads of one token.
template <class In, class Out>
void RotateToken(const RowsJob& job, const TokenHeads& heads) {
  const int64_t row =
      heads.batch * job.row_steps.batch + heads.token * job.row_steps.token;
  if (job.in_place && job.rows->identity(row)) return;
  if (heads.later != heads.token) {
    PrefetchRow(job, row + (heads.later - heads.token) * job.row_steps.token);
  }
  HeadSpan spans[kMaxTensors];
  const int count = FindHeads(job, heads, spans);
  if (count == 0) return;
  if (job.transform != nullptr) {
    return TransformSpans<In, Out>(job, row, spans, count);
  }
  RotateSpans<In, Out>(job, row, job.in_place, spans, count);
}

// Rotates one head of the tokens of a tile.
template <class In, class Out>
void RotateTile(const RowsJob& job, int64_t batch, int64_t tile, int64_t head) {
  const int64_t first = tile * job.tile;
  const int64_t last = std::min(first + job.tile, job.tokens);
  const int64_t ahead = TokensAhead<In>(job, 1);
  for (int64_t token = first; token < last; ++token) {
    const int64_t later = std::min(token + ahead, job.tokens - 1);
    RotateToken<In, Out>(job, {batch, token, head, 1, later});
  }
}

// Calls op with the heads of each token of units [begin, end), where a tile is
// one token.
template <class In, class Op>
HWY_INLINE void ForTokens(const RowsJob& job, int64_t begin, int64_t end,
                          const Op& op) {
  if (begin >= end) return;
  const int64_t heads = job.heads;
  const int64_t ahead =
      job.tiles == 1 ? 0 : TokensAhead<In>(job, std::min(heads, end - begin));
  int64_t head = 0, token = 0, batch = 0;
  if (begin != 0) {
    head = begin % heads;
    token = begin / heads % job.tiles;
    batch = begin / heads / job.tiles;
  }
  for (int64_t unit = begin; unit < end;) {
    const int64_t count = std::min(heads - head, end - unit);
    const int64_t later = std::min(token + ahead, job.tiles - 1);
    op(TokenHeads{batch, job.TokenAt(token), head, count, job.TokenAt(later)});
    unit += count;
    head = 0;
    if (++token < job.tiles) continue;
    token = 0;
    ++batch;
  }
}

// Units of several tokens.
template <class In, class Out>
void RotateTiles(const RowsJob& job, int64_t begin, int64_t end) {
  for (int64_t unit = begin; unit < end; ++unit) {
    const int64_t tile = unit / job.heads;
    RotateTile<In, Out>(job, tile / job.tiles, tile % job.tiles,
                        unit % job.heads);
  }
}

// One row turns all slots of a cache in place: it is loaded once for the heads
// of several.
template <class In, class Out>
void RotateByOneRow(const RowsJob& job, int64_t begin, int64_t end) {
  if (job.rows->identity(0)) return;
  constexpr int kTokens = 4;
  HeadSpan spans[kTokens];
  int count = 0;
  ForTokens<In>(job, begin, end, [&](const TokenHeads& heads) {
    count += FindHeads(job, heads, spans + count);
    if (count < kTokens) return;
    RotateSpans<In, Out>(job, 0, /*in_place=*/true, spans, count);
    count = 0;
  });
  if (count > 0) RotateSpans<In, Out>(job, 0, /*in_place=*/true, spans, count);
}

template <class In, class Out>
void RotateUnits(const RowsJob& job, int64_t begin, int64_t end) {
  if (job.tile != 1) return RotateTiles<In, Out>(job, begin, end);
  if (std::is_same_v<In, Out> && job.in_place && job.in_slots != nullptr &&
      job.row_steps.token == 0) {
    return RotateByOneRow<In, Out>(job, begin, end);
  }
  ForTokens<In>(job, begin, end, [&](const TokenHeads& heads) {
    RotateToken<In, Out>(job, heads);
  });
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
