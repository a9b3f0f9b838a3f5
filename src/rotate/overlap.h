// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether heads share elements, within a view and between views.
// Requires: ValidateView has passed, and the views are not empty.
#pragma once
#include "ropewalk/export.h"
#include "ropewalk/status.h"
#include "ropewalk/types.h"
#include "rotate/validate.h"

namespace ropewalk::internal {

// Whether no two heads of one view share an element.
ROPEWALK_EXPORT Status ValidateDistinctHeads(const NamedView& view) noexcept;

// Whether no head of one view shares an element with a head of the other.
// Views that lie between each other at a common stride, as the slices of a
// fused buffer, are recognised.
ROPEWALK_EXPORT Status ValidateDisjoint(const NamedView& a,
                                        const NamedView& b) noexcept;

}  // namespace ropewalk::internal
