// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "encodings/score_rows.h"

#include "parallel/parallel_for.h"
#include "rotate/overlap.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

Status PositionError(const Scores& scores, const char* name) {
  return Error(StatusCode::kOutOfRange,
               "%s.first_query = %lld, first_key = %lld: the positions of %lld "
               "queries and %lld keys, and their distances, must fit an int64",
               name, static_cast<long long>(scores.first_query),
               static_cast<long long>(scores.first_key),
               static_cast<long long>(scores.queries),
               static_cast<long long>(scores.keys));
}

// Requires: neither queries nor keys are zero.
Status ValidatePositions(const Scores& scores, const char* name) {
  int64_t last_query;
  int64_t last_key;
  int64_t distance;
  if (__builtin_add_overflow(scores.first_query, scores.queries - 1,
                             &last_query) ||
      __builtin_add_overflow(scores.first_key, scores.keys - 1, &last_key) ||
      __builtin_sub_overflow(scores.first_key, last_query, &distance) ||
      __builtin_sub_overflow(last_key, scores.first_query, &distance)) {
    return PositionError(scores, name);
  }
  return Status();
}

}  // namespace

ScoresView::ScoresView(const Scores& scores, const char* text)
    : keys(scores.keys), name{text, -1, TensorKind::kScores} {
  view.data = scores.data;
  view.type = scores.type;
  view.tokens = scores.queries;
  view.heads = scores.heads;
  view.token_stride = scores.query_stride;
  view.head_stride = scores.head_stride;
}

Status ValidateScores(const Scores& scores, const char* name) noexcept {
  if (scores.keys < 0) {
    return Error(StatusCode::kInvalidArgument,
                 "%s.keys = %lld: must not be negative", name,
                 static_cast<long long>(scores.keys));
  }
  ScoresView of(scores, name);
  // Without a key there is nothing to point to.
  if (scores.keys == 0) of.view.batch = 0;
  ByteRange range;
  ROPEWALK_RETURN_IF_ERROR(ValidateView(of.view, of.keys, of.name, &range));
  return range.empty() ? Status() : ValidatePositions(scores, name);
}

Status ValidateDistinctScores(const Scores& scores, const char* name) noexcept {
  return ValidateDistinctHeads(ScoresView(scores, name).named());
}

Status ValidateWork(ScoreRange range, const Parallel& parallel) noexcept {
  if (range > ScoreRange::kCausal) {
    return Error(StatusCode::kInvalidArgument,
                 "range = %d: must be kAll or kCausal",
                 static_cast<int>(range));
  }
  return ValidateParallel(parallel);
}

}  // namespace ropewalk::internal
