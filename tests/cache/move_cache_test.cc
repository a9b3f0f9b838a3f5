// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// MoveCache() against a reference that reads everything before it writes.
#include <cmath>
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

using MoveCacheTest = AllTargets;

struct Moves {
  std::vector<int64_t> from;
  std::vector<int64_t> to;
};

Status Move(const AngleRows& rows, const RotaryLayout& layout,
            const Cache& cache, const Moves& moves) {
  return MoveCache(rows, layout, cache.view(), SlotsOf(moves.from),
                   SlotsOf(moves.to), Parallel::Serial());
}

// Every key is taken out and rotated in place before one is put back; a step of
// no positions turns nothing.
Cache Moved(const Step& step, const RotaryLayout& layout, const Cache& before,
            const Moves& moves) {
  Cache want = before.Copy();
  for (size_t i = 0; i < moves.from.size(); ++i) {
    if (moves.from[i] < 0 || moves.to[i] < 0) continue;
    const Heads key = before.Gather({moves.from[i]});
    if (!step.positions.empty()) {
      const size_t row = step.positions.size() == 1 ? 0 : i;
      const Step one = MakeStep(step.inv_freq, {step.positions[row]});
      EXPECT_TRUE(
          Succeeds(Rotate(one.rows, layout, {key.view()}, RotateOptions{})));
    }
    want.Put(moves.to[i], key, 0, 0);
  }
  return want;
}

// Moves of every kind: most of a small cache's slots are written.
Moves DrawMoves(int64_t capacity, Random* random) {
  const int64_t count = random->Between(1, capacity);
  Moves moves;
  moves.to = DrawSlots(count, capacity, random);
  for (int64_t i = 0; i < count; ++i) {
    moves.from.push_back(random->Below(capacity));
    if (random->Below(9) == 0) moves.from.back() = -1;
    if (random->Below(9) == 0) moves.to[static_cast<size_t>(i)] = -1;
    if (random->Below(9) == 0) moves.from.back() = moves.to.back();
  }
  return moves;
}

// Deltas, a third of which are 0.
std::vector<int64_t> DrawDeltas(size_t count, Random* random) {
  std::vector<int64_t> deltas;
  for (size_t i = 0; i < count; ++i) {
    deltas.push_back(random->Between(-1, 1) * random->Between(1, 9000));
  }
  return deltas;
}

void ExpectMoved(const Step& step, const RotaryLayout& layout,
                 const Cache& before, const Moves& moves) {
  const Cache cache = before.Copy();
  ASSERT_TRUE(Succeeds(Move(step.rows, layout, cache, moves)));
  EXPECT_TRUE(SameBytes(cache, Moved(step, layout, before, moves)));
}

TEST_P(MoveCacheTest, RandomMovesInEveryCache) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (const HeadsSpec& spec : CacheSpecs(type, 20, 2, 40)) {
      for (int run = 0; run < 8; ++run) {
        const Cache before(spec, &random);
        RotaryLayout layout = FullLayout(
            40, random.Below(2) ? Pairing::kHalf : Pairing::kInterleaved);
        layout.rotary_dim = 24;
        layout.rotary_offset = static_cast<int>(random.Below(17));
        const Moves moves = DrawMoves(before.slots(), &random);
        const size_t rows = random.Below(2) ? 1 : moves.from.size();
        ExpectMoved(MakeStep(24, DrawDeltas(rows, &random)), layout, before,
                    moves);
      }
    }
  }
}

TEST_P(MoveCacheTest, PermutationsOfAWholeCache) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    const Cache before({type, 4, 16, 3, 64}, &random);
    const RotaryLayout layout = FullLayout(64, Pairing::kHalf);
    const Moves moves = {DrawSlots(64, 64, &random), Count(0, 64)};
    ExpectMoved(MakeStep(64, DrawDeltas(64, &random)), layout, before, moves);
  }
}

