// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What YaRN and its kin share: how far each pair is interpolated.
#pragma once
#include <cstdint>
#include <vector>

#include "ropewalk/scaling.h"

namespace ropewalk::internal {

// How far a pair is interpolated: keep + slow = 1, each formed without
// subtracting the other, so that neither loses digits.
struct RampWeight {
  double keep;
  double slow;
};

// From the first pair that is not fully kept to the last one that is not fully
// slowed down.
struct YarnRamp {
  RampWeight At(int pair) const noexcept;

  double low;
  double high;
};

// The fields that the schemes with a ramp have in common.
struct YarnRange {
  double factor;
  int64_t original_positions;
  double beta_fast;
  double beta_slow;
  bool truncate;
};

// Checks the range, and finds the ramp.
// Source: Peng et al. 2023, arXiv:2309.00071, section 3.2; rounding and cut to
// [0, rotary_dim - 1] as HF "yarn".
Result<YarnRamp> FindYarnRamp(const RopeParameters& parameters,
                              const YarnRange& range);

}  // namespace ropewalk::internal
