// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The float32 cos and sin rows of one step, and the layouts in which hosts keep
// such tables.
#pragma once
#include <cstddef>
#include <cstdint>

#include "ropewalk/export.h"
#include "ropewalk/positions.h"
#include "ropewalk/status.h"
#include "ropewalk/types.h"

namespace ropewalk {

/// A cos/sin table in any of the usual layouts: element (row, i) of cos is at
/// cos + row * row_stride + i * pair_stride, and so for sin. A table with
/// `heads` (FoPE: cos and sin of its own for each KV head) has that of every
/// head head * head_stride further.
///
/// With P pairs and elements of e bytes:
///   [cos | sin] (vLLM, SGLang)  sin = cos + P e, row_stride 2 P e, pair e
///   [sin | cos] (IPEX)          cos = sin + P e, row_stride 2 P e, pair e
///   (cos, sin) interleaved      sin = cos + e, row_stride 2 P e, pair 2 e
///   separate (ONNX)             row_stride P e, pair e
///   full width, halves equal    row_stride 2 P e, pair e, copy_offset P e
///   full width, neighbours      row_stride 2 P e, pair 2 e, copy_offset e
///
/// Units:     strides and copy_offset in bytes, multiples of e. Those of rows
///            and pairs are not 0 where there are several.
struct ConstCosSinView {
  const void* cos = nullptr;
  const void* sin = nullptr;
  DataType type = DataType::kF32;
  int64_t rows = 0;
  int pairs = 0;
  int64_t row_stride = 0;
  int64_t pair_stride = 0;
  int64_t copy_offset = 0;        ///< Of the second copy; 0: there is none.
  double attention_factor = 1.0;  ///< Contained in cos and sin.
  int heads = 1;            ///< That have rows of their own; 1: shared by all.
  int64_t head_stride = 0;  ///< Of any sign; not looked at with one head.
};

/// A ConstCosSinView that is written.
struct CosSinView {
  /// The table as it is read: attention_factor is what cos and sin contain.
  ConstCosSinView AsConst(double attention_factor) const {
    return {cos,         sin,         type,
            rows,        pairs,       row_stride,
            pair_stride, copy_offset, attention_factor,
            heads,       head_stride};
  }

  void* cos = nullptr;
  void* sin = nullptr;
  DataType type = DataType::kF32;
  int64_t rows = 0;
  int pairs = 0;
  int64_t row_stride = 0;
  int64_t pair_stride = 0;
  int64_t copy_offset = 0;
  int heads = 1;
  int64_t head_stride = 0;
};

/// cos and sin, float32, of the tokens of one step: computed once, shared by
/// Q, K, all heads and all layers. Move-only; reuses its memory.
///
/// Shape:     row = cos[pairs], then sin[pairs], natural pair order. Rows of a
///            table with heads have these for each of them: a tensor of H
///            heads takes those of row head h / (H / heads()), as it takes its
///            KV heads.
/// Threads:   one writer, or any number of readers.
class AngleRows {
 public:
  AngleRows() noexcept = default;
  ROPEWALK_EXPORT ~AngleRows();
  ROPEWALK_EXPORT AngleRows(AngleRows&& other) noexcept;
  ROPEWALK_EXPORT AngleRows& operator=(AngleRows&& other) noexcept;
  AngleRows(const AngleRows&) = delete;
  AngleRows& operator=(const AngleRows&) = delete;

  int64_t rows() const noexcept { return rows_; }
  int pairs() const noexcept { return pairs_; }
  /// 1, but for rows of a table with more.
  int heads() const noexcept { return heads_; }
  const float* cos(int64_t row, int head = 0) const noexcept {
    return cos_ + row * row_stride_ + head * head_stride_;
  }
  const float* sin(int64_t row, int head = 0) const noexcept {
    return sin_ + row * row_stride_ + head * head_stride_;
  }
  /// Whether this head of the row turns nothing and scales nothing, bit for
  /// bit.
  bool identity(int64_t row, int head = 0) const noexcept {
    return info_[head * rows_ + row].identity;
  }
  /// The m that is contained in the row's cos and sin, those of every head.
  double attention_factor(int64_t row) const noexcept {
    return info_[row].attention_factor;
  }

  /// Makes room, so that a later Fill of so many rows allocates nothing.
  ///
  /// Errors:    kInvalidArgument, kOutOfRange, kOutOfMemory; the rows are as
  ///            they were.
  ROPEWALK_EXPORT Status Reserve(int64_t rows, int pairs,
                                 int heads = 1) noexcept;

  /// Rows of the host's own table, one a token, in order. Contiguous float32
  /// pairs are borrowed (the table must outlive the rows), anything else is
  /// converted now.
  ///
  /// A table need not be one of rotations: FoPE's cos^2 + sin^2 is no constant.
  /// kForward and its transpose are as accurate with any; kInverse is the
  /// transpose over m^2, which undoes m times a rotation and nothing else.
  ///
  /// Errors:    kInvalidArgument: null, strides that are no multiple of the
  ///            element, a NaN or Inf, a second copy that differs.
  ///            kOutOfMemory.
  ROPEWALK_EXPORT static Result<AngleRows> Wrap(
      const ConstCosSinView& table) noexcept;

  /// As Fill, but row t is a copy of the table's row positions[t].
  ///
  /// Aliasing:  the table must not lie in the memory of these rows.
  /// Errors:    as Wrap, for the rows that are read; kInvalidArgument: real
  ///            positions, or more than one component. kOutOfRange: a
  ///            position outside the table.
  ROPEWALK_EXPORT Status Gather(const ConstCosSinView& table,
                                const Positions& positions) noexcept;

 private:
  friend class AngleRowsWriter;
  struct RowInfo {
    double attention_factor;
    bool identity;
  };

  const float* cos_ = nullptr;
  const float* sin_ = nullptr;
  int64_t row_stride_ = 0;   // in floats
  int64_t head_stride_ = 0;  // in floats
  int64_t rows_ = 0;
  int pairs_ = 0;
  int heads_ = 1;
  RowInfo* info_ = nullptr;  // [heads][rows], part of memory_ or of its own
  unsigned char* memory_ = nullptr;
  size_t capacity_ = 0;  // bytes of memory_
};

}  // namespace ropewalk
