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

// The angles of one row in the job's direction. Field by field: a struct that
// is copied right after its parts were written waits for them.
HWY_INLINE void SetAngles(const RowsJob& job, int64_t row, RowAngles* angles) {
  float cos_scale = 1.0f;
  if (job.direction == Direction::kInverse) {
    const double m = job.rows->attention_factor(row);
    cos_scale = static_cast<float>(1.0 / (m * m));
  }
  angles->cos = job.rows->cos(row) + job.layout->first_pair;
  angles->sin = job.rows->sin(row) + job.layout->first_pair;
  angles->cos_scale = cos_scale;
  angles->sin_scale = job.direction == Direction::kForward ? 1.0f : -cos_scale;
}

// Turns the heads of the spans, each by its angles.
template <class In, class Out>
void RotateSpans(const RotaryLayout& layout, const HeadSpan* spans, int count) {
  HeadsRun run;
  run.spans = spans;
  run.count = count;
  run.pairs = static_cast<size_t>(layout.rotary_dim / 2);
  run.offset = static_cast<size_t>(layout.rotary_offset);
  run.distance = static_cast<size_t>(PairDistance(layout));
  run.prefetch = spans[0].ahead != 0;
  if (layout.pairing == Pairing::kHalf) {
    RotateHeads<HalfPackets<In, Out>>(run);
  } else {
    RotateHeads<InterleavedPackets<In, Out>>(run);
  }
}

inline int64_t RowOf(const RowsJob& job, int64_t batch, int64_t token) {
  return batch * job.row_steps.batch + token * job.row_steps.token;
}

// Whether nothing turns.
inline bool IsCopy(const RowsJob& job, int64_t row) {
  return job.layout->rotary_dim == 0 || job.rows->identity(row);
}

// Turns the heads of the spans by a row, through float32 buffers that the
// transform fills.
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
      if (IsCopy(job, row)) {
        CopyDims<F32Codec, Out>(some, 0, job.layout->head_dim);
        continue;
      }
      CopyUnrotatedDims<F32Codec, Out>(*job.layout, some);
      SetAngles(job, row, &some.angles);
      RotateSpans<F32Codec, Out>(*job.layout, &some, 1);
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

// Tokens of few heads turn together up to so many bytes: a few heads are less
// work than the way to the kernels. They stay in L1.
constexpr int64_t kGroupBytes = 4096;
constexpr int kGroupSpans = 16;

// Tokens that are found, and turn together.
template <class In, class Out>
class TokenGroup {
 public:
  explicit TokenGroup(const RowsJob& job)
      : job_(job),
        head_bytes_(job.layout->head_dim * int64_t{sizeof(typename In::T)}) {}

  // Whether heads of that row stay as they are.
  HWY_INLINE bool Skips(int64_t row) const {
    return job_.in_place && job_.rows->identity(row);
  }

  // Where the next spans of a token are to be put.
  HWY_INLINE HeadSpan* Next() { return spans_ + count_; }

  // Rotates so many spans that have been put there, now or by Finish().
  HWY_INLINE void Add(int64_t row, int found) {
    if (found == 0) return;
    HeadSpan* const spans = Next();
    if (job_.transform != nullptr) {
      return TransformSpans<In, Out>(job_, row, spans, found);
    }
    if (!job_.in_place) {
      if (IsCopy(job_, row)) {
        Finish();
        return CopyDims<In, Out>(*spans, 0, job_.layout->head_dim);
      }
      CopyUnrotatedDims<In, Out>(*job_.layout, *spans);
    }
    for (int i = 0; i < found; ++i) {
      SetAngles(job_, row, &spans[i].angles);
      bytes_ += spans[i].heads * head_bytes_;
    }
    count_ += found;
    if (bytes_ >= kGroupBytes || count_ >= kGroupSpans) Finish();
  }

  void Finish() {
    if (count_ == 0) return;
    RotateSpans<In, Out>(*job_.layout, spans_, count_);
    count_ = 0;
    bytes_ = 0;
  }

 private:
  const RowsJob& job_;
  int64_t head_bytes_;
  int64_t bytes_ = 0;
  int count_ = 0;
  HeadSpan spans_[kGroupSpans + kMaxTensors];
};

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
