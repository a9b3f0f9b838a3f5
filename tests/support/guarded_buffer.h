// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory between two pages that must not be touched: an access past the chosen
// end dies, one past the other end changes a canary.
#pragma once
#include <cstddef>
#include <cstdint>

namespace ropewalk::test {

enum class GuardSide { kBegin, kEnd };

class GuardedBuffer {
 public:
  // The data lies flush against the guard page of that side.
  GuardedBuffer(size_t bytes, GuardSide side);
  ~GuardedBuffer();
  GuardedBuffer(GuardedBuffer&& other) noexcept;
  GuardedBuffer& operator=(GuardedBuffer&&) = delete;
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  uint8_t* data() { return data_; }
  const uint8_t* data() const { return data_; }
  size_t size() const { return size_; }

  // Whether the bytes between the data and the far guard page are as they were.
  bool CanariesIntact() const;

  // Refuses writes from now on.
  void MakeReadOnly();

 private:
  uint8_t* mapping_;
  size_t mapped_;
  uint8_t* usable_;
  size_t usable_size_;
  uint8_t* data_;
  size_t size_;
};

}  // namespace ropewalk::test
