// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// M-RoPE in a cache: keys of different times, rows and columns on their way in,
// shifted by a delta of each axis, and moved.
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cache/write_case.h"
#include "gtest/gtest.h"
#include "ropewalk/axes.h"
#include "ropewalk/kv_cache.h"
#include "support/all_targets.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using CacheAxesTest = AllTargets;

constexpr int kDims = 128;
constexpr int64_t kTokens = 7;
constexpr int kAxes = 3;

struct Scheme {
  std::string name;
  std::vector<double> inv_freq;
  std::vector<uint8_t> axis;
  RotaryLayout layout;
};

Scheme SchemeOf(const char* name, int rotary_dim,
                Result<std::vector<uint8_t>> axis, Pairing pairing) {
  EXPECT_TRUE(Succeeds(axis.status()));
  RotaryLayout layout = FullLayout(kDims, pairing);
  layout.rotary_dim = rotary_dim;
  return {name, reference::PlainInvFreq(rotary_dim, 1e6),
          std::move(axis).value(), layout};
}

// Sections of Qwen2-VL and Qwen3-VL, and half as many of their pairs.
std::vector<Scheme> Schemes() {
  std::vector<Scheme> all;
  for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
    all.push_back(
        SchemeOf("contiguous", 128, ContiguousAxes({16, 24, 24}, 64), pairing));
    all.push_back(SchemeOf("interleaved", 128,
                           InterleavedAxes({24, 20, 20}, 64), pairing));
    all.push_back(SchemeOf("contiguous, partial", 64,
                           ContiguousAxes({8, 12, 12}, 32), pairing));
    all.push_back(SchemeOf("interleaved, partial", 64,
                           InterleavedAxes({11, 11, 10}, 32), pairing));
  }
  return all;
}

// [axes][tokens], no two alike.
std::vector<int64_t> DrawIds(int64_t tokens, int64_t step, Random* random) {
  std::vector<int64_t> ids;
  for (int64_t i = 0; i < kAxes * tokens; ++i) {
    ids.push_back((random->Between(-1, 1) * 1000 + i + 1) * step);
  }
  return ids;
}

Step StepOf(const Scheme& scheme, const std::vector<int64_t>& ids) {
  return MakeAxesStep(scheme.inv_freq, scheme.axis, ids, kAxes);
}

std::shared_ptr<const AngleTable> BuildTable(const Scheme& scheme, bool axes) {
  Frequencies frequencies;
  frequencies.inv_freq = scheme.inv_freq;
  if (axes) frequencies.axis = scheme.axis;
  return TableOf(frequencies);
}

// Pages of 16 slots.
HeadsSpec PagesOf(DataType type, DimOrder order, int64_t heads) {
  return {type, 3, 16, heads, kDims, order};
}

WriteCase MakeCase(const Scheme& scheme, DimOrder order, Random* random) {
  const HeadsSpec cache = PagesOf(DataType::kBF16, order, 2);
  WriteCase write(cache, cache, random);
  const HeadsSpec spec = {DataType::kBF16, 1, kTokens, 2, kDims};
  write.MakeInputs(spec, spec, 6, random);
  write.layout = scheme.layout;
  write.slots = DrawSlots(kTokens, write.k_cache.slots(), random);
  return write;
}

void Restore(Cache* cache, const std::vector<uint8_t>& bytes) {
  std::memcpy(cache->buffer().data(), bytes.data(), bytes.size());
}

TEST_P(CacheAxesTest, KeysGoIntoPages) {
  Random random = Random::ForTest();
  for (const Scheme& scheme : Schemes()) {
    SCOPED_TRACE(scheme.name);
    for (const DimOrder order :
         {DimOrder::kTokensHeads, DimOrder::kHeadsTokens}) {
      WriteCase write = MakeCase(scheme, order, &random);
      write.step = StepOf(scheme, DrawIds(kTokens, 37, &random));
      ASSERT_TRUE(write.WritesWhatRotateGives());
      EXPECT_TRUE(IsRotated(write.step, scheme.layout, Direction::kForward,
                            *write.k, write.k_cache.Gather(write.slots)));
      EXPECT_TRUE(IsRotated(write.step, scheme.layout, Direction::kForward,
                            *write.q_before, *write.q));
    }
  }
}

