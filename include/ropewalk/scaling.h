// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// From what a model's configuration says about RoPE to the normal form.
#pragma once
#include <cstdint>
#include <variant>
#include <vector>

#include "ropewalk/export.h"
#include "ropewalk/frequencies.h"
#include "ropewalk/scaling_schemes.h"
#include "ropewalk/status.h"

namespace ropewalk {

using Scaling = std::variant<
    NoScaling, LinearScaling, NtkScaling, NtkAlphaScaling, DynamicNtkScaling,
    QwenDynamicNtkScaling, VllmNtkScaling, YarnScaling, DeepSeekYarnScaling,
    GrokYarnLogScaling, GrokThetaScaling, Llama3Scaling, LongRopeScaling,
    ProportionalScaling, FrequencyFactors, GgmlScaling, ExplicitFrequencies>;

/// What a model's configuration says about RoPE.
struct RopeParameters {
  /// Even, 0 to kMaxRotaryDim. With ExplicitFrequencies: twice their number,
  /// or 0 to take it from them.
  int rotary_dim = 0;
  /// rope_theta. The default is that of Su et al. 2021 and of Llama 1 and 2.
  double base = 10000.0;
  Scaling scaling = NoScaling{};
  /// [pairs], the position component of each pair; empty: component 0. axes.h
  /// has those of M-RoPE. No pair's frequency depends on it.
  std::vector<uint8_t> axis = {};
};

/// The scheme's name, such as "llama3" or "yarn".
ROPEWALK_EXPORT const char* SchemeName(const Scaling& scaling) noexcept;

/// Computes the normal form in double precision. A result depends on nothing
/// but the arguments.
///
/// Units:     sequence_length counts tokens; only length-dependent schemes
///            look at it, and take 0 as a length within the original.
/// Accuracy:  each inv_freq within a relative 2^-48 of the formula, 2 ulp
///            (double) for NoScaling. 1e-12 for GrokThetaScaling and for ramps
///            that are not truncated, whose logarithms amplify rounding;
///            2^-51 factor high / (high - low) more for Llama3Scaling.
/// Errors:    kInvalidArgument: odd or negative rotary_dim, base NaN or not
///            positive (ExplicitFrequencies do not look at it), a scheme's
///            parameter against its rule, a list or an axis of the wrong
///            length, negative sequence_length. kOutOfRange: rotary_dim >
///            kMaxRotaryDim, or a result past the limits of Frequencies.
///            kOutOfMemory.
/// Threads:   safe.
ROPEWALK_EXPORT Result<Frequencies> ComputeFrequencies(
    const RopeParameters& parameters, int64_t sequence_length = 0) noexcept;

}  // namespace ropewalk
