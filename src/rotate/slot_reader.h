// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Slots of either integer type as int64_t.
#pragma once
#include <cstdint>

#include "ropewalk/slots.h"
#include "ropewalk/status.h"

namespace ropewalk::internal {

class SlotReader {
 public:
  explicit SlotReader(const Slots& slots) noexcept : slots_(slots) {}

  int64_t count() const noexcept { return slots_.count_; }

  int64_t At(int64_t i) const noexcept {
    switch (slots_.kind_) {
      case Slots::Kind::kInt32:
        return static_cast<const int32_t*>(slots_.slots_)[i];
      case Slots::Kind::kInt64:
        return static_cast<const int64_t*>(slots_.slots_)[i];
      default:
        return slots_.first_ + i;
    }
  }

  // Where they lie; no bytes where they are counted up.
  const void* data() const noexcept { return slots_.slots_; }
  int64_t bytes() const noexcept {
    if (slots_.kind_ == Slots::Kind::kRange) return 0;
    return count() * (slots_.kind_ == Slots::Kind::kInt32 ? 4 : 8);
  }

  // Whether every slot is -1 or in a cache of `capacity` slots.
  Status Validate(const char* name, int64_t capacity) const noexcept;

 private:
  Slots slots_;
};

}  // namespace ropewalk::internal
