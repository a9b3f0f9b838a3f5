// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// AngleRows from the host's own table.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "angles/angle_rows_writer.h"
#include "angles/position_reader.h"
#include "angles/table_view.h"
#include "frequencies/validate_frequencies.h"
#include "ropewalk/angle_rows.h"
#include "status/error.h"

namespace ropewalk {
namespace {

using internal::CosArray;
using internal::Error;
using internal::SinArray;
using internal::TableArray;

// Elements that are looked at together, on the stack.
constexpr int64_t kBlock = 256;

// How a message calls an element: "cos[row][pair]", or "cos[row][head][pair]"
// in a table with heads.
class ElementText {
 public:
  ElementText(const TableArray& array, int64_t row, int64_t pair) {
    char head[16] = "";
    if (array.view->heads > 1) {
      std::snprintf(head, sizeof(head), "[%d]", array.head);
    }
    std::snprintf(text_, sizeof(text_), "%s[%lld]%s[%lld]", array.name,
                  static_cast<long long>(row), head,
                  static_cast<long long>(pair));
  }
  const char* text() const { return text_; }

 private:
  char text_[64];
};

// Reads a row in blocks: function(first, count, values) may end it early by
// returning false, and is told of both copies.
template <class Function>
bool ForEachBlock(const TableArray& array, int64_t row, bool copy,
                  const Function& function) {
  float values[kBlock];
  for (int64_t first = 0; first < array.view->pairs; first += kBlock) {
    const int64_t count = std::min(kBlock, array.view->pairs - first);
    internal::LoadElements(array, row, first, count, copy, values);
    if (!function(first, count, values)) return false;
  }
  return true;
}

Status ValidateFinite(const TableArray& array, int64_t row) {
  Status status;
  ForEachBlock(array, row, false, [&](int64_t first, int64_t n, float* values) {
    const float* bad = std::find_if_not(
        values, values + n, [](float value) { return std::isfinite(value); });
    if (bad == values + n) return true;
    status = Error(StatusCode::kInvalidArgument, "%s = %g: must be finite",
                   ElementText(array, row, first + (bad - values)).text(),
                   static_cast<double>(*bad));
    return false;
  });
  return status;
}

Status ValidateCopy(const TableArray& array, int64_t row) {
  if (array.view->copy_offset == 0) return Status();
  Status status;
  ForEachBlock(array, row, true, [&](int64_t first, int64_t n, float* copies) {
    float values[kBlock];
    internal::LoadElements(array, row, first, n, false, values);
    // A NaN differs from everything.
    const auto [value, copy] = std::mismatch(values, values + n, copies);
    if (value == values + n) return true;
    status = Error(StatusCode::kInvalidArgument,
                   "copy of %s = %g: must equal the first, %g",
                   ElementText(array, row, first + (value - values)).text(),
                   static_cast<double>(*copy), static_cast<double>(*value));
    return false;
  });
  return status;
}

Status ValidateRow(const ConstCosSinView& table, int64_t row) {
  for (int head = 0; head < table.heads; ++head) {
    for (const TableArray& array :
         {CosArray(table, head), SinArray(table, head)}) {
      ROPEWALK_RETURN_IF_ERROR(ValidateFinite(array, row));
      ROPEWALK_RETURN_IF_ERROR(ValidateCopy(array, row));
    }
  }
  return Status();
}

bool IsConstant(const TableArray& array, int64_t row, float value) {
  return ForEachBlock(array, row, false, [&](int64_t, int64_t n, float* row_) {
    return std::all_of(row_, row_ + n, [&](float x) { return x == value; });
  });
}

bool IsIdentity(const ConstCosSinView& table, int64_t row, int head) {
  return static_cast<float>(table.attention_factor) == 1.0f &&
         IsConstant(CosArray(table, head), row, 1.0f) &&
         IsConstant(SinArray(table, head), row, 0.0f);
}

void CopyRow(const ConstCosSinView& table, int64_t from,
             const AngleRowsWriter& writer, int64_t to) {
  for (int head = 0; head < table.heads; ++head) {
    internal::LoadElements(CosArray(table, head), from, 0, table.pairs, false,
                           writer.cos(to, head));
    internal::LoadElements(SinArray(table, head), from, 0, table.pairs, false,
                           writer.sin(to, head));
  }
}

void SetInfo(const ConstCosSinView& table, int64_t from,
             const AngleRowsWriter& writer, int64_t to) {
  for (int head = 0; head < table.heads; ++head) {
    writer.SetInfo(to, table.attention_factor, IsIdentity(table, from, head),
                   head);
  }
}

bool Borrowable(const ConstCosSinView& table) {
  return table.type == DataType::kF32 &&
         (table.pair_stride == int64_t{sizeof(float)} || table.pairs <= 1) &&
         table.rows > 0 && table.pairs > 0;
}

Status ValidateTable(const ConstCosSinView& table) {
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateView(table));
  return internal::ValidateAttentionFactor(table.attention_factor);
}

Status WrapInto(const ConstCosSinView& table, AngleRows* rows) {
  ROPEWALK_RETURN_IF_ERROR(ValidateTable(table));
  // Room for the rows' infos first: a number of rows that memory cannot hold
  // must not be looked at row by row.
  ROPEWALK_RETURN_IF_ERROR(AngleRowsWriter::Reserve(
      rows, table.rows, Borrowable(table) ? 0 : table.pairs, table.heads));
  if (table.pairs > 0) {
    for (int64_t row = 0; row < table.rows; ++row) {
      ROPEWALK_RETURN_IF_ERROR(ValidateRow(table, row));
    }
  }
  const AngleRowsWriter writer(rows);
  if (Borrowable(table)) {
    constexpr int64_t kFloat = sizeof(float);
    ROPEWALK_RETURN_IF_ERROR(AngleRowsWriter::Borrow(
        rows,
        {static_cast<const float*>(table.cos),
         static_cast<const float*>(table.sin), table.row_stride / kFloat,
         table.head_stride / kFloat, table.rows, table.pairs, table.heads}));
  } else {
    ROPEWALK_RETURN_IF_ERROR(
        AngleRowsWriter::Resize(rows, 0, table.rows, table.pairs, table.heads));
    for (int64_t row = 0; row < table.rows; ++row) {
      CopyRow(table, row, writer, row);
    }
  }
  for (int64_t row = 0; row < table.rows; ++row) {
    SetInfo(table, row, writer, row);
  }
  return Status();
}

Status ValidateGather(const ConstCosSinView& table,
                      const internal::PositionReader& reader) {
  if (reader.is_real() || reader.components() != 1) {
    return Error(StatusCode::kInvalidArgument,
                 "positions of %d components, %s: must be integers of one",
                 reader.components(), reader.is_real() ? "real" : "integer");
  }
  for (int64_t t = 0; t < reader.count(); ++t) {
    const int64_t position = reader.Integer(0, t);
    if (position < 0 || position >= table.rows) {
      return Error(StatusCode::kOutOfRange,
                   "position[%lld] = %lld: must be in [0, %lld), the table",
                   static_cast<long long>(t), static_cast<long long>(position),
                   static_cast<long long>(table.rows));
    }
    ROPEWALK_RETURN_IF_ERROR(ValidateRow(table, position));
  }
  return Status();
}

}  // namespace

