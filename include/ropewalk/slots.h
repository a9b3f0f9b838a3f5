// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Slots: the places of tokens in a KV cache.
#pragma once
#include <cstdint>

namespace ropewalk {

namespace internal {
class SlotReader;
}  // namespace internal

/// One cache slot a token; -1 skips the token. Slot s is slot
/// s % block_size of block s / block_size. Borrowed until the call returns.
///
/// Errors:    a negative count, null slots, a slot below -1 or outside the
///            cache, and slots in memory that the call writes are reported by
///            the call that takes the slots.
class Slots {
 public:
  Slots(const int32_t* slots, int64_t count)
      : slots_(slots), count_(count), kind_(Kind::kInt32) {}
  Slots(const int64_t* slots, int64_t count)
      : slots_(slots), count_(count), kind_(Kind::kInt64) {}

  /// first, first + 1, ...
  static Slots Range(int64_t first, int64_t count) {
    Slots slots(static_cast<const int64_t*>(nullptr), count);
    slots.first_ = first;
    slots.kind_ = Kind::kRange;
    return slots;
  }

 private:
  friend class internal::SlotReader;
  enum class Kind : uint8_t { kInt32, kInt64, kRange };

  const void* slots_;
  int64_t count_;
  int64_t first_ = 0;
  Kind kind_;
};

}  // namespace ropewalk
