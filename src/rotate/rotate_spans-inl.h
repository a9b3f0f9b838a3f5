// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What becomes of heads that are found: they turn by their angles, directly or
// through buffers, or are copied.
#if defined(ROPEWALK_SRC_ROTATE_ROTATE_SPANS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ROTATE_ROTATE_SPANS_INL_H_
#undef ROPEWALK_SRC_ROTATE_ROTATE_SPANS_INL_H_
#else
#define ROPEWALK_SRC_ROTATE_ROTATE_SPANS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

#include "rotate/change_pairing-inl.h"
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

// Turns heads out of place by a row, or copies them where nothing turns.
template <class In, class Out>
void RotateOutOfPlace(const RowsJob& job, const RotaryLayout& layout,
                      int64_t row, HeadSpan* heads) {
  if (IsCopy(job, row)) return CopyDims<In, Out>(*heads, 0, layout.head_dim);
  CopyUnrotatedDims<In, Out>(layout, *heads);
  SetAngles(job, row, &heads->angles);
  RotateSpans<In, Out>(layout, heads, 1);
}

// Turns the heads of a span to the other pairing. Windows turn in half pairing,
// which needs the fewest shuffles, and wait in a buffer before or after that.
template <class In, class Out>
HWY_NOINLINE void ChangePairing(const RowsJob& job, int64_t row,
                                const HeadSpan& span) {
  HWY_ALIGN uint8_t buffer[kMaxTransformDim * sizeof(float)];
  const RotaryLayout& layout = *job.layout;
  if (span.in != span.out) CopyUnrotatedDims<In, Out>(layout, span);
  const RotaryLayout window = HalfWindow(layout);
  HeadSpan to = WindowsOf<In, Out>(layout, span);
  HeadSpan from = to;
  to.out = buffer;
  from.in = buffer;
  to.out_stride = from.in_stride = layout.rotary_dim * int64_t{sizeof(float)};
  from.ahead = 0;
  const int64_t group = WindowsAtATime(layout);
  for (int64_t left = span.heads; left > 0; left -= group) {
    to.heads = from.heads = std::min(group, left);
    if (layout.output_pairing == Pairing::kHalf) {
      MoveWindows<typename In::T>(layout, to);
      RotateOutOfPlace<In, Out>(job, window, row, &from);
    } else {
      RotateOutOfPlace<In, Out>(job, window, row, &to);
      MoveWindows<typename Out::T>(layout, from);
    }
    to.in += group * to.in_stride;
    from.out += group * from.out_stride;
  }
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
      if (ChangesPairing(*job.layout)) {
        ChangePairing<F32Codec, Out>(job, row, some);
      } else {
        RotateOutOfPlace<F32Codec, Out>(job, *job.layout, row, &some);
      }
    }
  }
}

// What buffered jobs do with heads.
template <class In, class Out>
void RotateBuffered(const RowsJob& job, int64_t row, const HeadSpan* spans,
                    int count) {
  if (job.transform != nullptr) {
    return TransformSpans<In, Out>(job, row, spans, count);
  }
  for (int i = 0; i < count; ++i) ChangePairing<In, Out>(job, row, spans[i]);
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
