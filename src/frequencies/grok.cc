// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "frequencies/ladder.h"
#include "frequencies/schemes.h"
#include "frequencies/validate_parameters.h"
#include "frequencies/yarn_ramp.h"
#include "status/error.h"

namespace ropewalk::internal {
Result<Frequencies> Build(const SchemeInput& input,
                          const GrokYarnLogScaling& scheme) {
  const auto ramp = FindYarnRamp(
      input.parameters, {scheme.factor, scheme.original_positions,
                         scheme.beta_fast, scheme.beta_slow, scheme.truncate});
  if (!ramp.ok()) return ramp.status();
  auto frequencies = Build(input, NoScaling{});
  if (!frequencies.ok()) return frequencies;
  int pair = 0;
  for (double& w : frequencies.value().inv_freq) {
    w *= std::pow(scheme.factor, -ramp.value().At(pair++).slow);
  }
  return frequencies;
}

Result<Frequencies> Build(const SchemeInput& input,
                          const GrokThetaScaling& scheme) {
  ROPEWALK_RETURN_IF_ERROR(ValidatePositive("factor", scheme.factor));
  ROPEWALK_RETURN_IF_ERROR(ValidatePositive("base", input.parameters.base));
  const double turns = static_cast<double>(scheme.original_positions) / kTwoPi;
  if (!(turns > 1 && turns * scheme.factor > 1)) {
    return Error(StatusCode::kInvalidArgument,
                 "original_positions = %lld: must be above 2 pi, and so must "
                 "its product with factor = %g",
                 static_cast<long long>(scheme.original_positions),
                 scheme.factor);
  }
  RopeParameters changed;
  changed.rotary_dim = input.parameters.rotary_dim;
  changed.base = std::pow(input.parameters.base,
                          std::log(turns * scheme.factor) / std::log(turns));
  if (!std::isfinite(changed.base) || changed.base <= 0) {
    return Error(StatusCode::kOutOfRange,
                 "base = %g: out of range once it is changed for factor = %g",
                 input.parameters.base, scheme.factor);
  }
  return Build({changed, 0}, NoScaling{});
}

}  // namespace ropewalk::internal
