// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// How far a key that was shifted is from one that was rotated afresh.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "ropewalk/kv_cache.h"
#include "support/all_targets.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using ShiftDriftTest = AllTargets;

// Keys that were written at a position and moved to another, and where exact
// rotation to the second leads.
struct Drift {
  double worst = 0;  // error of a pair over its bound
  double error = 0;  // sums of squares
  double exact = 0;
  double ratios = 0;  // sum of norm(shifted) / norm(exact) of heads
};

struct Journey {
  int64_t from;
  int64_t step;
  int shifts;
};

void Add(const AngleTable& table, const RotaryLayout& layout,
         const Journey& journey, const Heads& keys, const Cache& cache,
         Drift* drift) {
  const Frequencies& frequencies = table.frequencies();
  const reference::Window window = WindowOf(layout);
  const double m = frequencies.attention_factor;
  const double position =
      static_cast<double>(journey.from + journey.step * journey.shifts);
  std::vector<reference::CosSin> angles;
  for (const double w : frequencies.inv_freq) {
    angles.push_back(reference::ExactAngle(position, w));
  }
  for (int64_t t = 0; t < keys.spec().tokens; ++t) {
    std::vector<double> want;
    double got_square = 0, want_square = 0;
    for (int d = 0; d < layout.head_dim; ++d) {
      want.push_back(keys.Get(0, t, 0, d));
    }
    reference::RotateHead(window, angles.data(), m, reference::Turn::kForward,
                          want.data());
    for (int i = 0; i < window.pairs; ++i) {
      const int d0 = Member0(window, i), d1 = Member1(window, i);
      const double x0 = want[static_cast<size_t>(d0)];
      const double x1 = want[static_cast<size_t>(d1)];
      const double y0 = cache.Get(t, 0, d0), y1 = cache.Get(t, 0, d1);
      const double error = std::hypot(y0 - x0, y1 - x1);
      const double norm = std::hypot(x0, x1);
      const DataType type = cache.spec().type;
      const double bound =
          StoreError(type, norm, m) + journey.shifts * StoreError(type, norm);
      drift->worst = std::max(drift->worst, error / bound);
      drift->error += error * error;
      want_square += norm * norm;
      got_square += y0 * y0 + y1 * y1;
    }
    drift->exact += want_square;
    drift->ratios += std::sqrt(got_square / want_square);
  }
}

// Writes float32 keys into a cache, and shifts them there.
Drift Travel(const AngleTable& table, const RotaryLayout& layout, DataType type,
             const Journey& journey, int64_t tokens, Random* random) {
  const Heads keys({DataType::kF32, 1, tokens, 1, layout.head_dim}, random);
  const Cache cache({type, 1, tokens, 1, layout.head_dim}, random);
  AngleRows rows;
  EXPECT_TRUE(
      Succeeds(table.Fill(Positions::Constant(journey.from, tokens), &rows)));
  const ConstHeadsView k = keys.view();
  CacheWrite write;
  write.k = &k;
  write.k_layout = layout;
  write.k_cache = cache.view();
  const Slots slots = Slots::Range(0, tokens);
  EXPECT_TRUE(
      Succeeds(RotateIntoCache(rows, write, slots, Parallel::Serial())));
  const AngleRows delta = RotationRows(table, {journey.step});
  for (int i = 0; i < journey.shifts; ++i) {
    EXPECT_TRUE(Succeeds(
        ShiftCache(delta, layout, cache.view(), slots, Parallel::Serial())));
  }
  Drift drift;
  Add(table, layout, journey, keys, cache, &drift);
  return drift;
}

RopeParameters Parameters(int rotary_dim, double base, const Scaling& scaling) {
  RopeParameters parameters;
  parameters.rotary_dim = rotary_dim;
  parameters.base = base;
  parameters.scaling = scaling;
  return parameters;
}

// Each store adds its own error at most.
TEST_P(ShiftDriftTest, EqualsFreshRotationAtTheNewPosition) {
  Random random = Random::ForTest();
  const auto plain = TableOf(Parameters(64, 10000, NoScaling{}));
  for (const DataType type : kAllTypes) {
    for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
      for (const Journey& journey :
           {Journey{100, -100, 1}, Journey{131071, -4096, 3},
            Journey{3, 1, 8}}) {
        RotaryLayout layout = FullLayout(64, pairing);
        EXPECT_LE(Travel(*plain, layout, type, journey, 64, &random).worst, 1)
            << NameOf(type);
      }
    }
  }
}

// llama.cpp 4156: layers of different frequencies in one cache.
TEST_P(ShiftDriftTest, EveryLayerTurnsByItsOwnFrequencies) {
  Random random = Random::ForTest();
  const auto local = TableOf(Parameters(256, 1e4, NoScaling{}));
  const auto global = TableOf(Parameters(256, 1e6, LinearScaling{8}));
  const RotaryLayout layout = FullLayout(256, Pairing::kHalf);
  for (const DataType type : kAllTypes) {
    const Journey journey = {5000, -100, 1};
    EXPECT_LE(Travel(*local, layout, type, journey, 16, &random).worst, 1);
    EXPECT_LE(Travel(*global, layout, type, journey, 16, &random).worst, 1);
  }
}

TEST_P(ShiftDriftTest, ThreeShiftsKeepTheYarnFactorOnce) {
  Random random = Random::ForTest();
  YarnScaling yarn;
  yarn.factor = 4;
  yarn.original_positions = 32768;
  const auto table = TableOf(Parameters(128, 1e6, yarn));
  ASSERT_NEAR(table->frequencies().attention_factor, 1.1386294, 5e-8);
  const RotaryLayout layout = FullLayout(128, Pairing::kHalf);
  for (const DataType type : kAllTypes) {
    constexpr int64_t kKeys = 64;
    const Drift drift =
        Travel(*table, layout, type, {100, -10, 3}, kKeys, &random);
    EXPECT_LE(drift.worst, 1) << NameOf(type);
    // A factor in each shift would give m^3 = 1.476; each key's norm is off by
    // the stores at most.
    EXPECT_NEAR(drift.ratios / kKeys, 1,
                StoreError(type, 1, 1.1386294) + 3 * StoreError(type, 1));
  }
}

// The limits stand for bf16 stores whose errors add up as they should.
TEST_P(ShiftDriftTest, ManySmallShiftsOfBF16DriftNoMoreThanTheirRoundings) {
  const auto table = TableOf(Parameters(64, 10000, NoScaling{}));
  const RotaryLayout layout = FullLayout(64, Pairing::kHalf);
  const struct {
    Journey journey;
    double limit;
  } cases[] = {
      {{5000, -8, 1}, 0.0026},   {{5000, -8, 4}, 0.0055},
      {{5000, -8, 16}, 0.016},   {{5000, -8, 64}, 0.045},
      {{5000, -512, 1}, 0.0026},
  };
  for (const auto& one : cases) {
    Random random(47);
    const Drift drift =
        Travel(*table, layout, DataType::kBF16, one.journey, 1024, &random);
    EXPECT_LE(std::sqrt(drift.error / drift.exact), one.limit);
    EXPECT_NEAR(drift.ratios / 1024, 1, 0.003);
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(ShiftDriftTest);

}  // namespace
}  // namespace ropewalk::test
