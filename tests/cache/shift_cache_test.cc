// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// ShiftCache(): which bytes of a cache change, and how.
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "ropewalk/kv_cache.h"
#include "ropewalk/rotate.h"
#include "support/all_targets.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using ShiftCacheTest = AllTargets;

constexpr Pairing kPairings[] = {Pairing::kHalf, Pairing::kInterleaved};

Status Shift(const AngleRows& rows, const RotaryLayout& layout,
             const Cache& cache, const std::vector<int64_t>& slots) {
  return ShiftCache(rows, layout, cache.view(), SlotsOf(slots),
                    Parallel::Serial());
}

// The slots of `before`, rotated in place and put back.
Cache Shifted(const Step& step, const RotaryLayout& layout, const Cache& before,
              const std::vector<int64_t>& slots) {
  Cache want = before.Copy();
  for (size_t i = 0; i < slots.size(); ++i) {
    if (slots[i] < 0) continue;
    const size_t row = step.positions.size() == 1 ? 0 : i;
    const Heads key = before.Gather({slots[i]});
    const Step one = MakeStep(step.inv_freq, {step.positions[row]});
    EXPECT_TRUE(
        Succeeds(Rotate(one.rows, layout, {key.view()}, RotateOptions{})));
    want.Put(slots[i], key, 0, 0);
  }
  return want;
}

std::vector<int64_t> DrawDeltas(size_t count, Random* random) {
  std::vector<int64_t> deltas;
  for (size_t i = 0; i < count; ++i) {
    deltas.push_back(random->Between(-2, 2) * random->Between(0, 5000));
  }
  return deltas;
}

TEST_P(ShiftCacheTest, HasTheBitsOfRotateAndTouchesNoOtherByte) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (const HeadsSpec& spec : CacheSpecs(type, 70, 2, 80)) {
      const Cache before(spec, &random);
      std::vector<int64_t> slots = DrawSlots(23, before.slots(), &random);
      slots[3] = slots[22] = -1;
      RotaryLayout layout = FullLayout(80, kPairings[random.Below(2)]);
      layout.rotary_dim = 48;
      layout.rotary_offset = static_cast<int>(random.Below(33));
      layout.first_pair = static_cast<int>(random.Below(5));
      for (const size_t rows : {size_t{1}, slots.size()}) {
        const Step step = MakeStep(60, DrawDeltas(rows, &random));
        const Cache cache = before.Copy();
        ASSERT_TRUE(Succeeds(Shift(step.rows, layout, cache, slots)));
        EXPECT_TRUE(SameBytes(cache, Shifted(step, layout, before, slots)));
      }
    }
  }
}

TEST_P(ShiftCacheTest, MatchesTheOracle) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (const Pairing pairing : kPairings) {
      const Cache before({type, 3, 16, 3, 128}, &random);
      const RotaryLayout layout = FullLayout(128, pairing);
      const std::vector<int64_t> slots = DrawSlots(20, 48, &random);
      const Step step = MakeStep(128, DrawDeltas(slots.size(), &random));
      const Cache cache = before.Copy();
      ASSERT_TRUE(Succeeds(Shift(step.rows, layout, cache, slots)));
      EXPECT_TRUE(IsRotated(step, layout, Direction::kForward,
                            before.Gather(slots), cache.Gather(slots)));
    }
  }
}

TEST_P(ShiftCacheTest, SlotsOfEveryKindAreTheSame) {
  Random random = Random::ForTest();
  const Cache before({DataType::kBF16, 4, 8, 2, 64}, &random);
  const RotaryLayout layout = FullLayout(64, Pairing::kHalf);
  const Step step = MakeStep(64, {-7});
  const std::vector<int64_t> wide = Count(5, 20);
  const std::vector<int32_t> narrow(wide.begin(), wide.end());
  const Cache want = Shifted(step, layout, before, wide);
  for (const Slots& slots :
       {SlotsOf(wide), Slots(narrow.data(), 20), Slots::Range(5, 20)}) {
    const Cache cache = before.Copy();
    ASSERT_TRUE(Succeeds(ShiftCache(step.rows, layout, cache.view(), slots,
                                    Parallel::Serial())));
    EXPECT_TRUE(SameBytes(cache, want));
  }
}

