// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The host's own cos/sin tables: the rules of a view, and its elements as
// floats.
#pragma once
#include <cstddef>
#include <cstdint>

#include "ropewalk/angle_rows.h"
#include "ropewalk/status.h"

namespace ropewalk::internal {

// Null pointers, alignment, strides, sizes.
Status ValidateView(const ConstCosSinView& view) noexcept;

// Whether no two elements of a valid view of one head are the same memory.
Status ValidateDistinct(const ConstCosSinView& view) noexcept;

// One of the arrays of a head: its cos or its sin, with the second copies.
// `base` is an address, so that one type serves views that are written.
struct TableArray {
  const char* name;
  uintptr_t base;
  const ConstCosSinView* view;
  int head;

  uintptr_t Address(int64_t row, int64_t pair, bool copy) const noexcept {
    const int64_t offset = row * view->row_stride + pair * view->pair_stride +
                           (copy ? view->copy_offset : 0);
    return base + static_cast<uintptr_t>(offset);
  }
};

inline uintptr_t HeadBase(const ConstCosSinView& view, const void* first,
                          int head) noexcept {
  return reinterpret_cast<uintptr_t>(first) +
         static_cast<uintptr_t>(head * view.head_stride);
}
inline TableArray CosArray(const ConstCosSinView& view, int head = 0) noexcept {
  return {"cos", HeadBase(view, view.cos, head), &view, head};
}
inline TableArray SinArray(const ConstCosSinView& view, int head = 0) noexcept {
  return {"sin", HeadBase(view, view.sin, head), &view, head};
}

// Whether the elements of all heads, from that of `array` on, reach from the
// first to the last over some of the memory. Of a valid view.
bool Touches(const TableArray& array, const void* memory, size_t size) noexcept;

// Reads pairs [first, first + count) of a row.
void LoadElements(const TableArray& array, int64_t row, int64_t first,
                  int64_t count, bool copy, float* out) noexcept;

// Writes them, rounded to the view's type, and their second copies.
void StoreElements(const TableArray& array, int64_t row, int64_t first,
                   int64_t count, const float* values) noexcept;

}  // namespace ropewalk::internal
