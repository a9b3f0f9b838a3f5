// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/encodings/alibi.h"

#include <cmath>

#include "encodings/alibi_rows.h"
#include "encodings/rows_view.h"
#include "encodings/score_rows.h"
#include "parallel/parallel_for.h"
#include "rotate/overlap.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

constexpr int kMaxAlibiHeads = 65536;

// The largest slope of the paper is below 1. With this one no product with a
// distance passes float32, so that a score of -Inf stays what it is.
constexpr float kMaxSlope = 0x1p60f;

int LargestPowerOfTwoWithin(int heads) {
  int power = 1;
  while (power <= heads / 2) power *= 2;
  return power;
}

RowsView SlopesView(const AlibiJob& job) {
  RowsView view{
      HeadsView(), job.rows.scores.heads, {"slopes", -1, TensorKind::kTable}};
  view.view.data = const_cast<float*>(job.slopes);
  view.view.tokens = view.view.heads = 1;
  return view;
}

// Whether they can be read.
Status ValidateSlopes(const AlibiJob& job) {
  if (job.slopes == nullptr) {
    return Error(StatusCode::kInvalidArgument,
                 "slopes = null: must be one a head, of %lld",
                 static_cast<long long>(job.rows.scores.heads));
  }
  return ValidateRowsView(SlopesView(job));
}

Status ValidateSlopeValues(const AlibiJob& job) {
  for (int64_t h = 0; h < job.rows.scores.heads; ++h) {
    // Written so that a NaN fails too.
    if (std::abs(job.slopes[h]) <= kMaxSlope) continue;
    return Error(StatusCode::kInvalidArgument,
                 "slopes[%lld] = %g: must be from -2^60 to 2^60",
                 static_cast<long long>(h), static_cast<double>(job.slopes[h]));
  }
  return Status();
}

Status Add(const AlibiJob& job, Parallel parallel) {
  const Scores& scores = job.rows.scores;
  ROPEWALK_RETURN_IF_ERROR(ValidateWork(job.rows.range, parallel));
  ROPEWALK_RETURN_IF_ERROR(ValidateScores(scores, "scores"));
  if (scores.heads == 0) return Status();
  ROPEWALK_RETURN_IF_ERROR(ValidateSlopes(job));
  if (job.rows.empty()) return Status();
  ROPEWALK_RETURN_IF_ERROR(ValidateDistinctScores(scores, "scores"));
  ROPEWALK_RETURN_IF_ERROR(ValidateDisjoint(
      SlopesView(job).named(), ScoresView(scores, "scores").named()));
  ROPEWALK_RETURN_IF_ERROR(ValidateSlopeValues(job));
  ParallelFor(
      parallel, job.rows.rows(), job.rows.Grain(),
      [&](int64_t begin, int64_t end) { AddAlibiRows(job, begin, end); });
  return Status();
}

}  // namespace
}  // namespace internal

Status AlibiSlopes(int heads, double max_bias, float* slopes) noexcept {
  if (heads < 1 || heads > internal::kMaxAlibiHeads) {
    return internal::Error(StatusCode::kInvalidArgument,
                           "heads = %d: must be from 1 to %d", heads,
                           internal::kMaxAlibiHeads);
  }
  // Written so that a NaN fails too.
  if (!(max_bias >= 0 && std::isfinite(max_bias))) {
    return internal::Error(StatusCode::kInvalidArgument,
                           "max_bias = %g: must be finite and not negative",
                           max_bias);
  }
  if (slopes == nullptr) {
    return internal::Error(StatusCode::kInvalidArgument,
                           "slopes = null: must have room for %d heads", heads);
  }
  const int power = internal::LargestPowerOfTwoWithin(heads);
  for (int h = 0; h < heads; ++h) {
    const double step = h < power ? static_cast<double>(h + 1) / power
                                  : (2.0 * (h - power) + 1) / (2.0 * power);
    slopes[h] =
        max_bias == 0 ? 0.0f : static_cast<float>(std::exp2(-max_bias * step));
  }
  return Status();
}

Status AddAlibi(const float* slopes, const Scores& scores, ScoreRange range,
                Parallel parallel) noexcept {
  return internal::Add({{scores, range}, slopes}, parallel);
}

}  // namespace ropewalk
