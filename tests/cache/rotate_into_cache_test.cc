// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// RotateIntoCache(): the bits of Rotate() out of place, in their slots and
// nowhere else, for every type, cache and kind of slots.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cache/write_case.h"
#include "gtest/gtest.h"
#include "ropewalk/kv_cache.h"
#include "ropewalk/rotate.h"
#include "support/all_targets.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using RotateIntoCacheTest = AllTargets;

TEST_P(RotateIntoCacheTest, EveryTypeIntoEveryCache) {
  Random random = Random::ForTest();
  for (const DataType in : kAllTypes) {
    for (const DataType out : kAllTypes) {
      const std::vector<HeadsSpec> k_specs = CacheSpecs(out, 70, 2, 64);
      const std::vector<HeadsSpec> v_specs = CacheSpecs(out, 70, 2, 48);
      for (size_t i = 0; i < k_specs.size(); ++i) {
        WriteCase one(k_specs[i], v_specs[i], &random);
        one.MakeInputs({in, 1, 9, 2, 64}, {in, 1, 9, 2, 48}, 5, &random);
        one.layout = DrawLayout(64, &random);
        one.slots = DrawSlots(9, 70, &random);
        one.slots[static_cast<size_t>(random.Below(9))] = -1;
        one.step = MakeStep(80, Count(random.Below(9000), 9), 1.25);
        EXPECT_TRUE(one.WritesWhatRotateGives())
            << NameOf(in) << " to " << NameOf(out) << ", cache " << i;
      }
    }
  }
}

// Which is 64 rotary dims behind 512 latent ones at 576, and YaRN's factor.
TEST_P(RotateIntoCacheTest, HeadDimsOfModels) {
  Random random = Random::ForTest();
  for (const int head_dim : {64, 80, 128, 576}) {
    for (const DataType in : kAllTypes) {
      for (const DataType out : kAllTypes) {
        const HeadsSpec spec = {out, 3, 16, 2, head_dim};
        WriteCase one(spec, spec, &random);
        one.MakeInputs({in, 1, 7, 2, head_dim}, {in, 1, 7, 2, head_dim}, 4,
                       &random);
        one.layout = DrawLayout(head_dim, &random);
        if (head_dim == 576) {
          one.layout.rotary_dim = 64;
          one.layout.rotary_offset = 512;
          one.layout.pair_distance = 0;
        }
        one.slots = DrawSlots(7, 48, &random);
        one.step = MakeStep(head_dim + 16, Count(70000, 7), 1.1386294);
        EXPECT_TRUE(one.WritesWhatRotateGives())
            << NameOf(in) << " to " << NameOf(out) << " " << head_dim;
      }
    }
  }
}

TEST_P(RotateIntoCacheTest, MatchesTheOracle) {
  Random random = Random::ForTest();
  for (const DataType in : kAllTypes) {
    for (const DataType out : kAllTypes) {
      const HeadsSpec spec = {out, 5, 16, 3, 128};
      WriteCase one(spec, spec, &random);
      one.MakeInputs({in, 2, 5, 3, 128}, {in, 2, 5, 3, 128}, 6, &random);
      one.layout = DrawLayout(128, &random);
      one.slots = DrawSlots(10, 80, &random);
      one.step = MakeStep(144, Count(4000, random.Below(2) ? 10 : 5), 1.25);
      ASSERT_TRUE(Succeeds(one.Run(Parallel::Serial())));
      EXPECT_TRUE(IsRotated(one.step, one.layout, Direction::kForward, *one.k,
                            one.k_cache.Gather(one.slots, 2)));
      EXPECT_TRUE(IsRotated(one.step, one.layout, Direction::kForward,
                            *one.q_before, *one.q));
      RotaryLayout still;
      still.head_dim = 128;
      EXPECT_TRUE(IsRotated(one.step, still, Direction::kForward, *one.v,
                            one.v_cache.Gather(one.slots, 2)));
    }
  }
}

