// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The peak of arithmetic counts what it does, and does it.
#include <cstdint>
#include <map>
#include <string>

#include "bench/bound.h"
#include "bench/timing.h"
#include "gtest/gtest.h"
#include "ropewalk/target.h"
#include "support/all_targets.h"

namespace ropewalk::bench {
namespace {

class MulAddTest : public test::AllTargets {};

// Two flop a lane in each of twelve chains.
TEST_P(MulAddTest, CountsTheFlopOfItsVectors) {
  ASSERT_EQ(ActiveTarget(), GetParam());
  const std::map<std::string, int64_t> lanes = {
      {"SCALAR", 1}, {"SSE2", 4},   {"SSSE3", 4}, {"SSE4", 4},    {"AVX2", 8},
      {"AVX3", 16},  {"EMU128", 4}, {"NEON", 4},  {"AVX3_DL", 16}};
  const int64_t flop = MulAddInRegisters(1);
  EXPECT_EQ(flop % 24, 0);
  EXPECT_GT(flop, 0);
  const auto known = lanes.find(GetParam());
  if (known != lanes.end()) {
    EXPECT_EQ(flop, 24 * known->second);
  }
  EXPECT_EQ(MulAddInRegisters(1000), 1000 * flop);
}

// A hundred times the rounds, which no compiler has left out.
TEST_P(MulAddTest, TakesLongerForMoreRounds) {
  ASSERT_EQ(ActiveTarget(), GetParam());
  const auto seconds = [](int64_t rounds) {
    return LeastSample([=] { MulAddInRegisters(rounds); }, TimingOptions{});
  };
  EXPECT_GT(seconds(100000), 10 * seconds(1000));
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(MulAddTest);

}  // namespace
}  // namespace ropewalk::bench
