// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// RoPE without scaling.
#pragma once
#include "ropewalk/scaling.h"

namespace ropewalk::internal {

// inv_freq[i] = base^(-2i / rotary_dim). Throws std::bad_alloc.
// Requires: rotary_dim even, 0 to kMaxRotaryDim.
// Source: Su et al. 2021, arXiv:2104.09864, section 3.2.2.
Result<Frequencies> PlainFrequencies(const RopeParameters& parameters);

}  // namespace ropewalk::internal
