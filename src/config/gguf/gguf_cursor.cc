// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/gguf/gguf_cursor.h"

#include <algorithm>

#include "status/error.h"

namespace ropewalk::internal {

bool GgufCursor::Require(uint64_t bytes) {
  if (ok() && bytes > remaining()) {
    Fail(Error(StatusCode::kParseError,
               "file ends at byte %llu: must have %llu more after byte %llu",
               static_cast<unsigned long long>(size_),
               static_cast<unsigned long long>(bytes),
               static_cast<unsigned long long>(position_)));
  }
  return ok();
}

// Makes the byte at position_ the buffer's first.
bool GgufCursor::Fill() {
  const auto bytes =
      static_cast<size_t>(std::min<uint64_t>(kBufferBytes, remaining()));
  buffer_bytes_ = 0;
  if (!read_(position_, buffer_.data(), bytes)) {
    Fail(Error(StatusCode::kParseError, "byte %llu: cannot be read",
               static_cast<unsigned long long>(position_)));
    return false;
  }
  buffer_begin_ = position_;
  buffer_bytes_ = bytes;
  return true;
}

void GgufCursor::Read(uint8_t* out, size_t bytes) {
  if (!Require(bytes)) return;
  while (bytes > 0) {
    const bool inside =
        position_ >= buffer_begin_ && position_ - buffer_begin_ < buffer_bytes_;
    if (!inside && !Fill()) return;
    const auto first = static_cast<size_t>(position_ - buffer_begin_);
    const size_t count = std::min(bytes, buffer_bytes_ - first);
    std::memcpy(out, buffer_.data() + first, count);
    out += count;
    bytes -= count;
    position_ += count;
  }
}

std::string GgufCursor::String(uint64_t max_length) {
  const auto length = Integer<uint64_t>();
  if (ok() && length > max_length) {
    Fail(Error(StatusCode::kParseError,
               "byte %llu: a string of %llu bytes: must have at most %llu",
               static_cast<unsigned long long>(position_),
               static_cast<unsigned long long>(length),
               static_cast<unsigned long long>(max_length)));
  }
  if (!Require(length)) return "";
  std::string text(static_cast<size_t>(length), '\0');
  Read(reinterpret_cast<uint8_t*>(text.data()), text.size());
  return text;
}

void GgufCursor::SkipString() { Skip(Integer<uint64_t>()); }

void GgufCursor::Skip(uint64_t bytes) {
  if (Require(bytes)) position_ += bytes;
}

void GgufCursor::Seek(uint64_t position) {
  if (!ok()) return;
  if (position > size_) {
    Fail(Error(StatusCode::kParseError,
               "byte %llu: must be inside the file of %llu",
               static_cast<unsigned long long>(position),
               static_cast<unsigned long long>(size_)));
    return;
  }
  position_ = position;
}

}  // namespace ropewalk::internal
