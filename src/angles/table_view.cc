// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "angles/table_view.h"

#include <cstring>

#include "angles/aligned_memory.h"
#include "simd/scalar_convert.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

// No distance within a view may pass this: sums of four stay in int64.
constexpr int64_t kMaxExtent = INT64_MAX / 4;

long long Long(int64_t value) { return static_cast<long long>(value); }

Status ValidateStride(const char* name, int64_t stride, int64_t steps,
                      int64_t element) noexcept {
  if (stride % element != 0) {
    return Error(StatusCode::kInvalidArgument,
                 "%s = %lld: must be a multiple of the element, %lld bytes",
                 name, Long(stride), Long(element));
  }
  int64_t extent = 0;
  if (stride == INT64_MIN ||
      !MultiplySizes(steps, stride < 0 ? -stride : stride, &extent) ||
      extent > kMaxExtent) {
    return Error(StatusCode::kOutOfRange,
                 "%s = %lld: the table's size does not fit int64", name,
                 Long(stride));
  }
  return Status();
}

Status ValidatePointer(const char* name, const void* pointer,
                       int64_t element) noexcept {
  if (pointer == nullptr) {
    return Error(StatusCode::kInvalidArgument, "%s = null: must not be null",
                 name);
  }
  if (reinterpret_cast<uintptr_t>(pointer) % static_cast<uintptr_t>(element)) {
    return Error(StatusCode::kInvalidArgument,
                 "%s = %p: must be aligned to the element, %lld bytes", name,
                 pointer, Long(element));
  }
  return Status();
}

// Two copies of the lattice row * row_stride + pair * pair_stride, `delta`
// apart. With rows and pairs no fewer than 1 each, an element of one is an
// element of the other where delta + k pair_stride is m row_stride, for |k| <
// pairs and |m| < rows.
bool Meet(const ConstCosSinView& view, int64_t delta, bool same) {
  for (int64_t k = 1 - int64_t{view.pairs}; k < view.pairs; ++k) {
    const int64_t distance = delta + k * view.pair_stride;
    if (view.row_stride == 0 || view.rows == 1) {
      const bool itself = same && k == 0 && view.rows == 1;
      if (distance == 0 && !itself) return true;
      continue;
    }
    if (distance % view.row_stride != 0) continue;
    const int64_t m = distance / view.row_stride;
    if (same && k == 0 && m == 0) continue;
    if (-view.rows < m && m < view.rows) return true;
  }
  return false;
}

template <class T, class Convert>
void Load(const TableArray& array, int64_t row, int64_t first, int64_t count,
          bool copy, float* out, const Convert& convert) {
  for (int64_t i = 0; i < count; ++i) {
    T element;
    std::memcpy(
        &element,
        reinterpret_cast<const void*>(array.Address(row, first + i, copy)),
        sizeof(T));
    out[i] = convert(element);
  }
}

template <class T, class Convert>
void Store(const TableArray& array, int64_t row, int64_t first, int64_t count,
           bool copy, const float* values, const Convert& convert) {
  for (int64_t i = 0; i < count; ++i) {
    const T element = convert(values[i]);
    std::memcpy(reinterpret_cast<void*>(array.Address(row, first + i, copy)),
                &element, sizeof(T));
  }
}

float Same(float value) { return value; }

}  // namespace

