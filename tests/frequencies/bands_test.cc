// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/bands.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace ropewalk {
namespace {

constexpr double kTwoPi = 6.283185307179586;

RopeParameters Parameters(int rotary_dim, double base, Scaling scaling) {
  RopeParameters parameters;
  parameters.rotary_dim = rotary_dim;
  parameters.base = base;
  parameters.scaling = std::move(scaling);
  return parameters;
}

Bands BandsOf(const RopeParameters& parameters, int64_t original = 0,
              int64_t length = 0) {
  auto bands = ComputeBands(parameters, original, length);
  EXPECT_TRUE(bands.ok()) << bands.status().message();
  return bands.ok() ? std::move(bands).value() : Bands{};
}

// How many pairs are in each band, which must follow each other in this order.
std::vector<int> Counts(const Bands& bands) {
  std::vector<int> counts(3);
  int last = 0;
  for (const PairBand& pair : bands.pairs) {
    const int band = static_cast<int>(pair.band);
    EXPECT_GE(band, last);
    last = band;
    ++counts[static_cast<size_t>(band)];
  }
  return counts;
}

// The ramp of Qwen2.5 runs from pair 23 to pair 40: 23 and what is before it
// is kept, 40 and what follows divided.
TEST(BandsTest, YarnFollowsItsRamp) {
  YarnScaling yarn;
  yarn.factor = 4;
  yarn.original_positions = 32768;
  const Bands bands = BandsOf(Parameters(128, 1e6, yarn));
  EXPECT_EQ(bands.factor, 4);
  EXPECT_EQ(bands.original_positions, 32768);
  EXPECT_EQ(Counts(bands), (std::vector<int>{24, 16, 24}));
}

// By the scheme's own definition: pairs that turn more than 4 times within
// 8192 positions are kept, those that turn less than once divided by 8.
TEST(BandsTest, Llama3FollowsItsRotations) {
  const Bands bands =
      BandsOf(Parameters(128, 5e5, Llama3Scaling{8, 1, 4, 8192}));
  int i = 0;
  for (const PairBand& pair : bands.pairs) {
    const double plain = kTwoPi * std::pow(5e5, 2.0 * i++ / 128);
    EXPECT_NEAR(pair.plain_wavelength, plain, plain * 1e-14);
    EXPECT_NEAR(pair.rotations, 8192 / plain, 8192 / plain * 1e-14);
    EXPECT_NEAR(pair.wavelength * pair.inv_freq, kTwoPi, 1e-14);
    EXPECT_EQ(pair.band, pair.rotations > 4   ? Band::kExtrapolated
                         : pair.rotations < 1 ? Band::kInterpolated
                                              : Band::kBlended);
  }
  EXPECT_GT(Counts(bands)[1], 0);
}

TEST(BandsTest, PlainOnlyExtrapolates) {
  const Bands bands = BandsOf(Parameters(64, 1e4, NoScaling{}), 2048);
  EXPECT_EQ(Counts(bands), (std::vector<int>{32, 0, 0}));
  EXPECT_EQ(bands.factor, 1);
}

TEST(BandsTest, LinearOnlyInterpolates) {
  const Bands bands = BandsOf(Parameters(64, 1e4, LinearScaling{8}), 4096);
  EXPECT_EQ(Counts(bands), (std::vector<int>{0, 0, 32}));
}

// The base change leaves the first pair, and divides the last by the factor.
TEST(BandsTest, NtkBlendsBetweenItsEnds) {
  const std::vector<int> ends = {1, 62, 1};
  EXPECT_EQ(Counts(BandsOf(Parameters(128, 1e4, NtkScaling{8}), 4096)), ends);
  EXPECT_EQ(Counts(BandsOf(Parameters(128, 1e4, NtkAlphaScaling{1000}), 4096)),
            ends);
  const Bands dynamic =
      BandsOf(Parameters(128, 1e4, DynamicNtkScaling{2, 2048}), 0, 4096);
  EXPECT_EQ(Counts(dynamic), ends);
  EXPECT_EQ(dynamic.factor, 3);  // 2 * 4096 / 2048 - (2 - 1)
  EXPECT_EQ(dynamic.original_positions, 2048);
  const Bands within =
      BandsOf(Parameters(128, 1e4, DynamicNtkScaling{2, 2048}), 0, 2048);
  EXPECT_EQ(Counts(within), (std::vector<int>{64, 0, 0}));
}

// A factor below 1 makes every pair that it reaches turn faster.
TEST(BandsTest, AFactorBelowOneInterpolatesToo) {
  const Bands linear = BandsOf(Parameters(64, 1e4, LinearScaling{0.5}), 4096);
  EXPECT_EQ(Counts(linear), (std::vector<int>{0, 0, 32}));
  YarnScaling yarn;
  yarn.factor = 0.5;
  yarn.original_positions = 32768;
  EXPECT_EQ(Counts(BandsOf(Parameters(128, 1e6, yarn))),
            (std::vector<int>{24, 16, 24}));
}

TEST(BandsTest, ListsAreComparedWithTheirLargestDivisor) {
  const Bands bands =
      BandsOf(Parameters(6, 1e4, FrequencyFactors{{1, 3, 8}, 1}), 4096);
  EXPECT_EQ(Counts(bands), (std::vector<int>{1, 1, 1}));
  EXPECT_NEAR(bands.factor, 8, 8e-15);
}

TEST(BandsTest, ProportionalStartsFromTheWholeHead) {
  const Bands bands =
      BandsOf(Parameters(128, 1e6, ProportionalScaling{512, 1}), 4096);
  EXPECT_EQ(Counts(bands), (std::vector<int>{64, 0, 0}));
}

TEST(BandsTest, AFrequencyOfZeroHasNoWavelength) {
  const Bands bands =
      BandsOf(Parameters(0, 1e4, ExplicitFrequencies{{1.0, 0.0}, 1}), 4096);
  ASSERT_EQ(bands.pairs.size(), 2u);
  EXPECT_EQ(bands.pairs[1].wavelength, std::numeric_limits<double>::infinity());
  EXPECT_EQ(bands.pairs[1].band, Band::kInterpolated);
}

TEST(BandsTest, NeedsTheOriginalLength) {
  for (const int64_t original : {int64_t{0}, int64_t{-1}}) {
    const auto bands =
        ComputeBands(Parameters(64, 1e4, LinearScaling{8}), original);
    EXPECT_EQ(bands.status().code(), StatusCode::kInvalidArgument);
    EXPECT_NE(std::string(bands.status().message()).find("original_positions"),
              std::string::npos);
  }
  EXPECT_FALSE(ComputeBands(Parameters(7, 1e4, NoScaling{}), 64).ok());
}

}  // namespace
}  // namespace ropewalk
