// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The oracle against numbers that are known without it.
#include "reference/oracle.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace ropewalk::reference {
namespace {

// Half a unit of the seventh decimal, as the known values are printed.
constexpr double kPrinted = 0.5e-7 * (1 + 1e-6);

TEST(OracleTest, KnowsCosinesOfLargePositions) {
  EXPECT_NEAR(ExactAngle(16777216, 1).cos, 0.6263230, kPrinted);
  EXPECT_NEAR(ExactAngle(16777217, 1).cos, 0.9943840, kPrinted);
  EXPECT_NEAR(ExactAngle(2147483647, 1).cos, -0.6888367, kPrinted);
  EXPECT_NEAR(ExactAngle(77196, 1).cos, 0.70716488, 0.51e-8);
  EXPECT_NEAR(ExactAngle(77196, 1).sin, 0.70704867, 0.51e-8);
}

TEST(OracleTest, KeepsTheLowPartOfTheProduct) {
  // (2^27 + 1)^2 = 2^54 + 2^28 + 1, whose last one a double product drops.
  const double p = 134217729;
  const CosSin whole = ExactAngle(p, p);
  const CosSin even = ExactAngle(18014398777917440.0, 1);
  EXPECT_NEAR(whole.cos, even.cos * std::cos(1) - even.sin * std::sin(1),
              std::ldexp(1, -50));
}

TEST(OracleTest, TurnsBySimpleAngles) {
  const double sixth = std::acos(-1.0) / 6;
  EXPECT_NEAR(ExactAngle(1, sixth).sin, 0.5, std::ldexp(1, -51));
  EXPECT_NEAR(ExactAngle(-1, sixth).sin, -0.5, std::ldexp(1, -51));
  EXPECT_NEAR(ExactAngle(2, sixth).cos, 0.5, std::ldexp(1, -51));
  EXPECT_EQ(ExactAngle(0, sixth).cos, 1);
  EXPECT_EQ(ExactAngle(0, sixth).sin, 0);
}

TEST(OracleTest, LadderStartsAtOneAndEndsBeforeTheBase) {
  const std::vector<double> inv_freq = PlainInvFreq(4, 10000);
  ASSERT_EQ(inv_freq.size(), 2u);
  EXPECT_EQ(inv_freq[0], 1);
  EXPECT_NEAR(inv_freq[1], 0.01, std::ldexp(1, -58));
}

TEST(OracleTest, RotatesTheWindowOnly) {
  const CosSin quarter[] = {{0, 1}, {0, 1}};
  std::vector<double> half = {9, 1, 2, 3, 4, 9};
  RotateHead({2, false, 1, 2}, quarter, 1, Turn::kForward, half.data());
  EXPECT_EQ(half, (std::vector<double>{9, -3, -4, 1, 2, 9}));
  std::vector<double> neighbours = {9, 1, 2, 3, 4, 9};
  RotateHead({2, true, 1, 0}, quarter, 2, Turn::kForward, neighbours.data());
  EXPECT_EQ(neighbours, (std::vector<double>{9, -4, 2, -8, 6, 9}));
  std::vector<double> distant = {1, 2, 9, 9, 3, 4};
  RotateHead({2, false, 0, 4}, quarter, 2, Turn::kTranspose, distant.data());
  EXPECT_EQ(distant, (std::vector<double>{6, 8, 9, 9, -2, -4}));
  RotateHead({2, false, 0, 4}, quarter, 4, Turn::kInverse, distant.data());
  EXPECT_EQ(distant, (std::vector<double>{-0.5, -1, 9, 9, -1.5, -2}));
}

TEST(OracleTest, ConvertsKnownNumbers) {
  EXPECT_EQ(ToBF16(1), 0x3F80);
  EXPECT_EQ(ToBF16(-2.5), 0xC020);
  EXPECT_EQ(ToF16(1), 0x3C00);
  EXPECT_EQ(ToF16(65504), 0x7BFF);
  EXPECT_EQ(ToF16(65519.9), 0x7BFF);
  EXPECT_EQ(ToF16(65520), 0x7C00);
  EXPECT_EQ(ToF16(std::ldexp(1, -24)), 0x0001);
  EXPECT_EQ(ToF16(std::ldexp(1, -25)), 0x0000);
  EXPECT_EQ(ToF16(std::ldexp(3, -26)), 0x0001);
  EXPECT_EQ(ToF16(-0.0), 0x8000);
  EXPECT_EQ(ToBF16(std::numeric_limits<float>::max()), 0x7F80);
}

TEST(OracleTest, RoundsTiesToEven) {
  EXPECT_EQ(ToBF16(1 + std::ldexp(1, -8)), 0x3F80);
  EXPECT_EQ(ToBF16(1 + std::ldexp(3, -8)), 0x3F82);
  EXPECT_EQ(ToF16(1 + std::ldexp(1, -11)), 0x3C00);
  EXPECT_EQ(ToF16(1 + std::ldexp(3, -11)), 0x3C02);
}

TEST(OracleTest, DecodesBF16AsTheUpperHalfOfAFloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const uint32_t wide = bits << 16;
    float value;
    std::memcpy(&value, &wide, sizeof(value));
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(FromBF16(static_cast<uint16_t>(bits))));
    } else {
      EXPECT_EQ(FromBF16(static_cast<uint16_t>(bits)), value);
    }
  }
}

TEST(OracleTest, ConversionsRoundTrip) {
  for (uint32_t i = 0; i < 0x10000; ++i) {
    const uint16_t bits = static_cast<uint16_t>(i);
    if (!std::isnan(FromBF16(bits))) {
      EXPECT_EQ(ToBF16(FromBF16(bits)), bits);
    }
    if (!std::isnan(FromF16(bits))) {
      EXPECT_EQ(ToF16(FromF16(bits)), bits);
    }
  }
  EXPECT_TRUE(std::isnan(FromBF16(ToBF16(std::nan("")))));
  EXPECT_TRUE(std::isnan(FromF16(ToF16(std::nan("")))));
}

}  // namespace
}  // namespace ropewalk::reference
