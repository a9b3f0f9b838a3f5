// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "frequencies/schemes.h"
#include "frequencies/validate_parameters.h"
#include "frequencies/yarn_magnitude.h"
#include "frequencies/yarn_ramp.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

// Each frequency between itself and itself / factor.
Result<Frequencies> Blend(const SchemeInput& input, const YarnRange& range,
                          double extrapolation_weight) {
  const auto ramp = FindYarnRamp(input.parameters, range);
  if (!ramp.ok()) return ramp.status();
  auto frequencies = Build(input, NoScaling{});
  if (!frequencies.ok()) return frequencies;
  // Nothing to blend; the weights' rounding would show.
  if (range.factor == 1) return frequencies;
  int pair = 0;
  for (double& w : frequencies.value().inv_freq) {
    const RampWeight weight = ramp.value().At(pair++);
    const double keep = extrapolation_weight * weight.keep;
    const double slow =
        weight.slow + (1.0 - extrapolation_weight) * weight.keep;
    w *= slow / range.factor + keep;
  }
  return frequencies;
}

double AttentionFactor(const YarnScaling& scheme) {
  if (scheme.attention_factor.has_value()) return *scheme.attention_factor;
  const double mscale = scheme.mscale.value_or(0);
  const double all_dim = scheme.mscale_all_dim.value_or(0);
  if (mscale == 0 || all_dim == 0) return YarnMagnitude(scheme.factor, 1);
  return YarnMagnitude(scheme.factor, mscale) /
         YarnMagnitude(scheme.factor, all_dim);
}

}  // namespace

Result<Frequencies> Build(const SchemeInput& input, const YarnScaling& scheme) {
  const double weight = scheme.extrapolation_weight;
  if (!(weight >= 0 && weight <= 1)) {
    return Error(StatusCode::kInvalidArgument,
                 "extrapolation_weight = %g: must be from 0 to 1", weight);
  }
  ROPEWALK_RETURN_IF_ERROR(
      ValidateOptional("attention_factor", scheme.attention_factor));
  ROPEWALK_RETURN_IF_ERROR(
      ValidateOptional("mscale", scheme.mscale, /*zero_too=*/true));
  ROPEWALK_RETURN_IF_ERROR(ValidateOptional(
      "mscale_all_dim", scheme.mscale_all_dim, /*zero_too=*/true));
  auto frequencies =
      Blend(input,
            {scheme.factor, scheme.original_positions, scheme.beta_fast,
             scheme.beta_slow, scheme.truncate},
            weight);
  if (frequencies.ok()) {
    frequencies.value().attention_factor = AttentionFactor(scheme);
  }
  return frequencies;
}

Result<Frequencies> Build(const SchemeInput& input,
                          const DeepSeekYarnScaling& scheme) {
  ROPEWALK_RETURN_IF_ERROR(
      ValidateOptional("mscale", scheme.mscale, /*zero_too=*/true));
  ROPEWALK_RETURN_IF_ERROR(ValidateOptional(
      "mscale_all_dim", scheme.mscale_all_dim, /*zero_too=*/true));
  auto frequencies =
      Blend(input,
            {scheme.factor, scheme.original_positions, scheme.beta_fast,
             scheme.beta_slow, /*truncate=*/true},
            /*extrapolation_weight=*/1);
  if (!frequencies.ok()) return frequencies;
  const double all_dim = YarnMagnitude(scheme.factor, scheme.mscale_all_dim);
  frequencies.value().attention_factor =
      YarnMagnitude(scheme.factor, scheme.mscale) / all_dim;
  frequencies.value().softmax_multiplier = all_dim * all_dim;
  return frequencies;
}

}  // namespace ropewalk::internal
