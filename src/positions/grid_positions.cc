// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/grid_positions.h"

#include <algorithm>

#include "angles/aligned_memory.h"
#include "positions/validate_buffer.h"
#include "status/error.h"

namespace ropewalk {
namespace {

using internal::Error;

Status ValidateSide(const char* name, int64_t patches,
                    int64_t merge_size) noexcept {
  if (patches < 1) {
    return Error(StatusCode::kInvalidArgument,
                 "grid.%s = %lld: must be at least 1", name,
                 static_cast<long long>(patches));
  }
  if (patches % merge_size != 0) {
    return Error(StatusCode::kInvalidArgument,
                 "grid.%s = %lld: must be a multiple of merge_size = %lld",
                 name, static_cast<long long>(patches),
                 static_cast<long long>(merge_size));
  }
  return Status();
}

Status ValidateGrid(const PatchGrid& grid) noexcept {
  if (grid.merge_size < 1) {
    return Error(StatusCode::kInvalidArgument,
                 "grid.merge_size = %lld: must be at least 1",
                 static_cast<long long>(grid.merge_size));
  }
  ROPEWALK_RETURN_IF_ERROR(
      ValidateSide("height", grid.height, grid.merge_size));
  ROPEWALK_RETURN_IF_ERROR(ValidateSide("width", grid.width, grid.merge_size));
  if (grid.class_token > ClassToken::kLast) {
    return Error(StatusCode::kInvalidArgument,
                 "grid.class_token = %d: is no ClassToken",
                 static_cast<int>(grid.class_token));
  }
  const int64_t side = std::max(grid.height, grid.width);
  if (grid.first > INT64_MAX - (side - 1)) {
    return Error(StatusCode::kOutOfRange,
                 "grid.first = %lld: %lld positions from there on pass "
                 "2^63 - 1",
                 static_cast<long long>(grid.first),
                 static_cast<long long>(side));
  }
  return Status();
}

// The patches and the class token.
Status CountTokens(const PatchGrid& grid, int64_t* tokens) noexcept {
  const int64_t class_tokens = grid.class_token == ClassToken::kNone ? 0 : 1;
  if (internal::MultiplySizes(grid.height, grid.width, tokens) &&
      *tokens <= INT64_MAX - class_tokens) {
    *tokens += class_tokens;
    return Status();
  }
  return Error(StatusCode::kOutOfRange,
               "grid.height * grid.width = %lld * %lld: does not fit int64",
               static_cast<long long>(grid.height),
               static_cast<long long>(grid.width));
}

Status ValidateRoom(const PositionBuffer* buffer, int64_t tokens) noexcept {
  if (buffer == nullptr) {
    return Error(StatusCode::kInvalidArgument,
                 "buffer = null: must not be null");
  }
  if (buffer->components != 2) {
    return Error(StatusCode::kInvalidArgument,
                 "buffer.components = %d: must be 2 (y, x)",
                 buffer->components);
  }
  return internal::ValidateBuffer(*buffer, tokens);
}

void WritePatches(const PatchGrid& grid, int64_t* y, int64_t* x) noexcept {
  const int64_t m = grid.merge_size;
  for (int64_t top = 0; top < grid.height; top += m) {
    for (int64_t left = 0; left < grid.width; left += m) {
      for (int64_t i = 0; i < m * m; ++i) {
        *y++ = grid.first + top + i / m;
        *x++ = grid.first + left + i % m;
      }
    }
  }
}

}  // namespace

Status AppendGridPositions(const PatchGrid& grid,
                           PositionBuffer* buffer) noexcept {
  int64_t tokens = 0;
  ROPEWALK_RETURN_IF_ERROR(ValidateGrid(grid));
  ROPEWALK_RETURN_IF_ERROR(CountTokens(grid, &tokens));
  ROPEWALK_RETURN_IF_ERROR(ValidateRoom(buffer, tokens));
  int64_t* y = internal::Free(*buffer, 0);
  int64_t* x = internal::Free(*buffer, 1);
  if (grid.class_token == ClassToken::kFirst) *y++ = *x++ = 0;
  WritePatches(grid, y, x);
  if (grid.class_token == ClassToken::kLast) y[tokens - 1] = x[tokens - 1] = 0;
  buffer->count += tokens;
  return Status();
}

}  // namespace ropewalk