TEST_P(ShiftCacheTest, ARangeFromMinusOneSkipsItsFirst) {
  Random random = Random::ForTest();
  const Cache before({DataType::kF32, 1, 4, 1, 16}, &random);
  const RotaryLayout layout = FullLayout(16, Pairing::kHalf);
  const Step step = MakeStep(16, {100, 200, 300});
  const Cache cache = before.Copy();
  ASSERT_TRUE(Succeeds(ShiftCache(step.rows, layout, cache.view(),
                                  Slots::Range(-1, 3), Parallel::Serial())));
  EXPECT_TRUE(SameBytes(cache, Shifted(step, layout, before, {-1, 0, 1})));
}

TEST_P(ShiftCacheTest, IdentityRowsAndSkippedSlotsLeaveEveryByte) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (const Pairing pairing : kPairings) {
      Cache before({type, 2, 16, 3, 64}, &random);
      before.Poison(&random);  // NaN payloads among them
      const RotaryLayout layout = FullLayout(64, pairing);
      const Cache cache = before.Copy();
      const Step zero = MakeStep(64, {0});
      ASSERT_TRUE(Succeeds(Shift(zero.rows, layout, cache, Count(0, 32))));
      EXPECT_TRUE(SameBytes(cache, before));
      const Step zeros = MakeStep(64, {0, 5, 0});
      ASSERT_TRUE(Succeeds(Shift(zeros.rows, layout, cache, {9, -1, 4})));
      EXPECT_TRUE(SameBytes(cache, before));
      // Not even written again: readers of the slots need not know.
      before.buffer().MakeReadOnly();
      ASSERT_TRUE(Succeeds(Shift(zero.rows, layout, before, Count(0, 32))));
    }
  }
}

TEST_P(ShiftCacheTest, NoSlotsNoHeadsOrNoRotaryDimsTouchNothing) {
  Random random = Random::ForTest();
  const Cache before({DataType::kF32, 1, 4, 2, 16}, &random);
  const Cache cache = before.Copy();
  RotaryLayout layout = FullLayout(16, Pairing::kHalf);
  const Step step = MakeStep(16, {3});
  EXPECT_TRUE(Succeeds(Shift(step.rows, layout, cache, {})));
  KvCacheView view = cache.view();
  view.heads = 0;
  EXPECT_TRUE(Succeeds(ShiftCache(step.rows, layout, view, Slots::Range(0, 4),
                                  Parallel::Serial())));
  layout.rotary_dim = 0;
  EXPECT_TRUE(Succeeds(Shift(step.rows, layout, cache, {0, 1})));
  EXPECT_TRUE(SameBytes(cache, before));
}

TEST_P(ShiftCacheTest, BlocksAndHeadsMayRunBackwards) {
  Random random = Random::ForTest();
  const Cache before({DataType::kBF16, 3, 4, 2, 32}, &random);
  const RotaryLayout layout = FullLayout(32, Pairing::kHalf);
  const Step step = MakeStep(32, {11});
  const Cache cache = before.Copy();
  KvCacheView view = cache.view();
  view.data = static_cast<uint8_t*>(view.data) + 2 * view.block_stride +
              view.head_stride;
  view.block_stride = -view.block_stride;
  view.head_stride = -view.head_stride;
  // Slot 1 of block 0 is slot 1 of the last block.
  ASSERT_TRUE(Succeeds(ShiftCache(step.rows, layout, view, Slots::Range(1, 1),
                                  Parallel::Serial())));
  EXPECT_TRUE(SameBytes(cache, Shifted(step, layout, before, {9})));
}

