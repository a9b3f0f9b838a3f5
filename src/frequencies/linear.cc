// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "frequencies/schemes.h"
#include "frequencies/validate_parameters.h"
#include "status/error.h"

namespace ropewalk::internal {

Result<Frequencies> Build(const SchemeInput& input,
                          const LinearScaling& scheme) {
  ROPEWALK_RETURN_IF_ERROR(ValidatePositive("factor", scheme.factor));
  auto frequencies = Build(input, NoScaling{});
  if (!frequencies.ok()) return frequencies;
  for (double& w : frequencies.value().inv_freq) w /= scheme.factor;
  return frequencies;
}

}  // namespace ropewalk::internal
