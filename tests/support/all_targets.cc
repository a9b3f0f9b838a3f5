// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "support/all_targets.h"

#include "ropewalk/target.h"

namespace ropewalk::test {

void AllTargets::SetUp() {
  const Status forced = ForceTarget(GetParam());
  ASSERT_TRUE(forced.ok()) << forced.message();
  ASSERT_EQ(ActiveTarget(), GetParam());
}

void AllTargets::TearDown() {
  EXPECT_EQ(ActiveTarget(), GetParam()) << "the target changed in the test";
  EXPECT_TRUE(ForceTarget("").ok());
}

std::vector<std::string> TargetsToTest() {
  const TargetNames available = AvailableTargets();
  return {available.names, available.names + available.count};
}

std::string TargetParameterName(
    const testing::TestParamInfo<std::string>& parameter) {
  return parameter.param;
}

bool ActiveTargetHasFma() {
  const std::string target = ActiveTarget();
  for (const char* without : {"SSE2", "SSSE3", "SSE4", "SCALAR", "EMU128"}) {
    if (target == without) return false;
  }
  return true;
}

double MaxRotationUlps(double factor, bool inverse) {
  const double unfused = ActiveTargetHasFma() ? 0 : 0.5;
  if (factor == 1) return 2.5 + unfused;
  return (inverse ? 6 : 3) + unfused;
}

}  // namespace ropewalk::test
