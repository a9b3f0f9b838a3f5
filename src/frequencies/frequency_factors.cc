// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "frequencies/schemes.h"
#include "frequencies/validate_parameters.h"
#include "status/error.h"

namespace ropewalk::internal {

Result<Frequencies> Build(const SchemeInput& input,
                          const FrequencyFactors& scheme) {
  ROPEWALK_RETURN_IF_ERROR(
      ValidateDivisors("factors", scheme.factors, input.parameters.rotary_dim));
  auto frequencies = Build(input, NoScaling{});
  if (!frequencies.ok()) return frequencies;
  size_t i = 0;
  for (double& w : frequencies.value().inv_freq) w /= scheme.factors[i++];
  frequencies.value().attention_factor = scheme.attention_factor;
  return frequencies;
}

}  // namespace ropewalk::internal
