// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "support/operator_new.h"

#include <cstdint>
#include <cstdlib>
#include <new>

namespace ropewalk::test {

std::atomic<int64_t> allocations{0};
std::atomic<std::size_t> refused_from{SIZE_MAX};
std::atomic<int64_t> refused_at{INT64_MAX};
std::atomic<int64_t> refusals{0};
std::atomic<int64_t> alive{0};

}  // namespace ropewalk::test

namespace {

using ropewalk::test::alive;
using ropewalk::test::allocations;
using ropewalk::test::refusals;
using ropewalk::test::refused_at;
using ropewalk::test::refused_from;

void* Allocate(std::size_t size, std::size_t alignment) {
  const int64_t number = ++allocations;
  if (size >= refused_from || number == refused_at) {
    ++refusals;
    return nullptr;
  }
  // Of exactly that size, so that AddressSanitizer sees its end.
  void* memory = nullptr;
  const std::size_t bytes = size > 0 ? size : 1;
  if (posix_memalign(&memory, alignment, bytes) != 0) return nullptr;
  ++alive;
  return memory;
}

void* OrThrow(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

constexpr std::size_t kDefault = alignof(std::max_align_t);

// Not inlined: GCC takes a delete that frees for a mismatch.
[[gnu::noinline]] void Release(void* memory) {
  if (memory != nullptr) --alive;
  std::free(memory);
}

std::size_t Bytes(std::align_val_t alignment) {
  return static_cast<std::size_t>(alignment);
}

}  // namespace

void* operator new(std::size_t size) {
  return OrThrow(Allocate(size, kDefault));
}
void* operator new[](std::size_t size) {
  return OrThrow(Allocate(size, kDefault));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return Allocate(size, kDefault);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return Allocate(size, kDefault);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return OrThrow(Allocate(size, Bytes(alignment)));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return OrThrow(Allocate(size, Bytes(alignment)));
}
void* operator new(std::size_t size, std::align_val_t alignment,
                   const std::nothrow_t&) noexcept {
  return Allocate(size, Bytes(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment,
                     const std::nothrow_t&) noexcept {
  return Allocate(size, Bytes(alignment));
}
void operator delete(void* memory) noexcept { Release(memory); }
void operator delete[](void* memory) noexcept { Release(memory); }
void operator delete(void* memory, std::size_t) noexcept { Release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { Release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept {
  Release(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  Release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  Release(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  Release(memory);
}
