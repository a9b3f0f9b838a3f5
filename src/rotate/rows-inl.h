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

#include "hwy/highway.h"

#include "rotate/find_heads-inl.h"
#include "rotate/heads_run.h"
#include "rotate/prefetch.h"
#include "rotate/rows.h"
#include "rotate/token_group-inl.h"
#include "simd/codec-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

inline int64_t RowOf(const RowsJob& job, int64_t batch, int64_t token) {
  return batch * job.row_steps.batch + token * job.row_steps.token;
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
void RotateToken(const RowsJob& job, const TokenHeads& heads,
                 TokenGroup<In, Out>* group) {
  const int64_t row = RowOf(job, heads.batch, heads.token);
  if (group->Skips(row)) return;
  if (heads.later != heads.token) {
    PrefetchRow(job, RowOf(job, heads.batch, heads.later));
  }
  group->Add(row, FindHeads(job, heads, group->Next()));
}

// Rotates one head of the tokens of a tile, of a tensor that is no cache.
template <class In, class Out>
void RotateTile(const RowsJob& job, int64_t batch, int64_t tile, int64_t head) {
  const HeadsView& in = *job.in;
  const HeadsView& out = *job.out;
  const int64_t first = tile * job.tile;
  const int64_t last = std::min(first + job.tile, job.tokens);
  const int64_t ahead = TokensAhead<In>(job, 1);
  const uint8_t* const from =
      static_cast<const uint8_t*>(in.data) + Offset(in, {batch, first}, head);
  uint8_t* const to =
      static_cast<uint8_t*>(out.data) + Offset(out, {batch, first}, head);
  TokenGroup<In, Out> group(job);
  for (int64_t token = first; token < last; ++token) {
    const int64_t row = RowOf(job, batch, token);
    if (group.Skips(row)) continue;
    const int64_t later = std::min(token + ahead, job.tokens - 1);
    HeadSpan& span = *group.Next();
    span.in = from + (token - first) * in.token_stride;
    span.out = to + (token - first) * out.token_stride;
    span.in_stride = span.out_stride = 0;
    span.heads = 1;
    span.ahead = (later - token) * in.token_stride;
    group.Add(row, 1);
  }
  group.Finish();
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

template <class In, class Out>
void RotateUnits(const RowsJob& job, int64_t begin, int64_t end) {
  if (job.tile != 1) return RotateTiles<In, Out>(job, begin, end);
  TokenGroup<In, Out> group(job);
  ForTokens<In>(job, begin, end, [&](const TokenHeads& heads) {
    RotateToken(job, heads, &group);
  });
  group.Finish();
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
