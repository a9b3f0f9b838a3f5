// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "frequencies/ladder.h"
#include "frequencies/schemes.h"
#include "frequencies/validate_parameters.h"
#include "status/error.h"

namespace ropewalk::internal {

Result<Frequencies> Build(const SchemeInput& input,
                          const ProportionalScaling& scheme) {
  const int rotary_dim = input.parameters.rotary_dim;
  if (scheme.head_dim % 2 != 0 || scheme.head_dim < rotary_dim) {
    return Error(StatusCode::kInvalidArgument,
                 "head_dim = %d: must be even and at least rotary_dim = %d",
                 scheme.head_dim, rotary_dim);
  }
  ROPEWALK_RETURN_IF_ERROR(ValidatePositive("factor", scheme.factor));
  auto ladder = Ladder(input.parameters.base, rotary_dim, scheme.head_dim);
  if (!ladder.ok()) return ladder.status();
  Frequencies frequencies;
  frequencies.inv_freq = std::move(ladder).value();
  for (double& w : frequencies.inv_freq) w /= scheme.factor;
  return frequencies;
}

}  // namespace ropewalk::internal
