// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The library's own choice of a target.
#include "ropewalk/target.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "support/all_targets.h"

namespace ropewalk::test {
namespace {

std::vector<std::string> Compiled() {
  const TargetNames names = CompiledTargets();
  return {names.names, names.names + names.count};
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class TargetsTest : public testing::Test {
 protected:
  void TearDown() override { EXPECT_TRUE(ForceTarget("").ok()); }
};

TEST_F(TargetsTest, AvailableOnesAreCompiledOnesInTheSameOrder) {
  const std::vector<std::string> compiled = Compiled();
  std::vector<std::string> rest = TargetsToTest();
  ASSERT_FALSE(rest.empty());
  for (const std::string& name : compiled) {
    if (!rest.empty() && rest.front() == name) rest.erase(rest.begin());
  }
  EXPECT_TRUE(rest.empty()) << rest.front();
}

TEST_F(TargetsTest, NamesAreDistinctAndStay) {
  const TargetNames names = CompiledTargets();
  for (int i = 0; i < names.count; ++i) {
    for (int j = 0; j < i; ++j) {
      EXPECT_STRNE(names.names[i], names.names[j]);
    }
  }
  EXPECT_EQ(CompiledTargets().names, names.names);
  EXPECT_EQ(CompiledTargets().count, names.count);
}

TEST_F(TargetsTest, DetectionTakesTheBestOne) {
  if (std::getenv("ROPEWALK_TARGET") != nullptr) {
    GTEST_SKIP() << "ROPEWALK_TARGET is set";
  }
  EXPECT_EQ(ActiveTarget(), TargetsToTest().front());
}

TEST_F(TargetsTest, ForcedTargetIsActiveUntilDetectionIsRestored) {
  const std::string detected = ActiveTarget();
  for (const std::string& name : TargetsToTest()) {
    const Status status = ForceTarget(name);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(ActiveTarget(), name);
  }
  EXPECT_TRUE(ForceTarget("").ok());
  EXPECT_EQ(ActiveTarget(), detected);
}

TEST_F(TargetsTest, UnknownNamesAreRefusedAndChangeNothing) {
  const std::string last = TargetsToTest().back();
  ASSERT_TRUE(ForceTarget(last).ok());
  for (const std::string_view name : {"AVX1024", "scalar", "SCALAR ", "0"}) {
    const Status status = ForceTarget(name);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_NE(std::string(status.message()).find(name), std::string::npos)
        << status.message();
    EXPECT_NE(std::string(status.message()).find("target"), std::string::npos);
    EXPECT_EQ(ActiveTarget(), last);
  }
}

TEST_F(TargetsTest, NamesNeedNotEndWithZeroAndMayBeLong) {
  const std::string first = TargetsToTest().front();
  const std::string longer = first + "X";
  EXPECT_TRUE(
      ForceTarget(std::string_view(longer).substr(0, first.size())).ok());
  EXPECT_EQ(ActiveTarget(), first);
  EXPECT_FALSE(ForceTarget(longer).ok());
  EXPECT_FALSE(ForceTarget(std::string(100000, 'A')).ok());
}

TEST_F(TargetsTest, CompiledButUnsupportedIsUnsupported) {
  const std::vector<std::string> available = TargetsToTest();
  for (const std::string& name : Compiled()) {
    if (Contains(available, name)) continue;
    const Status status = ForceTarget(name);
    EXPECT_EQ(status.code(), StatusCode::kUnsupported) << name;
    EXPECT_NE(std::string(status.message()).find(name), std::string::npos);
  }
}

// The variable is read once, at the first use: a process of its own each.
class TargetsDeathTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

[[noreturn]] void ExitIfActive(const std::string& name) {
  std::exit(ActiveTarget() == name ? 0 : 1);
}

void ExpectActiveWith(const char* variable, const std::string& active) {
  const char* before = std::getenv("ROPEWALK_TARGET");
  const std::string restore = before ? before : "";
  setenv("ROPEWALK_TARGET", variable, 1);
  EXPECT_EXIT(ExitIfActive(active), testing::ExitedWithCode(0), "") << variable;
  if (before != nullptr) {
    setenv("ROPEWALK_TARGET", restore.c_str(), 1);
  } else {
    unsetenv("ROPEWALK_TARGET");
  }
}

TEST_F(TargetsDeathTest, EnvironmentChoosesAnAvailableTarget) {
  for (const std::string& name : TargetsToTest()) {
    ExpectActiveWith(name.c_str(), name);
  }
}

TEST_F(TargetsTest, EnvironmentIsReadOnce) {
  ASSERT_TRUE(ForceTarget("").ok());
  const std::string first = ActiveTarget();
  const char* before = std::getenv("ROPEWALK_TARGET");
  const std::string restore = before ? before : "";
  setenv("ROPEWALK_TARGET", TargetsToTest().back().c_str(), 1);
  EXPECT_TRUE(ForceTarget("").ok());
  EXPECT_EQ(ActiveTarget(), first);
  if (before != nullptr) {
    setenv("ROPEWALK_TARGET", restore.c_str(), 1);
  } else {
    unsetenv("ROPEWALK_TARGET");
  }
}

TEST_F(TargetsDeathTest, EnvironmentThatNamesNoTargetIsIgnored) {
  const std::string best = TargetsToTest().front();
  for (const char* variable : {"", "AVX1024", "avx2"}) {
    ExpectActiveWith(variable, best);
  }
}

}  // namespace
}  // namespace ropewalk::test