TEST_P(RotateIntoCacheTest, SlotsOfEveryKindAreTheSame) {
  Random random = Random::ForTest();
  const HeadsSpec spec = {DataType::kBF16, 4, 8, 2, 64};
  WriteCase one(spec, spec, &random);
  one.MakeInputs({DataType::kF32, 1, 12, 2, 64}, {DataType::kF32, 1, 12, 2, 64},
                 2, &random);
  one.layout = FullLayout(64, Pairing::kHalf);
  one.slots = Count(13, 12);
  one.step = MakeStep(64, Count(0, 12));
  const std::vector<int32_t> narrow(one.slots.begin(), one.slots.end());
  const Cache before = one.k_cache.Copy();
  const Cache want = one.WantKeys();
  one.write.q = HeadsView();
  for (const Slots& slots :
       {SlotsOf(one.slots), Slots(narrow.data(), 12), Slots::Range(13, 12)}) {
    const Cache cache = before.Copy();
    one.write.k_cache = cache.view();
    ASSERT_TRUE(Succeeds(
        RotateIntoCache(one.step.rows, one.write, slots, Parallel::Serial())));
    EXPECT_TRUE(SameBytes(cache, want));
  }
}

// A ring of 16 slots that a window of tokens wraps around.
TEST_P(RotateIntoCacheTest, RingsWrapByTheCallersSlots) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    const HeadsSpec spec = {type, 1, 16, 2, 64};
    WriteCase one(spec, spec, &random);
    one.MakeInputs({type, 1, 10, 2, 64}, {type, 1, 10, 2, 64}, 2, &random);
    one.layout = FullLayout(64, Pairing::kInterleaved);
    one.step = MakeStep(64, Count(1003, 10));
    for (const int64_t position : one.step.positions) {
      one.slots.push_back(position % 16);
    }
    EXPECT_TRUE(one.WritesWhatRotateGives());
  }
}

TEST_P(RotateIntoCacheTest, RowsOfTheBatchOrSharedByIt) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (const int64_t rows : {4, 12}) {
      for (const DimOrder order :
           {DimOrder::kTokensHeads, DimOrder::kHeadsTokens}) {
        const HeadsSpec spec = {type, 5, 16, 3, 64};
        WriteCase one(spec, spec, &random);
        one.MakeInputs({DataType::kF32, 3, 4, 3, 64, order, 5, 3},
                       {DataType::kF32, 3, 4, 3, 64, order, 1, 2}, 3, &random);
        one.layout = FullLayout(64, Pairing::kHalf);
        one.slots = DrawSlots(12, 80, &random);
        one.slots[5] = -1;
        one.step = MakeStep(64, DrawPositions(rows, &random));
        EXPECT_TRUE(one.WritesWhatRotateGives()) << rows << " rows";
      }
    }
  }
}

TEST_P(RotateIntoCacheTest, AnyPartMayBeAbsent) {
  Random random = Random::ForTest();
  for (int parts = 0; parts < 8; ++parts) {
    const HeadsSpec spec = {DataType::kBF16, 2, 8, 2, 64};
    WriteCase one(spec, spec, &random);
    one.MakeInputs({DataType::kF32, 1, 5, 2, 64}, {DataType::kF32, 1, 5, 2, 64},
                   4, &random);
    one.layout = FullLayout(64, Pairing::kHalf);
    one.slots = DrawSlots(5, 16, &random);
    one.step = MakeStep(64, Count(77, 5));
    one.use_q = parts & 1;
    one.use_k = parts & 2;
    one.use_v = parts & 4;
    EXPECT_TRUE(one.WritesWhatRotateGives()) << parts;
  }
}

