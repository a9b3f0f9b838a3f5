// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The ladders of frequencies against their formulas in long double.
#include <cmath>
#include <limits>
#include <string>

#include "encodings/sinusoid.h"
#include "gtest/gtest.h"
#include "ropewalk/encodings/sinusoidal.h"

namespace ropewalk::test {
namespace {

// The exponent of 1 / base.
long double ExponentOf(SinusoidalLadder ladder, int width, int i) {
  const int pairs = width / 2;
  switch (ladder) {
    case SinusoidalLadder::kByWidth:
      return 2.0L * i / width;
    case SinusoidalLadder::kToBase:
      return pairs == 1 ? 0.0L : static_cast<long double>(i) / (pairs - 1);
    case SinusoidalLadder::kByPairs:
      return static_cast<long double>(i) / pairs;
  }
  return 0;
}

double UlpOf(double value) {
  return std::nextafter(value, std::numeric_limits<double>::infinity()) - value;
}

TEST(SinusoidalFrequenciesTest, EachIsWithinTwoUlpsOfItsFormula) {
  for (const SinusoidalLadder ladder : kLadders) {
    for (const int width : {2, 3, 4, 5, 6, 7, 64, 65, 512, 1001, 1280, 4096}) {
      for (const double base : {10000.0, 100.0, 500000.0, 0.5}) {
        const auto frequencies = SinusoidalFrequencies(width, base, ladder);
        ASSERT_TRUE(frequencies.ok()) << frequencies.status().message();
        const auto& inv_freq = frequencies.value().inv_freq;
        ASSERT_EQ(inv_freq.size(), static_cast<size_t>(width / 2));
        for (int i = 0; i < width / 2; ++i) {
          const double got = inv_freq[static_cast<size_t>(i)];
          const long double want = std::pow(static_cast<long double>(base),
                                            -ExponentOf(ladder, width, i));
          ASSERT_LE(std::fabs(static_cast<double>(got - want)), 2 * UlpOf(got))
              << "width " << width << ", base " << base << ", pair " << i;
        }
      }
    }
  }
}

TEST(SinusoidalFrequenciesTest, TheLadderToBaseEndsThere) {
  for (const int width : {4, 5, 512}) {
    const auto frequencies =
        SinusoidalFrequencies(width, 10000.0, SinusoidalLadder::kToBase);
    ASSERT_TRUE(frequencies.ok()) << frequencies.status().message();
    EXPECT_EQ(frequencies.value().inv_freq.front(), 1.0);
    EXPECT_EQ(frequencies.value().inv_freq.back(), 1e-4);
  }
}

void ExpectRefused(const Result<Frequencies>& result, StatusCode code,
                   const std::string& text) {
  ASSERT_FALSE(result.ok()) << text;
  EXPECT_EQ(result.status().code(), code) << result.status().message();
  EXPECT_NE(std::string(result.status().message()).find(text),
            std::string::npos)
      << result.status().message();
}

TEST(SinusoidalFrequenciesTest, RefusesWhatHasNoLadder) {
  constexpr auto kInvalid = StatusCode::kInvalidArgument;
  ExpectRefused(SinusoidalFrequencies(1), kInvalid, "width = 1");
  ExpectRefused(SinusoidalFrequencies(-4), kInvalid, "width = -4");
  ExpectRefused(SinusoidalFrequencies(kMaxRotaryDim + 1),
                StatusCode::kOutOfRange, "width = 65537");
  ExpectRefused(SinusoidalFrequencies(8, 0.0), kInvalid, "base = 0");
  ExpectRefused(SinusoidalFrequencies(8, -2.0), kInvalid, "base = -2");
  ExpectRefused(
      SinusoidalFrequencies(8, std::numeric_limits<double>::quiet_NaN()),
      kInvalid, "base = nan");
  ExpectRefused(
      SinusoidalFrequencies(8, 10000.0, static_cast<SinusoidalLadder>(3)),
      kInvalid, "ladder = 3");
  // Its last frequency is past 2^64.
  ExpectRefused(SinusoidalFrequencies(64, 1e-300), StatusCode::kOutOfRange,
                "inv_freq[");
}

}  // namespace
}  // namespace ropewalk::test