TEST_P(CacheAxesTest, EqualComponentsWriteTheBitsOfOnePosition) {
  Random random = Random::ForTest();
  for (const Scheme& scheme : Schemes()) {
    WriteCase write = MakeCase(scheme, DimOrder::kTokensHeads, &random);
    const std::vector<uint8_t> before = write.k_cache.Bytes();
    const Heads q = write.q->Copy();
    ASSERT_TRUE(Succeeds(BuildTable(scheme, true)
                             ->Fill(Positions::Consecutive(9000, kTokens, 3),
                                    &write.step.rows)));
    ASSERT_TRUE(Succeeds(write.Run(Parallel::Serial())));
    const Cache got = write.k_cache.Copy();
    const Heads q_got = write.q->Copy();
    Restore(&write.k_cache, before);
    write.q.emplace(q.Copy());
    ASSERT_TRUE(Succeeds(
        BuildTable(scheme, false)
            ->Fill(Positions::Consecutive(9000, kTokens), &write.step.rows)));
    ASSERT_TRUE(Succeeds(write.Run(Parallel::Serial())));
    EXPECT_TRUE(SameBytes(got, write.k_cache)) << scheme.name;
    EXPECT_EQ(q_got.Bytes(), write.q->Bytes()) << scheme.name;
  }
}

// Tokens [first, first + count) of a prompt, whose positions are
// [axes][tokens].
struct Prompt {
  Positions Of(int64_t first, int64_t count) const {
    return Positions::Components(ids.data() + first, kAxes, count, kTokens);
  }

  // Rows and keys of some of the tokens.
  void Write(int64_t first, int64_t count, WriteCase* write) const {
    ASSERT_TRUE(Succeeds(table->Fill(Of(first, count), &write->step.rows)));
    write->Prepare();
    ConstHeadsView part = write->k->view();
    part.data =
        static_cast<const uint8_t*>(part.data) + first * part.token_stride;
    part.tokens = count;
    write->write.k = &part;
    ASSERT_TRUE(Succeeds(RotateIntoCache(
        write->step.rows, write->write,
        Slots(write->slots.data() + first, count), Parallel::Serial())));
  }

  std::shared_ptr<const AngleTable> table;
  std::vector<int64_t> ids;
};

// By rows that are filled in two parts for one call, and by two calls.
TEST_P(CacheAxesTest, EverySplitOfThePromptGivesTheSame) {
  Random random = Random::ForTest();
  for (const Scheme& scheme : Schemes()) {
    const Prompt prompt = {BuildTable(scheme, true),
                           DrawIds(kTokens, 37, &random)};
    WriteCase write = MakeCase(scheme, DimOrder::kTokensHeads, &random);
    write.use_q = write.use_v = false;
    const std::vector<uint8_t> before = write.k_cache.Bytes();
    prompt.Write(0, kTokens, &write);
    const Cache whole = write.k_cache.Copy();
    for (int64_t split = 0; split <= kTokens; ++split) {
      const int64_t rest = kTokens - split;
      AngleRows* const rows = &write.step.rows;
      Restore(&write.k_cache, before);
      ASSERT_TRUE(Succeeds(prompt.table->Fill(prompt.Of(0, split), rows)));
      ASSERT_TRUE(
          Succeeds(prompt.table->Fill(prompt.Of(split, rest), rows, split)));
      ASSERT_TRUE(Succeeds(write.Run(Parallel::Serial())));
      EXPECT_TRUE(SameBytes(write.k_cache, whole)) << scheme.name << split;
      Restore(&write.k_cache, before);
      prompt.Write(0, split, &write);
      prompt.Write(split, rest, &write);
      EXPECT_TRUE(SameBytes(write.k_cache, whole)) << scheme.name << split;
    }
  }
}

// Shifts and moves, by a delta of each axis and token, in the two places.
struct Turned {
  Cache before;
  Cache shifted;
  Cache moved;
  std::vector<int64_t> from;
  std::vector<int64_t> to;
};

Turned Turn(const Scheme& scheme, DataType type, const AngleRows& rows,
            Random* random) {
  Cache before(PagesOf(type, DimOrder::kTokensHeads, 2), random);
  Turned turned = {before.Copy(), before.Copy(), before.Copy(),
                   DrawSlots(kTokens, before.slots(), random),
                   DrawSlots(kTokens, before.slots(), random)};
  EXPECT_TRUE(Succeeds(ShiftCache(rows, scheme.layout, turned.shifted.view(),
                                  SlotsOf(turned.from), Parallel::Serial())));
  EXPECT_TRUE(Succeeds(MoveCache(rows, scheme.layout, turned.moved.view(),
                                 SlotsOf(turned.from), SlotsOf(turned.to),
                                 Parallel::Serial())));
  return turned;
}

TEST_P(CacheAxesTest, KeysTurnByADeltaOfEachAxis) {
  Random random = Random::ForTest();
  for (const Scheme& scheme : Schemes()) {
    SCOPED_TRACE(scheme.name);
    for (const DataType type : kAllTypes) {
      const std::vector<int64_t> deltas = DrawIds(kTokens, -1, &random);
      Step step = StepOf(scheme, deltas);
      ASSERT_TRUE(Succeeds(
          BuildTable(scheme, true)
              ->FillRotation(
                  Positions::Components(deltas.data(), kAxes, kTokens, kTokens),
                  &step.rows)));
      const Turned turned = Turn(scheme, type, step.rows, &random);
      const Heads keys = turned.before.Gather(turned.from);
      EXPECT_TRUE(IsRotated(step, scheme.layout, Direction::kForward, keys,
                            turned.shifted.Gather(turned.from)));
      EXPECT_TRUE(IsRotated(step, scheme.layout, Direction::kForward, keys,
                            turned.moved.Gather(turned.to)));
    }
  }
}

