// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// cos and sin to more than a hundred bits, by MPFR: what errors of a table are
// measured against. Includes nothing of the library.
#pragma once
#include <cstdint>
#include <vector>

namespace ropewalk::test {

// high + low; low is what high, rounded to nearest, leaves.
struct Twofold {
  double high;
  double low;
};

struct ExactPair {
  Twofold cos;
  Twofold sin;
};

// m cos and m sin of position * inv_freq, [positions][pairs]. The product is
// exact (64 + 53 bits of 128), cos and sin are rounded correctly to 128 bits,
// their product with m once more: within 2^-126 relative, of which the two
// doubles keep all but 2^-106.
std::vector<ExactPair> ExactRows(const std::vector<int64_t>& positions,
                                 const std::vector<double>& inv_freq, double m);

// value - exact, with a relative error of 2^-50 at most where the two are
// within a factor of two: their difference is then exact.
inline double Difference(double value, const Twofold& exact) {
  return (value - exact.high) - exact.low;
}

}  // namespace ropewalk::test
