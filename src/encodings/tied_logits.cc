// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "encodings/logits.h"
#include "encodings/rows_view.h"
#include "parallel/parallel_for.h"
#include "ropewalk/encodings/embedding_table.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

RowsView LogitsRows(float* logits, int64_t stride, const LogitsJob& job) {
  HeadsView view;
  view.data = logits;
  view.tokens = job.hidden.view.tokens;
  view.heads = 1;
  view.token_stride = stride;
  return {view, job.table.view.tokens, {"logits", -1, TensorKind::kLogits}};
}

Status ValidateLogits(const LogitsJob& job, bool* empty) {
  ROPEWALK_RETURN_IF_ERROR(ValidateRowsView(job.table));
  ROPEWALK_RETURN_IF_ERROR(ValidateRowsView(job.hidden));
  ROPEWALK_RETURN_IF_ERROR(ValidateWidth(job.hidden, job.table));
  *empty = job.table.empty() || job.hidden.empty();
  if (*empty) return Status();
  ROPEWALK_RETURN_IF_ERROR(ValidateRowsView(job.logits));
  ROPEWALK_RETURN_IF_ERROR(ValidateDistinctRows(job.logits));
  ROPEWALK_RETURN_IF_ERROR(ValidateDisjointRows(job.logits, job.hidden));
  return ValidateDisjointRows(job.logits, job.table);
}

}  // namespace
}  // namespace internal

Status TiedLogits(const EmbeddingTable& table, const ConstHiddenStates& hidden,
                  float* logits, int64_t logits_stride,
                  Parallel parallel) noexcept {
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateParallel(parallel));
  internal::LogitsJob job = {
      internal::RowsOf(table), internal::RowsOf(hidden), {}};
  job.logits = internal::LogitsRows(logits, logits_stride, job);
  bool empty = false;
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateLogits(job, &empty));
  if (empty) return Status();
  internal::ParallelFor(parallel, table.vocabulary,
                        internal::GrainOf(job.table.RowBytes()),
                        [&](int64_t begin, int64_t end) {
                          internal::WriteLogits(job, begin, end);
                        });
  return Status();
}

}  // namespace ropewalk
