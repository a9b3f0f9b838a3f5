// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What becomes of heads that are found: they are skipped, copied, transformed,
// or collected, and turn together.
#if defined(ROPEWALK_SRC_ROTATE_TOKEN_GROUP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ROTATE_TOKEN_GROUP_INL_H_
#undef ROPEWALK_SRC_ROTATE_TOKEN_GROUP_INL_H_
#else
#define ROPEWALK_SRC_ROTATE_TOKEN_GROUP_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

#include "rotate/copy-inl.h"
#include "rotate/half-inl.h"
#include "rotate/heads_run.h"
#include "rotate/interleaved-inl.h"
#include "rotate/packets-inl.h"
#include "rotate/rows.h"
#include "rotate/transform-inl.h"
#include "simd/codec-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

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

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
