// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "encodings/rows_view.h"
#include "encodings/table_rows.h"
#include "parallel/parallel_for.h"
#include "ropewalk/encodings/embedding_table.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

Status ValidateOptions(const LookupOptions& options) {
  if (!std::isfinite(options.multiplier)) {
    return Error(StatusCode::kInvalidArgument,
                 "multiplier = %g: must be finite",
                 static_cast<double>(options.multiplier));
  }
  return ValidateParallel(options.parallel);
}

Status ValidateIds(const TokenIds& ids, const EmbeddingTable& table) {
  if (ids.count() > 0 && ids.data() == nullptr) {
    return Error(StatusCode::kInvalidArgument,
                 "ids = null: must not be null for %lld tokens",
                 static_cast<long long>(ids.count()));
  }
  for (int64_t token = 0; token < ids.count(); ++token) {
    const int64_t id = ids[token];
    if (id >= 0 && id < table.vocabulary) continue;
    return Error(StatusCode::kOutOfRange,
                 "ids[%lld] = %lld: must be in a vocabulary of %lld",
                 static_cast<long long>(token), static_cast<long long>(id),
                 static_cast<long long>(table.vocabulary));
  }
  return Status();
}

Status ValidateLookup(const EmbeddingTable& table, const TokenIds& ids,
                      const TableRowsJob& job) {
  ROPEWALK_RETURN_IF_ERROR(ValidateRowsView(job.table));
  ROPEWALK_RETURN_IF_ERROR(ValidateRowsView(job.out));
  ROPEWALK_RETURN_IF_ERROR(ValidateWidth(job.out, job.table));
  if (ids.count() != job.out.view.tokens) {
    return Error(StatusCode::kInvalidArgument,
                 "out.tokens = %lld: must be the number of ids, %lld",
                 static_cast<long long>(job.out.view.tokens),
                 static_cast<long long>(ids.count()));
  }
  ROPEWALK_RETURN_IF_ERROR(ValidateDistinctRows(job.out));
  ROPEWALK_RETURN_IF_ERROR(ValidateDisjointRows(job.out, job.table));
  ROPEWALK_RETURN_IF_ERROR(ValidateIds(ids, table));
  return ValidateApartRows(ByteView(ids.data(), ids.bytes(), "ids"), job.out);
}

}  // namespace
}  // namespace internal

Status Lookup(const EmbeddingTable& table, const TokenIds& ids,
              const HiddenStates& out, const LookupOptions& options) noexcept {
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateOptions(options));
  const internal::TableRowsJob job = {internal::RowsOf(table),
                                      {&ids, nullptr, 0},
                                      internal::RowsOf(out, "out"),
                                      options.multiplier};
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateLookup(table, ids, job));
  if (job.out.empty()) return Status();
  internal::ParallelFor(
      options.parallel, ids.count(),
      internal::GrainOf(job.table.RowBytes(), job.out.RowBytes()),
      [&](int64_t begin, int64_t end) {
        internal::CopyTableRows(job, begin, end);
      });
  return Status();
}

}  // namespace ropewalk
