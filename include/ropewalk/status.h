// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What a call that can fail returns. The library throws nothing, prints
// nothing and never ends the process.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "ropewalk/export.h"

namespace ropewalk {

/// Why a call failed. The values are fixed.
enum class StatusCode : uint8_t {
  kOk = 0,
  kInvalidArgument = 1,  ///< An argument breaks a rule whatever the state.
  kOutOfRange = 2,       ///< A position, size or product is past a limit.
  kUnsupported = 3,      ///< Well-formed, but this build cannot do it.
  kOutOfMemory = 4,      ///< An allocation failed; nothing has changed.
  kParseError = 5,       ///< A text or file is not what it claims to be.
};

/// Names a code in words, such as "invalid argument".
ROPEWALK_EXPORT const char* StatusCodeName(StatusCode code) noexcept;

/// Success, or a code with a message that names the argument, its value and
/// the rule it broke. Allocates nothing: the message lives in the object.
class [[nodiscard]] Status {
 public:
  /// Success.
  Status() noexcept { message_[0] = '\0'; }

  /// A failure; a message past kMaxMessage characters is cut.
  ROPEWALK_EXPORT Status(StatusCode code, const char* message) noexcept;

  // Only as much of the buffer as is in use is copied: a Status is returned
  // from every hot call.
  Status(const Status& other) noexcept { *this = other; }
  Status& operator=(const Status& other) noexcept {
    code_ = other.code_;
    if (code_ == StatusCode::kOk) {
      message_[0] = '\0';
    } else if (this != &other) {
      CopyMessage(other.message_);
    }
    return *this;
  }

  bool ok() const noexcept { return code_ == StatusCode::kOk; }
  StatusCode code() const noexcept { return code_; }

  /// For example "rotary_dim = 7: must be even"; empty on success.
  const char* message() const noexcept { return message_; }

  static constexpr size_t kMaxMessage = 239;

 private:
  ROPEWALK_EXPORT void CopyMessage(const char* message) noexcept;

  StatusCode code_ = StatusCode::kOk;
  char message_[kMaxMessage + 1];
};

/// A T, or a Status that is not ok.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(const Status& status) noexcept : status_(status) {}

  bool ok() const noexcept { return value_.has_value(); }
  const Status& status() const noexcept { return status_; }

  /// Requires: ok(); undefined otherwise.
  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T&& value() && { return *std::move(value_); }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace ropewalk