TEST_P(CacheAxesTest, AConstantOfEveryAxisTurnsAsOneDelta) {
  Random random = Random::ForTest();
  for (const Scheme& scheme : Schemes()) {
    for (const int64_t count : {int64_t{1}, kTokens}) {
      AngleRows axes, one;
      ASSERT_TRUE(Succeeds(
          BuildTable(scheme, true)
              ->FillRotation(Positions::Constant(-317, count, kAxes), &axes)));
      ASSERT_TRUE(
          Succeeds(BuildTable(scheme, false)
                       ->FillRotation(Positions::Constant(-317, count), &one)));
      Random same = random;
      const Turned got = Turn(scheme, DataType::kBF16, axes, &random);
      const Turned want = Turn(scheme, DataType::kBF16, one, &same);
      EXPECT_NE(got.shifted.Bytes(), got.before.Bytes());
      EXPECT_TRUE(SameBytes(got.shifted, want.shifted)) << scheme.name;
      EXPECT_TRUE(SameBytes(got.moved, want.moved)) << scheme.name;
    }
  }
}

// Positions of far more components than there are axes cost no memory.
TEST_P(CacheAxesTest, RerotateTakesTextOfAnyNumberOfComponents) {
  Random random = Random::ForTest();
  const Scheme scheme = Schemes().front();
  Frequencies frequencies;
  frequencies.inv_freq = scheme.inv_freq;
  frequencies.axis = scheme.axis;
  for (double& w : frequencies.inv_freq) w *= 0.5;
  const auto to = TableOf(frequencies);
  const Cache got(PagesOf(DataType::kBF16, DimOrder::kTokensHeads, 2), &random);
  const Cache want = got.Copy();
  const std::vector<uint8_t> before = got.Bytes();
  const auto rerotate = [&](const Cache& cache, int components) {
    return Rerotate(*BuildTable(scheme, true), *to, scheme.layout, cache.view(),
                    Slots::Range(0, kTokens),
                    Positions::Consecutive(900, kTokens, components),
                    Parallel::Serial());
  };
  ASSERT_TRUE(Succeeds(rerotate(got, std::numeric_limits<int>::max())));
  ASSERT_TRUE(Succeeds(rerotate(want, kAxes)));
  EXPECT_NE(got.Bytes(), before);
  EXPECT_TRUE(SameBytes(got, want));
}

// Keys that were written at one place of the grid and shifted by the way to
// another are those written there, up to the two rotations' errors.
TEST_P(CacheAxesTest, AShiftedKeyIsTheKeyOfWhereItWent) {
  Random random = Random::ForTest();
  for (const Scheme& scheme : Schemes()) {
    const std::vector<int64_t> from = DrawIds(kTokens, 11, &random);
    const std::vector<int64_t> deltas = DrawIds(kTokens, 1, &random);
    std::vector<int64_t> to = from;
    for (size_t i = 0; i < to.size(); ++i) to[i] += deltas[i];
    const Heads x({DataType::kF32, 1, kTokens, 2, kDims}, &random);
    const Heads there = x.Copy();
    ASSERT_TRUE(Succeeds(Rotate(StepOf(scheme, to).rows, scheme.layout,
                                {there.view()}, RotateOptions{})));
    const Cache cache({DataType::kF32, 1, kTokens, 2, kDims}, &random);
    CacheWrite write;
    const ConstHeadsView k = x.view();
    write.k = &k;
    write.k_layout = scheme.layout;
    write.k_cache = cache.view();
    const Slots slots = Slots::Range(0, kTokens);
    ASSERT_TRUE(Succeeds(RotateIntoCache(StepOf(scheme, from).rows, write,
                                         slots, Parallel::Serial())));
    ASSERT_TRUE(Succeeds(ShiftCache(StepOf(scheme, deltas).rows, scheme.layout,
                                    cache.view(), slots, Parallel::Serial())));
    for (int64_t t = 0; t < kTokens; ++t) {
      for (int64_t h = 0; h < 2; ++h) {
        for (int d = 0; d < kDims; ++d) {
          // Three rotations of a pair no longer than 10.
          const double tolerance = 3 * StoreError(DataType::kF32, 10);
          ASSERT_NEAR(cache.Get(t, h, d), there.Get(0, t, h, d), tolerance)
              << scheme.name << " token " << t << " dim " << d;
        }
      }
    }
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(CacheAxesTest);

}  // namespace
}  // namespace ropewalk::test
