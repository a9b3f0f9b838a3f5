// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// From the library's parameters to the oracle's: what a wrong frequency is
// told by. The one place here that knows the library's types; it takes nothing
// that the library computes.
#pragma once
#include <cstdint>

#include "reference/schemes.h"
#include "ropewalk/scaling.h"

namespace ropewalk::reference {

// The oracle's frequencies and factors of the parameters, which must be valid:
// ComputeFrequencies has taken them. Of ExplicitFrequencies, which say it all,
// the list comes back.
Scheme SchemeOf(const RopeParameters& parameters, int64_t sequence_length = 0);

}  // namespace ropewalk::reference
