// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Factors by which some models multiply a query according to its position,
// for HeadTransform::token_scale.
#pragma once
#include <cstdint>

#include "ropewalk/export.h"
#include "ropewalk/positions.h"
#include "ropewalk/status.h"

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
ROPEWALK_EXPORT Status LogNQueryScale(const Positions& positions,
                                      int64_t original_positions,
                                      float* scale) noexcept;

/// Writes Llama 4's attention temperature of each token: 1 + beta *
/// ln(floor((position + 1) / floor_scale) + 1), by which all of Q is
/// multiplied in the layers without RoPE. Negative positions get 1.
///
/// Shape:     scale [positions]; one component.
/// Requires:  floor_scale >= 1; beta >= 0 and at most 2^120, so that every
///            scale is a float32. Llama 4: 8192 and 0.1.
/// Accuracy:  the floor is exact; rounded to float32 once, from double.
/// Errors:    kInvalidArgument; on an error nothing is written.
/// Source:    HF's Llama 4, attn_temperature_tuning.
ROPEWALK_EXPORT Status Llama4QueryScale(const Positions& positions,
                                        int64_t floor_scale, double beta,
                                        float* scale) noexcept;

/// As Llama4QueryScale, for Mistral 3: 1 + beta *
/// ln(floor(position / original_positions) + 1), in every layer. A position is
/// not raised by 1 here: the first step comes one token later.
///
/// Requires:  original_positions >= 1. Ministral 3: 16384 and 0.1.
/// Source:    HF's Ministral 3, llama_4_scaling_beta.
ROPEWALK_EXPORT Status Mistral3QueryScale(const Positions& positions,
                                          int64_t original_positions,
                                          double beta, float* scale) noexcept;

/// Which of these functions a layer's queries want. The values are fixed.
enum class QueryScaleRule : uint8_t {
  kNone = 0,      ///< No factor: 1 for every token.
  kLogN = 1,      ///< LogNQueryScale.
  kLlama4 = 2,    ///< Llama4QueryScale.
  kMistral3 = 3,  ///< Mistral3QueryScale.
};

/// A rule and its arguments.
struct QueryScale {
  QueryScaleRule rule = QueryScaleRule::kNone;
  int64_t positions = 0;  ///< original_positions, or kLlama4's floor_scale.
  double beta = 0;        ///< kLlama4 and kMistral3.
};

/// Writes each token's factor by its rule.
///
/// Shape:     as the functions above; scale may be null where there are no
///            tokens.
/// Errors:    kInvalidArgument: an unknown rule, or as the functions above.
ROPEWALK_EXPORT Status WriteQueryScale(const Positions& positions,
                                       const QueryScale& scale,
                                       float* factors) noexcept;

}  // namespace ropewalk
