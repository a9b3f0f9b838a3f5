// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/rotate.h"

#include <algorithm>

#include "parallel/parallel_for.h"
#include "rotate/overlap.h"
#include "rotate/rows.h"
#include "rotate/validate.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

// Tokens that a head passes through before the next head: 16 rows of 64 pairs
// are 8 KiB, a quarter of a small L1.
constexpr int64_t kTile = 16;

// What a task must read and write at least for a second thread to pay: two
// tasks of so much took 0.84 of the time of one thread (AVX-512 Xeon, in L2).
constexpr int64_t kMinTaskBytes = int64_t{256} << 10;

Status ValidateOptions(const RotateOptions& options) {
  if (options.direction > Direction::kTranspose) {
    return Error(StatusCode::kInvalidArgument,
                 "direction = %d: must be kForward, kInverse or kTranspose",
                 static_cast<int>(options.direction));
  }
  return ValidateParallel(options.parallel);
}

// Strides of a single step are not looked at.
bool SameMemory(const HeadsView& in, const HeadsView& out) {
  return in.data == out.data && in.type == out.type &&
         (in.batch == 1 || in.batch_stride == out.batch_stride) &&
         (in.tokens == 1 || in.token_stride == out.token_stride) &&
         (in.heads == 1 || in.head_stride == out.head_stride);
}

// The view as the kernels take it; they never write through it.
HeadsView Unconst(const ConstHeadsView& view) {
  return {const_cast<void*>(view.data),
          view.type,
          view.batch,
          view.tokens,
          view.heads,
          view.batch_stride,
          view.token_stride,
          view.head_stride};
}

bool Empty(const HeadsView& view) {
  return view.batch == 0 || view.tokens == 0 || view.heads == 0;
}

// Whether heads are the inner dimension, by strides of any sign and size.
bool HeadsInside(const HeadsView& view) {
  const auto magnitude = [](int64_t stride) {
    const uint64_t bits = static_cast<uint64_t>(stride);
    return stride < 0 ? uint64_t{0} - bits : bits;
  };
  return view.tokens <= 1 || view.heads <= 1 ||
         magnitude(view.token_stride) >= magnitude(view.head_stride);
}

// The job of the first tensor alone.
RowsJob MakeJob(const AngleRows& rows, const RotaryLayout& layout,
                Direction direction, const HeadsView& in,
                const HeadsView& out) {
  RowsJob job;
  job.rows = &rows;
  job.layout = &layout;
  job.in = &in;
  job.out = &out;
  job.tensors = 1;
  job.heads = in.heads;
  job.direction = direction;
  job.in_place = SameMemory(in, out);
  job.rows_per_batch = rows.rows() != in.tokens;
  job.tile = HeadsInside(out) ? 1 : std::min(kTile, in.tokens);
  job.tiles = job.tile == 1 ? in.tokens : (in.tokens - 1) / job.tile + 1;
  return job;
}

// Whether the heads of `next` can follow those of the job's tensors. A job
// without tokens takes no other: its heads may be any number.
bool Joins(const RowsJob& job, const HeadsView& next) {
  return job.tensors < kMaxTensors && job.in->batch > 0 && job.tiles > 0 &&
         job.tile == 1 && HeadsInside(next) && next.type == job.in->type &&
         next.batch == job.in->batch && next.tokens == job.in->tokens;
}

void RunUnits(const RowsJob& job, int64_t begin, int64_t end) {
  switch (job.in->type) {
    case DataType::kF32:
      return RotateRowsF32(job, begin, end);
    case DataType::kBF16:
      return RotateRowsBF16(job, begin, end);
    case DataType::kF16:
      return RotateRowsF16(job, begin, end);
  }
}

// Several tensors in place: jobs of as many as go together, whose units count
// through one job after the other.
struct InPlaceCall {
  const AngleRows* rows;
  const RotaryLayout* layout;
  Direction direction;
  const HeadsView* in_place;
  int count;

  // The job that begins with tensor i.
  RowsJob JobFrom(int i) const {
    RowsJob job = MakeJob(*rows, *layout, direction, in_place[i], in_place[i]);
    for (int j = i + 1; j < count && Joins(job, in_place[j]); ++j) {
      job.heads += in_place[j].heads;
      ++job.tensors;
    }
    return job;
  }
};

void RunInPlace(const InPlaceCall& call, int64_t begin, int64_t end) {
  int64_t first = 0;  // of the job
  for (int i = 0; i < call.count && first < end;) {
    const RowsJob job = call.JobFrom(i);
    i += job.tensors;
    const int64_t units = Units(job);
    const int64_t from = std::max(begin - first, int64_t{0});
    const int64_t to = std::min(end - first, units);
    if (from < to) RunUnits(job, from, to);
    first += units;
  }
}

// The fewest units that are worth a task.
int64_t Grain(const RowsJob& job) {
  const int64_t element =
      ElementSize(job.in->type) + ElementSize(job.out->type);
  const int64_t unit_bytes = job.tile * job.layout->head_dim * element;
  return (kMinTaskBytes - 1) / unit_bytes + 1;
}

// Whether tensor i shares no element with those before it.
Status ValidateDisjointFrom(const HeadsView* in_place, int i, int head_dim) {
  for (int j = 0; j < i; ++j) {
    if (Empty(in_place[j])) continue;
    ROPEWALK_RETURN_IF_ERROR(ValidateDisjoint(
        in_place[j], {"in_place", j}, in_place[i], {"in_place", i}, head_dim));
  }
  return Status();
}

