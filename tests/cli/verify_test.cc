// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// `ropewalk verify` tells a right rotation from wrong ones.
#include "cli/verify.h"

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "reference/scaling_oracle.h"
#include "ropewalk/axes.h"
#include "ropewalk/scaling.h"
#include "ropewalk/target.h"
#include "ropewalk/vision.h"
#include "support/all_targets.h"

namespace ropewalk::cli {
namespace {

// Llama-3.1-8B's.
LayerRope Llama31() {
  LayerRope layer;
  layer.layer_type = "all";
  layer.parameters = {128, 5e5, Llama3Scaling{8, 1, 4, 8192}};
  layer.layout.head_dim = layer.layout.rotary_dim = 128;
  layer.key_layout = layer.layout;
  return layer;
}

constexpr int64_t kMaxPositions = 131072;

VerifyCase CaseOf(const LayerRope& layer) {
  return CasesOf(layer, kMaxPositions).at(0);
}

reference::Scheme OracleOf(const VerifyCase& one) {
  return reference::SchemeOf(one.parameters, one.sequence_length);
}

Frequencies Used(const VerifyCase& one) {
  return ComputeFrequencies(one.parameters, one.sequence_length).value();
}

bool Broken(const Check& check) {
  return !(check.error.worst <= check.error.limit);
}

class VerifyTest : public testing::Test {
 protected:
  void TearDown() override { EXPECT_TRUE(ForceTarget("").ok()); }

