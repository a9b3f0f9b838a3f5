// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/encodings/shaw.h"

#include <algorithm>
#include <cmath>

#include "encodings/rows_view.h"
#include "encodings/score_rows.h"
#include "encodings/shaw_rows.h"
#include "parallel/parallel_for.h"
#include "rotate/make_job.h"
#include "rotate/overlap.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

// How messages call the two tensors that are not the table.
struct Names {
  const char* scores;
  const char* heads;
};

Status ValidateTable(const RowsView& table, const ShawRule& rule) {
  if (rule.clip < 0 || rule.clip > kMaxShawClip) {
    return Error(StatusCode::kInvalidArgument,
                 "rule.clip = %lld: must be from 0 to 2^30",
                 static_cast<long long>(rule.clip));
  }
  if (table.view.tokens != 2 * rule.clip + 1) {
    return Error(StatusCode::kInvalidArgument,
                 "table.vocabulary = %lld: must be 2 clip + 1 = %lld",
                 static_cast<long long>(table.view.tokens),
                 static_cast<long long>(2 * rule.clip + 1));
  }
  return ValidateRowsView(table);
}

Status ValidateShape(const ShawJob& job, const Names& names) {
  const Scores& scores = job.rows.scores;
  const HeadsView& heads = job.heads;
  if (heads.batch == 1 && heads.tokens == scores.queries &&
      heads.heads == scores.heads) {
    return Status();
  }
  return Error(StatusCode::kInvalidArgument,
               "%s.batch = %lld, %s.tokens = %lld, %s.heads = %lld: must be 1, "
               "and the queries and heads of %s, %lld and %lld",
               names.heads, static_cast<long long>(heads.batch), names.heads,
               static_cast<long long>(heads.tokens), names.heads,
               static_cast<long long>(heads.heads), names.scores,
               static_cast<long long>(scores.queries),
               static_cast<long long>(scores.heads));
}

// What both calls ask for, but for what they write.
Status ValidateShaw(const ShawJob& job, const Names& names) {
  ROPEWALK_RETURN_IF_ERROR(ValidateTable(job.table, job.rule));
  ROPEWALK_RETURN_IF_ERROR(ValidateScores(job.rows.scores, names.scores));
  ROPEWALK_RETURN_IF_ERROR(ValidateShape(job, names));
  ByteRange range;
  return ValidateView(job.heads, job.table.width, {names.heads}, &range);
}

// The fewest rows of scores that are worth a task: each reads as many rows of
// the table as it has distances.
int64_t Grain(const ShawJob& job) {
  const Scores& scores = job.rows.scores;
  const int64_t entries = std::min(scores.keys, job.table.view.tokens);
  return GrainOf(job.rows.RowBytes(),
                 MultiplyOrMax(entries, job.table.RowBytes()));
}

Status AddScores(const ShawJob& job, Parallel parallel) {
  const Names names = {"scores", "queries"};
  ROPEWALK_RETURN_IF_ERROR(ValidateWork(job.rows.range, parallel));
  ROPEWALK_RETURN_IF_ERROR(ValidateShaw(job, names));
  if (!std::isfinite(job.multiplier)) {
    return Error(StatusCode::kInvalidArgument,
                 "multiplier = %g: must be finite",
                 static_cast<double>(job.multiplier));
  }
  if (job.rows.empty()) return Status();
  const ScoresView scores(job.rows.scores, names.scores);
  ROPEWALK_RETURN_IF_ERROR(
      ValidateDistinctScores(job.rows.scores, names.scores));
  ROPEWALK_RETURN_IF_ERROR(ValidateDisjoint(job.table.named(), scores.named()));
  ROPEWALK_RETURN_IF_ERROR(ValidateDisjoint(
      {&job.heads, job.table.width, {names.heads}}, scores.named()));
  ParallelFor(
      parallel, job.rows.rows(), Grain(job),
      [&](int64_t begin, int64_t end) { AddShawScoreRows(job, begin, end); });
  return Status();
}

Status AddValues(const ShawJob& job, Parallel parallel) {
  const Names names = {"weights", "output"};
  ROPEWALK_RETURN_IF_ERROR(ValidateWork(job.rows.range, parallel));
  ROPEWALK_RETURN_IF_ERROR(ValidateShaw(job, names));
  if (job.rows.empty()) return Status();
  const NamedView output = {&job.heads, job.table.width, {names.heads}};
  const ScoresView weights(job.rows.scores, names.scores);
  ROPEWALK_RETURN_IF_ERROR(ValidateDistinctHeads(output));
  ROPEWALK_RETURN_IF_ERROR(ValidateDisjoint(job.table.named(), output));
  ROPEWALK_RETURN_IF_ERROR(ValidateDisjoint(weights.named(), output));
  ParallelFor(
      parallel, job.rows.rows(), Grain(job),
      [&](int64_t begin, int64_t end) { AddShawValueRows(job, begin, end); });
  return Status();
}

}  // namespace
}  // namespace internal

Status AddShawScores(const EmbeddingTable& table, const ShawRule& rule,
                     const ConstHeadsView& queries, float multiplier,
                     const Scores& scores, ScoreRange range,
                     Parallel parallel) noexcept {
  return internal::AddScores({{scores, range},
                              internal::RowsOf(table),
                              rule,
                              internal::Unconst(queries),
                              multiplier},
                             parallel);
}

Status AddShawValues(const EmbeddingTable& table, const ShawRule& rule,
                     const Scores& weights, const HeadsView& output,
                     ScoreRange range, Parallel parallel) noexcept {
  return internal::AddValues(
      {{weights, range}, internal::RowsOf(table), rule, output, 1.0f},
      parallel);
}

}  // namespace ropewalk
