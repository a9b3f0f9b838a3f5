// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rotation by several position components against the oracle, and steps of
// multimodal models: prompts in chunks, images after text, towers with a class
// token.
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/angles.h"
#include "ropewalk/axes.h"
#include "ropewalk/rotate.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using RotateAxesStepsTest = AllTargets;

constexpr int64_t kTokens = 7;
constexpr int kAxes = 3;

template <class T>
T Checked(Result<T> result) {
  EXPECT_TRUE(result.ok()) << result.status().message();
  return result.ok() ? std::move(result).value() : T();
}

struct Scheme {
  std::string name;
  std::vector<double> inv_freq;
  std::vector<uint8_t> axis;
  RotaryLayout layout;
};

Scheme SchemeOf(const char* name, int rotary_dim, std::vector<uint8_t> axis,
                Pairing pairing) {
  RotaryLayout layout = FullLayout(128, pairing);
  layout.rotary_dim = rotary_dim;
  return {name, reference::PlainInvFreq(rotary_dim, 1e6), std::move(axis),
          layout};
}

// Sections of Qwen2-VL, Qwen3-VL and Qwen3.5, and what is like them.
std::vector<Scheme> Schemes() {
  std::vector<Scheme> all;
  for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
    all.push_back(SchemeOf("contiguous", 128,
                           Checked(ContiguousAxes({16, 24, 24}, 64)), pairing));
    all.push_back(SchemeOf("interleaved", 128,
                           Checked(InterleavedAxes({24, 20, 20}, 64)),
                           pairing));
    all.push_back(SchemeOf("contiguous, partial", 64,
                           Checked(ContiguousAxes({8, 12, 12}, 32)), pairing));
    all.push_back(SchemeOf("interleaved, partial", 64,
                           Checked(InterleavedAxes({11, 11, 10}, 32)),
                           pairing));
  }
  return all;
}

std::vector<int64_t> DrawIds(Random* random) {
  std::vector<int64_t> ids;
  for (int64_t i = 0; i < kAxes * kTokens; ++i) {
    ids.push_back(random->Between(-100, 1 << 20));
  }
  return ids;
}

TEST_P(RotateAxesStepsTest, MatchesTheOracle) {
  Random random = Random::ForTest();
  for (const Scheme& scheme : Schemes()) {
    SCOPED_TRACE(scheme.name);
    for (const double factor : {1.0, 1.2}) {
      const Step step = MakeAxesStep(scheme.inv_freq, scheme.axis,
                                     DrawIds(&random), kAxes, factor);
      for (const DataType type : kAllTypes) {
        const HeadsSpec spec = {type, 1, kTokens, 3, 128};
        const Heads x(spec, &random);
        Heads out({DataType::kBF16, 1, kTokens, 3, 128, DimOrder::kHeadsTokens},
                  &random);
        for (const Direction direction :
             {Direction::kForward, Direction::kInverse}) {
          EXPECT_TRUE(RotatesInPlace(step, scheme.layout, direction, x));
          EXPECT_TRUE(
              RotatesOutOfPlace(step, scheme.layout, direction, x, &out));
        }
      }
    }
  }
}

// cos, then sin, of every row.
std::vector<float> Values(const AngleRows& rows) {
  std::vector<float> values;
  for (int64_t r = 0; r < rows.rows(); ++r) {
    values.insert(values.end(), rows.cos(r), rows.cos(r) + rows.pairs());
    values.insert(values.end(), rows.sin(r), rows.sin(r) + rows.pairs());
  }
  return values;
}

// Tables of every kind and positions in both memory orders; the rows of each
// split are those of the whole.
TEST(RotateAxesRowsTest, EverySplitOfThePositions) {
  Random random = Random::ForTest();
  for (const Scheme& scheme : Schemes()) {
    Frequencies frequencies;
    frequencies.inv_freq = scheme.inv_freq;
    frequencies.axis = scheme.axis;
    const std::vector<int64_t> ids = DrawIds(&random);
    std::vector<int32_t> by_token;  // [tokens][axes]
    for (int64_t t = 0; t < kTokens; ++t) {
      for (int64_t a = 0; a < kAxes; ++a) {
        by_token.push_back(
            static_cast<int32_t>(ids[static_cast<size_t>(a * kTokens + t)]));
      }
    }
    for (const TableKind kind :
         {TableKind::kFactored, TableKind::kDense, TableKind::kDirect}) {
      AngleOptions options;
      options.kind = kind;
      options.dense_positions = 64;
      const auto table = AngleTable::Build(frequencies, options);
      ASSERT_TRUE(table.ok()) << table.status().message();
      AngleRows whole, parts;
      ASSERT_TRUE(
          table.value()
              ->Fill(Positions::Components(ids.data(), kAxes, kTokens, kTokens),
                     &whole)
              .ok());
      for (int64_t split = 0; split <= kTokens; ++split) {
        const Positions first =
            Positions::Components(by_token.data(), kAxes, split, 1, kAxes);
        const Positions rest = Positions::Components(
            by_token.data() + split * kAxes, kAxes, kTokens - split, 1, kAxes);
        ASSERT_TRUE(table.value()->Fill(first, &parts).ok());
        ASSERT_TRUE(table.value()->Fill(rest, &parts, split).ok());
        EXPECT_EQ(Values(parts), Values(whole)) << scheme.name << " " << split;
      }
    }
  }
}

