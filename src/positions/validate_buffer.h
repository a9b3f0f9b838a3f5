// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a PositionBuffer takes what is to be appended, and where to.
#pragma once
#include <cstdint>

#include "ropewalk/position_buffer.h"
#include "ropewalk/status.h"

namespace ropewalk::internal {

// Everything but the number of components.
// Requires: tokens >= 0.
Status ValidateBuffer(const PositionBuffer& buffer, int64_t tokens) noexcept;

// The first free id of a component.
inline int64_t* Free(const PositionBuffer& buffer, int component) noexcept {
  return buffer.ids + component * buffer.capacity + buffer.count;
}

}  // namespace ropewalk::internal
