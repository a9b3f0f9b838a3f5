// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "frequencies/plain.h"

#include <cmath>

#include "status/error.h"

namespace ropewalk::internal {
namespace {

// base^(numerator / denominator). The quotient is rounded, which alone would
// cost |exponent| * ln(base) / 2 ulp, 8 at base 1e7; its remainder gives that
// back to first order, and the second order is below 2^-90.
double RationalPower(double base, double numerator, double denominator) {
  const double exponent = numerator / denominator;
  const double remainder = std::fma(-exponent, denominator, numerator);
  const double power = std::pow(base, exponent);
  return power + power * (remainder / denominator * std::log(base));
}

}  // namespace

Result<Frequencies> PlainFrequencies(const RopeParameters& parameters) {
  const double base = parameters.base;
  if (!std::isfinite(base) || base <= 0.0) {
    return Error(StatusCode::kInvalidArgument,
                 "base = %g: must be finite and positive", base);
  }
  Frequencies frequencies;
  const int pairs = parameters.rotary_dim / 2;
  frequencies.inv_freq.reserve(static_cast<size_t>(pairs));
  for (int i = 0; i < pairs; ++i) {
    frequencies.inv_freq.push_back(
        RationalPower(base, -2.0 * i, parameters.rotary_dim));
  }
  return frequencies;
}

}  // namespace ropewalk::internal
