// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rerotate(): keys of one table become those of the other.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
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

using RerotateTest = AllTargets;
using TablePtr = std::shared_ptr<const AngleTable>;

LongRopeScaling LongRope(std::vector<double> short_factor,
                         std::vector<double> long_factor) {
  LongRopeScaling scaling;
  scaling.short_factor = std::move(short_factor);
  scaling.long_factor = std::move(long_factor);
  scaling.original_positions = 4096;
  scaling.max_positions = 131072;
  return scaling;
}

TablePtr LongRopeTable(LongRopeScaling scaling, LongRopePolicy policy) {
  RopeParameters parameters;
  parameters.rotary_dim = 2 * static_cast<int>(scaling.long_factor.size());
  scaling.policy = policy;
  parameters.scaling = scaling;
  return TableOf(parameters);
}

// The value of one axis for every token.
using PositionOf = std::vector<double>;

// Unrotated keys, and a cache that holds them as one table rotates them.
struct Keys {
  Keys(const HeadsSpec& spec, std::vector<PositionOf> of_axes, Random* random)
      : cache(spec, random),
        slots(DrawSlots(static_cast<int64_t>(of_axes[0].size()), cache.slots(),
                        random)),
        positions(std::move(of_axes)),
        plain({DataType::kF32, 1, static_cast<int64_t>(slots.size()),
               spec.heads, spec.head_dim},
              random) {}

  // Exact rotation of a token by a table.
  std::vector<double> Rotated(const AngleTable& table,
                              const RotaryLayout& layout, int64_t t,
                              int64_t head) const {
    const Frequencies& frequencies = table.frequencies();
    std::vector<reference::CosSin> angles;
    for (size_t i = 0; i < frequencies.inv_freq.size(); ++i) {
      const size_t axis = frequencies.axis.empty() ? 0 : frequencies.axis[i];
      angles.push_back(reference::ExactAngle(
          positions[axis][static_cast<size_t>(t)], frequencies.inv_freq[i]));
    }
    std::vector<double> x;
    for (int d = 0; d < layout.head_dim; ++d) {
      x.push_back(plain.Get(0, t, head, d));
    }
    reference::RotateHead(WindowOf(layout), angles.data() + layout.first_pair,
                          frequencies.attention_factor,
                          reference::Turn::kForward, x.data());
    return x;
  }

  // Stores the exact rotation, rounded once.
  void Store(const AngleTable& table, const RotaryLayout& layout) {
    for (int64_t t = 0; t < plain.spec().tokens; ++t) {
      for (int64_t h = 0; h < plain.spec().heads; ++h) {
        const std::vector<double> x = Rotated(table, layout, t, h);
        for (int d = 0; d < layout.head_dim; ++d) {
          StoreElement(cache.spec().type, x[static_cast<size_t>(d)],
                       cache.Element(slots[static_cast<size_t>(t)], h, d));
        }
      }
    }
  }

  // The largest error of a pair against exact rotation by `to`, over its
  // bound: a store under each table, the first scaled by the quotient of the
  // factors.
  double Worst(const AngleTable& from, const AngleTable& to,
               const RotaryLayout& layout) const {
    const double m = to.frequencies().attention_factor;
    const double quotient = m / from.frequencies().attention_factor;
    const reference::Window window = WindowOf(layout);
    double worst = 0;
    for (int64_t t = 0; t < plain.spec().tokens; ++t) {
      for (int64_t h = 0; h < plain.spec().heads; ++h) {
        const std::vector<double> want = Rotated(to, layout, t, h);
        const int64_t slot = slots[static_cast<size_t>(t)];
        for (int i = 0; i < window.pairs; ++i) {
          const int d0 = Member0(window, i), d1 = Member1(window, i);
          const double x0 = want[static_cast<size_t>(d0)];
          const double x1 = want[static_cast<size_t>(d1)];
          const double norm = std::hypot(x0, x1);
          const DataType type = cache.spec().type;
          const double bound = StoreError(type, norm / quotient) * quotient +
                               StoreError(type, norm, quotient);
          const double error = std::hypot(cache.Get(slot, h, d0) - x0,
                                          cache.Get(slot, h, d1) - x1);
          worst = std::max(worst, error / bound);
        }
      }
    }
    return worst;
  }

  Cache cache;
  std::vector<int64_t> slots;
  std::vector<PositionOf> positions;
  Heads plain;
};

