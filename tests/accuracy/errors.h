// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// How errors are counted, and in what: README.md says why in these units.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "accuracy/exact_rows.h"
#include "ropewalk/types.h"
#include "support/ulp.h"

namespace ropewalk::test {

// The worst and the mean of errors; a NaN is an infinite one.
struct ErrorCount {
  double worst = 0;
  double sum = 0;
  int64_t count = 0;

  void Add(double error) {
    if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
    worst = std::max(worst, error);
    sum += error;
    ++count;
  }
  void Add(const ErrorCount& other) {
    worst = std::max(worst, other.worst);
    sum += other.sum;
    count += other.count;
  }
  double mean() const {
    return count == 0 ? 0 : sum / static_cast<double>(count);
  }
};

// An element of a table, in float32 ulp of the exact value or, nearer to zero
// than m / 256, of m / 256.
inline double TableUlps(float got, const Twofold& exact, double m) {
  const double of = std::max(std::fabs(exact.high), m / 256);
  return std::fabs(Difference(double{got}, exact)) / UlpF32(of);
}

// How far it is beyond half an ulp of the exact value, in m 2^-40; 0: within.
inline double TableExcess(float got, const Twofold& exact, double m) {
  const double error = std::fabs(Difference(double{got}, exact));
  const double beyond = error - 0.5 * UlpF32(std::fabs(exact.high));
  return std::isnan(error) ? error : std::max(beyond, 0.0) / (m * 0x1p-40);
}

}  // namespace ropewalk::test
