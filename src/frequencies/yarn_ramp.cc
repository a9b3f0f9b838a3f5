// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "frequencies/yarn_ramp.h"

#include <algorithm>
#include <cmath>
#include "frequencies/ladder.h"

#include "frequencies/validate_parameters.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

// Between equal ends, as HF has it: a step.
constexpr double kNarrowest = 0.001;

// The pair, not whole, that turns that often within the original context.
double PairOfRotations(const RopeParameters& parameters, double original,
                       double rotations) {
  return parameters.rotary_dim * std::log(original / (rotations * kTwoPi)) /
         (2 * std::log(parameters.base));
}

Status ValidateRange(const RopeParameters& parameters,
                     const YarnRange& range) noexcept {
  ROPEWALK_RETURN_IF_ERROR(ValidatePositive("factor", range.factor));
  ROPEWALK_RETURN_IF_ERROR(
      ValidatePositions("original_positions", range.original_positions));
  ROPEWALK_RETURN_IF_ERROR(ValidatePositive("beta_fast", range.beta_fast));
  ROPEWALK_RETURN_IF_ERROR(ValidatePositive("beta_slow", range.beta_slow));
  if (range.beta_fast < range.beta_slow) {
    return Error(StatusCode::kInvalidArgument,
                 "beta_fast = %g: must be at least beta_slow = %g",
                 range.beta_fast, range.beta_slow);
  }
  if (!std::isfinite(parameters.base) || parameters.base <= 1.0) {
    return Error(StatusCode::kInvalidArgument,
                 "base = %g: must be finite and above 1 for a ramp",
                 parameters.base);
  }
  return Status();
}

}  // namespace

RampWeight YarnRamp::At(int pair) const noexcept {
  if (pair <= low) return {1.0, 0.0};
  if (pair >= high) return {0.0, 1.0};
  return {(high - pair) / (high - low), (pair - low) / (high - low)};
}

Result<YarnRamp> FindYarnRamp(const RopeParameters& parameters,
                              const YarnRange& range) {
  ROPEWALK_RETURN_IF_ERROR(ValidateRange(parameters, range));
  const auto original = static_cast<double>(range.original_positions);
  YarnRamp ramp = {PairOfRotations(parameters, original, range.beta_fast),
                   PairOfRotations(parameters, original, range.beta_slow)};
  if (range.truncate) {
    ramp = {std::floor(ramp.low), std::ceil(ramp.high)};
  }
  ramp.low = std::max(ramp.low, 0.0);
  ramp.high = std::min(ramp.high, parameters.rotary_dim - 1.0);
  if (ramp.high < ramp.low && parameters.rotary_dim > 0) {
    return Error(StatusCode::kInvalidArgument,
                 "original_positions = %lld: the ramp would run backwards, "
                 "from pair %g to pair %g",
                 static_cast<long long>(range.original_positions), ramp.low,
                 ramp.high);
  }
  if (ramp.high == ramp.low) ramp.high += kNarrowest;
  return ramp;
}

}  // namespace ropewalk::internal
