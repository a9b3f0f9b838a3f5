// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// All memory that the tensors of a call can lie in, between pages that must
// not be touched, and what a call may change of it.
#pragma once
#include <cstdint>
#include <vector>

namespace ropewalk::fuzz {

class Arena {
 public:
  static constexpr int64_t kBytes = 16384;  // a multiple of the page

  Arena();
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  uint8_t* data() { return data_; }
  // Numbers from 1/8 to 8 of either sign in every data type, or any bytes.
  void Fill(uint64_t seed, bool any_bytes);

  // Whether the bytes [begin, end) are all of the arena.
  bool Contains(__int128 begin, __int128 end) const;

  // From here on nothing may change but what is allowed.
  void Remember();
  void Allow(const void* begin, int64_t bytes);
  void RequireNothingElseChanged() const;
  // Where the byte at `now` was when all was remembered.
  const uint8_t* Before(const void* now) const;

 private:
  uint8_t* data_;
  std::vector<uint8_t> before_;
  std::vector<uint8_t> allowed_;  // 255 where it may change
};

}  // namespace ropewalk::fuzz