Status ValidateInPlace(const AngleRows& rows, const RotaryLayout& layout,
                       const HeadsView* in_place, int count) {
  if (count < 0 || (count > 0 && in_place == nullptr)) {
    return Error(StatusCode::kInvalidArgument,
                 "count = %d, in_place = %p: must name that many tensors",
                 count, static_cast<const void*>(in_place));
  }
  ROPEWALK_RETURN_IF_ERROR(ValidateLayout(layout));
  int64_t total = 0;
  uintptr_t end = 0;  // of all tensors so far
  for (int i = 0; i < count; ++i) {
    const HeadsView& view = in_place[i];
    const TensorName name = {"in_place", i};
    ByteRange range;
    if (!IsUsualView(view, layout.head_dim, &range)) {
      ROPEWALK_RETURN_IF_ERROR(
          ValidateView(view, layout.head_dim, name, &range));
      if (range.empty()) continue;
      ROPEWALK_RETURN_IF_ERROR(
          ValidateDistinctHeads(view, layout.head_dim, name));
    }
    ROPEWALK_RETURN_IF_ERROR(ValidateRows(rows, layout, view, name));
    if (range.begin < end) {
      ROPEWALK_RETURN_IF_ERROR(
          ValidateDisjointFrom(in_place, i, layout.head_dim));
    }
    end = std::max(end, range.end);
    const int64_t heads = view.batch * view.tokens * view.heads;
    if (__builtin_add_overflow(total, heads, &total)) {
      return Error(StatusCode::kOutOfRange,
                   "in_place[%d].heads = %lld: all tensors together must have "
                   "fewer than 2^63 heads",
                   i, static_cast<long long>(view.heads));
    }
  }
  return Status();
}

Status ValidateShapes(const HeadsView& in, const HeadsView& out) {
  if (in.batch == out.batch && in.tokens == out.tokens &&
      in.heads == out.heads) {
    return Status();
  }
  return Error(
      StatusCode::kInvalidArgument,
      "out.batch = %lld, out.tokens = %lld, out.heads = %lld: must be those of "
      "in, %lld, %lld and %lld",
      static_cast<long long>(out.batch), static_cast<long long>(out.tokens),
      static_cast<long long>(out.heads), static_cast<long long>(in.batch),
      static_cast<long long>(in.tokens), static_cast<long long>(in.heads));
}

Status ValidateOutOfPlace(const AngleRows& rows, const RotaryLayout& layout,
                          const HeadsView& in, const HeadsView& out,
                          ByteRange* range) {
  ROPEWALK_RETURN_IF_ERROR(ValidateLayout(layout));
  ROPEWALK_RETURN_IF_ERROR(ValidateView(in, layout.head_dim, {"in"}, range));
  ROPEWALK_RETURN_IF_ERROR(ValidateView(out, layout.head_dim, {"out"}, range));
  ROPEWALK_RETURN_IF_ERROR(ValidateShapes(in, out));
  if (range->empty()) return Status();
  ROPEWALK_RETURN_IF_ERROR(ValidateRows(rows, layout, in, {"in"}));
  ROPEWALK_RETURN_IF_ERROR(
      ValidateDistinctHeads(out, layout.head_dim, {"out"}));
  if (SameMemory(in, out)) return Status();
  return ValidateDisjoint(in, {"in"}, out, {"out"}, layout.head_dim);
}

Status RotateInPlace(const AngleRows& rows, const RotaryLayout& layout,
                     const HeadsView* in_place, int count,
                     const RotateOptions& options) {
  ROPEWALK_RETURN_IF_ERROR(ValidateOptions(options));
  ROPEWALK_RETURN_IF_ERROR(ValidateInPlace(rows, layout, in_place, count));
  if (layout.rotary_dim == 0) return Status();
  const InPlaceCall call = {&rows, &layout, options.direction, in_place, count};
  if (options.parallel.kind() == Parallel::Kind::kSerial) {
    RunInPlace(call, 0, INT64_MAX);
    return Status();
  }
  int64_t total = 0;
  int64_t grain = 1;
  for (int i = 0; i < count;) {
    const RowsJob job = call.JobFrom(i);
    i += job.tensors;
    total += Units(job);
    grain = std::max(grain, Grain(job));
  }
  ParallelFor(options.parallel, total, grain, [&](int64_t begin, int64_t end) {
    RunInPlace(call, begin, end);
  });
  return Status();
}

Status RotateOutOfPlace(const AngleRows& rows, const RotaryLayout& layout,
                        const ConstHeadsView& in, const HeadsView& out,
                        const RotateOptions& options) {
  ROPEWALK_RETURN_IF_ERROR(ValidateOptions(options));
  const HeadsView from = Unconst(in);
  ByteRange range;
  ROPEWALK_RETURN_IF_ERROR(ValidateOutOfPlace(rows, layout, from, out, &range));
  if (range.empty()) return Status();
  const RowsJob job = MakeJob(rows, layout, options.direction, from, out);
  if (job.in_place && layout.rotary_dim == 0) return Status();
  ParallelFor(options.parallel, Units(job), Grain(job),
              [&](int64_t begin, int64_t end) { RunUnits(job, begin, end); });
  return Status();
}

}  // namespace
}  // namespace internal

Status Rotate(const AngleRows& rows, const RotaryLayout& layout,
              const HeadsView* in_place, int count,
              const RotateOptions& options) noexcept {
  return internal::RotateInPlace(rows, layout, in_place, count, options);
}

Status Rotate(const AngleRows& rows, const RotaryLayout& layout,
              std::initializer_list<HeadsView> in_place,
              const RotateOptions& options) noexcept {
  return internal::RotateInPlace(rows, layout, in_place.begin(),
                                 static_cast<int>(in_place.size()), options);
}

Status Rotate(const AngleRows& rows, const RotaryLayout& layout,
              const ConstHeadsView& in, const HeadsView& out,
              const RotateOptions& options) noexcept {
  return internal::RotateOutOfPlace(rows, layout, in, out, options);
}

}  // namespace ropewalk
