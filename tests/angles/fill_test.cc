// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernel of factored rows against the same products written out.
#include "angles/fill.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "support/all_targets.h"
#include "support/random.h"

namespace ropewalk::internal {
namespace {

class FillTest : public test::AllTargets {};

struct Turn {
  double cos;
  double sin;
};

Turn Times(const Turn& a, const Turn& b) {
  return {a.cos * b.cos - a.sin * b.sin, a.cos * b.sin + a.sin * b.cos};
}

// Three random rows of cos and sin.
std::vector<double> RandomFactors(int64_t padded) {
  test::Random random = test::Random::ForTest();
  std::vector<double> factors(static_cast<size_t>(6 * padded));
  for (double& factor : factors) factor = random.Uniform() * 2 - 1;
  return factors;
}

// The library and this file are compiled without contraction, so the bits must
// be equal, on every target.
void ExpectProducts(int64_t pairs, double m, bool three, bool negative) {
  const int64_t padded = (pairs + kFactorUnit - 1) / kFactorUnit * kFactorUnit;
  const std::vector<double> factors = RandomFactors(padded);
  const double* a = factors.data();
  const double* b = a + 2 * padded;
  const double* c = b + 2 * padded;
  std::vector<float> cos(static_cast<size_t>(padded) + 1, -7.0f);
  std::vector<float> sin(static_cast<size_t>(padded) + 1, -7.0f);
  const FactoredRow row = {a,          b,          three ? c : nullptr,
                           cos.data(), sin.data(), negative};
  FillFactored({&row, 1, pairs, padded, m});
  for (int64_t i = 0; i < pairs; ++i) {
    Turn turn = Times({a[i], a[padded + i]}, {b[i], b[padded + i]});
    if (three) turn = Times(turn, {c[i], c[padded + i]});
    const double sign = negative ? -1 : 1;
    const size_t at = static_cast<size_t>(i);
    ASSERT_EQ(cos[at], static_cast<float>(turn.cos * m)) << pairs << " " << i;
    ASSERT_EQ(sin[at], static_cast<float>(turn.sin * m * sign))
        << pairs << " " << i;
  }
  EXPECT_EQ(cos.back(), -7.0f) << "written past the padding";
  EXPECT_EQ(sin.back(), -7.0f) << "written past the padding";
}

TEST_P(FillTest, GivesTheUnfusedProducts) {
  for (int64_t pairs = 0; pairs <= 40; ++pairs) {
    for (const bool three : {false, true}) {
      for (const bool negative : {false, true}) {
        ExpectProducts(pairs, 1.0, three, negative);
        ExpectProducts(pairs, 1.2772588722239782, three, negative);
      }
    }
  }
}

TEST_P(FillTest, FillsManyRows) {
  constexpr int64_t kPairs = 8;
  const std::vector<double> factors = RandomFactors(kPairs);
  std::vector<float> cos(kPairs * 3);
  std::vector<float> sin(kPairs * 3);
  std::vector<FactoredRow> rows;
  for (int64_t r = 0; r < 3; ++r) {
    const double* c = r == 1 ? factors.data() + 4 * kPairs : nullptr;
    rows.push_back({factors.data(), factors.data() + 2 * kPairs, c,
                    cos.data() + r * kPairs, sin.data() + r * kPairs, r == 2});
  }
  FillFactored({rows.data(), 3, kPairs, kPairs, 1.0});
  for (size_t i = 0; i < kPairs; ++i) {
    EXPECT_EQ(cos[i], cos[2 * kPairs + i]);
    EXPECT_EQ(sin[i], -sin[2 * kPairs + i]);
    EXPECT_NE(cos[i], cos[kPairs + i]);
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(FillTest);

}  // namespace
}  // namespace ropewalk::internal
