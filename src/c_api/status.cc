// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/c/status.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "c_api/call.h"
#include "ropewalk/version.h"

namespace ropewalk::internal {

ropewalk_status Report(const Status& status, ropewalk_error* error) noexcept {
  const auto code = static_cast<ropewalk_status>(status.code());
  constexpr size_t kText = offsetof(ropewalk_error, message);
  static_assert(sizeof(ropewalk_error::message) > Status::kMaxMessage);
  if (error == nullptr || error->struct_size < kText) return code;
  error->code = code;
  if (error->struct_size == kText) return code;
  error->message[0] = '\0';
  if (status.ok()) return code;  // on the path of a decode
  const size_t room =
      std::min<size_t>(error->struct_size - kText, sizeof(error->message)) - 1;
  const size_t length = std::min(std::strlen(status.message()), room);
  std::memcpy(error->message, status.message(), length);
  error->message[length] = '\0';
  return code;
}

}  // namespace ropewalk::internal

const char* ropewalk_status_name(ropewalk_status status) {
  if (status < 0 || status > UINT8_MAX) return "unknown";
  return ropewalk::StatusCodeName(static_cast<ropewalk::StatusCode>(status));
}

uint32_t ropewalk_version(void) { return ROPEWALK_VERSION; }
