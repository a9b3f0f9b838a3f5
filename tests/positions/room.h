// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Room for position ids, and its components as lists.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/position_buffer.h"
#include "ropewalk/status.h"

namespace ropewalk::test {

using Ids = std::vector<int64_t>;

// What nothing writes.
inline constexpr int64_t kUnwritten = -77;

class Room {
 public:
  explicit Room(int64_t capacity, int components = 3)
      : ids_(static_cast<size_t>(capacity * components), kUnwritten) {
    buffer_.ids = ids_.data();
    buffer_.components = components;
    buffer_.capacity = capacity;
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  PositionBuffer* buffer() { return &buffer_; }
  const Ids& all() const { return ids_; }

  // A component of the tokens in use.
  Ids Component(int c) const {
    const int64_t* first = buffer_.ids + c * buffer_.capacity;
    return {first, first + buffer_.count};
  }

 private:
  Ids ids_;
  PositionBuffer buffer_;
};

inline void ExpectOk(const Status& status) {
  EXPECT_TRUE(status.ok()) << status.message();
}

}  // namespace ropewalk::test
