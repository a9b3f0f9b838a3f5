// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "rotate/make_job.h"

#include <algorithm>

#include "parallel/parallel_for.h"
#include "rotate/validate_transform.h"

namespace ropewalk::internal {
namespace {

// Tokens that a head passes through before the next head: 16 rows of 64 pairs
// are 8 KiB, a quarter of a small L1.
constexpr int64_t kTile = 16;

// Whether all heads of a token come before those of the next: heads are the
// inner dimension, by strides of any sign and size.
bool HeadsInside(const HeadsView& view) noexcept {
  const auto magnitude = [](int64_t stride) {
    const uint64_t bits = static_cast<uint64_t>(stride);
    return stride < 0 ? uint64_t{0} - bits : bits;
  };
  return view.tokens <= 1 || view.heads <= 1 ||
         magnitude(view.token_stride) >= magnitude(view.head_stride);
}

}  // namespace

Turning MakeTurning(const AngleRows& rows, const RotaryLayout& layout,
                    const HeadTransform& transform,
                    Direction direction) noexcept {
  return {&rows, &layout, IsActive(transform) ? &transform : nullptr,
          direction};
}

HeadsView Unconst(const ConstHeadsView& view) noexcept {
  return {const_cast<void*>(view.data),
          view.type,
          view.batch,
          view.tokens,
          view.heads,
          view.batch_stride,
          view.token_stride,
          view.head_stride};
}

// Strides of a single step are not looked at.
bool SameMemory(const HeadsView& in, const HeadsView& out) noexcept {
  return in.data == out.data && in.type == out.type &&
         (in.batch == 1 || in.batch_stride == out.batch_stride) &&
         (in.tokens == 1 || in.token_stride == out.token_stride) &&
         (in.heads == 1 || in.head_stride == out.head_stride);
}

RowsJob MakeJob(const Turning& turning, const HeadsView& in,
                const HeadsView& out) noexcept {
  RowsJob job{};
  job.rows = turning.rows;
  job.row_steps = {turning.rows->rows() != in.tokens ? in.tokens : 0, 1};
  job.layout = turning.layout;
  job.transform = turning.transform;
  job.in = &in;
  job.out = &out;
  job.tensors = 1;
  job.batch = in.batch;
  job.tokens = in.tokens;
  job.heads = in.heads;
  job.direction = turning.direction;
  job.buffered =
      turning.transform != nullptr || ChangesPairing(*turning.layout);
  job.in_place = SameMemory(in, out) && !job.buffered;
  // The tokens of a single head follow each other in memory as well.
  job.tile = HeadsInside(out) && (out.heads != 1 || out.tokens <= 1)
                 ? 1
                 : std::min(kTile, in.tokens);
  job.tiles = job.tile == 1 ? in.tokens : (in.tokens - 1) / job.tile + 1;
  return job;
}

bool Joins(const RowsJob& job, const HeadsView& next) noexcept {
  return job.tensors < kMaxTensors && job.batch > 0 && job.tiles > 0 &&
         job.tile == 1 && HeadsInside(next) && next.type == job.in->type &&
         next.batch == job.batch && next.tokens == job.tokens;
}

int64_t Grain(const RowsJob& job) noexcept {
  const int64_t element =
      ElementSize(job.in->type) + ElementSize(job.out->type);
  return GrainOf(job.tile * job.layout->head_dim * element);
}

bool StaysOnThread(const Parallel& parallel, int64_t heads,
                   int head_dim) noexcept {
  if (parallel.kind() != Parallel::Kind::kTbb) {
    return parallel.kind() == Parallel::Kind::kSerial;
  }
  // As in Grain, with the largest elements on both sides.
  const int64_t head_bytes = head_dim * int64_t{2 * sizeof(float)};
  return heads <= (2 * kMinTaskBytes - 1) / head_bytes;
}

}  // namespace ropewalk::internal
