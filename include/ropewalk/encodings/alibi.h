// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// ALiBi: attention with linear biases.
#pragma once
#include <cstdint>

#include "ropewalk/encodings/scores.h"
#include "ropewalk/export.h"
#include "ropewalk/parallel.h"
#include "ropewalk/status.h"

namespace ropewalk {

/// Writes the slope of each head: with n the largest power of two that is not
/// above heads, 2^(-max_bias (h + 1) / n) for h < n, and from there on
/// 2^(-max_bias (2 (h - n) + 1) / 2n).
///
/// Shape:     slopes [heads].
/// Requires:  heads from 1 to 65536; max_bias finite and not negative; 0 makes
///            every slope 0: no bias.
/// Accuracy:  rounded to float32 once, from double.
/// Errors:    kInvalidArgument; on an error nothing is written.
/// Source:    Press et al. 2022, arXiv:2108.12409 (max_bias 8).
ROPEWALK_EXPORT Status AlibiSlopes(int heads, double max_bias,
                                   float* slopes) noexcept;

/// Adds -slope |query - key| to each score. Masked scores, -Inf, stay so, and
/// NaN stays NaN.
///
/// Shape:     slopes [scores.heads].
/// Requires:  slopes from -2^60 to 2^60, so that every bias is finite.
/// Aliasing:  no two scores are one element; slopes are none of them.
/// Accuracy:  the distance is exact up to 2^24, and rounded to float32 past it;
///            one product and one sum in float32 (fused where the target has
///            FMA), rounded once to the type of the scores, to nearest even.
/// Errors:    kInvalidArgument, kOutOfRange; on an error nothing is written.
/// Threads:   safe on disjoint scores; allocates nothing, takes no lock.
ROPEWALK_EXPORT Status
AddAlibi(const float* slopes, const Scores& scores,
         ScoreRange range = ScoreRange::kCausal,
         Parallel parallel = Parallel::Serial()) noexcept;

}  // namespace ropewalk
