// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// RotateIntoCache() with output_pairing: keys are stored in the other order,
// queries take it in place.
#include <cstdint>
#include <vector>

#include "cache/refusal.h"
#include "cache/write_case.h"
#include "gtest/gtest.h"
#include "ropewalk/kv_cache.h"
#include "rotate/transform_case.h"
#include "support/all_targets.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using CacheOutputPairingTest = AllTargets;

constexpr Pairing kPairings[] = {Pairing::kHalf, Pairing::kInterleaved};

RotaryLayout Changing(Pairing pairing) {
  RotaryLayout layout = FullLayout(64, pairing);
  layout.head_dim = 80;
  layout.rotary_offset = 9;
  layout.output_pairing =
      pairing == Pairing::kHalf ? Pairing::kInterleaved : Pairing::kHalf;
  return layout;
}

TEST_P(CacheOutputPairingTest, HasTheBitsOfRotate) {
  Random random = Random::ForTest();
  for (const DataType in : kAllTypes) {
    for (const DataType out : kAllTypes) {
      for (const Pairing pairing : kPairings) {
        for (const HeadsSpec& spec : CacheSpecs(out, 40, 2, 80)) {
          WriteCase one(spec, spec, &random);
          one.MakeInputs({in, 2, 5, 2, 80}, {in, 2, 5, 2, 80}, 6, &random);
          one.layout = Changing(pairing);
          one.slots = DrawSlots(10, one.k_cache.slots(), &random);
          one.slots[4] = -1;
          // Among them rows that turn nothing.
          one.step = MakeStep(64, {0, 5, 0, 131071, -7});
          ASSERT_TRUE(one.WritesWhatRotateGives())
              << NameOf(in) << " to " << NameOf(out);
        }
      }
    }
  }
}

TEST_P(CacheOutputPairingTest, MatchesTheOracle) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (const Pairing pairing : kPairings) {
      const HeadsSpec spec = {type, 3, 16, 2, 80, DimOrder::kHeadsTokens};
      WriteCase one(spec, spec, &random);
      one.MakeInputs({DataType::kF32, 1, 6, 2, 80},
                     {DataType::kF32, 1, 6, 2, 80}, 7, &random);
      one.layout = Changing(pairing);
      one.slots = DrawSlots(6, 48, &random);
      one.step = MakeStep(64, DrawPositions(6, &random), 1.25);
      ASSERT_TRUE(Succeeds(one.Run(Parallel::Serial())));
      EXPECT_TRUE(IsRotated(one.step, one.layout, Direction::kForward, *one.k,
                            one.k_cache.Gather(one.slots)));
      EXPECT_TRUE(IsRotated(one.step, one.layout, Direction::kForward,
                            *one.q_before, *one.q));
    }
  }
}

TEST_P(CacheOutputPairingTest, TransformsComeFirst) {
  Random random = Random::ForTest();
  for (const DataType in : kAllTypes) {
    for (const DataType out : kAllTypes) {
      const HeadsSpec spec = {out, 3, 16, 2, 80};
      WriteCase one(spec, spec, &random);
      one.MakeInputs({in, 2, 5, 2, 80}, {in, 2, 5, 2, 80}, 6, &random);
      one.layout = Changing(kPairings[random.Below(2)]);
      one.slots = DrawSlots(10, 48, &random);
      one.step = MakeStep(64, DrawPositions(10, &random));
      TransformSpec norm;
      norm.size = 80;
      norm.has_weight = norm.has_token_scale = true;
      const TransformCase transform(norm, 10, &random);
      one.k_transform = one.q_transform = transform.transform();
      EXPECT_TRUE(one.WritesWhatRotateGives())
          << NameOf(in) << " to " << NameOf(out);
    }
  }
}

