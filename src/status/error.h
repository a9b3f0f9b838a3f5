// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the Status of a failed call. Not on any path that succeeds. Exported,
// since the components' libraries need it too.
#pragma once
#include "ropewalk/export.h"
#include "ropewalk/status.h"

#if defined(__GNUC__)
#define ROPEWALK_PRINTF(text, first) \
  __attribute__((cold, format(printf, text, first)))
#else
#define ROPEWALK_PRINTF(text, first)
#endif

// Returns from the calling function when the expression is not ok.
#define ROPEWALK_RETURN_IF_ERROR(expression)                      \
  do {                                                            \
    if (::ropewalk::Status error_ = (expression); !error_.ok()) { \
      return error_;                                              \
    }                                                             \
  } while (false)

namespace ropewalk::internal {

// Formats as printf: "name = value: the rule it broke".
ROPEWALK_EXPORT Status Error(StatusCode code, const char* format, ...) noexcept
    ROPEWALK_PRINTF(2, 3);

// The error of a part, whose message begins with the name of a field, as that
// of the whole: "whole.field = value: ...". Success stays success.
ROPEWALK_EXPORT Status Within(const char* whole, const Status& part) noexcept;

}  // namespace ropewalk::internal
