// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "positions/validate_buffer.h"

#include "status/error.h"

namespace ropewalk::internal {

Status ValidateBuffer(const PositionBuffer& buffer, int64_t tokens) noexcept {
  const int64_t capacity = buffer.capacity;
  if (capacity < 0) {
    return Error(StatusCode::kInvalidArgument,
                 "buffer.capacity = %lld: must not be negative",
                 static_cast<long long>(capacity));
  }
  if (capacity > INT64_MAX / 8 / buffer.components) {
    return Error(StatusCode::kOutOfRange,
                 "buffer.capacity = %lld: the ids' size does not fit int64",
                 static_cast<long long>(capacity));
  }
  if (buffer.count < 0 || buffer.count > capacity) {
    return Error(StatusCode::kInvalidArgument,
                 "buffer.count = %lld: must be from 0 to the capacity %lld",
                 static_cast<long long>(buffer.count),
                 static_cast<long long>(capacity));
  }
  if (tokens > capacity - buffer.count) {
    return Error(StatusCode::kInvalidArgument,
                 "buffer.capacity = %lld: must have room for %lld tokens "
                 "after the %lld in use",
                 static_cast<long long>(capacity),
                 static_cast<long long>(tokens),
                 static_cast<long long>(buffer.count));
  }
  if (buffer.ids == nullptr && tokens > 0) {
    return Error(StatusCode::kInvalidArgument,
                 "buffer.ids = null: must not be null for %lld tokens",
                 static_cast<long long>(tokens));
  }
  return Status();
}

}  // namespace ropewalk::internal
