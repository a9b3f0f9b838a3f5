// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "frequencies/ladder.h"
#include "frequencies/schemes.h"
#include "frequencies/validate_parameters.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

// Spread evenly over the ladder, so that the first pair slows down as well.
void SlowEvenly(double factor, int rotary_dim, std::vector<double>* inv_freq) {
  double i = 0;
  for (double& w : *inv_freq) {
    w *= std::pow(factor, -2.0 * (i + 1.0) / rotary_dim);
    i += 1.0;
  }
}

void SlowByMix(double factor, double mixed_b, std::vector<double>* inv_freq) {
  const auto pairs = static_cast<double>(inv_freq->size());
  double i = 0;
  for (double& w : *inv_freq) {
    i += 1.0;
    w /= std::exp(std::log(factor) * std::pow(i / pairs, mixed_b));
  }
}

}  // namespace

Result<Frequencies> Build(const SchemeInput& input,
                          const VllmNtkScaling& scheme) {
  ROPEWALK_RETURN_IF_ERROR(ValidatePositive("factor", scheme.factor));
  ROPEWALK_RETURN_IF_ERROR(ValidateOptional("mixed_b", scheme.mixed_b));
  auto frequencies = Build(input, NoScaling{});
  if (!frequencies.ok()) return frequencies;
  std::vector<double>* inv_freq = &frequencies.value().inv_freq;
  if (scheme.mixed_b.has_value()) {
    SlowByMix(scheme.factor, *scheme.mixed_b, inv_freq);
  } else {
    SlowEvenly(scheme.factor, input.parameters.rotary_dim, inv_freq);
  }
  return frequencies;
}

}  // namespace ropewalk::internal
