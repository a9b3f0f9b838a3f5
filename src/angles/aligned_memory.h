// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory aligned to a cache line, without exceptions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

namespace ropewalk::internal {

inline constexpr size_t kCacheLine = 64;

struct AlignedDelete {
  void operator()(unsigned char* memory) const noexcept {
    ::operator delete[](memory, std::align_val_t{kCacheLine});
  }
};

using AlignedMemory = std::unique_ptr<unsigned char[], AlignedDelete>;

// Null when there is no memory.
inline AlignedMemory AllocateAligned(size_t bytes) noexcept {
  return AlignedMemory(static_cast<unsigned char*>(
      ::operator new[](bytes, std::align_val_t{kCacheLine}, std::nothrow)));
}

// a * b for a, b >= 0; false where it does not fit.
inline bool MultiplySizes(int64_t a, int64_t b, int64_t* product) noexcept {
  if (b != 0 && a > INT64_MAX / b) return false;
  *product = a * b;
  return true;
}

// n rounded up to a multiple of `unit`.
template <class T>
constexpr T RoundUp(T n, T unit) {
  return (n + unit - 1) / unit * unit;
}

}  // namespace ropewalk::internal