TEST_P(MoveCacheTest, OverlappingRangesMoveAsMemmoveDoes) {
  Random random = Random::ForTest();
  const RotaryLayout layout = FullLayout(32, Pairing::kInterleaved);
  for (const DataType type : kAllTypes) {
    const Cache before({type, 5, 16, 2, 32}, &random);
    for (const int64_t by : {1, -1, 16, -16}) {
      const int64_t first = by < 0 ? -by : 0;
      const Moves moves = {Count(first, 64), Count(first + by, 64)};
      const Step step = MakeStep(32, {by});
      ExpectMoved(step, layout, before, moves);
      const Cache cache = before.Copy();
      ASSERT_TRUE(Succeeds(
          MoveCache(step.rows, layout, cache.view(), Slots::Range(first, 64),
                    Slots::Range(first + by, 64), Parallel::Serial())));
      EXPECT_TRUE(SameBytes(cache, Moved(step, layout, before, moves)));
    }
  }
}

TEST_P(MoveCacheTest, MatchesTheOracle) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    const Cache before({type, 2, 16, 2, 128}, &random);
    const RotaryLayout layout = FullLayout(128, Pairing::kHalf);
    const Moves moves = {DrawSlots(32, 32, &random), Count(0, 32)};
    const Step step = MakeStep(128, DrawDeltas(32, &random));
    const Cache cache = before.Copy();
    ASSERT_TRUE(Succeeds(Move(step.rows, layout, cache, moves)));
    EXPECT_TRUE(IsRotated(step, layout, Direction::kForward,
                          before.Gather(moves.from), cache.Gather(moves.to)));
  }
}

TEST_P(MoveCacheTest, IdentityRowsCopyBits) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    Cache before({type, 2, 16, 3, 40}, &random);
    before.Poison(&random);
    const RotaryLayout layout = FullLayout(40, Pairing::kHalf);
    const Moves moves = DrawMoves(32, &random);
    const Cache cache = before.Copy();
    const Step zero = MakeStep(40, {0});
    ASSERT_TRUE(Succeeds(Move(zero.rows, layout, cache, moves)));
    EXPECT_TRUE(SameBytes(cache, Moved(Step(), layout, before, moves)));
  }
}

TEST_P(MoveCacheTest, ValuesNeedNoRows) {
  Random random = Random::ForTest();
  RotaryLayout layout;
  layout.head_dim = 72;
  for (const DataType type : kAllTypes) {
    for (const HeadsSpec& spec : CacheSpecs(type, 30, 3, 72)) {
      Cache before(spec, &random);
      before.Poison(&random);
      const Moves moves = DrawMoves(before.slots(), &random);
      const Cache cache = before.Copy();
      ASSERT_TRUE(Succeeds(Move(AngleRows(), layout, cache, moves)));
      EXPECT_TRUE(SameBytes(cache, Moved(Step(), layout, before, moves)));
    }
  }
}

TEST_P(MoveCacheTest, NoMovesTouchNothing) {
  Random random = Random::ForTest();
  const Cache before({DataType::kF32, 1, 4, 2, 16}, &random);
  const Cache cache = before.Copy();
  const RotaryLayout layout = FullLayout(16, Pairing::kHalf);
  const Step step = MakeStep(16, {3});
  EXPECT_TRUE(Succeeds(Move(step.rows, layout, cache, {{}, {}})));
  EXPECT_TRUE(Succeeds(Move(step.rows, layout, cache, {{-1, 2}, {1, -1}})));
  KvCacheView view = cache.view();
  view.heads = 0;
  EXPECT_TRUE(Succeeds(MoveCache(step.rows, layout, view, Slots::Range(0, 2),
                                 Slots::Range(1, 2), Parallel::Serial())));
  EXPECT_TRUE(SameBytes(cache, before));
}

