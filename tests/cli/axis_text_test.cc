// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Axis maps in words.
#include "cli/axis_text.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/axes.h"

namespace ropewalk::cli {
namespace {

using Axis = std::vector<uint8_t>;
const std::vector<std::string> kNames = {"t", "h", "w", "e"};

TEST(AxisTextTest, RunsAreRanges) {
  EXPECT_EQ(AxisText(ContiguousAxes({16, 24, 24}, 64).value(), kNames),
            "t 0-15, h 16-39, w 40-63");
  EXPECT_EQ(AxisText({0, 1, 1}, kNames), "t 0, h 1-2");
  EXPECT_EQ(AxisText({0}, kNames), "t 0");
  EXPECT_EQ(AxisText({}, kNames), "");
}

TEST(AxisTextTest, TurnsAreSaidOnce) {
  EXPECT_EQ(AxisText(InterleavedAxes({24, 20, 20}, 64).value(), kNames),
            "t h w in turn 0-60, t 61-63");
  EXPECT_EQ(AxisText(InterleavedAxes({11, 11, 10}, 32).value(), kNames),
            "t h w in turn 0-31");
  EXPECT_EQ(AxisText(InterleavedAxes({24, 20, 20}, 64, 3).value(), kNames),
            "t h w in turn 0-60, e 61-62, t 63");
  EXPECT_EQ(AxisText(ErnieAxes({22, 22, 20}, 64).value(), kNames),
            "h w in turn 0-43, t 44-63");
}

TEST(AxisTextTest, WhatHasNoPatternIsListed) {
  const std::string text =
      AxisText(BalancedAxes({16, 24, 24}, 64).value(), kNames);
  EXPECT_EQ(text.substr(0, 11), "t h w h w t");
  EXPECT_EQ(std::count(text.begin(), text.end(), ' '), 63);
}

TEST(AxisTextTest, ComponentsWithoutANameAreNumbers) {
  EXPECT_EQ(AxisText(Axis(3, 4), kNames), "4 0-2");
}

}  // namespace
}  // namespace ropewalk::cli
