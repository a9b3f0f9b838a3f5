// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rotation by several position components: every pair turns, bit for bit, as
// one component alone would turn it.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/angles.h"
#include "ropewalk/axes.h"
#include "ropewalk/rotate.h"
#include "ropewalk/scaling.h"
#include "ropewalk/vision.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using RotateAxesTest = AllTargets;

constexpr int64_t kTokens = 7;
constexpr int kComponents = 4;
constexpr Pairing kPairings[] = {Pairing::kHalf, Pairing::kInterleaved};

// A way to turn a head: by one window or by several.
struct Scheme {
  std::string name;
  Frequencies frequencies;
  std::vector<RotaryLayout> layouts;
};

template <class T>
T Checked(Result<T> result) {
  EXPECT_TRUE(result.ok()) << result.status().message();
  return result.ok() ? std::move(result).value() : T();
}

Scheme MapOf(const char* name, Result<std::vector<uint8_t>> axes,
             Pairing pairing) {
  RopeParameters parameters;
  parameters.rotary_dim = 128;
  parameters.base = 1e6;
  parameters.axis = Checked(std::move(axes));
  EXPECT_EQ(parameters.axis.size(), 64u);
  RotaryLayout layout = FullLayout(128, pairing);
  layout.head_dim = 136;
  layout.rotary_offset = 8;
  return {name, Checked(ComputeFrequencies(parameters)), {layout}};
}

std::vector<Scheme> Maps(Pairing pairing) {
  return {
      MapOf("contiguous", ContiguousAxes({16, 24, 24}, 64), pairing),
      MapOf("xdrope", ContiguousAxes({16, 16, 16, 16}, 64), pairing),
      MapOf("interleaved", InterleavedAxes({24, 20, 20}, 64), pairing),
      MapOf("imrope", InterleavedAxes({24, 20, 20, 0}, 64, 3), pairing),
      MapOf("ggml", GgmlAxes({8, 12, 12, 2}, 64), pairing),
      MapOf("balanced", BalancedAxes({16, 24, 24}, 64), pairing),
      MapOf("ernie", ErnieAxes({22, 22, 20}, 64), pairing),
  };
}

std::vector<Scheme> Towers(Pairing pairing) {
  RotaryLayout minimax = Checked(AxialLayout(80, 3, pairing));
  return {
      {"axial",
       Checked(AxialFrequencies(72, {0, 1})),
       {FullLayout(72, pairing)}},
      {"minimax", Checked(AxialFrequencies(80, {0, 1, 2})), {minimax}},
      {"pixtral", Checked(PixtralFrequencies(64)), {FullLayout(64, pairing)}},
      {"gemma", Checked(AxialFrequencies(72, {1, 0}, 100)),
       Checked(AxialPartLayouts(72, 2))},
      {"chatglm", Checked(ChatGlmFrequencies(128)),
       Checked(AxialPartLayouts(128, 2))},
      {"ggml vision",
       Checked(GgmlVisionFrequencies(40, {20, 20, 20, 20})),
       {FullLayout(80, pairing)}},
  };
}

std::vector<Scheme> Everything() {
  std::vector<Scheme> all;
  for (const Pairing pairing : kPairings) {
    for (Scheme& map : Maps(pairing)) all.push_back(std::move(map));
    for (Scheme& tower : Towers(pairing)) all.push_back(std::move(tower));
  }
  return all;
}

// Of the default kind, each built once.
std::shared_ptr<const AngleTable> TableOf(const Frequencies& frequencies) {
  static AngleCache tables{AngleCacheOptions{}};
  auto table = tables.Get(frequencies, AngleOptions{});
  EXPECT_TRUE(table.ok()) << table.status().message();
  return table.ok() ? table.value() : nullptr;
}

void RotateBy(const Scheme& scheme, const Positions& positions,
              const HeadsView& view) {
  const auto table = TableOf(scheme.frequencies);
  ASSERT_NE(table, nullptr);
  AngleRows rows;
  const Status filled = table->Fill(positions, &rows);
  ASSERT_TRUE(filled.ok()) << filled.message();
  for (const RotaryLayout& layout : scheme.layouts) {
    const Status status = Rotate(rows, layout, {view}, RotateOptions{});
    ASSERT_TRUE(status.ok()) << status.message();
  }
}

Scheme WithoutAxes(Scheme scheme) {
  scheme.frequencies.axis.clear();
  return scheme;
}

Heads RandomHeads(const Scheme& scheme, DataType type, Random* random) {
  HeadsSpec spec;
  spec.type = type;
  spec.tokens = kTokens;
  spec.heads = 3;
  spec.head_dim = scheme.layouts.front().head_dim;
  return Heads(spec, random);
}

// The same position on every axis, or different ones on each.
std::vector<int64_t> RandomIds(bool same, Random* random) {
  std::vector<int64_t> ids(kTokens * kComponents);
  for (size_t k = 0; k < ids.size(); ++k) {
    ids[k] = same && k >= kTokens ? ids[k - kTokens] : random->Below(1 << 22);
  }
  return ids;
}

Positions ComponentsOf(const std::vector<int64_t>& ids, int64_t first = 0,
                       int64_t count = kTokens) {
  return Positions::Components(ids.data() + first, kComponents, count, kTokens);
}