PositionOf DrawPositions(int64_t count, int64_t last, Random* random) {
  PositionOf positions;
  for (int64_t i = 0; i < count; ++i) {
    positions.push_back(static_cast<double>(random->Between(0, last)));
  }
  return positions;
}

// Real positions, or the integers that they are.
Status RunRerotate(const TablePtr& from, const TablePtr& to,
                   const RotaryLayout& layout, const Keys& keys,
                   bool as_integers = true,
                   const Parallel& parallel = Parallel::Serial()) {
  std::vector<double> ids;
  for (const PositionOf& axis : keys.positions) {
    ids.insert(ids.end(), axis.begin(), axis.end());
  }
  const std::vector<int64_t> integers(ids.begin(), ids.end());
  const int axes = static_cast<int>(keys.positions.size());
  const auto count = static_cast<int64_t>(keys.positions[0].size());
  const Positions positions =
      as_integers ? Positions::Components(integers.data(), axes, count, count)
                  : Positions::Components(ids.data(), axes, count, count);
  return Rerotate(*from, *to, layout, keys.cache.view(), SlotsOf(keys.slots),
                  positions, parallel);
}

// The bug's own numbers: at position 5 the angles differ by -2.5 and -0.0375.
TEST_P(RerotateTest, ShortKeysBecomeLongOnes) {
  Random random = Random::ForTest();
  const LongRopeScaling scaling = LongRope({1, 1}, {2, 4});
  const TablePtr from = LongRopeTable(scaling, LongRopePolicy::kForceShort);
  const TablePtr to = LongRopeTable(scaling, LongRopePolicy::kForceLong);
  for (const DataType type : kAllTypes) {
    for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
      const RotaryLayout layout = FullLayout(4, pairing);
      Keys keys({type, 1, 8, 2, 4}, {PositionOf(6, 5)}, &random);
      keys.Store(*from, layout);
      const Heads before = keys.cache.Gather(keys.slots);
      ASSERT_TRUE(Succeeds(RunRerotate(from, to, layout, keys)));
      EXPECT_LE(keys.Worst(*from, *to, layout), 1) << NameOf(type);
      // By the deltas themselves; the factor is there already.
      const Step step = MakeStep(std::vector<double>{-2.5, -0.0375},
                                 std::vector<int64_t>(6, 1));
      EXPECT_TRUE(IsRotated(step, layout, Direction::kForward, before,
                            keys.cache.Gather(keys.slots)));
    }
  }
}

TEST_P(RerotateTest, LongRopeOfARealShapeAndBack) {
  Random random = Random::ForTest();
  std::vector<double> short_factor, long_factor;
  for (int i = 0; i < 48; ++i) {
    short_factor.push_back(1 + 0.05 * i);
    long_factor.push_back(1 + 1.3 * i);
  }
  const LongRopeScaling scaling = LongRope(short_factor, long_factor);
  const TablePtr small = LongRopeTable(scaling, LongRopePolicy::kForceShort);
  const TablePtr large = LongRopeTable(scaling, LongRopePolicy::kForceLong);
  for (const DataType type : kAllTypes) {
    for (const HeadsSpec& spec : CacheSpecs(type, 50, 2, 96)) {
      const RotaryLayout layout = FullLayout(96, Pairing::kHalf);
      Keys keys(spec, {DrawPositions(30, 4096, &random)}, &random);
      keys.Store(*small, layout);
      ASSERT_TRUE(Succeeds(RunRerotate(small, large, layout, keys)));
      EXPECT_LE(keys.Worst(*small, *large, layout), 1) << NameOf(type);
    }
  }
}

TEST_P(RerotateTest, FactorsAreExchangedNotAppliedTwice) {
  Random random = Random::ForTest();
  LongRopeScaling scaling = LongRope({1, 1.5, 2, 3}, {2, 4, 8, 16});
  scaling.short_attention_factor = 1.19;
  scaling.long_attention_factor = 1.243163121016122;
  const TablePtr small = LongRopeTable(scaling, LongRopePolicy::kForceShort);
  const TablePtr large = LongRopeTable(scaling, LongRopePolicy::kForceLong);
  RotaryLayout layout = FullLayout(12, Pairing::kHalf);
  layout.rotary_dim = 8;
  layout.rotary_offset = 3;
  for (const DataType type : kAllTypes) {
    for (const bool forth : {true, false}) {
      const TablePtr& from = forth ? small : large;
      const TablePtr& to = forth ? large : small;
      Keys keys({type, 2, 16, 3, 12}, {DrawPositions(20, 100000, &random)},
                &random);
      keys.positions[0][3] = 0;  // turns nothing, but has a factor
      keys.Store(*from, layout);
      const Cache before = keys.cache.Copy();
      ASSERT_TRUE(Succeeds(RunRerotate(from, to, layout, keys)));
      EXPECT_LE(keys.Worst(*from, *to, layout), 1) << NameOf(type);
      const Heads was = before.Gather(keys.slots);
      const Heads is = keys.cache.Gather(keys.slots);
      for (const int d : {0, 1, 2, 11}) {
        EXPECT_EQ(was.Bits(0, 5, 1, d), is.Bits(0, 5, 1, d));
      }
    }
  }
}

