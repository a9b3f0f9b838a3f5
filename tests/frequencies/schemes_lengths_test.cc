// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What depends on a length, and what does not: boundaries, order of calls,
// sequences of several lengths in one batch, positions far out.
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "angles/table_cases.h"
#include "frequencies/scheme_samples.h"
#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "reference/schemes.h"
#include "ropewalk/angles.h"
#include "ropewalk/rotate.h"
#include "ropewalk/scaling.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/scheme_oracle.h"
#include "support/step.h"
#include "support/ulp.h"

namespace ropewalk::test {
namespace {

LongRopeScaling LongRope(LongRopePolicy policy) {
  LongRopeScaling longrope;
  longrope.short_factor = Ascending(48, 0.04);
  longrope.long_factor = Ascending(48, 1.3);
  longrope.original_positions = 4096;
  longrope.max_positions = 131072;
  longrope.policy = policy;
  return longrope;
}

TEST(SchemesLengthsTest, OriginalLengthIsTheLastOfTheOriginalKind) {
  for (const Scaling& scheme :
       {Scaling(DynamicNtkScaling{2, 4096}),
        Scaling(QwenDynamicNtkScaling{4096, 0.1}),
        Scaling(LongRope(LongRopePolicy::kBySequenceLength))}) {
    const RopeParameters parameters = Parameters(96, 1e4, scheme);
    SCOPED_TRACE(Describe(parameters));
    const Frequencies at_start = Computed(parameters, 0);
    EXPECT_TRUE(at_start.length_dependent);
    for (const int64_t length : {1, 4095, 4096}) {
      const Frequencies within = Computed(parameters, length);
      EXPECT_EQ(within.inv_freq, at_start.inv_freq) << length;
      EXPECT_EQ(within.attention_factor, at_start.attention_factor) << length;
      EXPECT_TRUE(within.length_dependent) << length;
    }
    const Frequencies past = Computed(parameters, 4097);
    EXPECT_LT(past.inv_freq.back(), at_start.inv_freq.back());
    EXPECT_TRUE(past.length_dependent);
  }
}

TEST(SchemesLengthsTest, QwenStepsAtPowersOfTwo) {
  const auto qwen = Parameters(128, 1e4, QwenDynamicNtkScaling{2048, 0});
  int64_t reach = 2048;
  for (const double alpha : {1.0, 3.0, 7.0, 15.0}) {
    const auto want =
        Computed(Parameters(128, 1e4, NtkAlphaScaling{alpha})).inv_freq;
    for (const int64_t length : {reach / 2 + 1, reach - 1, reach}) {
      EXPECT_TRUE(AreNear(Computed(qwen, length).inv_freq, want, 1e-12))
          << "alpha " << alpha << ", length " << length;
    }
    reach *= 2;
  }
  // A slope scales what is past the original, by TeleChat's rule.
  const auto telechat = Parameters(128, 1e4, QwenDynamicNtkScaling{2048, 0.1});
  EXPECT_EQ(Computed(telechat, 2048).attention_factor, 1.0);
  EXPECT_NEAR(Computed(telechat, 8192).attention_factor,
              1 + 0.1 * std::log(4.0), 1e-15);
}

TEST(SchemesLengthsTest, LongRopePolicies) {
  const auto list_of = [](LongRopeScaling longrope, int64_t context,
                          int64_t length) {
    longrope.context_limit = context;
    const auto parameters = Parameters(96, 1e4, longrope);
    const Frequencies got = Computed(parameters, length);
    const bool by_length = longrope.policy == LongRopePolicy::kBySequenceLength;
    EXPECT_EQ(got.length_dependent, by_length);
    for (const auto& [name, list] : {std::pair("short", longrope.short_factor),
                                     std::pair("long", longrope.long_factor)}) {
      const auto want = reference::Divided({96, 1e4}, list).inv_freq;
      if (AreNear(got.inv_freq, want, 1e-12)) return std::string(name);
    }
    return std::string("neither");
  };
  const auto by_limit = LongRope(LongRopePolicy::kByContextLimit);
  EXPECT_EQ(list_of(by_limit, 4096, 100000), "short");
  EXPECT_EQ(list_of(by_limit, 4097, 1), "long");
  EXPECT_EQ(list_of(by_limit, 0, 1), "long");  // max_positions counts
  const auto by_length = LongRope(LongRopePolicy::kBySequenceLength);
  EXPECT_EQ(list_of(by_length, 131072, 4096), "short");
  EXPECT_EQ(list_of(by_length, 4096, 4097), "long");
  const auto force_short = LongRope(LongRopePolicy::kForceShort);
  EXPECT_EQ(list_of(force_short, 131072, 100000), "short");
  const auto force_long = LongRope(LongRopePolicy::kForceLong);
  EXPECT_EQ(list_of(force_long, 4096, 1), "long");
}

// A dynamic scheme of other engines remembers the longest sequence so far.
TEST(SchemesLengthsTest, OrderOfCallsNeverMatters) {
  Random random = Random::ForTest();
  std::vector<int64_t> lengths = {0,    1,    2047, 2048, 2049,   4096,
                                  4097, 5000, 8192, 8193, 131072, 1 << 30};
  for (const Sample& sample : SamplesOfEveryScheme()) {
    SCOPED_TRACE(Describe(sample.parameters));
    std::vector<Frequencies> first;
    for (const int64_t length : lengths) {
      first.push_back(Computed(sample.parameters, length));
    }
    bool differ = false;
    for (int call = 0; call < 40; ++call) {
      const auto i = static_cast<size_t>(
          random.Below(static_cast<int64_t>(lengths.size())));
      const Frequencies again = Computed(sample.parameters, lengths[i]);
      EXPECT_EQ(again.inv_freq, first[i].inv_freq) << lengths[i];
      EXPECT_EQ(again.attention_factor, first[i].attention_factor);
      EXPECT_EQ(Checksum(again), Checksum(first[i]));
      differ = differ || first[i].inv_freq != first[0].inv_freq;
    }
    EXPECT_EQ(differ, first[0].length_dependent);
  }
}

// Sequences of 512 and 4096 tokens in one call, with a table each.
TEST(SchemesLengthsTest, SequencesOfTwoLengthsInOneCall) {
  Random random = Random::ForTest();
  const RopeParameters dynamic =
      Parameters(64, 1e4, DynamicNtkScaling{2, 2048});
  const TablePointer tables[] = {Build(Computed(dynamic, 512)),
                                 Build(Computed(dynamic, 4096))};
  const int64_t tokens[] = {512, 4096};
  AngleRows together;
  int64_t first_row = 0;
  for (int s = 0; s < 2; ++s) {
    ASSERT_TRUE(
        tables[s]
            ->Fill(Positions::Consecutive(0, tokens[s]), &together, first_row)
            .ok());
    first_row += tokens[s];
  }
  const RotaryLayout layout = FullLayout(64, Pairing::kHalf);
  const Heads x({DataType::kF32, 1, first_row, 1, 64}, &random);
  const Heads batch = x.Copy();
  ASSERT_TRUE(Rotate(together, layout, {batch.view()}, RotateOptions{}).ok());
  const Heads alone = x.Copy();
  auto* begin = static_cast<uint8_t*>(alone.view().data);
  for (int s = 0; s < 2; ++s) {
    const AngleRows rows =
        Filled(*tables[s], Positions::Consecutive(0, tokens[s]));
    HeadsView view = alone.view();
    view.data = begin;
    view.tokens = tokens[s];
    ASSERT_TRUE(Rotate(rows, layout, {view}, RotateOptions{}).ok());
    begin += tokens[s] * view.token_stride;
  }
  EXPECT_TRUE(batch.Bytes() == alone.Bytes());
  // One table for both would be wrong for the first.
  EXPECT_NE(Values(Filled(*tables[0], Positions::Constant(511, 1))),
            Values(Filled(*tables[1], Positions::Constant(511, 1))));
}

// The table's own bound, and what the two sides' inv_freq and factor differ
// by, which has its own tests.
TEST(SchemesLengthsTest, TablesMatchTheOracleFarOut) {
  for (const Sample& sample : SamplesOfEveryScheme()) {
    SCOPED_TRACE(Describe(sample.parameters, sample.sequence_length));
    const Frequencies got = Computed(sample.parameters, sample.sequence_length);
    const reference::Scheme want =
        reference::SchemeOf(sample.parameters, sample.sequence_length);
    const TablePointer table = Build(got);
    ASSERT_EQ(got.inv_freq.size(), want.inv_freq.size());
    const double m = want.attention_factor;
    const double m_error = std::fabs(got.attention_factor - m);
    for (const int64_t position : {131071, 1048575, -1048575}) {
      const AngleRows rows = Filled(*table, Positions::Constant(position, 1));
      for (size_t i = 0; i < want.inv_freq.size(); ++i) {
        const double p = static_cast<double>(position);
        const auto exact = reference::ExactAngle(p, want.inv_freq[i]);
        const double angle_error =
            std::fabs(p * (got.inv_freq[i] - want.inv_freq[i]));
        // The table's m 2^-40 holds what both sides' cos in double adds.
        const double slack = m * (angle_error + 0x1p-40) + m_error;
        const double cos = m * exact.cos;
        const double sin = m * exact.sin;
        EXPECT_NEAR(rows.cos(0)[i], cos,
                    0.5 * UlpF32(std::fabs(cos) + slack) + slack)
            << position << " " << i;
        EXPECT_NEAR(rows.sin(0)[i], sin,
                    0.5 * UlpF32(std::fabs(sin) + slack) + slack)
            << position << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace ropewalk::test
