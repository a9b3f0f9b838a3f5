// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "status/error.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace ropewalk {

const char* StatusCodeName(StatusCode code) noexcept {
  switch (code) {
    case StatusCode::kOk:
      return "ok";
    case StatusCode::kInvalidArgument:
      return "invalid argument";
    case StatusCode::kOutOfRange:
      return "out of range";
    case StatusCode::kUnsupported:
      return "unsupported";
    case StatusCode::kOutOfMemory:
      return "out of memory";
    case StatusCode::kParseError:
      return "parse error";
  }
  return "unknown";
}

Status::Status(StatusCode code, const char* message) noexcept : code_(code) {
  CopyMessage(message);
}

void Status::CopyMessage(const char* message) noexcept {
  const size_t length = std::strlen(message);
  const size_t kept = length < kMaxMessage ? length : kMaxMessage;
  std::memcpy(message_, message, kept);
  message_[kept] = '\0';
}

namespace internal {

Status Error(StatusCode code, const char* format, ...) noexcept {
  char message[Status::kMaxMessage + 1];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(message, sizeof(message), format, arguments);
  va_end(arguments);
  return Status(code, message);
}

Status Within(const char* whole, const Status& part) noexcept {
  if (part.ok()) return part;
  return Error(part.code(), "%s.%s", whole, part.message());
}

}  // namespace internal
}  // namespace ropewalk