TEST_P(RerotateTest, DynamicNtkThatGrew) {
  Random random = Random::ForTest();
  DynamicNtkScaling scaling;
  scaling.factor = 2;
  scaling.max_positions = 2048;
  RopeParameters parameters;
  parameters.rotary_dim = 64;
  parameters.scaling = scaling;
  const RotaryLayout layout = FullLayout(64, Pairing::kInterleaved);
  const TablePtr lengths[] = {TableOf(parameters, 2048),
                              TableOf(parameters, 3000),
                              TableOf(parameters, 6000)};
  for (const DataType type : kAllTypes) {
    for (int i = 0; i < 2; ++i) {
      Keys keys({type, 4, 16, 1, 64}, {DrawPositions(40, 2999, &random)},
                &random);
      keys.Store(*lengths[i], layout);
      ASSERT_TRUE(
          Succeeds(RunRerotate(lengths[i], lengths[i + 1], layout, keys)));
      EXPECT_LE(keys.Worst(*lengths[i], *lengths[i + 1], layout), 1);
    }
  }
}

// One call a layer, or rows once for all of them: the same bits.
TEST_P(RerotateTest, RowsForEveryLayer) {
  Random random = Random::ForTest();
  LongRopeScaling scaling = LongRope({1, 1.5, 2, 3}, {2, 4, 8, 16});
  scaling.short_attention_factor = 1.19;
  scaling.long_attention_factor = 1.25;
  const TablePtr from = LongRopeTable(scaling, LongRopePolicy::kForceShort);
  const TablePtr to = LongRopeTable(scaling, LongRopePolicy::kForceLong);
  const RotaryLayout layout = FullLayout(8, Pairing::kHalf);
  for (const DataType type : kAllTypes) {
    Keys keys({type, 3, 1000, 2, 8}, {DrawPositions(2100, 131071, &random)},
              &random);
    keys.Store(*from, layout);
    const Cache by_tables = keys.cache.Copy();
    AngleRows rows;
    const std::vector<int64_t> ids(keys.positions[0].begin(),
                                   keys.positions[0].end());
    const Positions positions(ids.data(), static_cast<int64_t>(ids.size()));
    ASSERT_TRUE(Succeeds(to->FillRerotation(*from, positions, &rows)));
    ASSERT_TRUE(Succeeds(Rerotate(rows, layout, keys.cache.view(),
                                  SlotsOf(keys.slots), Parallel::Serial())));
    EXPECT_LE(keys.Worst(*from, *to, layout), 1);
    for (int share = 0; share < 7; ++share) {
      ASSERT_TRUE(Succeeds(Rerotate(*from, *to, layout, by_tables.view(),
                                    SlotsOf(keys.slots), positions,
                                    Parallel::Share(share, 7))));
    }
    EXPECT_TRUE(SameBytes(keys.cache, by_tables)) << NameOf(type);
  }
}

// Across the sizes at which rows are made in chunks.
TEST_P(RerotateTest, MoreSlotsThanAChunk) {
  Random random = Random::ForTest();
  const LongRopeScaling scaling = LongRope({1, 1, 1, 1}, {2, 4, 5, 6});
  const TablePtr from = LongRopeTable(scaling, LongRopePolicy::kForceShort);
  const TablePtr to = LongRopeTable(scaling, LongRopePolicy::kForceLong);
  const RotaryLayout layout = FullLayout(8, Pairing::kHalf);
  for (const int64_t count : {1023, 1024, 1025, 2500, 9001}) {
    Keys keys({DataType::kF32, 10, 1000, 1, 8},
              {DrawPositions(count, 131071, &random)}, &random);
    keys.Store(*from, layout);
    const Cache before = keys.cache.Copy();
    ASSERT_TRUE(Succeeds(RunRerotate(from, to, layout, keys)));
    EXPECT_LE(keys.Worst(*from, *to, layout), 1) << count;
    Cache untouched = before.Copy();
    for (size_t t = 0; t < keys.slots.size(); ++t) {
      untouched.Put(keys.slots[t], keys.cache.Gather({keys.slots[t]}), 0, 0);
    }
    EXPECT_TRUE(SameBytes(keys.cache, untouched)) << count;
  }
}

