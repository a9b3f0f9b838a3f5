// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "support/guarded_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>

namespace ropewalk::test {
namespace {

constexpr uint8_t kCanary = 0xA5;

}  // namespace

GuardedBuffer::GuardedBuffer(size_t bytes, GuardSide side) : size_(bytes) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  usable_size_ = (bytes / page + 1) * page;
  mapped_ = usable_size_ + 2 * page;
  void* mapping =
      mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<uint8_t*>(mapping);
  usable_ = mapping_ + page;
  if (mprotect(usable_, usable_size_, PROT_READ | PROT_WRITE) != 0) {
    throw std::bad_alloc();
  }
  std::memset(usable_, kCanary, usable_size_);
  data_ = side == GuardSide::kBegin ? usable_ : usable_ + usable_size_ - bytes;
}

GuardedBuffer::~GuardedBuffer() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

GuardedBuffer::GuardedBuffer(GuardedBuffer&& other) noexcept
    : mapping_(other.mapping_),
      mapped_(other.mapped_),
      usable_(other.usable_),
      usable_size_(other.usable_size_),
      data_(other.data_),
      size_(other.size_) {
  other.mapping_ = nullptr;
}

bool GuardedBuffer::CanariesIntact() const {
  for (const uint8_t* p = usable_; p != data_; ++p) {
    if (*p != kCanary) return false;
  }
  for (const uint8_t* p = data_ + size_; p != usable_ + usable_size_; ++p) {
    if (*p != kCanary) return false;
  }
  return true;
}

void GuardedBuffer::MakeReadOnly() {
  if (mprotect(usable_, usable_size_, PROT_READ) != 0) throw std::bad_alloc();
}

}  // namespace ropewalk::test
