// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The slopes of ALiBi: the formula, closed forms, and known numbers.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "golden/golden_file.h"
#include "gtest/gtest.h"
#include "reference/score_biases.h"
#include "ropewalk/encodings/alibi.h"
#include "support/ulp.h"

namespace ropewalk::test {
namespace {

std::vector<float> SlopesOf(int heads, double max_bias = 8) {
  std::vector<float> slopes(static_cast<size_t>(heads), -1.0f);
  const Status status = AlibiSlopes(heads, max_bias, slopes.data());
  EXPECT_TRUE(status.ok()) << status.message();
  return slopes;
}

// One rounding to float32, of a double whose own error, below 2^-49, adds less
// than a thousandth of an ulp.
double MaxError(double slope) { return UlpF32(slope) * 0.501; }

TEST(AlibiSlopesTest, FollowTheFormula) {
  for (const double max_bias : {8.0, 1.0, 16.0, 2.5}) {
    for (int heads = 1; heads <= 112; ++heads) {
      const std::vector<float> slopes = SlopesOf(heads, max_bias);
      for (int h = 0; h < heads; ++h) {
        const double want =
            static_cast<double>(reference::AlibiSlope(heads, h, max_bias));
        EXPECT_NEAR(slopes[static_cast<size_t>(h)], want, MaxError(want))
            << heads << " heads, head " << h << ", max_bias " << max_bias;
      }
    }
  }
}

TEST(AlibiSlopesTest, MatchKnownNumbers) {
  const auto& golden = GoldenFile("score_biases.json").at("alibi_slopes");
  int cases = 0;
  for (const auto& [name, list] : golden.at("slopes").items()) {
    const auto want = list.get<std::vector<double>>();
    const std::vector<float> slopes = SlopesOf(std::stoi(name));
    ASSERT_EQ(slopes.size(), want.size());
    for (size_t h = 0; h < want.size(); ++h) {
      EXPECT_NEAR(slopes[h], want[h], MaxError(want[h])) << name << ", " << h;
    }
    ++cases;
  }
  EXPECT_EQ(cases, 11);
}

// Eight heads or fewer, by a power of two: 2^(-8 / n), a geometric series whose
// every term is a power of two.
TEST(AlibiSlopesTest, PowersOfTwoAreExact) {
  for (const int heads : {1, 2, 4, 8}) {
    const std::vector<float> slopes = SlopesOf(heads);
    for (int h = 0; h < heads; ++h) {
      EXPECT_EQ(slopes[static_cast<size_t>(h)],
                std::ldexp(1.0f, -8 / heads * (h + 1)))
          << heads << " heads, head " << h;
    }
  }
  // Every other one of 16 heads are those of 8.
  const std::vector<float> eight = SlopesOf(8);
  const std::vector<float> sixteen = SlopesOf(16);
  for (size_t h = 0; h < 8; ++h) EXPECT_EQ(sixteen[2 * h + 1], eight[h]);
}

// The first n are those of n heads, the others every other one of 2n heads.
TEST(AlibiSlopesTest, OtherNumbersTakeFromThoseOfTwice) {
  const std::vector<float> sixty_four = SlopesOf(64);
  const std::vector<float> twice = SlopesOf(128);
  const std::vector<float> slopes = SlopesOf(112);
  for (size_t h = 0; h < 112; ++h) {
    EXPECT_EQ(slopes[h], h < 64 ? sixty_four[h] : twice[2 * (h - 64)]) << h;
  }
}

TEST(AlibiSlopesTest, NoMaxBiasIsNoBias) {
  for (const int heads : {1, 12, 65536}) {
    for (const float slope : SlopesOf(heads, 0)) ASSERT_EQ(slope, 0.0f);
  }
}

TEST(AlibiSlopesTest, RefusalsWriteNothing) {
  std::vector<float> slopes(8, 7.0f);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_STREQ(AlibiSlopes(0, 8, slopes.data()).message(),
               "heads = 0: must be from 1 to 65536");
  EXPECT_STREQ(AlibiSlopes(65537, 8, slopes.data()).message(),
               "heads = 65537: must be from 1 to 65536");
  EXPECT_STREQ(AlibiSlopes(8, -1, slopes.data()).message(),
               "max_bias = -1: must be finite and not negative");
  EXPECT_FALSE(AlibiSlopes(8, nan, slopes.data()).ok());
  EXPECT_FALSE(AlibiSlopes(8, inf, slopes.data()).ok());
  EXPECT_STREQ(AlibiSlopes(8, 8, nullptr).message(),
               "slopes = null: must have room for 8 heads");
  EXPECT_EQ(slopes, std::vector<float>(8, 7.0f));
}

}  // namespace
}  // namespace ropewalk::test
