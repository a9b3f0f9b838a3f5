// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rotate() against the oracle: each rotary_dim, type, pairing and direction on
// each target, in place and out of place, with everything else at random.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/rotate.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using RotateOracleTest = AllTargets;

constexpr int kRotaryDims[] = {2,   4,   6,   10,  16,  18,  24,  36,
                               40,  48,  64,  72,  80,  96,  112, 120,
                               128, 160, 192, 256, 512, 576, 1024};
constexpr Pairing kPairings[] = {Pairing::kHalf, Pairing::kInterleaved};
constexpr Direction kDirections[] = {Direction::kForward, Direction::kInverse,
                                     Direction::kTranspose};

// A head around the window: equal to it, or larger, or with distant members,
// or with the window's pairs in the midst of the row's.
struct Drawn {
  RotaryLayout layout;
  int row_pairs;
};

Drawn DrawLayout(int rotary_dim, Pairing pairing, Random* random) {
  RotaryLayout layout = FullLayout(rotary_dim, pairing);
  Drawn drawn = {layout, rotary_dim / 2};
  if (random->Below(2) == 0) return drawn;
  int span = rotary_dim;
  if (pairing == Pairing::kHalf && random->Below(2) == 0) {
    layout.pair_distance = rotary_dim / 2 + static_cast<int>(random->Below(40));
    span = layout.pair_distance + rotary_dim / 2;
  }
  layout.rotary_offset = static_cast<int>(random->Below(40));
  layout.head_dim =
      layout.rotary_offset + span + static_cast<int>(random->Below(40));
  layout.first_pair = static_cast<int>(random->Below(9));
  drawn.layout = layout;
  drawn.row_pairs =
      layout.first_pair + rotary_dim / 2 + static_cast<int>(random->Below(3));
  return drawn;
}

HeadsSpec DrawSpec(DataType type, int head_dim, Random* random) {
  HeadsSpec spec;
  spec.type = type;
  spec.head_dim = head_dim;
  spec.head_gap = random->Below(2) * random->Below(20);
  spec.outer_gap = random->Below(2) * random->Below(20);
  spec.order =
      random->Below(2) ? DimOrder::kTokensHeads : DimOrder::kHeadsTokens;
  spec.side = random->Below(2) ? GuardSide::kBegin : GuardSide::kEnd;
  spec.shift = random->Below(2) * random->Below(33);
  return spec;
}

void DrawShape(HeadsSpec* spec, Random* random) {
  spec->batch = random->Between(1, 2);
  spec->tokens = random->Between(1, 3);
  spec->heads = random->Between(1, 4);
}

Step DrawStep(const HeadsSpec& spec, int pairs, Random* random) {
  const int64_t rows =
      random->Below(2) ? spec.tokens : spec.batch * spec.tokens;
  std::vector<int64_t> positions;
  for (int64_t i = 0; i < rows; ++i) {
    positions.push_back(random->Between(-10, 131072));
  }
  const double factor = random->Below(2) ? 1 : 0.5 + random->Uniform();
  return MakeStep(2 * pairs, positions, factor);
}

TEST_P(RotateOracleTest, MatchesInPlace) {
  Random random = Random::ForTest();
  for (const int rotary_dim : kRotaryDims) {
    for (const DataType type : kAllTypes) {
      for (const Pairing pairing : kPairings) {
        for (const Direction direction : kDirections) {
          const Drawn drawn = DrawLayout(rotary_dim, pairing, &random);
          HeadsSpec spec = DrawSpec(type, drawn.layout.head_dim, &random);
          DrawShape(&spec, &random);
          const Step step = DrawStep(spec, drawn.row_pairs, &random);
          const Heads x(spec, &random);
          EXPECT_TRUE(RotatesInPlace(step, drawn.layout, direction, x))
              << NameOf(type) << " rotary_dim " << rotary_dim << " pairing "
              << static_cast<int>(pairing) << " direction "
              << static_cast<int>(direction) << " factor " << step.factor;
        }
      }
    }
  }
}

TEST_P(RotateOracleTest, MatchesOutOfPlaceBetweenAllTypes) {
  Random random = Random::ForTest();
  for (const int rotary_dim : kRotaryDims) {
    for (const DataType in_type : kAllTypes) {
      for (const DataType out_type : kAllTypes) {
        for (const Pairing pairing : kPairings) {
          const Drawn drawn = DrawLayout(rotary_dim, pairing, &random);
          HeadsSpec in_spec = DrawSpec(in_type, drawn.layout.head_dim, &random);
          HeadsSpec out_spec =
              DrawSpec(out_type, drawn.layout.head_dim, &random);
          DrawShape(&in_spec, &random);
          out_spec.batch = in_spec.batch;
          out_spec.tokens = in_spec.tokens;
          out_spec.heads = in_spec.heads;
          const Step step = DrawStep(in_spec, drawn.row_pairs, &random);
          const Heads x(in_spec, &random);
          Heads out(out_spec, &random);
          const Direction direction = kDirections[random.Below(3)];
          EXPECT_TRUE(RotatesOutOfPlace(step, drawn.layout, direction, x, &out))
              << NameOf(in_type) << " to " << NameOf(out_type) << " rotary_dim "
              << rotary_dim << " pairing " << static_cast<int>(pairing)
              << " direction " << static_cast<int>(direction) << " factor "
              << step.factor;
        }
      }
    }
  }
}

