// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The geometric ladder of frequencies from which every scheme starts, and the
// change of base that the NTK schemes share.
#pragma once
#include <vector>

#include "ropewalk/export.h"
#include "ropewalk/scaling.h"

namespace ropewalk::internal {

inline constexpr double kTwoPi = 6.283185307179586476925286766559;

// base^(-2i / dim) for rotary_dim / 2 pairs, within 2 ulp. Throws
// std::bad_alloc.
// Requires: rotary_dim even, 0 to kMaxRotaryDim; dim positive unless
// rotary_dim is 0.
// Source: Su et al. 2021, arXiv:2104.09864, section 3.2.2.
ROPEWALK_EXPORT Result<std::vector<double>> Ladder(double base, int rotary_dim,
                                                   int dim);
Result<std::vector<double>> Ladder(const RopeParameters& parameters);

// base * factor^(R / (R - 2)), which leaves the first pair alone and divides
// the last one by factor. R = 2 has one pair, which turns by 1 whatever the
// base: it keeps its base.
double NtkBase(double base, double factor, int rotary_dim);

}  // namespace ropewalk::internal