TEST_P(ShiftCacheTest, DimsOutsideThePartialWindowKeepTheirBits) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (const Pairing pairing : kPairings) {
      Cache before({type, 2, 16, 4, 80}, &random);
      before.Poison(&random);
      RotaryLayout layout = FullLayout(80, pairing);
      layout.rotary_dim = 20;
      const Cache cache = before.Copy();
      const Step step = MakeStep(20, {-3});
      ASSERT_TRUE(Succeeds(Shift(step.rows, layout, cache, Count(0, 32))));
      const Heads was = before.Gather(Count(0, 32));
      const Heads is = cache.Gather(Count(0, 32));
      int64_t turned = 0;
      for (int64_t t = 0; t < 32; ++t) {
        for (int64_t h = 0; h < 4; ++h) {
          for (int d = 0; d < 80; ++d) {
            const bool same = was.Bits(0, t, h, d) == is.Bits(0, t, h, d);
            ASSERT_TRUE(same || d < 20) << "dim " << d;
            turned += !same;
          }
        }
      }
      EXPECT_GT(turned, 32 * 4 * 10);
    }
  }
}

// Four streams of a latent-attention cache, whose rows are 512 latent dims and
// 64 rotary ones.
TEST_P(ShiftCacheTest, StreamsOfALatentCacheMoveEachByItsDelta) {
  Random random = Random::ForTest();
  constexpr int64_t kEach = 8;
  const int64_t of_stream[] = {0, -3, 2, -3};
  RotaryLayout layout = FullLayout(576, Pairing::kInterleaved);
  layout.rotary_dim = 64;
  layout.rotary_offset = 512;
  std::vector<int64_t> deltas;
  for (int64_t i = 0; i < 4 * kEach; ++i) {
    deltas.push_back(of_stream[i / kEach]);
  }
  const Step step = MakeStep(64, deltas);
  const std::vector<int64_t> slots = Count(0, 4 * kEach);
  for (const DataType type : kAllTypes) {
    const Cache before({type, 4, kEach, 1, 576}, &random);
    const Cache cache = before.Copy();
    ASSERT_TRUE(Succeeds(Shift(step.rows, layout, cache, slots)));
    // Which also holds the latent dims to their bits.
    EXPECT_TRUE(IsRotated(step, layout, Direction::kForward,
                          before.Gather(slots), cache.Gather(slots)));
    EXPECT_EQ(before.Gather(Count(0, kEach)).Bytes(),
              cache.Gather(Count(0, kEach)).Bytes());
  }
}

TEST_P(ShiftCacheTest, AllAxesOfMRopeMoveTogether) {
  Random random = Random::ForTest();
  Frequencies frequencies;
  frequencies.inv_freq = reference::PlainInvFreq(32, 10000);
  frequencies.axis.assign(16, 0);
  for (size_t i = 6; i < 16; ++i) frequencies.axis[i] = i < 11 ? 1 : 2;
  const auto table = TableOf(frequencies);
  const RotaryLayout layout = FullLayout(32, Pairing::kHalf);
  const int64_t delta = -40;
  AngleRows rows;
  ASSERT_TRUE(Succeeds(
      table->FillRotation(Positions::Components(&delta, 3, 1, 0), &rows)));
  // Every axis moves by the same delta: a rotation without axes.
  const Step step = MakeStep(32, {delta, delta, delta, delta});
  const Cache before({DataType::kF32, 1, 4, 2, 32}, &random);
  const Cache cache = before.Copy();
  ASSERT_TRUE(Succeeds(Shift(rows, layout, cache, Count(0, 4))));
  EXPECT_TRUE(IsRotated(step, layout, Direction::kForward,
                        before.Gather(Count(0, 4)), cache.Gather(Count(0, 4))));
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(ShiftCacheTest);

}  // namespace
}  // namespace ropewalk::test
