// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/encodings/sinusoidal.h"

#include "encodings/rows_view.h"
#include "encodings/sinusoidal_rows.h"
#include "parallel/parallel_for.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

Status ValidateOptions(const SinusoidalOptions& options) {
  if (options.order > SinusoidalOrder::kCosSin) {
    return Error(StatusCode::kInvalidArgument,
                 "order = %d: must be kInterleaved, kSinCos or kCosSin",
                 static_cast<int>(options.order));
  }
  return ValidateParallel(options.parallel);
}

Status ValidateAngles(const AngleRows& rows, const RowsView& hidden) {
  if (rows.rows() != hidden.view.tokens) {
    return Error(StatusCode::kInvalidArgument,
                 "hidden.tokens = %lld: must be the number of rows, %lld",
                 static_cast<long long>(hidden.view.tokens),
                 static_cast<long long>(rows.rows()));
  }
  if (hidden.empty()) return Status();
  if (rows.heads() != 1) {
    return Error(StatusCode::kInvalidArgument,
                 "rows with %d heads: must have one", rows.heads());
  }
  if (rows.pairs() != hidden.width / 2) {
    return Error(StatusCode::kInvalidArgument,
                 "hidden.width = %lld: the rows have %d pairs, %lld are needed",
                 static_cast<long long>(hidden.width), rows.pairs(),
                 static_cast<long long>(hidden.width / 2));
  }
  return Status();
}

}  // namespace
}  // namespace internal

Status AddSinusoidal(const AngleRows& rows, const HiddenStates& hidden,
                     const SinusoidalOptions& options) noexcept {
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateOptions(options));
  const internal::SinusoidalJob job = {&rows, internal::RowsOf(hidden),
                                       options.order};
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateRowsView(job.hidden));
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateAngles(rows, job.hidden));
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateDistinctRows(job.hidden));
  if (job.hidden.empty() || rows.pairs() == 0) return Status();
  const int64_t angle_bytes =
      2 * rows.pairs() * static_cast<int64_t>(sizeof(float));
  internal::ParallelFor(
      options.parallel, hidden.tokens,
      internal::GrainOf(2 * job.hidden.RowBytes(), angle_bytes),
      [&](int64_t begin, int64_t end) {
        internal::AddSinusoidalRows(job, begin, end);
      });
  return Status();
}

}  // namespace ropewalk