// q . k needs one order of both; a host may still have its own reasons.
TEST_P(CacheOutputPairingTest, QueriesAndKeysHaveLayoutsOfTheirOwn) {
  Random random = Random::ForTest();
  const HeadsSpec spec = {DataType::kBF16, 2, 16, 2, 80};
  for (const bool of_keys : {false, true}) {
    WriteCase one(spec, spec, &random);
    one.MakeInputs({DataType::kF32, 1, 3, 2, 80}, {DataType::kF32, 1, 3, 2, 80},
                   2, &random);
    one.layout = Changing(Pairing::kInterleaved);
    one.slots = {6, 1, 30};
    one.step = MakeStep(64, {5, 0, 7});
    one.Prepare();
    (of_keys ? one.write.q_layout : one.write.k_layout).output_pairing.reset();
    ASSERT_TRUE(Succeeds(RotateIntoCache(
        one.step.rows, one.write, SlotsOf(one.slots), Parallel::Serial())));
    EXPECT_TRUE(IsRotated(one.step, one.write.k_layout, Direction::kForward,
                          *one.k, one.k_cache.Gather(one.slots)));
    EXPECT_TRUE(IsRotated(one.step, one.write.q_layout, Direction::kForward,
                          *one.q_before, *one.q));
  }
}

TEST_P(CacheOutputPairingTest, SharesAddUpToTheWhole) {
  Random random = Random::ForTest();
  const HeadsSpec spec = {DataType::kBF16, 3, 16, 3, 80};
  WriteCase whole(spec, spec, &random);
  whole.MakeInputs({DataType::kBF16, 1, 23, 3, 80},
                   {DataType::kBF16, 1, 23, 3, 80}, 5, &random);
  whole.layout = Changing(Pairing::kInterleaved);
  whole.slots = DrawSlots(23, 48, &random);
  whole.step = MakeStep(64, DrawPositions(23, &random));
  const Cache k_before = whole.k_cache.Copy();
  ASSERT_TRUE(Succeeds(whole.Run(Parallel::Serial())));
  for (const int count : {2, 3, 5, 16}) {
    Cache k_cache = k_before.Copy();
    const Heads q = whole.q_before->Copy();
    CacheWrite write = whole.write;
    write.k_cache = k_cache.view();
    write.q = q.view();
    for (int i = count - 1; i >= 0; --i) {
      ASSERT_TRUE(
          Succeeds(RotateIntoCache(whole.step.rows, write, SlotsOf(whole.slots),
                                   Parallel::Share(i, count))));
    }
    EXPECT_TRUE(SameBytes(k_cache, whole.k_cache)) << count;
    EXPECT_EQ(q.Bytes(), whole.q->Bytes()) << count;
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(CacheOutputPairingTest);

TEST(CacheOutputPairingErrorsTest, LayoutsAgainstTheirRules) {
  Random random = Random::ForTest();
  const HeadsSpec spec = {DataType::kBF16, 2, 16, 2, 80};
  WriteCase one(spec, spec, &random);
  one.MakeInputs({DataType::kF32, 1, 3, 2, 80}, {DataType::kF32, 1, 3, 2, 80},
                 2, &random);
  one.layout = Changing(Pairing::kHalf);
  one.slots = {6, 1, 30};
  one.step = MakeStep(64, {5, 0, 7});
  const Cache before = one.k_cache.Copy();
  const auto run = [&] {
    return RotateIntoCache(one.step.rows, one.write, SlotsOf(one.slots),
                           Parallel::Serial());
  };
  one.Prepare();
  one.write.k_layout.pair_distance = 35;
  ExpectRefused(run(), StatusCode::kInvalidArgument,
                {"k_layout", "pair_distance = 35", "output_pairing"});
  one.Prepare();
  one.write.q_layout.output_pairing = static_cast<Pairing>(9);
  ExpectRefused(run(), StatusCode::kInvalidArgument,
                {"q_layout", "output_pairing = 9"});
  EXPECT_TRUE(SameBytes(one.k_cache, before));
  EXPECT_EQ(one.q->Bytes(), one.q_before->Bytes());
}

// Without rotary dims nothing changes its place.
TEST(CacheOutputPairingErrorsTest, ValuesMoveWhateverTheOutputPairing) {
  Random random = Random::ForTest();
  const Cache cache({DataType::kBF16, 1, 4, 2, 80}, &random);
  RotaryLayout layout = Changing(Pairing::kHalf);
  layout.rotary_dim = 0;
  EXPECT_TRUE(
      Succeeds(MoveCache(AngleRows(), layout, cache.view(), SlotsOf({0, 1}),
                         SlotsOf({2, 3}), Parallel::Serial())));
  EXPECT_EQ(cache.Gather({2, 3}).Bytes(), cache.Gather({0, 1}).Bytes());
}

}  // namespace
}  // namespace ropewalk::test
