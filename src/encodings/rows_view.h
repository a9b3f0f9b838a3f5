// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of contiguous elements, hidden states and tables alike, as the views
// whose rules exist already: tokens of one head.
#pragma once
#include <cstdint>

#include "ropewalk/encodings/embedding_table.h"
#include "ropewalk/encodings/hidden_states.h"
#include "ropewalk/status.h"
#include "rotate/overlap.h"
#include "rotate/validate.h"

namespace ropewalk::internal {

struct RowsView {
  HeadsView view;
  int64_t width;
  TensorName name;

  bool empty() const noexcept { return view.tokens == 0; }
  int64_t RowBytes() const noexcept { return width * ElementSize(view.type); }
  template <class T>
  T* Row(int64_t row) const noexcept {
    return reinterpret_cast<T*>(static_cast<uint8_t*>(view.data) +
                                row * view.token_stride);
  }
  NamedView named() const noexcept { return {&view, width, name}; }
};

// What is only read is passed as if it could be written.
RowsView RowsOf(const ConstHiddenStates& hidden,
                const char* name = "hidden") noexcept;
RowsView RowsOf(const EmbeddingTable& table) noexcept;

// Whether every element can be addressed, and there is one in a row.
Status ValidateRowsView(const RowsView& rows) noexcept;

// Whether the rows are as wide as those of the table.
Status ValidateWidth(const RowsView& rows, const RowsView& table) noexcept;

// Whether no two rows of a view, or of two views, share an element. Views
// without rows do not. Requires: ValidateRowsView has passed.
Status ValidateDistinctRows(const RowsView& rows) noexcept;
Status ValidateDisjointRows(const RowsView& a, const RowsView& b) noexcept;

// Whether a call that writes the rows leaves alone what it reads beside them.
Status ValidateApartRows(const ByteView& read,
                         const RowsView& written) noexcept;

}  // namespace ropewalk::internal
