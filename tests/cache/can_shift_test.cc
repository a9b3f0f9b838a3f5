// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// CanShift(): which keys a shift serves, and what it says of the others.
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "ropewalk/kv_cache.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

constexpr int kDims = 32;

void ExpectRefused(const Status& status, StatusCode code, const char* word) {
  EXPECT_EQ(status.code(), code) << status.message();
  EXPECT_NE(std::string(status.message()).find(word), std::string::npos)
      << word << " is not in: " << status.message();
}

RopeParameters Parameters(const Scaling& scaling) {
  RopeParameters parameters;
  parameters.rotary_dim = kDims;
  parameters.scaling = scaling;
  return parameters;
}

// Sections of 6, 5 and 5 pairs.
Frequencies MRope() {
  Frequencies frequencies;
  frequencies.inv_freq = reference::PlainInvFreq(kDims, 10000);
  frequencies.axis.assign(kDims / 2, 0);
  for (size_t i = 6; i < kDims / 2; ++i) frequencies.axis[i] = i < 11 ? 1 : 2;
  return frequencies;
}

Scaling LongRope(LongRopePolicy policy) {
  LongRopeScaling longrope;
  longrope.short_factor.assign(kDims / 2, 1.0);
  longrope.long_factor.assign(kDims / 2, 4.0);
  longrope.original_positions = 4096;
  longrope.max_positions = 131072;
  longrope.policy = policy;
  return longrope;
}

Scaling DynamicNtk() {
  DynamicNtkScaling dynamic;
  dynamic.factor = 2;
  dynamic.max_positions = 2048;
  return dynamic;
}

class CanShiftTest : public testing::Test {
 protected:
  Random random_ = Random::ForTest();
  Cache cache_{{DataType::kBF16, 2, 4, 2, kDims}, &random_};
  RotaryLayout layout_ = FullLayout(kDims, Pairing::kHalf);
};

TEST_F(CanShiftTest, FrequenciesOfAnyLengthCan) {
  YarnScaling yarn;
  yarn.factor = 4;
  yarn.original_positions = 32768;
  for (const Scaling& scaling :
       {Scaling(NoScaling{}), Scaling(LinearScaling{8}), Scaling(yarn),
        Scaling(Llama3Scaling{8, 1, 4, 8192}),
        LongRope(LongRopePolicy::kByContextLimit)}) {
    for (const bool together : {false, true}) {
      EXPECT_TRUE(Succeeds(CanShift(*TableOf(Parameters(scaling)), layout_,
                                    cache_.view(), together)))
          << SchemeName(scaling);
    }
  }
}

TEST_F(CanShiftTest, FrequenciesOfOneLengthCannot) {
  for (const Scaling& scaling :
       {DynamicNtk(), LongRope(LongRopePolicy::kBySequenceLength)}) {
    ExpectRefused(CanShift(*TableOf(Parameters(scaling), 5000), layout_,
                           cache_.view(), true),
                  StatusCode::kUnsupported, "Rerotate");
  }
}

TEST_F(CanShiftTest, KeysThatNeverTurnedCanAlways) {
  layout_.rotary_dim = 0;
  EXPECT_TRUE(Succeeds(CanShift(*TableOf(Parameters(DynamicNtk()), 5000),
                                layout_, cache_.view(), false)));
}

TEST_F(CanShiftTest, PairsOfSeveralAxesCanIfTheyMoveTogether) {
  const auto table = TableOf(MRope());
  EXPECT_TRUE(Succeeds(CanShift(*table, layout_, cache_.view(), true)));
  ExpectRefused(CanShift(*table, layout_, cache_.view(), false),
                StatusCode::kUnsupported, "all_axes_move_together");
}

TEST_F(CanShiftTest, OnlyTheAxesOfTheWindowCount) {
  const auto table = TableOf(MRope());
  const struct {
    int first_pair;
    int pairs;
    bool can;
  } cases[] = {{0, 6, true},  {6, 5, true},  {11, 5, true}, {16, 0, true},
               {0, 7, false}, {5, 2, false}, {6, 6, false}, {10, 6, false}};
  for (const auto& one : cases) {
    layout_.first_pair = one.first_pair;
    layout_.rotary_dim = 2 * one.pairs;
    EXPECT_EQ(CanShift(*table, layout_, cache_.view(), false).ok(), one.can)
        << one.first_pair << " + " << one.pairs;
  }
}

TEST_F(CanShiftTest, LayoutsAndCachesAgainstTheirRulesAreNamed) {
  const auto table = TableOf(Parameters(NoScaling{}));
  constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;
  const KvCacheView view = cache_.view();
  RotaryLayout layout = layout_;
  layout.first_pair = 1;
  ExpectRefused(CanShift(*table, layout, view, true), kInvalid, "first_pair");
  layout = layout_;
  layout.rotary_dim = 7;
  ExpectRefused(CanShift(*table, layout, view, true), kInvalid, "rotary_dim");
  layout = layout_;
  layout.head_dim = 64;
  ExpectRefused(CanShift(*table, layout, view, true), kInvalid, "head_dim");
  layout = layout_;
  layout.output_pairing = Pairing::kHalf;
  EXPECT_TRUE(Succeeds(CanShift(*table, layout, view, true)));
  layout.output_pairing = Pairing::kInterleaved;
  ExpectRefused(CanShift(*table, layout, view, true), kInvalid,
                "output_pairing = 1");
  KvCacheView bad = view;
  bad.type = static_cast<DataType>(3);
  ExpectRefused(CanShift(*table, layout_, bad, true), kInvalid,
                "k_cache.type = 3");
  bad = view;
  bad.block_size = -4;
  ExpectRefused(CanShift(*table, layout_, bad, true), kInvalid,
                "k_cache.block_size = -4");
}

}  // namespace
}  // namespace ropewalk::test
