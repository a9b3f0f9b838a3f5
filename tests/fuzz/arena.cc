// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "fuzz/require.h"

namespace ropewalk::fuzz {
namespace {

constexpr size_t kGuard = 65536;  // a multiple of any page

}  // namespace

Arena::Arena() : before_(kBytes), allowed_(kBytes) {
  void* const mapping = mmap(nullptr, kBytes + 2 * kGuard, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) std::abort();
  data_ = static_cast<uint8_t*>(mapping) + kGuard;
  if (mprotect(data_, kBytes, PROT_READ | PROT_WRITE) != 0) std::abort();
}

Arena::~Arena() { munmap(data_ - kGuard, kBytes + 2 * kGuard); }

void Arena::Fill(uint64_t seed, bool any_bytes) {
  for (int64_t at = 0; at < kBytes; at += 2) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const auto bits = static_cast<uint32_t>(seed >> 40);
    // As bfloat16, and the upper half of a float32, 1/8 to 8; as float16, 1.5
    // to 2.5.
    const auto number = static_cast<uint16_t>(
        any_bytes ? bits
                  : (bits & 0x8000) | (0x3e00 + (bits & 0x7fff) % 0x300));
    std::memcpy(data_ + at, &number, 2);
  }
}

bool Arena::Contains(__int128 begin, __int128 end) const {
  const auto first = static_cast<__int128>(reinterpret_cast<uintptr_t>(data_));
  return begin >= first && end <= first + kBytes;
}

void Arena::Remember() {
  std::memcpy(before_.data(), data_, kBytes);
  std::fill(allowed_.begin(), allowed_.end(), uint8_t{0});
}

void Arena::Allow(const void* begin, int64_t bytes) {
  const int64_t first = static_cast<const uint8_t*>(begin) - data_;
  Require(first >= 0 && bytes >= 0 && first + bytes <= kBytes,
          "the model allows what is in the arena");
  std::fill_n(allowed_.begin() + first, bytes, uint8_t{255});
}

void Arena::RequireNothingElseChanged() const {
  const uint8_t* const before = before_.data();
  const uint8_t* const allowed = allowed_.data();
  unsigned changed = 0;
  for (int64_t i = 0; i < kBytes; ++i) {
    changed |= (data_[i] ^ before[i]) & static_cast<unsigned>(~allowed[i]);
  }
  Require((changed & 255) == 0, "only the named bytes change");
}

const uint8_t* Arena::Before(const void* now) const {
  return before_.data() + (static_cast<const uint8_t*>(now) - data_);
}

}  // namespace ropewalk::fuzz
