// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "frequencies/ladder.h"

#include <cmath>

#include "frequencies/validate_parameters.h"
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

Result<std::vector<double>> Ladder(double base, int rotary_dim, int dim) {
  ROPEWALK_RETURN_IF_ERROR(ValidatePositive("base", base));
  std::vector<double> ladder;
  const int pairs = rotary_dim / 2;
  ladder.reserve(static_cast<size_t>(pairs));
  for (int i = 0; i < pairs; ++i) {
    ladder.push_back(RationalPower(base, -2.0 * i, dim));
  }
  return ladder;
}

Result<std::vector<double>> Ladder(const RopeParameters& parameters) {
  return Ladder(parameters.base, parameters.rotary_dim, parameters.rotary_dim);
}

double NtkBase(double base, double factor, int rotary_dim) {
  if (rotary_dim <= 2) return base;
  return base * RationalPower(factor, rotary_dim, rotary_dim - 2.0);
}

}  // namespace ropewalk::internal