// A layer without RoPE: copies, and a scale that is the same for all tokens.
TEST_P(RotateIntoCacheTest, WhatDoesNotTurnNeedsNoRows) {
  Random random = Random::ForTest();
  const std::vector<int64_t> slots = {9, 2, 11};
  const Cache k_cache({DataType::kBF16, 3, 4, 2, 16}, &random);
  const Cache v_cache = k_cache.Copy();
  const Heads q({DataType::kF32, 1, 3, 4, 16}, &random);
  const Heads k({DataType::kF32, 1, 3, 2, 16}, &random);
  const Heads q_out = q.Copy();
  const ConstHeadsView k_view = k.view();
  CacheWrite write;
  write.q = q_out.view();
  write.k = &k_view;
  write.q_layout.head_dim = write.k_layout.head_dim = 16;
  write.q_transform.scale = 2;
  write.k_cache = k_cache.view();
  write.v_cache = v_cache.view();
  const Heads v = k.Copy();
  const ConstHeadsView v_view = v.view();
  write.v = &v_view;
  ASSERT_TRUE(Succeeds(
      RotateIntoCache(AngleRows(), write, SlotsOf(slots), Parallel::Serial())));
  EXPECT_TRUE(SameBytes(k_cache, v_cache));
  for (int64_t t = 0; t < 3; ++t) {
    for (int d = 0; d < 16; ++d) {
      EXPECT_EQ(q_out.Get(0, t, 3, d), 2 * q.Get(0, t, 3, d));
      EXPECT_NEAR(k_cache.Get(slots[static_cast<size_t>(t)], 1, d),
                  k.Get(0, t, 1, d), 0x1p-8 * std::fabs(k.Get(0, t, 1, d)));
    }
  }
}

TEST_P(RotateIntoCacheTest, AbsentPartsMayBeAnyThing) {
  Random random = Random::ForTest();
  const HeadsSpec spec = {DataType::kBF16, 2, 8, 2, 64};
  WriteCase one(spec, spec, &random);
  one.MakeInputs({DataType::kF32, 1, 5, 2, 64}, {DataType::kF32, 1, 5, 2, 64},
                 4, &random);
  one.layout = FullLayout(64, Pairing::kHalf);
  one.slots = DrawSlots(5, 16, &random);
  one.step = MakeStep(64, Count(77, 5));
  one.use_q = one.use_v = false;
  one.Prepare();
  one.write.q_layout = RotaryLayout{-1, 3, Pairing::kHalf, 9};
  one.write.v_cache = KvCacheView();
  const Cache want = one.WantKeys();
  ASSERT_TRUE(Succeeds(RotateIntoCache(
      one.step.rows, one.write, SlotsOf(one.slots), Parallel::Serial())));
  EXPECT_TRUE(SameBytes(one.k_cache, want));
  // Queries alone need no slots.
  one.use_q = true;
  one.use_k = false;
  one.Prepare();
  ASSERT_TRUE(Succeeds(RotateIntoCache(
      one.step.rows, one.write, Slots::Range(99, 7), Parallel::Serial())));
  EXPECT_TRUE(IsRotated(one.step, one.layout, Direction::kForward,
                        *one.q_before, *one.q));
}

TEST_P(RotateIntoCacheTest, NoTokensTouchNothing) {
  Random random = Random::ForTest();
  const HeadsSpec spec = {DataType::kBF16, 2, 8, 2, 64};
  WriteCase one(spec, spec, &random);
  one.MakeInputs({DataType::kF32, 1, 0, 2, 64}, {DataType::kF32, 1, 0, 2, 64},
                 4, &random);
  one.layout = FullLayout(64, Pairing::kHalf);
  one.step = MakeStep(64, {});
  EXPECT_TRUE(one.WritesWhatRotateGives());
}

