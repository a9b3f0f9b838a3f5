// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/score_biases.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace ropewalk::reference {
namespace {

// How often a prime divides a number.
int Multiplicity(int64_t number, int64_t prime) {
  int count = 0;
  for (; number % prime == 0; number /= prime) ++count;
  return count;
}

// Whether n^steps = a^(steps - k) b^k, by their prime factors.
bool IsMark(int64_t n, int64_t a, int64_t b, int64_t k, int64_t steps) {
  const auto agrees = [&](int64_t prime) {
    return steps * Multiplicity(n, prime) ==
           (steps - k) * Multiplicity(a, prime) + k * Multiplicity(b, prime);
  };
  for (int64_t rest : {n, a, b}) {
    for (int64_t prime = 2; prime * prime <= rest; ++prime) {
      if (rest % prime != 0) continue;
      if (!agrees(prime)) return false;
      while (rest % prime == 0) rest /= prime;
    }
    if (rest > 1 && !agrees(rest)) return false;
  }
  return true;
}

// floor(steps ln(n / a) / ln(b / a)), exact where it is an integer.
int64_t LogSteps(int64_t n, int64_t a, int64_t b, int64_t steps) {
  const long double ratio = std::log(static_cast<long double>(n) / a) /
                            std::log(static_cast<long double>(b) / a) * steps;
  const long double nearest = std::round(ratio);
  if (std::abs(ratio - nearest) < 1e-12L &&
      IsMark(n, a, b, static_cast<int64_t>(nearest), steps)) {
    return static_cast<int64_t>(nearest);
  }
  return static_cast<int64_t>(std::floor(ratio));
}

}  // namespace

long double AlibiSlope(int heads, int h, long double max_bias) {
  const long double n =
      std::exp2(std::floor(std::log2(static_cast<long double>(heads))));
  const long double exponent =
      h < n ? (h + 1) / n : (2 * (h - n) + 1) / (2 * n);
  return std::pow(2.0L, -max_bias * exponent);
}

int T5BucketOf(int buckets, int64_t max_distance, bool bidirectional,
               int64_t key_minus_query) {
  int bucket = 0;
  int64_t distance = -key_minus_query;
  if (bidirectional) {
    buckets /= 2;
    if (key_minus_query > 0) bucket = buckets;
    distance = std::abs(key_minus_query);
  } else {
    distance = std::max<int64_t>(distance, 0);
  }
  const int exact = buckets / 2;
  if (distance < exact) return bucket + static_cast<int>(distance);
  const int64_t large =
      exact + LogSteps(distance, exact, max_distance, buckets - exact);
  return bucket + static_cast<int>(std::min<int64_t>(large, buckets - 1));
}

int64_t ShawRow(int64_t clip, bool reversed, int64_t query, int64_t key) {
  const int64_t distance = reversed ? query - key : key - query;
  return std::max(-clip, std::min(clip, distance)) + clip;
}

void Sum::Add(double term) {
  value += term;
  magnitude += std::abs(term);
}

Sum Product(const std::vector<double>& a, const std::vector<double>& b) {
  Sum sum;
  for (size_t i = 0; i < a.size(); ++i) sum.Add(a[i] * b[i]);
  return sum;
}

}  // namespace ropewalk::reference
