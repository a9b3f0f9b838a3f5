// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A fixture that runs each case on every target which the library was compiled
// for and this CPU has.
#pragma once
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace ropewalk::test {

class AllTargets : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override;
  void TearDown() override;
};

std::vector<std::string> TargetsToTest();
std::string TargetParameterName(
    const testing::TestParamInfo<std::string>& parameter);

// Whether the active target fuses a multiplication and an addition.
bool ActiveTargetHasFma();

// How far a float32 rotation may be from the exact one, in ulps of
// max(|x0|, |x1|) times the scale, which is the factor m or, for the inverse,
// 1 / m. Each ulp of that magnitude is worth 2^-24 of it at least:
//   1      the rounded cos and sin, half an ulp of a number below 1 each;
//          sqrt(2) where m lifts them past 1, and 3 sqrt(2) for the inverse,
//          which scales them by a rounded 1 / m^2 and rounds them again;
//   0.5    the first product;
//   0.5    the second product, on targets that do not fuse it;
//   1      the sum, which may lie in the next binade.
// The sums of each are rounded up to a half.
double MaxRotationUlps(double factor = 1, bool inverse = false);

}  // namespace ropewalk::test

#define ROPEWALK_INSTANTIATE_ALL_TARGETS(Suite)                      \
  INSTANTIATE_TEST_SUITE_P(                                          \
      , Suite, testing::ValuesIn(::ropewalk::test::TargetsToTest()), \
      ::ropewalk::test::TargetParameterName)
