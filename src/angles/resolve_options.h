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

// Whether cos and sin that contain the factor are numbers of the type; `name`
// is what asked for it.
Status ValidateRounding(const char* name, DataType type,
                        double attention_factor) noexcept;

}  // namespace ropewalk::internal
