// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// How the library writes AngleRows: resize first, which may fail, then fill.
#pragma once
#include <cstdint>

#include "angles/table_view.h"
#include "ropewalk/angle_rows.h"
#include "ropewalk/status.h"

namespace ropewalk {

class AngleRowsWriter {
 public:
  // Floats of a row's cos, and of its sin, in owned rows: whole cache lines,
  // so that kernels store full vectors.
  static constexpr int64_t kFloatsUnit = 16;

  // Makes owned memory of first_row + count rows, of which those before
  // first_row keep their contents and the others are undefined. Allocates only
  // when the memory at hand is too small; on an error nothing has changed.
  // Rows with heads are made whole: first_row is 0 where there are several.
  static Status Resize(AngleRows* rows, int64_t first_row, int64_t count,
                       int pairs, int heads = 1) noexcept;

  // Rows of the host's memory, strides in floats.
  struct HostRows {
    const float* cos;
    const float* sin;
    int64_t row_stride;
    int64_t head_stride;
    int64_t count;
    int pairs;
    int heads;
  };
  // Shows them. The infos are for the caller to set.
  static Status Borrow(AngleRows* rows, const HostRows& host) noexcept;

  // Makes room, and keeps the rows.
  static Status Reserve(AngleRows* rows, int64_t count, int pairs,
                        int heads = 1) noexcept;

  // The rows of one head, borrowed from `rows`. Allocates nothing.
  static AngleRows OfHead(const AngleRows& rows, int head) noexcept;

  // Whether a valid table reaches into the rows' own memory.
  static bool Overlap(const AngleRows& rows,
                      const ConstCosSinView& table) noexcept {
    return internal::Touches(internal::CosArray(table), rows.memory_,
                             rows.capacity_) ||
           internal::Touches(internal::SinArray(table), rows.memory_,
                             rows.capacity_);
  }

  static Status BytesOf(int64_t count, int pairs, int heads,
                        int64_t* bytes) noexcept;

  explicit AngleRowsWriter(AngleRows* rows) noexcept : rows_(rows) {}

  // Owned rows only.
  float* cos(int64_t row, int head = 0) const noexcept {
    return reinterpret_cast<float*>(rows_->memory_) + row * rows_->row_stride_ +
           head * rows_->head_stride_;
  }
  float* sin(int64_t row, int head = 0) const noexcept {
    return cos(row, head) + rows_->head_stride_ / 2;
  }
  void SetInfo(int64_t row, double attention_factor, bool identity,
               int head = 0) const noexcept {
    rows_->info_[head * rows_->rows_ + row] = {attention_factor, identity};
  }

 private:
  static bool Owned(const AngleRows& rows) noexcept {
    return reinterpret_cast<const unsigned char*>(rows.cos_) == rows.memory_;
  }
  static void Place(AngleRows* rows, int64_t count, int pairs,
                    int heads) noexcept;
  static Status Grow(AngleRows* rows, int64_t bytes, int64_t kept) noexcept;

  AngleRows* rows_;
};

}  // namespace ropewalk
