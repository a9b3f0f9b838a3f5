// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules of AngleOptions, and the choices that kAuto leaves open.
#pragma once
#include "ropewalk/angles.h"

namespace ropewalk::internal {

// Checks the options, chooses the kind, and clears dense_positions where no
// dense table is asked for: equal results mean equal tables.
Status ResolveOptions(const Frequencies& frequencies,
                      AngleOptions* options) noexcept;

}  // namespace ropewalk::internal
