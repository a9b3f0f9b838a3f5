// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// From the angles of one table to those of another.
#pragma once
#include "ropewalk/frequencies.h"
#include "ropewalk/status.h"

namespace ropewalk::internal {

// Whether a key of `from` has its pairs, on their axes, in `to`, and rows can
// hold the quotient of the factors.
Status ValidateRerotation(const Frequencies& from,
                          const Frequencies& to) noexcept;

}  // namespace ropewalk::internal
