// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "frequencies/ladder.h"
#include "frequencies/schemes.h"
#include "frequencies/validate_parameters.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

Status Validate(const Llama3Scaling& scheme) noexcept {
  ROPEWALK_RETURN_IF_ERROR(ValidatePositive("factor", scheme.factor));
  ROPEWALK_RETURN_IF_ERROR(
      ValidatePositive("low_freq_factor", scheme.low_freq_factor));
  ROPEWALK_RETURN_IF_ERROR(
      ValidatePositive("high_freq_factor", scheme.high_freq_factor));
  if (scheme.high_freq_factor < scheme.low_freq_factor) {
    return Error(StatusCode::kInvalidArgument,
                 "high_freq_factor = %g: must be at least low_freq_factor = %g",
                 scheme.high_freq_factor, scheme.low_freq_factor);
  }
  return ValidatePositions("original_positions", scheme.original_positions);
}

// By what a frequency that turns so often within the original context is
// multiplied.
double Multiplier(const Llama3Scaling& scheme, double rotations) {
  const double low = scheme.low_freq_factor;
  const double high = scheme.high_freq_factor;
  // Nothing to blend; the weights' rounding would show.
  if (scheme.factor == 1) return 1.0;
  if (rotations <= low) return 1.0 / scheme.factor;
  if (rotations >= high) return 1.0;
  return (high - rotations) / (high - low) / scheme.factor +
         (rotations - low) / (high - low);
}

}  // namespace

Result<Frequencies> Build(const SchemeInput& input,
                          const Llama3Scaling& scheme) {
  ROPEWALK_RETURN_IF_ERROR(Validate(scheme));
  auto frequencies = Build(input, NoScaling{});
  if (!frequencies.ok()) return frequencies;
  const auto original = static_cast<double>(scheme.original_positions);
  for (double& w : frequencies.value().inv_freq) {
    w *= Multiplier(scheme, original * w / kTwoPi);
  }
  return frequencies;
}

}  // namespace ropewalk::internal