Status ValidateView(const ConstCosSinView& view) noexcept {
  if (view.type > DataType::kF16) {
    return Error(StatusCode::kInvalidArgument,
                 "type = %d: must be kF32, kBF16 or kF16",
                 static_cast<int>(view.type));
  }
  if (view.rows < 0 || view.pairs < 0) {
    return Error(StatusCode::kInvalidArgument,
                 "rows = %lld, pairs = %d: must not be negative",
                 Long(view.rows), view.pairs);
  }
  if (view.heads < 1) {
    return Error(StatusCode::kInvalidArgument, "heads = %d: must be at least 1",
                 view.heads);
  }
  if (view.rows == 0 || view.pairs == 0) return Status();
  const int64_t element = ElementSize(view.type);
  ROPEWALK_RETURN_IF_ERROR(ValidatePointer("cos", view.cos, element));
  ROPEWALK_RETURN_IF_ERROR(ValidatePointer("sin", view.sin, element));
  ROPEWALK_RETURN_IF_ERROR(
      ValidateStride("row_stride", view.row_stride, view.rows - 1, element));
  ROPEWALK_RETURN_IF_ERROR(
      ValidateStride("pair_stride", view.pair_stride, view.pairs - 1, element));
  if ((view.row_stride == 0 && view.rows > 1) ||
      (view.pair_stride == 0 && view.pairs > 1)) {
    return Error(StatusCode::kInvalidArgument,
                 "row_stride = %lld, pair_stride = %lld: must not be 0",
                 Long(view.row_stride), Long(view.pair_stride));
  }
  if (view.heads > 1) {
    ROPEWALK_RETURN_IF_ERROR(ValidateStride("head_stride", view.head_stride,
                                            view.heads - 1, element));
  }
  return ValidateStride("copy_offset", view.copy_offset, 1, element);
}

bool Touches(const TableArray& array, const void* memory,
             size_t size) noexcept {
  const ConstCosSinView& view = *array.view;
  if (view.rows == 0 || view.pairs == 0 || size == 0) return false;
  int64_t low = 0;
  int64_t high = ElementSize(view.type);
  for (const int64_t distance :
       {(view.rows - 1) * view.row_stride, (view.pairs - 1) * view.pair_stride,
        view.heads > 1 ? (view.heads - 1) * view.head_stride : 0,
        view.copy_offset}) {
    (distance < 0 ? low : high) += distance;
  }
  // From the memory's begin on, modulo 2^64: a view lies in the address space.
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t first = array.base + static_cast<uintptr_t>(low) - begin;
  const auto length = static_cast<uintptr_t>(high - low);
  return first < size || first + length - 1 < first;
}

Status ValidateDistinct(const ConstCosSinView& view) noexcept {
  if (view.rows == 0 || view.pairs == 0) return Status();
  const int64_t sin =
      static_cast<int64_t>(SinArray(view).base - CosArray(view).base);
  const int64_t copy = view.copy_offset;
  const bool copied = copy != 0;
  if (Meet(view, 0, true)) {
    return Error(StatusCode::kInvalidArgument,
                 "row_stride = %lld, pair_stride = %lld: elements overlap",
                 Long(view.row_stride), Long(view.pair_stride));
  }
  if (Meet(view, sin, false)) {
    return Error(StatusCode::kInvalidArgument,
                 "sin = cos + %lld bytes: the two overlap", Long(sin));
  }
  if (copied && (Meet(view, copy, false) || Meet(view, sin + copy, false) ||
                 Meet(view, sin - copy, false))) {
    return Error(StatusCode::kInvalidArgument,
                 "copy_offset = %lld: the second copy overlaps the first",
                 Long(copy));
  }
  return Status();
}

void LoadElements(const TableArray& array, int64_t row, int64_t first,
                  int64_t count, bool copy, float* out) noexcept {
  switch (array.view->type) {
    case DataType::kF32:
      return Load<float>(array, row, first, count, copy, out, Same);
    case DataType::kBF16:
      return Load<uint16_t>(array, row, first, count, copy, out, FloatFromBF16);
    case DataType::kF16:
      return Load<uint16_t>(array, row, first, count, copy, out, FloatFromF16);
  }
}

void StoreElements(const TableArray& array, int64_t row, int64_t first,
                   int64_t count, const float* values) noexcept {
  for (const bool copy : {false, true}) {
    if (copy && array.view->copy_offset == 0) return;
    switch (array.view->type) {
      case DataType::kF32:
        Store<float>(array, row, first, count, copy, values, Same);
        break;
      case DataType::kBF16:
        Store<uint16_t>(array, row, first, count, copy, values, BF16FromFloat);
        break;
      case DataType::kF16:
        Store<uint16_t>(array, row, first, count, copy, values, F16FromFloat);
        break;
    }
  }
}

}  // namespace ropewalk::internal
