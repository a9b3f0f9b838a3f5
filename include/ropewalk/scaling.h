// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Builders of the normal form: one struct per scheme, and the call that turns
// any of them into Frequencies.
#pragma once
#include <cstdint>
#include <variant>
#include <vector>

#include "ropewalk/frequencies.h"
#include "ropewalk/status.h"

namespace ropewalk {

/// inv_freq[i] = base^(-2i / rotary_dim).
///
/// Source:    Su et al. 2021, arXiv:2104.09864, section 3.2.2.
struct NoScaling {};

/// The caller's own inv_freq, radians per position. Gives bit parity with an
/// engine whose frequencies are at hand, and any scheme not named here.
struct ExplicitFrequencies {
  std::vector<double> inv_freq;
  double attention_factor = 1.0;
};

using Scaling = std::variant<NoScaling, ExplicitFrequencies>;

/// What a model's configuration says about RoPE.
struct RopeParameters {
  /// Even, 0 to kMaxRotaryDim. With ExplicitFrequencies: twice their number,
  /// or 0 to take it from them.
  int rotary_dim = 0;
  /// rope_theta. The default is that of Su et al. 2021 and of Llama 1 and 2.
  double base = 10000.0;
  Scaling scaling = NoScaling{};
};

/// Computes the normal form in double precision.
///
/// Units:     sequence_length counts tokens; only length-dependent schemes
///            look at it.
/// Accuracy:  each inv_freq within 2 ulp (double) of the formula.
/// Errors:    kInvalidArgument: odd or negative rotary_dim, base NaN or not
///            positive, a list of the wrong length, negative
///            sequence_length. kOutOfRange: rotary_dim > kMaxRotaryDim.
///            kOutOfMemory.
/// Threads:   safe.
Result<Frequencies> ComputeFrequencies(const RopeParameters& parameters,
                                       int64_t sequence_length = 0) noexcept;

}  // namespace ropewalk