  // What is reported broken, each name once.
  static std::vector<std::string> BrokenOf(const VerifyCase& one,
                                           const reference::Scheme& oracle,
                                           const Frequencies& used) {
    std::vector<Check> checks;
    const std::vector<std::string> targets = test::TargetsToTest();
    const Status s = VerifyFrequencies(one, oracle, used, targets, &checks);
    EXPECT_TRUE(s.ok()) << s.message();
    std::vector<std::string> broken;
    for (const Check& check : checks) {
      if (!Broken(check)) continue;
      if (broken.empty() || broken.back() != check.what) {
        broken.push_back(check.what);
      }
    }
    return broken;
  }
};

using Names = std::vector<std::string>;

TEST_F(VerifyTest, ReportsEveryTypeOnEveryTarget) {
  const VerifyCase one = CaseOf(Llama31());
  std::vector<Check> checks;
  const Names targets = test::TargetsToTest();
  ASSERT_TRUE(
      VerifyFrequencies(one, OracleOf(one), Used(one), targets, &checks).ok());
  ASSERT_EQ(checks.size(), 3 + 3 * targets.size());
  EXPECT_EQ(checks[0].what, "inv_freq");
  EXPECT_EQ(checks[1].what, "attention_factor");
  EXPECT_EQ(checks[2].what, "softmax_multiplier");
  size_t next = 3;
  for (const std::string& target : targets) {
    for (const char* type : {"f32", "bf16", "f16"}) {
      EXPECT_EQ(checks[next].target, target);
      EXPECT_EQ(checks[next].what, type);
      EXPECT_FALSE(Broken(checks[next])) << checks[next].error.worst;
      // Rounding leaves its mark: nothing was compared with itself.
      EXPECT_GT(checks[next].error.worst, 0.25);
      ++next;
    }
  }
}

TEST_F(VerifyTest, ReportsOneWrongFrequency) {
  const VerifyCase one = CaseOf(Llama31());
  Frequencies used = Used(one);
  ASSERT_EQ(BrokenOf(one, OracleOf(one), used), Names());
  // At position 131071 the angle of pair 10, 0.13 radians a position, is off
  // by 1.7e-4: 2800 ulp of a float32 in [1/2, 1). bf16 and f16 are coarser.
  used.inv_freq[10] *= 1 + 1e-8;
  const Names broken = BrokenOf(one, OracleOf(one), used);
  ASSERT_GE(broken.size(), 2u);
  EXPECT_EQ(broken[0], "inv_freq");
  EXPECT_EQ(broken[1], "f32");
}

TEST_F(VerifyTest, ReportsAnotherFactor) {
  const LayerRope layer = Llama31();
  LayerRope other = layer;
  other.parameters.scaling = Llama3Scaling{32, 1, 4, 8192};
  const VerifyCase one = CaseOf(layer);
  const Names broken = BrokenOf(one, OracleOf(one), Used(CaseOf(other)));
  ASSERT_GE(broken.size(), 4u);
  EXPECT_EQ(broken[0], "inv_freq");
  EXPECT_EQ(broken[1], "f32");
  EXPECT_EQ(broken[2], "bf16");
  EXPECT_EQ(broken[3], "f16");
}

TEST_F(VerifyTest, ReportsWrongFactorsOfAttention) {
  const VerifyCase one = CaseOf(Llama31());
  Frequencies used = Used(one);
  used.attention_factor = 1 + 0x1p-16;
  const Names factor = BrokenOf(one, OracleOf(one), used);
  ASSERT_GE(factor.size(), 2u);
  EXPECT_EQ(factor[0], "attention_factor");
  EXPECT_EQ(factor[1], "f32");

  used = Used(one);
  used.softmax_multiplier = 1.87;
  EXPECT_EQ(BrokenOf(one, OracleOf(one), used), Names({"softmax_multiplier"}));
}

TEST_F(VerifyTest, BrokenLimitIsExitCode1) {
  std::vector<Check> checks = {{"all", "f32", "SCALAR", {2.5, 2.5}}};
  const auto report = [&](std::string* out, std::string* err) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = Report("llama", checks);
    *out = testing::internal::GetCapturedStdout();
    *err = testing::internal::GetCapturedStderr();
    return code;
  };
  std::string out;
  std::string err;
  EXPECT_EQ(report(&out, &err), 0);
  EXPECT_EQ(out.find("BROKEN"), std::string::npos);
  EXPECT_EQ(err, "");
  for (const double wrong : {2.5000001, HUGE_VAL, std::nan("")}) {
    checks[0].error.worst = wrong;
    EXPECT_EQ(report(&out, &err), 1);
    EXPECT_NE(out.find("  BROKEN\n"), std::string::npos);
    EXPECT_EQ(err, "ropewalk: an error is above its limit\n");
  }
}

TEST_F(VerifyTest, ReportsAnotherNumberOfPairs) {
  const VerifyCase one = CaseOf(Llama31());
  reference::Scheme oracle = OracleOf(one);
  oracle.inv_freq.pop_back();
  EXPECT_EQ(BrokenOf(one, oracle, Used(one)), Names({"inv_freq"}));
}

TEST_F(VerifyTest, TakesLayersWithoutRope) {
  LayerRope layer;
  layer.layer_type = "no_rope";
  layer.uses_rope = false;
  layer.layout.head_dim = layer.key_layout.head_dim = 80;
  const VerifyCase one = CaseOf(layer);
  std::vector<Check> checks;
  const Names targets = test::TargetsToTest();
  ASSERT_TRUE(
      VerifyFrequencies(one, OracleOf(one), Used(one), targets, &checks).ok());
  EXPECT_EQ(checks.size(), 3 + 3 * targets.size());
  for (const Check& check : checks) {
    EXPECT_EQ(check.error.worst, 0) << check.what;
  }
}

TEST_F(VerifyTest, TakesKeysThatLookOtherThanQueries) {
  LayerRope layer = Llama31();
  layer.parameters = {64, 1e4, NoScaling{}};
  layer.layout = {192, 64, Pairing::kInterleaved, 128, 0, 0};
  layer.key_layout = {576, 64, Pairing::kInterleaved, 512, 0, 0};
  const VerifyCase one = CaseOf(layer);
  EXPECT_EQ(BrokenOf(one, OracleOf(one), Used(one)), Names());
}

// Qwen2-VL's.
LayerRope Qwen2Vl() {
  LayerRope layer = Llama31();
  layer.parameters = {128, 1e6, NoScaling{}};
  layer.parameters.axis = ContiguousAxes({16, 24, 24}, 64).value();
  layer.components = {"t", "h", "w"};
  return layer;
}

TEST_F(VerifyTest, ComponentsOfATokenDiffer) {
  LayerRope layer = Qwen2Vl();
  layer.components = {"p", "w", "h", "t"};
  const TokenPositions positions = CaseOf(layer).positions;
  ASSERT_EQ(positions.components, 4);
  const int64_t tokens = positions.tokens();
  ASSERT_GE(tokens, 3);
  for (int64_t t = 0; t < tokens; ++t) {
    std::set<int64_t> ids;
    for (int c = 0; c < 4; ++c) {
      ids.insert(positions.ids[static_cast<size_t>(c * tokens + t)]);
    }
    EXPECT_EQ(ids.size(), t == 0 ? 1u : 4u) << t;
    EXPECT_GE(*ids.begin(), 0);
    EXPECT_LT(*ids.rbegin(), kMaxPositions);
  }
}

TEST_F(VerifyTest, ReportsOnePairThatFollowsAnotherComponent) {
  const VerifyCase one = CaseOf(Qwen2Vl());
  Frequencies used = Used(one);
  EXPECT_EQ(BrokenOf(one, OracleOf(one), used), Names());
  used.axis[39] = 2;
  const Names broken = BrokenOf(one, OracleOf(one), used);
  ASSERT_FALSE(broken.empty());
  EXPECT_EQ(broken[0], "f32");
}

// Gemma 4's, with two windows.
TEST_F(VerifyTest, ReportsAnEncoderWhoseAxesAreSwapped) {
  VisionRope vision;
  vision.head_dim = 64;
  vision.base = 100;
  vision.parts = {1, 0};
  vision.frequencies = AxialFrequencies(64, {1, 0}, 100).value();
  vision.layouts = AxialPartLayouts(64, 2).value();
  const VerifyCase one = cli::CaseOf(vision);
  EXPECT_EQ(one.shapes.size(), 2u);
  EXPECT_EQ(BrokenOf(one, cli::OracleOf(vision), vision.frequencies), Names());
  const Names broken = BrokenOf(one, cli::OracleOf(vision),
                                AxialFrequencies(64, {0, 1}, 100).value());
  ASSERT_FALSE(broken.empty());
  EXPECT_EQ(broken[0], "f32");
  EXPECT_EQ(broken.size(), 3 * test::TargetsToTest().size());
}

TEST_F(VerifyTest, PositionsAreThoseThatAreKnownEachOnce) {
  LayerRope layer = Llama31();
  using Positions = std::vector<int64_t>;
  EXPECT_EQ(PositionsOf(layer, 131072), Positions({0, 1, 8191, 8192, 131071}));
  EXPECT_EQ(PositionsOf(layer, 0), Positions({0, 1, 8191, 8192, 131071}));
  EXPECT_EQ(PositionsOf(layer, 8192), Positions({0, 1, 8191, 8192}));
  layer.parameters.scaling = NoScaling{};
  EXPECT_EQ(PositionsOf(layer, 2048), Positions({0, 1, 2047}));
  EXPECT_EQ(PositionsOf(layer, 0), Positions({0, 1, 131071}));
  EXPECT_EQ(PositionsOf(layer, INT64_MAX), Positions({0, 1, 2147483647}));
  layer.original_positions = 1;
  EXPECT_EQ(PositionsOf(layer, 2), Positions({0, 1}));
}

TEST_F(VerifyTest, BothListsOfLongRopeAreCases) {
  LayerRope layer = Llama31();
  LongRopeScaling scaling;
  scaling.short_factor.assign(64, 1);
  scaling.long_factor.assign(64, 4);
  scaling.original_positions = 4096;
  scaling.max_positions = 131072;
  layer.parameters.scaling = scaling;
  const std::vector<VerifyCase> cases = CasesOf(layer, 131072);
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].name, "all, short");
  EXPECT_EQ(cases[1].name, "all, long");
  EXPECT_EQ(Used(cases[0]).inv_freq[0], 1);
  EXPECT_EQ(Used(cases[1]).inv_freq[0], 0.25);
}

TEST_F(VerifyTest, BothSidesOfTheOriginalLengthAreCases) {
  LayerRope layer = Llama31();
  layer.parameters.scaling = DynamicNtkScaling{4, 8192};
  const std::vector<VerifyCase> dynamic = CasesOf(layer, 8192);
  ASSERT_EQ(dynamic.size(), 2u);
  EXPECT_EQ(dynamic[0].sequence_length, 0);
  EXPECT_EQ(dynamic[1].sequence_length, 16384);
  EXPECT_EQ(dynamic[1].name, "all, length 16384");
  EXPECT_LT(Used(dynamic[1]).inv_freq[63], Used(dynamic[0]).inv_freq[63]);
  layer.parameters.scaling = QwenDynamicNtkScaling{2048, 0};
  EXPECT_EQ(CasesOf(layer, 8192).at(1).sequence_length, 4096);
}

}  // namespace
}  // namespace ropewalk::cli
