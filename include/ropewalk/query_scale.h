// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Factors by which some models multiply a query according to its position.
#pragma once
#include <cstdint>

#include "ropewalk/status.h"
#include "ropewalk/types.h"

namespace ropewalk {

/// Writes Qwen-1's log-n factor of each token: max(1, ln(position + 1) /
/// ln(original_positions)), by which all of Q is multiplied, the dims that do
/// not turn too. Negative positions get 1.
///
/// Shape:     scale [positions]; one component.
/// Accuracy:  rounded to float32 once, from double.
/// Errors:    kInvalidArgument: original_positions < 2, null scale, positions
///            that break their rules. On an error nothing is written.
/// Source:    Su 2021, kexue.fm/archives/8823; Qwen-7B's use_logn_attn.
Status LogNQueryScale(const Positions& positions, int64_t original_positions,
                      float* scale) noexcept;

}  // namespace ropewalk
