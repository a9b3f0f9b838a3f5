// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules of a HeadTransform.
#pragma once
#include "ropewalk/head_transform.h"
#include "ropewalk/status.h"

namespace ropewalk::internal {

// Whether there is anything to do.
inline bool IsActive(const HeadTransform& transform) noexcept {
  return transform.norm.size != 0 || transform.scale != 1.0f ||
         transform.token_scale != nullptr;
}

// An inactive transform passes with any head_dim.
Status ValidateTransform(const HeadTransform& transform, int head_dim) noexcept;

}  // namespace ropewalk::internal
