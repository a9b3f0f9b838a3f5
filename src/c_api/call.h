// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What every function of the C interface does: a Status, or an exception that
// an allocation threw here, becomes a code and a message.
#pragma once
#include <exception>
#include <new>
#include <utility>

#include "ropewalk/c/status.h"
#include "ropewalk/status.h"
#include "status/error.h"

namespace ropewalk::internal {

// Writes the status into the error, no byte past its struct_size.
ropewalk_status Report(const Status& status, ropewalk_error* error) noexcept;

template <class Body>
ropewalk_status Call(ropewalk_error* error, const Body& body) noexcept {
  try {
    return Report(body(), error);
  } catch (const std::bad_alloc&) {
    return Report(Error(StatusCode::kOutOfMemory, "out of memory"), error);
  } catch (const std::exception& caught) {
    return Report(Error(StatusCode::kOutOfRange, "%s", caught.what()), error);
  }
}

inline Status NotNull(const char* name, const void* pointer) noexcept {
  if (pointer != nullptr) return Status();
  return Error(StatusCode::kInvalidArgument, "%s = null: must be given", name);
}

// Hands a new object out: Handle{value}.
template <class Handle, class Value>
Status HandOut(Result<Value> made, Handle** out) {
  if (!made.ok()) return made.status();
  *out = new Handle{std::move(made).value()};
  return Status();
}

}  // namespace ropewalk::internal
