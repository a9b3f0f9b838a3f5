// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory of AngleRows. Owned memory holds the rows first and a RowInfo
// each behind them; its size fixes, with the number of pairs, where the infos
// begin. What Wrap and Gather read lies in wrap_rows.cc.
#include "ropewalk/angle_rows.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "angles/aligned_memory.h"
#include "angles/angle_rows_writer.h"
#include "status/error.h"

namespace ropewalk {
namespace {

using internal::AlignedDelete;
using internal::AlignedMemory;
using internal::Error;
using internal::MultiplySizes;

// Floats of one owned row.
int64_t RowFloats(int pairs) {
  return 2 * internal::RoundUp(int64_t{pairs}, AngleRowsWriter::kFloatsUnit);
}

int64_t RowBytes(int pairs) {
  return RowFloats(pairs) * static_cast<int64_t>(sizeof(float));
}

// Zeroed, so that no kernel that reads a row's padding meets an undefined
// value.
Status Allocate(int64_t bytes, AlignedMemory* memory) noexcept {
  const size_t size = static_cast<size_t>(bytes);
  *memory = internal::AllocateAligned(size);
  if (!*memory) {
    return Error(StatusCode::kOutOfMemory, "angle rows = %lld bytes: no memory",
                 static_cast<long long>(bytes));
  }
  std::memset(memory->get(), 0, size);
  return Status();
}

}  // namespace

AngleRows::~AngleRows() { AlignedDelete()(memory_); }

AngleRows::AngleRows(AngleRows&& other) noexcept { *this = std::move(other); }

AngleRows& AngleRows::operator=(AngleRows&& other) noexcept {
  if (this == &other) return *this;
  AlignedDelete()(memory_);
  cos_ = std::exchange(other.cos_, nullptr);
  sin_ = std::exchange(other.sin_, nullptr);
  row_stride_ = std::exchange(other.row_stride_, 0);
  head_stride_ = std::exchange(other.head_stride_, 0);
  rows_ = std::exchange(other.rows_, 0);
  pairs_ = std::exchange(other.pairs_, 0);
  heads_ = std::exchange(other.heads_, 1);
  info_ = std::exchange(other.info_, nullptr);
  memory_ = std::exchange(other.memory_, nullptr);
  capacity_ = std::exchange(other.capacity_, 0);
  return *this;
}

Status AngleRows::Reserve(int64_t rows, int pairs, int heads) noexcept {
  if (rows < 0 || pairs < 0 || heads < 1) {
    return Error(StatusCode::kInvalidArgument,
                 "rows = %lld, pairs = %d, heads = %d: must not be negative, "
                 "heads at least 1",
                 static_cast<long long>(rows), pairs, heads);
  }
  return AngleRowsWriter::Reserve(this, rows, pairs, heads);
}

Status AngleRowsWriter::BytesOf(int64_t count, int pairs, int heads,
                                int64_t* bytes) noexcept {
  constexpr int64_t kInfo = sizeof(AngleRows::RowInfo);
  if (MultiplySizes(count, heads, bytes) &&
      MultiplySizes(*bytes, RowBytes(pairs) + kInfo, bytes)) {
    return Status();
  }
  return Error(StatusCode::kOutOfRange,
               "rows = %lld of %d heads of %d pairs: their bytes do not fit "
               "int64",
               static_cast<long long>(count), heads, pairs);
}

// Points `rows` at their memory.
void AngleRowsWriter::Place(AngleRows* rows, int64_t count, int pairs,
                            int heads) noexcept {
  const int64_t row_bytes = RowBytes(pairs);
  const int64_t room = static_cast<int64_t>(rows->capacity_) /
                       (row_bytes + int64_t{sizeof(AngleRows::RowInfo)});
  rows->cos_ = reinterpret_cast<float*>(rows->memory_);
  rows->sin_ =
      rows->memory_ == nullptr ? nullptr : rows->cos_ + RowFloats(pairs) / 2;
  rows->info_ =
      reinterpret_cast<AngleRows::RowInfo*>(rows->memory_ + room * row_bytes);
  rows->row_stride_ = heads * RowFloats(pairs);
  rows->head_stride_ = RowFloats(pairs);
  rows->rows_ = count;
  rows->pairs_ = pairs;
  rows->heads_ = heads;
}

// Moves the first `kept` rows into new memory; they become owned rows.
Status AngleRowsWriter::Grow(AngleRows* rows, int64_t bytes,
                             int64_t kept) noexcept {
  AlignedMemory memory;
  ROPEWALK_RETURN_IF_ERROR(Allocate(bytes, &memory));
  AngleRows grown;
  grown.memory_ = memory.release();
  grown.capacity_ = static_cast<size_t>(bytes);
  Place(&grown, kept, rows->pairs_, rows->heads_);
  const AngleRowsWriter writer(&grown);
  const size_t size = static_cast<size_t>(rows->pairs_) * sizeof(float);
  for (int head = 0; head < rows->heads_; ++head) {
    for (int64_t row = 0; row < kept; ++row) {
      if (size > 0) {
        std::memcpy(writer.cos(row, head), rows->cos(row, head), size);
        std::memcpy(writer.sin(row, head), rows->sin(row, head), size);
      }
      writer.SetInfo(row, rows->attention_factor(row),
                     rows->identity(row, head), head);
    }
  }
  *rows = std::move(grown);
  return Status();
}

Status AngleRowsWriter::Resize(AngleRows* rows, int64_t first_row,
                               int64_t count, int pairs, int heads) noexcept {
  if (rows == nullptr) {
    return Error(StatusCode::kInvalidArgument, "rows = null: must not be null");
  }
  if (first_row < 0 || first_row > rows->rows_) {
    return Error(StatusCode::kInvalidArgument,
                 "first_row = %lld: must be in [0, %lld], the rows at hand",
                 static_cast<long long>(first_row),
                 static_cast<long long>(rows->rows_));
  }
  if (first_row > 0 && pairs != rows->pairs_) {
    return Error(StatusCode::kInvalidArgument,
                 "rows->pairs() = %d: must be %d to keep rows before row %lld",
                 rows->pairs_, pairs, static_cast<long long>(first_row));
  }
  if (first_row > 0 && heads != rows->heads_) {
    return Error(StatusCode::kInvalidArgument,
                 "rows->heads() = %d: must be %d to keep rows before row %lld",
                 rows->heads_, heads, static_cast<long long>(first_row));
  }
  if (count > INT64_MAX - first_row) {
    return Error(StatusCode::kOutOfRange,
                 "first_row + count = %lld + %lld: does not fit int64",
                 static_cast<long long>(first_row),
                 static_cast<long long>(count));
  }
  int64_t bytes = 0;
  ROPEWALK_RETURN_IF_ERROR(BytesOf(first_row + count, pairs, heads, &bytes));
  const int64_t capacity = static_cast<int64_t>(rows->capacity_);
  if (bytes > capacity || (first_row > 0 && !Owned(*rows))) {
    ROPEWALK_RETURN_IF_ERROR(Grow(rows, std::max(bytes, capacity), first_row));
  }
  Place(rows, first_row + count, pairs, heads);
  return Status();
}

Status AngleRowsWriter::Reserve(AngleRows* rows, int64_t count, int pairs,
                                int heads) noexcept {
  int64_t bytes = 0;
  int64_t kept_bytes = 0;
  ROPEWALK_RETURN_IF_ERROR(BytesOf(count, pairs, heads, &bytes));
  ROPEWALK_RETURN_IF_ERROR(
      BytesOf(rows->rows_, rows->pairs_, rows->heads_, &kept_bytes));
  if (bytes <= static_cast<int64_t>(rows->capacity_)) return Status();
  return Grow(rows, std::max(bytes, kept_bytes), rows->rows_);
}

Status AngleRowsWriter::Borrow(AngleRows* rows, const HostRows& host) noexcept {
  int64_t bytes = 0;
  ROPEWALK_RETURN_IF_ERROR(BytesOf(host.count, 0, host.heads, &bytes));
  AlignedMemory memory;
  ROPEWALK_RETURN_IF_ERROR(Allocate(bytes, &memory));
  AngleRows borrowed;
  borrowed.memory_ = memory.release();
  borrowed.capacity_ = static_cast<size_t>(bytes);
  Place(&borrowed, host.count, 0, host.heads);
  borrowed.cos_ = host.cos;
  borrowed.sin_ = host.sin;
  borrowed.row_stride_ = host.row_stride;
  borrowed.head_stride_ = host.head_stride;
  borrowed.pairs_ = host.pairs;
  *rows = std::move(borrowed);
  return Status();
}

AngleRows AngleRowsWriter::OfHead(const AngleRows& rows, int head) noexcept {
  AngleRows one;
  one.cos_ = rows.cos(0, head);
  one.sin_ = rows.sin(0, head);
  one.row_stride_ = rows.row_stride_;
  one.rows_ = rows.rows_;
  one.pairs_ = rows.pairs_;
  one.info_ = rows.info_ + head * rows.rows_;
  return one;
}

}  // namespace ropewalk