TEST_P(RerotateTest, RealPositions) {
  Random random = Random::ForTest();
  const LongRopeScaling scaling = LongRope({1, 1, 1, 1}, {2, 4, 5, 6});
  const TablePtr from = LongRopeTable(scaling, LongRopePolicy::kForceShort);
  const TablePtr to = LongRopeTable(scaling, LongRopePolicy::kForceLong);
  const RotaryLayout layout = FullLayout(8, Pairing::kHalf);
  for (const int64_t count : {20, 4500}) {
    Keys keys({DataType::kF32, 1, 5000, 1, 8},
              {DrawPositions(count, 9000, &random)}, &random);
    for (double& position : keys.positions[0]) position /= 7;
    keys.Store(*from, layout);
    ASSERT_TRUE(
        Succeeds(RunRerotate(from, to, layout, keys, /*as_integers=*/false)));
    EXPECT_LE(keys.Worst(*from, *to, layout), 1) << count;
  }
}

TEST_P(RerotateTest, SeveralComponents) {
  Random random = Random::ForTest();
  Frequencies frequencies;
  frequencies.inv_freq = reference::PlainInvFreq(24, 10000);
  frequencies.axis = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
  const TablePtr from = TableOf(frequencies);
  for (double& w : frequencies.inv_freq) w *= 0.37;
  frequencies.attention_factor = 1.5;
  const TablePtr to = TableOf(frequencies);
  const RotaryLayout layout = FullLayout(24, Pairing::kHalf);
  for (const int64_t count : {30, 2000, 4500}) {
    for (const bool as_integers : {true, false}) {
      Keys keys({DataType::kBF16, 1, 4500, 1, 24},
                {DrawPositions(count, 9000, &random),
                 DrawPositions(count, 50, &random),
                 DrawPositions(count, 50, &random)},
                &random);
      keys.Store(*from, layout);
      ASSERT_TRUE(Succeeds(RunRerotate(from, to, layout, keys, as_integers)));
      EXPECT_LE(keys.Worst(*from, *to, layout), 1) << count;
    }
  }
}

TEST_P(RerotateTest, SameFrequenciesLeaveTheBytes) {
  Random random = Random::ForTest();
  const TablePtr a =
      LongRopeTable(LongRope({1, 1}, {2, 4}), LongRopePolicy::kForceLong);
  const TablePtr b =
      LongRopeTable(LongRope({3, 1}, {2, 4}), LongRopePolicy::kForceLong);
  Keys keys({DataType::kBF16, 1, 8, 2, 4}, {DrawPositions(8, 99, &random)},
            &random);
  keys.cache.Poison(&random);
  const Cache before = keys.cache.Copy();
  const RotaryLayout layout = FullLayout(4, Pairing::kHalf);
  ASSERT_TRUE(Succeeds(RunRerotate(a, a, layout, keys)));
  ASSERT_TRUE(Succeeds(RunRerotate(a, b, layout, keys)));
  EXPECT_TRUE(SameBytes(keys.cache, before));
}

TEST_P(RerotateTest, SkippedSlotsAndPositionZeroLeaveTheBytes) {
  Random random = Random::ForTest();
  const LongRopeScaling scaling = LongRope({1, 1}, {2, 4});
  const TablePtr from = LongRopeTable(scaling, LongRopePolicy::kForceShort);
  const TablePtr to = LongRopeTable(scaling, LongRopePolicy::kForceLong);
  Keys keys({DataType::kF16, 1, 8, 2, 4}, {{7, 0, 9, 0}}, &random);
  keys.cache.Poison(&random);
  keys.slots = {-1, 3, -1, 5};
  const Cache before = keys.cache.Copy();
  const RotaryLayout layout = FullLayout(4, Pairing::kHalf);
  ASSERT_TRUE(Succeeds(RunRerotate(from, to, layout, keys)));
  EXPECT_TRUE(SameBytes(keys.cache, before));
  keys.slots.clear();
  keys.positions = {{}};
  EXPECT_TRUE(Succeeds(RunRerotate(from, to, layout, keys)));
  EXPECT_TRUE(SameBytes(keys.cache, before));
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(RerotateTest);

}  // namespace
}  // namespace ropewalk::test
