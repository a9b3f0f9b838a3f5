// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/encodings/learned.h"

#include "angles/position_reader.h"
#include "encodings/rows_view.h"
#include "encodings/table_rows.h"
#include "parallel/parallel_for.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

Status ValidatePositions(PositionReader* reader, const RowsView& hidden) {
  ROPEWALK_RETURN_IF_ERROR(reader->Validate());
  if (reader->is_real()) {
    return Error(StatusCode::kInvalidArgument,
                 "positions of double: must be integers");
  }
  if (reader->components() != 1) {
    return Error(StatusCode::kInvalidArgument,
                 "positions of %d components: must have one",
                 reader->components());
  }
  if (reader->count() != hidden.view.tokens) {
    return Error(StatusCode::kInvalidArgument,
                 "hidden.tokens = %lld: must be the number of positions, %lld",
                 static_cast<long long>(hidden.view.tokens),
                 static_cast<long long>(reader->count()));
  }
  return Status();
}

Status ValidateRows(const PositionReader& reader, int64_t offset,
                    const EmbeddingTable& table) {
  for (int64_t token = 0; token < reader.count(); ++token) {
    const int64_t position = reader.Integer(0, token);
    int64_t row;
    if (!__builtin_add_overflow(position, offset, &row) && row >= 0 &&
        row < table.vocabulary) {
      continue;
    }
    return Error(StatusCode::kOutOfRange,
                 "position[%lld] = %lld with offset = %lld: must be in a "
                 "table of %lld rows",
                 static_cast<long long>(token),
                 static_cast<long long>(position),
                 static_cast<long long>(offset),
                 static_cast<long long>(table.vocabulary));
  }
  return Status();
}

Status ValidateLearned(const EmbeddingTable& table, const TableRowsJob& job,
                       PositionReader* reader) {
  ROPEWALK_RETURN_IF_ERROR(ValidateRowsView(job.table));
  ROPEWALK_RETURN_IF_ERROR(ValidateRowsView(job.out));
  ROPEWALK_RETURN_IF_ERROR(ValidateWidth(job.out, job.table));
  ROPEWALK_RETURN_IF_ERROR(ValidatePositions(reader, job.out));
  ROPEWALK_RETURN_IF_ERROR(ValidateDistinctRows(job.out));
  ROPEWALK_RETURN_IF_ERROR(ValidateDisjointRows(job.out, job.table));
  ROPEWALK_RETURN_IF_ERROR(ValidateRows(*reader, job.choice.offset, table));
  return ValidateApartRows(
      ByteView(reader->begin(), reader->bytes(), "positions"), job.out);
}

}  // namespace
}  // namespace internal

Status AddLearned(const EmbeddingTable& table, const Positions& positions,
                  int64_t offset, const HiddenStates& hidden,
                  Parallel parallel) noexcept {
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateParallel(parallel));
  internal::PositionReader reader(positions);
  const internal::TableRowsJob job = {internal::RowsOf(table),
                                      {nullptr, &reader, offset},
                                      internal::RowsOf(hidden),
                                      1.0f};
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateLearned(table, job, &reader));
  if (job.out.empty()) return Status();
  internal::ParallelFor(
      parallel, reader.count(),
      internal::GrainOf(job.table.RowBytes(), 2 * job.out.RowBytes()),
      [&](int64_t begin, int64_t end) {
        internal::AddTableRows(job, begin, end);
      });
  return Status();
}

}  // namespace ropewalk
