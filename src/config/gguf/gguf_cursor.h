// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A position in a little-endian file of known size. Nothing is read, skipped
// or allocated past its end.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>

#include "ropewalk/status.h"

namespace ropewalk::internal {

// Reads `bytes` bytes at `offset`, which lie inside the file; false if it
// cannot.
using ReadAt = std::function<bool(uint64_t offset, void* out, size_t bytes)>;

// The first error sticks; reads after it give 0.
class GgufCursor {
 public:
  GgufCursor(ReadAt read, uint64_t file_size)
      : read_(std::move(read)), size_(file_size) {}

  uint64_t position() const { return position_; }
  uint64_t remaining() const { return size_ - position_; }
  const Status& status() const { return status_; }
  bool ok() const { return status_.ok(); }
  void Fail(const Status& status) {
    if (status_.ok()) status_ = status;
  }

  // An unsigned integer of so many bytes.
  template <class T>
  T Integer() {
    std::array<uint8_t, sizeof(T)> bytes{};
    Read(bytes.data(), bytes.size());
    uint64_t value = 0;
    for (size_t i = 0; i < bytes.size(); ++i) {
      value |= uint64_t{bytes[i]} << (8 * i);
    }
    return static_cast<T>(value);
  }

  // A length of 64 bits, then so many bytes. Past max_length it is an error.
  std::string String(uint64_t max_length);
  // The same without keeping it, whatever its length.
  void SkipString();
  void Skip(uint64_t bytes);
  // Continues elsewhere in the file.
  void Seek(uint64_t position);

 private:
  bool Require(uint64_t bytes);
  void Read(uint8_t* out, size_t bytes);
  bool Fill();

  static constexpr size_t kBufferBytes = 16384;

  ReadAt read_;
  uint64_t size_;
  uint64_t position_ = 0;
  Status status_;
  uint64_t buffer_begin_ = 0;
  size_t buffer_bytes_ = 0;
  std::array<uint8_t, kBufferBytes> buffer_;
};

}  // namespace ropewalk::internal