// Position 0 among them: the bits pass, whatever number they are.
TEST_P(RotateIntoCacheTest, IdentityRowsCopyBits) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    const HeadsSpec spec = {type, 2, 8, 2, 80};
    WriteCase one(spec, spec, &random);
    one.MakeInputs({type, 1, 6, 2, 80}, {type, 1, 6, 2, 80}, 4, &random);
    for (Heads* heads : {&*one.k, &*one.v, &*one.q}) {
      for (size_t i = 0; i < heads->buffer().size(); ++i) {
        heads->buffer().data()[i] = static_cast<uint8_t>(random.Next());
      }
    }
    one.q_before.emplace(one.q->Copy());
    one.layout = FullLayout(80, Pairing::kHalf);
    one.slots = {3, 11, -1, 0, 7, 15};
    one.step = MakeStep(80, {0, 0, 9, 0, 0, 0});
    ASSERT_TRUE(Succeeds(one.Run(Parallel::Serial())));
    for (size_t t = 0; t < 6; ++t) {
      if (one.slots[t] < 0) continue;
      for (int64_t h = 0; h < 2; ++h) {
        const size_t bytes = static_cast<size_t>(80 * SizeOf(type));
        const auto token = static_cast<int64_t>(t);
        EXPECT_EQ(std::memcmp(one.k_cache.Element(one.slots[t], h, 0),
                              one.k->Element(0, token, h, 0), bytes),
                  0);
        EXPECT_EQ(std::memcmp(one.v_cache.Element(one.slots[t], h, 0),
                              one.v->Element(0, token, h, 0), bytes),
                  0);
        EXPECT_EQ(std::memcmp(one.q->Element(0, token, h, 0),
                              one.q_before->Element(0, token, h, 0), bytes),
                  0);
      }
    }
  }
}

// The cases of vllm 43355 and its kin: padding is skipped, the query of a
// padded token is rotated all the same.
TEST_P(RotateIntoCacheTest, SkippedTokensLeaveNoTraceInTheCaches) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    const HeadsSpec spec = {type, 2, 4, 2, 64};
    WriteCase one(spec, spec, &random);
    one.MakeInputs({type, 1, 3, 2, 64}, {type, 1, 3, 2, 64}, 4, &random);
    one.layout = FullLayout(64, Pairing::kHalf);
    one.layout.rotary_dim = 32;
    one.slots = {7, -1, 0};
    one.step = MakeStep(64, {5, 6, 7});
    EXPECT_TRUE(one.WritesWhatRotateGives());
    one.slots = {-1, -1, -1};
    const Cache k_before = one.k_cache.Copy();
    const Cache v_before = one.v_cache.Copy();
    ASSERT_TRUE(Succeeds(one.Run(Parallel::Serial())));
    EXPECT_TRUE(SameBytes(one.k_cache, k_before));
    EXPECT_TRUE(SameBytes(one.v_cache, v_before));
  }
}

// gemma.cpp's cache: [slots, heads of all layers, K and V, dims].
TEST_P(RotateIntoCacheTest, KeysAndValuesMayShareAnInterleavedCache) {
  Random random = Random::ForTest();
  constexpr int64_t kLayers = 3, kHeads = 2;
  for (const DataType type : kAllTypes) {
    const HeadsSpec spec = {type, 1, 20, kLayers * kHeads * 2, 64};
    WriteCase one(spec, spec, &random);
    one.MakeInputs({type, 1, 6, kHeads, 64}, {type, 1, 6, kHeads, 64}, 4,
                   &random);
    one.layout = FullLayout(64, Pairing::kHalf);
    one.slots = DrawSlots(6, 20, &random);
    one.step = MakeStep(64, Count(30, 6));
    one.Prepare();
    Cache want = one.k_cache.Copy();
    for (int64_t layer = 0; layer < kLayers; ++layer) {
      KvCacheView view = one.k_cache.view();
      view.heads = kHeads;
      view.head_stride *= 2;
      const int64_t first = layer * kHeads * 2;
      view.data = one.k_cache.Element(0, first, 0);
      one.write.k_cache = view;
      view.data = one.k_cache.Element(0, first + 1, 0);
      one.write.v_cache = view;
      one.write.q = HeadsView();
      ASSERT_TRUE(Succeeds(RotateIntoCache(
          one.step.rows, one.write, SlotsOf(one.slots), Parallel::Serial())));
      const Heads keys = one.RotatedKeys(type);
      for (int64_t t = 0; t < 6; ++t) {
        for (int64_t h = 0; h < kHeads; ++h) {
          uint8_t* to =
              want.Element(one.slots[static_cast<size_t>(t)], first + 2 * h, 0);
          const int64_t bytes = 64 * SizeOf(type);
          std::memcpy(to, keys.Element(0, t, h, 0), static_cast<size_t>(bytes));
          std::memcpy(to + bytes, one.v->Element(0, t, h, 0),
                      static_cast<size_t>(bytes));
        }
      }
    }
    EXPECT_TRUE(SameBytes(one.k_cache, want));
  }
}

