// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "rotate/slot_reader.h"

#include "status/error.h"

namespace ropewalk::internal {

Status SlotReader::Validate(const char* name, int64_t capacity) const noexcept {
  const int64_t count = slots_.count_;
  if (count < 0) {
    return Error(StatusCode::kInvalidArgument,
                 "%s.count = %lld: must not be negative", name,
                 static_cast<long long>(count));
  }
  if (count == 0) return Status();
  const bool is_range = slots_.kind_ == Slots::Kind::kRange;
  if (!is_range && slots_.slots_ == nullptr) {
    return Error(StatusCode::kInvalidArgument,
                 "%s = null: must point to %lld slots", name,
                 static_cast<long long>(count));
  }
  if (is_range && slots_.first_ > INT64_MAX - (count - 1)) {
    return Error(StatusCode::kOutOfRange,
                 "%s.first = %lld: %lld slots from there overflow", name,
                 static_cast<long long>(slots_.first_),
                 static_cast<long long>(count));
  }
  for (int64_t i = 0; i < count; ++i) {
    const int64_t slot = At(i);
    if (slot < -1) {
      return Error(StatusCode::kInvalidArgument,
                   "%s[%lld] = %lld: must be -1 or a slot", name,
                   static_cast<long long>(i), static_cast<long long>(slot));
    }
    if (slot >= capacity) {
      return Error(StatusCode::kOutOfRange,
                   "%s[%lld] = %lld: the cache has %lld slots", name,
                   static_cast<long long>(i), static_cast<long long>(slot),
                   static_cast<long long>(capacity));
    }
  }
  return Status();
}

}  // namespace ropewalk::internal