// 14081, 14189 of llama.cpp: the order of shift and defragmentation.
TEST_P(MoveCacheTest, MoveThenShiftEqualsShiftThenMove) {
  Random random = Random::ForTest();
  const RotaryLayout layout = FullLayout(64, Pairing::kHalf);
  for (const DataType type : kAllTypes) {
    const Cache before({type, 4, 16, 2, 64}, &random);
    const std::vector<int64_t> block = Count(16, 16);
    const Moves moves = {block, Count(11, 16)};
    const Step none = MakeStep(64, {0});
    const Step shift = MakeStep(64, {-5});
    const auto shift_slots = [&](const Cache& cache,
                                 const std::vector<int64_t>& slots) {
      return ShiftCache(shift.rows, layout, cache.view(), SlotsOf(slots),
                        Parallel::Serial());
    };
    const Cache move_first = before.Copy();
    ASSERT_TRUE(Succeeds(Move(none.rows, layout, move_first, moves)));
    ASSERT_TRUE(Succeeds(shift_slots(move_first, moves.to)));
    const Cache shift_first = before.Copy();
    ASSERT_TRUE(Succeeds(shift_slots(shift_first, moves.from)));
    ASSERT_TRUE(Succeeds(Move(none.rows, layout, shift_first, moves)));
    EXPECT_EQ(move_first.Gather(moves.to).Bytes(),
              shift_first.Gather(moves.to).Bytes());
    const Cache at_once = before.Copy();
    ASSERT_TRUE(Succeeds(Move(shift.rows, layout, at_once, moves)));
    EXPECT_TRUE(SameBytes(at_once, move_first));
  }
}

// llama.cpp 12160: cells at positions with holes close up, in a ring whose
// order of slots is any.
TEST_P(MoveCacheTest, CellsCloseUpToConsecutivePositions) {
  Random random = Random::ForTest();
  const std::vector<int64_t> old_positions = {0, 1, 4, 5, 6, 7, 8};
  std::vector<int64_t> deltas;
  for (int64_t i = 0; i < 7; ++i) {
    deltas.push_back(i - old_positions[static_cast<size_t>(i)]);
  }
  const RotaryLayout layout = FullLayout(64, Pairing::kHalf);
  const Step delta = MakeStep(64, deltas);
  const Step fresh = MakeStep(64, Count(0, 7));
  const Step old = MakeStep(64, old_positions);
  const Heads keys({DataType::kF32, 1, 7, 2, 64}, &random);
  const Heads rotated({DataType::kF32, 1, 7, 2, 64});
  ASSERT_TRUE(Succeeds(
      Rotate(old.rows, layout, keys.view(), rotated.view(), RotateOptions{})));
  for (const Moves& moves :
       {Moves{old_positions, Count(0, 7)},
        Moves{{8, 0, 3, 4, 5, 6, 7}, {6, 8, 0, 1, 2, 3, 4}}}) {
    Cache cache({DataType::kF32, 1, 9, 2, 64}, &random);
    for (int64_t i = 0; i < 7; ++i) {
      cache.Put(moves.from[static_cast<size_t>(i)], rotated, 0, i);
    }
    ASSERT_TRUE(Succeeds(Move(delta.rows, layout, cache, moves)));
    const Heads got = cache.Gather(moves.to);
    for (int64_t t = 0; t < 7; ++t) {
      for (int64_t h = 0; h < 2; ++h) {
        for (int i = 0; i < 32; ++i) {
          const double x0 = keys.Get(0, t, h, i);
          const double x1 = keys.Get(0, t, h, i + 32);
          double pair[] = {x0, x1};
          reference::RotateHead({1, false, 0, 1}, fresh.Row(t) + i, 1,
                                reference::Turn::kForward, pair);
          // Rotated twice; the pairs at position 0 not even that.
          const double bound =
              2 * StoreError(DataType::kF32, std::hypot(x0, x1));
          EXPECT_NEAR(got.Get(0, t, h, i), pair[0], bound);
          EXPECT_NEAR(got.Get(0, t, h, i + 32), pair[1], bound);
        }
      }
    }
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(MoveCacheTest);

}  // namespace
}  // namespace ropewalk::test
