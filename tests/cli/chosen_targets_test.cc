// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A command runs on the targets that it is told, and leaves none chosen.
#include "cli/chosen_targets.h"

#include <string>
#include <vector>

#include "cli/terminal.h"
#include "gtest/gtest.h"
#include "ropewalk/target.h"

namespace ropewalk::cli {
namespace {

TEST(ChosenTargetsTest, AreAllOrTheOneThatIsNamed) {
  const TargetNames available = AvailableTargets();
  const std::vector<std::string> all = ChosenTargets("");
  ASSERT_EQ(all.size(), static_cast<size_t>(available.count));
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i], available.names[i]);
  }
  EXPECT_EQ(ChosenTargets("X"), std::vector<std::string>{"X"});
}

TEST(ChosenTargetsTest, WidthLeavesASpace) {
  const std::string longest = "A_TARGET_OF_A_LONG_NAME";
  EXPECT_EQ(TargetWidth({"AVX2", longest}),
            static_cast<int>(longest.size()) + 1);
}

TEST(RestoreTargetTest, DetectsAgain) {
  ASSERT_TRUE(ForceTarget("").ok());
  const std::string detected = ActiveTarget();
  const TargetNames available = AvailableTargets();
  const char* const worst = available.names[available.count - 1];
  ASSERT_TRUE(ForceTarget(worst).ok());
  ASSERT_EQ(ActiveTarget(), std::string(worst));
  EXPECT_EQ(RestoreTarget(Status()), kFine);
  EXPECT_EQ(ActiveTarget(), detected);
  testing::internal::CaptureStderr();
  EXPECT_EQ(RestoreTarget(Status(StatusCode::kInvalidArgument, "why")),
            kFailed);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "ropewalk: why\n");
}

}  // namespace
}  // namespace ropewalk::cli