Result<AngleRows> AngleRows::Wrap(const ConstCosSinView& table) noexcept {
  AngleRows rows;
  ROPEWALK_RETURN_IF_ERROR(WrapInto(table, &rows));
  return rows;
}

Status AngleRows::Gather(const ConstCosSinView& table,
                         const Positions& positions) noexcept {
  internal::PositionReader reader(positions);
  ROPEWALK_RETURN_IF_ERROR(reader.Validate());
  ROPEWALK_RETURN_IF_ERROR(ValidateTable(table));
  if (AngleRowsWriter::Overlap(*this, table)) {
    return Error(StatusCode::kInvalidArgument,
                 "table.cos = %p, table.sin = %p: must not lie in the memory "
                 "of the rows that are written",
                 table.cos, table.sin);
  }
  // Before all positions are looked at: there may be too many for any rows.
  int64_t bytes = 0;
  ROPEWALK_RETURN_IF_ERROR(AngleRowsWriter::BytesOf(reader.count(), table.pairs,
                                                    table.heads, &bytes));
  ROPEWALK_RETURN_IF_ERROR(ValidateGather(table, reader));
  ROPEWALK_RETURN_IF_ERROR(AngleRowsWriter::Resize(this, 0, reader.count(),
                                                   table.pairs, table.heads));
  const AngleRowsWriter writer(this);
  for (int64_t t = 0; t < reader.count(); ++t) {
    CopyRow(table, reader.Integer(0, t), writer, t);
    SetInfo(table, reader.Integer(0, t), writer, t);
  }
  return Status();
}

}  // namespace ropewalk