// An image of 2 x 3 patches after 4 tokens of text; 64 heads of Q inside rows
// of a fused buffer, one of K with gaps, in one call.
TEST_P(RotateAxesStepsTest, AnImageAfterTextTurnsQAndKByTheirOwnStrides) {
  Random random = Random::ForTest();
  const std::vector<int64_t> ids = {
      0, 1, 2, 3, 4, 4, 4, 4, 4, 4, 7,  // t
      0, 1, 2, 3, 4, 4, 4, 5, 5, 5, 7,  // h
      0, 1, 2, 3, 4, 5, 6, 4, 5, 6, 7,  // w
  };
  for (const Scheme& scheme : Schemes()) {
    SCOPED_TRACE(scheme.name);
    const Step step = MakeAxesStep(scheme.inv_freq, scheme.axis, ids, kAxes);
    const Heads q_before(
        {DataType::kBF16, 1, 11, 64, 128, DimOrder::kTokensHeads, 0, 2 * 128},
        &random);
    const Heads k_before(
        {DataType::kF32, 1, 11, 1, 128, DimOrder::kHeadsTokens, 24}, &random);
    const Heads q = q_before.Copy();
    const Heads k = k_before.Copy();
    const Status status =
        Rotate(step.rows, scheme.layout, {q.view(), k.view()}, RotateOptions{});
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_TRUE(
        IsRotated(step, scheme.layout, Direction::kForward, q_before, q));
    EXPECT_TRUE(
        IsRotated(step, scheme.layout, Direction::kForward, k_before, k));
    EXPECT_EQ(q.GapBytes(), q_before.GapBytes());
    EXPECT_EQ(k.GapBytes(), k_before.GapBytes());
  }
}

// One ladder dealt out in turn: pairs 0 and 2 of 4 follow the row, 1 and 3 the
// column.
Step Alternating(const std::vector<int64_t>& ids) {
  return MakeAxesStep({1, 0.1, 0.01, 0.001}, {0, 1, 0, 1}, ids, 2);
}

TEST_P(RotateAxesStepsTest, RowsAndColumnsAreNotTheSame) {
  const RotaryLayout layout = FullLayout(8, Pairing::kHalf);
  Heads x({DataType::kF32, 1, 1, 1, 8});
  for (int d = 0; d < 8; ++d) x.Set(0, 0, 0, d, d + 1);
  const Step step = Alternating({2, 3});
  EXPECT_TRUE(RotatesInPlace(step, layout, Direction::kForward, x));
  // The angles, written out: [y, 0.1 x, 0.01 y, 0.001 x].
  const double angles[] = {2, 0.3, 0.02, 0.003};
  for (size_t i = 0; i < 4; ++i) {
    const reference::CosSin want = reference::ExactAngle(1, angles[i]);
    EXPECT_NEAR(step.Row(0)[i].cos, want.cos, 0x1p-50);
    EXPECT_NEAR(step.Row(0)[i].sin, want.sin, 0x1p-50);
  }
  const Heads turned = x.Copy();
  const Heads swapped = x.Copy();
  ASSERT_TRUE(Rotate(step.rows, layout, {turned.view()}, RotateOptions{}).ok());
  ASSERT_TRUE(Rotate(Alternating({3, 2}).rows, layout, {swapped.view()},
                     RotateOptions{})
                  .ok());
  for (int d = 0; d < 8; ++d) {
    EXPECT_NE(turned.Bits(0, 0, 0, d), swapped.Bits(0, 0, 0, d)) << d;
  }
}

TEST_P(RotateAxesStepsTest, TheClassTokenKeepsItsBits) {
  Random random = Random::ForTest();
  const Heads before({DataType::kF32, 1, 3, 2, 8}, &random);
  Heads x = before.Copy();
  // Only a token at 0 on every axis stays.
  const Step step = Alternating({0, 0, 1, /*columns*/ 0, 1, 0});
  ASSERT_TRUE(Rotate(step.rows, FullLayout(8, Pairing::kHalf), {x.view()},
                     RotateOptions{})
                  .ok());
  for (int64_t t = 0; t < 3; ++t) {
    EXPECT_EQ(step.rows.identity(t), t == 0);
    const bool same =
        std::memcmp(x.Element(0, t, 0, 0), before.Element(0, t, 0, 0),
                    2 * 8 * sizeof(float)) == 0;
    EXPECT_EQ(same, t == 0) << t;
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(RotateAxesStepsTest);

}  // namespace
}  // namespace ropewalk::test
