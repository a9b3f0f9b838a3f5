// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/encodings/t5_bias.h"

#include "encodings/rows_view.h"
#include "encodings/score_rows.h"
#include "encodings/t5_rows.h"
#include "encodings/t5_starts.h"
#include "parallel/parallel_for.h"
#include "rotate/overlap.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

Status ValidateShape(const EmbeddingTable& table, const T5Buckets& rule,
                     const Scores& scores) {
  if (table.vocabulary == rule.buckets && table.width == scores.heads) {
    return Status();
  }
  return Error(StatusCode::kInvalidArgument,
               "table.vocabulary = %lld, table.width = %lld: must be the "
               "buckets, %d, and the heads of scores, %lld",
               static_cast<long long>(table.vocabulary),
               static_cast<long long>(table.width), rule.buckets,
               static_cast<long long>(scores.heads));
}

Status Add(const EmbeddingTable& table, const T5Buckets& rule,
           const ScoreRows& rows, Parallel parallel) {
  const Scores& scores = rows.scores;
  ROPEWALK_RETURN_IF_ERROR(ValidateWork(rows.range, parallel));
  ROPEWALK_RETURN_IF_ERROR(ValidateT5Buckets(rule));
  ROPEWALK_RETURN_IF_ERROR(ValidateScores(scores, "scores"));
  if (scores.heads == 0) return Status();
  ROPEWALK_RETURN_IF_ERROR(ValidateShape(table, rule, scores));
  const RowsView table_rows = RowsOf(table);
  ROPEWALK_RETURN_IF_ERROR(ValidateRowsView(table_rows));
  if (rows.empty()) return Status();
  ROPEWALK_RETURN_IF_ERROR(ValidateDistinctScores(scores, "scores"));
  ROPEWALK_RETURN_IF_ERROR(ValidateDisjoint(
      table_rows.named(), ScoresView(scores, "scores").named()));
  const T5Starts starts(rule);
  const T5Job job = {rows, &table, &starts};
  ParallelFor(parallel, rows.rows(), rows.Grain(),
              [&](int64_t begin, int64_t end) { AddT5Rows(job, begin, end); });
  return Status();
}

}  // namespace
}  // namespace internal

Result<int> T5Bucket(const T5Buckets& rule, int64_t key_minus_query) noexcept {
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateT5Buckets(rule));
  return internal::T5Starts(rule).RunAt(key_minus_query).bucket;
}

Status AddT5Bias(const EmbeddingTable& table, const T5Buckets& rule,
                 const Scores& scores, ScoreRange range,
                 Parallel parallel) noexcept {
  return internal::Add(table, rule, {scores, range}, parallel);
}

}  // namespace ropewalk