// The float32 result of a target with FMA fuses one product or the other; that
// of one without rounds both.
struct Results {
  float fused_first;
  float fused_second;
  float unfused;
};

Results FirstMember(float x0, float x1, float c, float s) {
  return {std::fma(-x1, s, x0 * c), std::fma(x0, c, -(x1 * s)),
          x0 * c - x1 * s};
}

Results SecondMember(float x0, float x1, float c, float s) {
  return {std::fma(x0, s, x1 * c), std::fma(x1, c, x0 * s), x0 * s + x1 * c};
}

bool IsRoundedOnce(DataType type, double got, const Results& results) {
  if (!ActiveTargetHasFma()) return got == Rounded(type, results.unfused);
  return got == Rounded(type, results.fused_first) ||
         got == Rounded(type, results.fused_second);
}

TEST_P(RotateOracleTest, SixteenBitResultsAreTheFloat32OnesRoundedOnce) {
  Random random = Random::ForTest();
  constexpr int kTokens = 100;
  constexpr int kHeads = 16;
  constexpr int kDims = 128;  // 100 * 16 * 64 pairs
  const Step step = MakeStep(kDims, Count(31000, kTokens));
  for (const DataType type : {DataType::kBF16, DataType::kF16}) {
    for (const Pairing pairing : kPairings) {
      const RotaryLayout layout = FullLayout(kDims, pairing);
      const reference::Window window = WindowOf(layout);
      const Heads x({type, 1, kTokens, kHeads, kDims}, &random);
      Heads y = x.Copy();
      ASSERT_TRUE(Rotate(step.rows, layout, {y.view()}, RotateOptions{}).ok());
      for (int64_t t = 0; t < kTokens; ++t) {
        for (int64_t h = 0; h < kHeads; ++h) {
          for (int i = 0; i < window.pairs; ++i) {
            const int d0 = Member0(window, i);
            const int d1 = Member1(window, i);
            const float x0 = static_cast<float>(x.Get(0, t, h, d0));
            const float x1 = static_cast<float>(x.Get(0, t, h, d1));
            const float c = step.rows.cos(t)[i];
            const float s = step.rows.sin(t)[i];
            ASSERT_TRUE(IsRoundedOnce(type, y.Get(0, t, h, d0),
                                      FirstMember(x0, x1, c, s)))
                << NameOf(type) << " token " << t << " pair " << i;
            ASSERT_TRUE(IsRoundedOnce(type, y.Get(0, t, h, d1),
                                      SecondMember(x0, x1, c, s)))
                << NameOf(type) << " token " << t << " pair " << i;
          }
        }
      }
    }
  }
}

// Members just below a power of two (times the scale) that add up near an
// eighth of a turn: where the roundings are largest against the bound.
TEST_P(RotateOracleTest, StaysWithinTheBoundWhereItIsTight) {
  Random random = Random::ForTest();
  constexpr int kPairs = 512;
  constexpr int kHeads = 24;
  for (const double factor : {1.0, 1.2, 1.5, 1.9}) {
    for (const Direction direction : kDirections) {
      std::vector<double> inv_freq;
      for (int i = 0; i < kPairs; ++i) {
        inv_freq.push_back(0.6 + 0.4 * random.Uniform());
      }
      const Step step = MakeStep(inv_freq, {1}, factor);
      const RotaryLayout layout = FullLayout(2 * kPairs, Pairing::kHalf);
      Heads x({DataType::kF32, 1, 1, kHeads, 2 * kPairs});
      const double scale =
          direction == Direction::kInverse ? 1 / factor : factor;
      for (int64_t h = 0; h < kHeads; ++h) {
        for (int i = 0; i < kPairs; ++i) {
          const double x0 = 2 / scale * (1 - 0.02 * random.Uniform());
          const double x1 = x0 * (1 - 0.05 * random.Uniform());
          x.Set(0, 0, h, i, x0);
          x.Set(0, 0, h, kPairs + i, random.Below(2) ? x1 : -x1);
        }
      }
      EXPECT_TRUE(RotatesInPlace(step, layout, direction, x))
          << "factor " << factor << " direction "
          << static_cast<int>(direction);
    }
  }
}

TEST_P(RotateOracleTest, EveryPositionOfAThousandInBF16) {
  Random random = Random::ForTest();
  const Step step = MakeStep(32, Count(0, 1024));
  const Heads x({DataType::kBF16, 1, 1024, 1, 32}, &random);
  for (const Pairing pairing : kPairings) {
    EXPECT_TRUE(
        RotatesInPlace(step, FullLayout(32, pairing), Direction::kForward, x));
  }
}

TEST_P(RotateOracleTest, FarAndRealModelPositions) {
  Random random = Random::ForTest();
  const Step step =
      MakeStep(128, {0, 1, 256, 257, 8191, 8192, 16777216, 16777217, 2147483647,
                     -2147483647, 1073741824, 10485759});
  for (const DataType type : kAllTypes) {
    const Heads x({type, 1, 12, 2, 128}, &random);
    EXPECT_TRUE(RotatesInPlace(step, FullLayout(128, Pairing::kHalf),
                               Direction::kForward, x));
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(RotateOracleTest);

}  // namespace
}  // namespace ropewalk::test
