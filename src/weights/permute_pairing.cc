// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The rows of a projection, moved as bytes: an element is never looked at, so
// neither its type nor its alignment matters.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "parallel/parallel_for.h"
#include "ropewalk/weights.h"
#include "rotate/validate.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

// What waits on the stack while a cycle of rows moves up.
constexpr int64_t kChunkBytes = 4096;

// The rotary window of one head.
struct Window {
  uint8_t* Row(int row) const { return data + row * stride; }

  // The row whose bytes belong at `row`.
  int Source(int row) const {
    if (to == Pairing::kInterleaved) return row / 2 + (row % 2) * pairs;
    return row < pairs ? 2 * row : 2 * (row - pairs) + 1;
  }

  uint8_t* data;
  int64_t stride;
  int64_t row_bytes;
  int pairs;
  Pairing to;
};

// Whether the row is the first of a cycle of several. To walk the cycle costs
// less than to remember which rows have moved: 7 steps for 128 rows.
bool LeadsCycle(const Window& window, int row) {
  int source = window.Source(row);
  if (source == row) return false;
  while (source > row) source = window.Source(source);
  return source == row;
}

void MoveCycle(const Window& window, int leader) {
  uint8_t waiting[kChunkBytes];
  for (int64_t at = 0; at < window.row_bytes; at += kChunkBytes) {
    const auto bytes =
        static_cast<size_t>(std::min(kChunkBytes, window.row_bytes - at));
    std::memcpy(waiting, window.Row(leader) + at, bytes);
    int row = leader;
    for (int source = window.Source(row); source != leader;
         source = window.Source(row)) {
      std::memcpy(window.Row(row) + at, window.Row(source) + at, bytes);
      row = source;
    }
    std::memcpy(window.Row(row) + at, waiting, bytes);
  }
}

void PermuteHead(const Window& window) {
  for (int row = 0; row < 2 * window.pairs; ++row) {
    if (LeadsCycle(window, row)) MoveCycle(window, row);
  }
}

Status Invalid(const char* field, int64_t value, const char* rule) {
  return Error(StatusCode::kInvalidArgument, "projection.%s = %lld: %s", field,
               static_cast<long long>(value), rule);
}

// Whether all rows lie in the address space; sets the bytes of a row and the
// distance between rows.
Status ValidateExtent(const ProjectionView& projection, int head_dim,
                      int64_t* row_bytes, int64_t* stride) {
  int64_t rows = 0;
  int64_t end = 0;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(projection.data);
  bool fits = !__builtin_mul_overflow(projection.columns,
                                      ElementSize(projection.type), row_bytes);
  if (fits && projection.row_stride != 0 &&
      projection.row_stride < *row_bytes) {
    return Invalid("row_stride", projection.row_stride,
                   "must be 0 or at least the bytes of a row");
  }
  *stride = projection.row_stride == 0 ? *row_bytes : projection.row_stride;
  fits = fits && !__builtin_mul_overflow(projection.heads, head_dim, &rows) &&
         !__builtin_mul_overflow(rows, *stride, &end) &&
         begin + static_cast<uintptr_t>(end) >= begin;
  if (fits) return Status();
  return Error(StatusCode::kOutOfRange,
               "projection of heads = %lld, head_dim = %d, columns = %lld, "
               "row_stride = %lld: must lie in the address space",
               static_cast<long long>(projection.heads), head_dim,
               static_cast<long long>(projection.columns),
               static_cast<long long>(projection.row_stride));
}

Status ValidateProjection(const ProjectionView& projection, int head_dim,
                          int64_t* row_bytes, int64_t* stride) {
  if (projection.type > DataType::kF16) {
    return Invalid("type", static_cast<int>(projection.type),
                   "must be kF32, kBF16 or kF16");
  }
  if (projection.heads < 0) {
    return Invalid("heads", projection.heads, "must not be negative");
  }
  if (projection.columns < 0) {
    return Invalid("columns", projection.columns, "must not be negative");
  }
  if (projection.data == nullptr && projection.heads > 0 &&
      projection.columns > 0) {
    return Error(StatusCode::kInvalidArgument,
                 "projection.data = null: must point to %lld heads of %lld "
                 "columns",
                 static_cast<long long>(projection.heads),
                 static_cast<long long>(projection.columns));
  }
  return ValidateExtent(projection, head_dim, row_bytes, stride);
}

Status ValidatePairings(const RotaryLayout& layout, Pairing pairing) {
  ROPEWALK_RETURN_IF_ERROR(ValidateLayout(layout));
  if (pairing > Pairing::kInterleaved) {
    return Error(StatusCode::kInvalidArgument,
                 "pairing = %d: must be kHalf or kInterleaved",
                 static_cast<int>(pairing));
  }
  if (layout.pair_distance != 0 &&
      layout.pair_distance != layout.rotary_dim / 2) {
    return Error(StatusCode::kInvalidArgument,
                 "pair_distance = %d: must be 0 or rotary_dim / 2 = %d, or the "
                 "pairings do not cover the same rows",
                 layout.pair_distance, layout.rotary_dim / 2);
  }
  return Status();
}

}  // namespace
}  // namespace internal

Status PermutePairing(const ProjectionView& projection,
                      const RotaryLayout& layout, Pairing pairing,
                      Parallel parallel) noexcept {
  int64_t row_bytes = 0;
  int64_t stride = 0;
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateParallel(parallel));
  ROPEWALK_RETURN_IF_ERROR(internal::ValidatePairings(layout, pairing));
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateProjection(
      projection, layout.head_dim, &row_bytes, &stride));
  if (pairing == layout.pairing || projection.heads == 0 || row_bytes == 0) {
    return Status();
  }

  uint8_t* const first =
      static_cast<uint8_t*>(projection.data) + layout.rotary_offset * stride;
  const int64_t head_stride = layout.head_dim * stride;
  const int64_t grain = internal::GrainOf(layout.head_dim * row_bytes);
  internal::ParallelFor(
      parallel, projection.heads, grain, [&](int64_t begin, int64_t end) {
        for (int64_t head = begin; head < end; ++head) {
          internal::PermuteHead({first + head * head_stride, stride, row_bytes,
                                 layout.rotary_dim / 2, pairing});
        }
      });
  return Status();
}

}  // namespace ropewalk
