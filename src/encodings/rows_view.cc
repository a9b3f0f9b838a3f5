// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "encodings/rows_view.h"

#include "status/error.h"

namespace ropewalk::internal {

RowsView RowsOf(const ConstHiddenStates& hidden, const char* name) noexcept {
  HeadsView view;
  view.data = const_cast<void*>(hidden.data);
  view.type = hidden.type;
  view.tokens = hidden.tokens;
  view.heads = 1;
  view.token_stride = hidden.token_stride;
  return {view, hidden.width, {name, -1, TensorKind::kHidden}};
}

RowsView RowsOf(const EmbeddingTable& table) noexcept {
  HeadsView view;
  view.data = const_cast<void*>(table.data);
  view.type = table.type;
  view.tokens = table.vocabulary;
  view.heads = 1;
  view.token_stride = table.row_stride;
  return {view, table.width, {"table", -1, TensorKind::kTable}};
}

Status ValidateRowsView(const RowsView& rows) noexcept {
  if (rows.width < 1) {
    return Error(
        StatusCode::kInvalidArgument, "%s.width = %lld: must be positive",
        NameText(rows.name).text(), static_cast<long long>(rows.width));
  }
  // Rows that are one row, many times: a stride that has been forgotten.
  if (rows.name.kind == TensorKind::kTable && rows.view.tokens > 1 &&
      rows.view.token_stride == 0) {
    return Error(StatusCode::kInvalidArgument,
                 "%s.row_stride = 0: must lead from each of %lld rows to the "
                 "next",
                 NameText(rows.name).text(),
                 static_cast<long long>(rows.view.tokens));
  }
  ByteRange range;
  return ValidateView(rows.view, rows.width, rows.name, &range);
}

Status ValidateWidth(const RowsView& rows, const RowsView& table) noexcept {
  if (rows.width == table.width) return Status();
  return Error(StatusCode::kInvalidArgument,
               "%s.width = %lld: must be that of the table, %lld",
               NameText(rows.name).text(), static_cast<long long>(rows.width),
               static_cast<long long>(table.width));
}

Status ValidateDistinctRows(const RowsView& rows) noexcept {
  return rows.empty() ? Status() : ValidateDistinctHeads(rows.named());
}

Status ValidateDisjointRows(const RowsView& a, const RowsView& b) noexcept {
  if (a.empty() || b.empty()) return Status();
  return ValidateDisjoint(a.named(), b.named());
}

Status ValidateApartRows(const ByteView& read,
                         const RowsView& written) noexcept {
  return written.empty() ? Status() : ValidateApart(read, written.named());
}

}  // namespace ropewalk::internal
