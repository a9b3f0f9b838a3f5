// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/rotate.h"

#include <algorithm>

#include "parallel/parallel_for.h"
#include "rotate/make_job.h"
#include "rotate/overlap.h"
#include "rotate/rows.h"
#include "rotate/validate.h"
#include "rotate/validate_transform.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

Status ValidateOptions(const RotateOptions& options) {
  if (options.direction > Direction::kTranspose) {
    return Error(StatusCode::kInvalidArgument,
                 "direction = %d: must be kForward, kInverse or kTranspose",
                 static_cast<int>(options.direction));
  }
  return ValidateParallel(options.parallel);
}

bool Empty(const HeadsView& view) {
  return view.batch == 0 || view.tokens == 0 || view.heads == 0;
}

// Several tensors in place: jobs of as many as go together, whose units count
// through one job after the other.
struct InPlaceCall {
  Turning turning;
  const HeadsView* in_place;
  int count;

  // The job that begins with tensor i.
  RowsJob JobFrom(int i) const {
    RowsJob job = MakeJob(turning, in_place[i], in_place[i]);
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
    if (from < to) RotateRows(job, from, to);
    first += units;
  }
}

// Mostly one job takes all tensors. It is made once then, without a grain where
// there are no tasks: of a decode step's share either was several percent.
void SplitInPlace(const InPlaceCall& call, const Parallel& parallel) {
  if (call.count == 0) return;
  const bool tasks = parallel.kind() == Parallel::Kind::kTbb;
  const RowsJob all = call.JobFrom(0);
  if (all.tensors == call.count) {
    return ParallelFor(
        parallel, Units(all), tasks ? Grain(all) : 1,
        [&](int64_t begin, int64_t end) { RotateRows(all, begin, end); });
  }
  int64_t total = 0;
  int64_t grain = 1;
  for (int i = 0; i < call.count;) {
    const RowsJob job = call.JobFrom(i);
    i += job.tensors;
    total += Units(job);
    grain = std::max(grain, Grain(job));
  }
  ParallelFor(parallel, total, grain, [&](int64_t begin, int64_t end) {
    RunInPlace(call, begin, end);
  });
}

// Whether tensor i shares no element with those before it.
Status ValidateDisjointFrom(const HeadsView* in_place, int i, int head_dim) {
  for (int j = 0; j < i; ++j) {
    if (Empty(in_place[j])) continue;
    ROPEWALK_RETURN_IF_ERROR(
        ValidateDisjoint({&in_place[j], head_dim, {"in_place", j}},
                         {&in_place[i], head_dim, {"in_place", i}}));
  }
  return Status();
}

// Sets the number of heads of all tensors.
Status ValidateInPlace(const AngleRows& rows, const RotaryLayout& layout,
                       const HeadsView* in_place, int count, int64_t* total) {
  if (count < 0 || (count > 0 && in_place == nullptr)) {
    return Error(StatusCode::kInvalidArgument,
                 "count = %d, in_place = %p: must name that many tensors",
                 count, static_cast<const void*>(in_place));
  }
  ROPEWALK_RETURN_IF_ERROR(ValidateLayout(layout));
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
          ValidateDistinctHeads({&view, layout.head_dim, name}));
    }
    if (!AreUsualRows(rows, layout, view)) {
      ROPEWALK_RETURN_IF_ERROR(ValidateRows(rows, layout, view, name));
    }
    if (range.begin < end) {
      ROPEWALK_RETURN_IF_ERROR(
          ValidateDisjointFrom(in_place, i, layout.head_dim));
    }
    end = std::max(end, range.end);
    const int64_t heads = view.batch * view.tokens * view.heads;
    if (__builtin_add_overflow(*total, heads, total)) {
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
      ValidateDistinctHeads({&out, layout.head_dim, {"out"}}));
  if (SameMemory(in, out)) return Status();
  return ValidateDisjoint({&in, layout.head_dim, {"in"}},
                          {&out, layout.head_dim, {"out"}});
}

Status RotateInPlace(const AngleRows& rows, const RotaryLayout& layout,
                     const HeadsView* in_place, int count,
                     const RotateOptions& options) {
  ROPEWALK_RETURN_IF_ERROR(ValidateOptions(options));
  int64_t heads = 0;
  ROPEWALK_RETURN_IF_ERROR(
      ValidateInPlace(rows, layout, in_place, count, &heads));
  ROPEWALK_RETURN_IF_ERROR(
      ValidateTransform(options.transform, layout.head_dim));
  const InPlaceCall call = {
      MakeTurning(rows, layout, options.transform, options.direction), in_place,
      count};
  if (!call.turning.changes()) return Status();
  if (StaysOnThread(options.parallel, heads, layout.head_dim)) {
    RunInPlace(call, 0, INT64_MAX);
    return Status();
  }
  SplitInPlace(call, options.parallel);
  return Status();
}

Status RotateOutOfPlace(const AngleRows& rows, const RotaryLayout& layout,
                        const ConstHeadsView& in, const HeadsView& out,
                        const RotateOptions& options) {
  ROPEWALK_RETURN_IF_ERROR(ValidateOptions(options));
  const HeadsView from = Unconst(in);
  ByteRange range;
  ROPEWALK_RETURN_IF_ERROR(ValidateOutOfPlace(rows, layout, from, out, &range));
  ROPEWALK_RETURN_IF_ERROR(
      ValidateTransform(options.transform, layout.head_dim));
  if (range.empty()) return Status();
  const Turning turning =
      MakeTurning(rows, layout, options.transform, options.direction);
  const RowsJob job = MakeJob(turning, from, out);
  if (SameMemory(from, out) && !turning.changes()) return Status();
  ParallelFor(options.parallel, Units(job), Grain(job),
              [&](int64_t begin, int64_t end) { RotateRows(job, begin, end); });
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