TEST_P(RotateIntoCacheTest, BroadcastKeysFillEverySlot) {
  Random random = Random::ForTest();
  const HeadsSpec spec = {DataType::kF16, 2, 8, 4, 64};
  WriteCase one(spec, spec, &random);
  one.MakeInputs({DataType::kF32, 1, 5, 4, 64}, {DataType::kF32, 1, 5, 4, 64},
                 4, &random);
  one.layout = FullLayout(64, Pairing::kHalf);
  one.slots = DrawSlots(5, 16, &random);
  one.step = MakeStep(64, Count(2, 5));
  one.Prepare();
  one.k_view.head_stride = 0;
  one.write.q = HeadsView();
  ASSERT_TRUE(Succeeds(RotateIntoCache(
      one.step.rows, one.write, SlotsOf(one.slots), Parallel::Serial())));
  const Heads keys = one.k_cache.Gather(one.slots);
  for (int64_t t = 0; t < 5; ++t) {
    const double x0 = one.k->Get(0, t, 0, 5);
    const double x1 = one.k->Get(0, t, 0, 37);
    double pair[] = {x0, x1};
    reference::RotateHead({1, false, 0, 1}, one.step.Row(t) + 5, 1,
                          reference::Turn::kForward, pair);
    const double bound = StoreError(DataType::kF16, std::hypot(x0, x1));
    for (int64_t h = 0; h < 4; ++h) {
      EXPECT_NEAR(keys.Get(0, t, h, 5), pair[0], bound);
      EXPECT_EQ(keys.Bits(0, t, h, 5), keys.Bits(0, t, 0, 5));
    }
  }
}

// A prefill in chunks leaves the cache of one call.
TEST_P(RotateIntoCacheTest, ChunksOfAPrefillGiveTheSameBytes) {
  Random random = Random::ForTest();
  const HeadsSpec spec = {DataType::kBF16, 1, 16, 2, 64};
  const Heads keys({DataType::kF32, 1, 10, 2, 64}, &random);
  const RotaryLayout layout = FullLayout(64, Pairing::kHalf);
  const Cache whole(spec, &random);
  const Cache chunked = whole.Copy();
  CacheWrite write;
  write.k_layout = layout;
  const auto run = [&](const Cache& cache, int64_t first, int64_t count) {
    ConstHeadsView k = keys.view();
    k.data = keys.Element(0, first, 0, 0);
    k.tokens = count;
    write.k = &k;
    write.k_cache = cache.view();
    return RotateIntoCache(MakeStep(64, Count(first, count)).rows, write,
                           Slots::Range(first, count), Parallel::Serial());
  };
  ASSERT_TRUE(Succeeds(run(whole, 0, 10)));
  ASSERT_TRUE(Succeeds(run(chunked, 0, 4)));
  ASSERT_TRUE(Succeeds(run(chunked, 4, 4)));
  ASSERT_TRUE(Succeeds(run(chunked, 8, 2)));
  EXPECT_TRUE(SameBytes(chunked, whole));
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(RotateIntoCacheTest);

}  // namespace
}  // namespace ropewalk::test
