// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules of the normal form, whoever built it.
#pragma once
#include "ropewalk/export.h"
#include "ropewalk/frequencies.h"
#include "ropewalk/status.h"

namespace ropewalk::internal {

// Checks every rule that Frequencies states.
ROPEWALK_EXPORT Status
ValidateFrequencies(const Frequencies& frequencies) noexcept;

// An argument of builders: even, positive, at most `most`.
Status ValidateEvenDims(const char* name, int dims, int most) noexcept;

// Finite, positive, and a normal float32: rows hold it as one.
Status ValidateAttentionFactor(double factor) noexcept;

}  // namespace ropewalk::internal