TEST_P(RotateAxesTest, EqualComponentsGiveTheBitsOfOnePosition) {
  Random random = Random::ForTest();
  for (const Scheme& scheme : Everything()) {
    const std::vector<int64_t> ids = RandomIds(true, &random);
    for (const DataType type : kAllTypes) {
      const Heads got = RandomHeads(scheme, type, &random);
      const Heads want = got.Copy();
      RotateBy(scheme, ComponentsOf(ids), got.view());
      RotateBy(WithoutAxes(scheme), Positions(ids.data(), kTokens),
               want.view());
      EXPECT_EQ(got.Bytes(), want.Bytes()) << scheme.name << NameOf(type);
    }
  }
}

// Whether dim d belongs to a pair of this axis.
bool Follows(const Scheme& scheme, int d, int axis) {
  for (const RotaryLayout& layout : scheme.layouts) {
    const reference::Window window = WindowOf(layout);
    for (int i = 0; i < window.pairs; ++i) {
      const auto pair =
          static_cast<size_t>(layout.first_pair) + static_cast<size_t>(i);
      if (scheme.frequencies.axis[pair] == axis &&
          (Member0(window, i) == d || Member1(window, i) == d)) {
        return true;
      }
    }
  }
  return false;
}

TEST_P(RotateAxesTest, EveryPairTurnsAsItsOwnComponentAlone) {
  Random random = Random::ForTest();
  for (const Scheme& scheme : Everything()) {
    const std::vector<int64_t> ids = RandomIds(false, &random);
    const Heads x = RandomHeads(scheme, DataType::kF32, &random);
    const Heads got = x.Copy();
    RotateBy(scheme, ComponentsOf(ids), got.view());
    const int head_dim = x.spec().head_dim;
    std::vector<bool> turns(static_cast<size_t>(head_dim), false);
    const auto expect_same = [&](const Heads& want, int d) {
      for (int64_t t = 0; t < kTokens; ++t) {
        for (int64_t h = 0; h < x.spec().heads; ++h) {
          ASSERT_EQ(got.Bits(0, t, h, d), want.Bits(0, t, h, d))
              << scheme.name << " token " << t << " dim " << d;
        }
      }
    };
    for (int axis = 0; axis < kComponents; ++axis) {
      const Heads alone = x.Copy();
      RotateBy(WithoutAxes(scheme),
               Positions(ids.data() + axis * kTokens, kTokens), alone.view());
      for (int d = 0; d < head_dim; ++d) {
        if (!Follows(scheme, d, axis)) continue;
        turns[static_cast<size_t>(d)] = true;
        expect_same(alone, d);
      }
    }
    for (int d = 0; d < head_dim; ++d) {
      if (!turns[static_cast<size_t>(d)]) expect_same(x, d);
    }
  }
}

TEST_P(RotateAxesTest, ChunksGiveTheBitsOfTheWhole) {
  Random random = Random::ForTest();
  for (const Scheme& scheme : Everything()) {
    const std::vector<int64_t> ids = RandomIds(false, &random);
    const Heads x = RandomHeads(scheme, DataType::kBF16, &random);
    const Heads whole = x.Copy();
    RotateBy(scheme, ComponentsOf(ids), whole.view());
    for (int64_t split = 0; split <= kTokens; ++split) {
      const Heads chunks = x.Copy();
      HeadsView first = chunks.view();
      first.tokens = split;
      HeadsView second = chunks.view();
      second.data =
          static_cast<uint8_t*>(second.data) + split * second.token_stride;
      second.tokens = kTokens - split;
      RotateBy(scheme, ComponentsOf(ids, 0, split), first);
      RotateBy(scheme, ComponentsOf(ids, split, second.tokens), second);
      EXPECT_EQ(chunks.Bytes(), whole.Bytes()) << scheme.name << " " << split;
    }
  }
}

// A part of the head that is turned by its own window turns as a head of that
// size would.
TEST_P(RotateAxesTest, PartsTurnAsHeadsOfTheirOwn) {
  Random random = Random::ForTest();
  const std::vector<int64_t> ids = RandomIds(false, &random);
  const Scheme gemma = {"gemma", Checked(AxialFrequencies(72, {1, 0}, 100)),
                        Checked(AxialPartLayouts(72, 2))};
  const Heads x = RandomHeads(gemma, DataType::kF32, &random);
  const Heads got = x.Copy();
  RotateBy(gemma, ComponentsOf(ids), got.view());
  RopeParameters parameters;
  parameters.rotary_dim = 36;
  parameters.base = 100;
  const Scheme part = {"part",
                       Checked(ComputeFrequencies(parameters)),
                       {FullLayout(36, Pairing::kHalf)}};
  // Columns are component 1 and turn the first half.
  const Heads want = x.Copy();
  HeadsView half = want.view();
  RotateBy(part, Positions(ids.data() + kTokens, kTokens), half);
  half.data = static_cast<float*>(half.data) + 36;
  RotateBy(part, Positions(ids.data(), kTokens), half);
  EXPECT_EQ(got.Bytes(), want.Bytes());
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(RotateAxesTest);

}  // namespace
}  // namespace ropewalk::test
