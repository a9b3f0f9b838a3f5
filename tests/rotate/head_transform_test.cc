// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Norm and scale in the same pass as a rotation, against the oracle and against
// passes of their own.
#include "ropewalk/head_transform.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/rotate.h"
#include "ropewalk/target.h"
#include "rotate/transform_case.h"
#include "support/all_targets.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using HeadTransformTest = AllTargets;

constexpr Pairing kPairings[] = {Pairing::kHalf, Pairing::kInterleaved};
constexpr HeadNorm::Kind kKinds[] = {HeadNorm::Kind::kRms,
                                     HeadNorm::Kind::kLayer};

RotateOptions OptionsOf(const TransformCase& transform,
                        Direction direction = Direction::kForward) {
  RotateOptions options;
  options.direction = direction;
  options.transform = transform.transform();
  return options;
}

// In place, on a copy.
Heads InPlace(const TransformCase& transform, const Step& step,
              const RotaryLayout& layout, const Heads& x,
              Direction direction = Direction::kForward) {
  Heads y = x.Copy();
  EXPECT_TRUE(Succeeds(
      Rotate(step.rows, layout, {y.view()}, OptionsOf(transform, direction))));
  EXPECT_EQ(y.GapBytes(), x.GapBytes());
  EXPECT_TRUE(y.buffer().CanariesIntact());
  return y;
}

Heads OutOfPlace(const TransformCase& transform, const Step& step,
                 const RotaryLayout& layout, const Heads& x,
                 const HeadsSpec& spec,
                 Direction direction = Direction::kForward) {
  Heads in = x.Copy();
  in.buffer().MakeReadOnly();
  Heads out(spec);
  const std::vector<uint8_t> gaps = out.GapBytes();
  EXPECT_TRUE(Succeeds(Rotate(step.rows, layout, in.view(), out.view(),
                              OptionsOf(transform, direction))));
  EXPECT_EQ(out.GapBytes(), gaps);
  EXPECT_TRUE(out.buffer().CanariesIntact());
  return out;
}

// Whatever norm, weights and scale, over all of the head or a part of it.
TransformSpec DrawTransform(HeadNorm::Kind kind, DataType weight_type,
                            int head_dim, Random* random) {
  TransformSpec spec;
  spec.kind = kind;
  spec.weight_type = weight_type;
  spec.size = head_dim;
  if (random->Below(2)) {
    spec.size = static_cast<int>(random->Between(1, head_dim));
    spec.offset = static_cast<int>(random->Between(0, head_dim - spec.size));
  }
  spec.has_weight = random->Below(4) != 0;
  spec.one_plus_weight = random->Below(2) != 0;
  spec.has_bias = kind == HeadNorm::Kind::kLayer && random->Below(2);
  const float epsilons[] = {1e-6f, 1e-5f, 0.1f};
  spec.epsilon = epsilons[random->Below(3)];
  if (random->Below(2)) spec.scale = 0.08838834764f;
  spec.has_token_scale = random->Below(2) != 0;
  return spec;
}

RotaryLayout PartOf(int head_dim, Pairing pairing, Random* random) {
  RotaryLayout layout = FullLayout(head_dim, pairing);
  if (random->Below(2) || head_dim < 8) return layout;
  layout.rotary_dim = head_dim / 4 * 2;
  layout.rotary_offset = static_cast<int>(random->Below(head_dim / 4));
  return layout;
}

// The head dims end in whole vectors, and in the midst of them.
TEST_P(HeadTransformTest, MatchesTheOracle) {
  Random random = Random::ForTest();
  for (const int head_dim : {2, 18, 64, 80, 100, 128, 256}) {
    for (const DataType type : kAllTypes) {
      for (const DataType weight_type : kAllTypes) {
        for (const HeadNorm::Kind kind : kKinds) {
          const TransformSpec spec =
              DrawTransform(kind, weight_type, head_dim, &random);
          const TransformCase transform(spec, 6, &random);
          const RotaryLayout layout =
              PartOf(head_dim, kPairings[random.Below(2)], &random);
          const int64_t rows = random.Below(2) ? 3 : 6;
          const Step step = MakeStep(head_dim, Count(random.Below(9000), rows),
                                     random.Below(2) ? 1 : 1.25);
          const DimOrder order =
              random.Below(2) ? DimOrder::kTokensHeads : DimOrder::kHeadsTokens;
          const Heads x({type, 2, 3, 3, head_dim, order, 3, 5}, &random);
          const std::string name = std::string(NameOf(type)) + " weights " +
                                   NameOf(weight_type) + " kind " +
                                   std::to_string(static_cast<int>(kind)) +
                                   " head_dim " + std::to_string(head_dim);
          EXPECT_TRUE(IsTransformed(transform, step, layout, x,
                                    InPlace(transform, step, layout, x)))
              << name;
          const HeadsSpec out = {kAllTypes[random.Below(3)], 2, 3, 3, head_dim,
                                 DimOrder::kHeadsTokens,     1};
          EXPECT_TRUE(
              IsTransformed(transform, step, layout, x,
                            OutOfPlace(transform, step, layout, x, out)))
              << name << " to " << NameOf(out.type);
        }
      }
    }
  }
}

// The Qwen3 shape of vllm 51049, where half of the head turns.
TEST_P(HeadTransformTest, QwenHeadsOfWhichAHalfTurns) {
  Random random = Random::ForTest();
  RotaryLayout layout = FullLayout(128, Pairing::kHalf);
  layout.rotary_dim = 64;
  TransformSpec spec;
  spec.size = 128;
  spec.has_weight = true;
  spec.weight_type = DataType::kBF16;
  const Step step = MakeStep(64, {0, 1, 77, 40000});
  const TransformCase transform(spec, 4, &random);
  const Heads q({DataType::kBF16, 1, 4, 16, 128}, &random);
  const Heads k({DataType::kBF16, 1, 4, 4, 128}, &random);
  const Heads q_out = q.Copy();
  const Heads k_out = k.Copy();
  ASSERT_TRUE(Succeeds(Rotate(step.rows, layout, {q_out.view(), k_out.view()},
                              OptionsOf(transform))));
  EXPECT_TRUE(IsTransformed(transform, step, layout, q, q_out));
  EXPECT_TRUE(IsTransformed(transform, step, layout, k, k_out));
}

// Norm and scale alone into float32, then the rotation with one rounding: the
// fused pass does the same operations in the same order.
TEST_P(HeadTransformTest, HasTheBitsOfNormThenRotation) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (const DataType out_type : kAllTypes) {
      for (const HeadNorm::Kind kind : kKinds) {
        for (const Pairing pairing : kPairings) {
          const int head_dim = 2 * static_cast<int>(random.Between(4, 90));
          const TransformCase transform(
              DrawTransform(kind, DataType::kF32, head_dim, &random), 5,
              &random);
          const RotaryLayout layout = PartOf(head_dim, pairing, &random);
          const Step step = MakeStep(head_dim, {0, 3, 500, 0, 70000},
                                     random.Below(2) ? 1 : 1.25);
          constexpr Direction kDirections[] = {
              Direction::kForward, Direction::kInverse, Direction::kTranspose};
          const Direction direction = kDirections[random.Below(3)];
          RotaryLayout still;
          still.head_dim = head_dim;
          const Heads x({type, 1, 5, 3, head_dim}, &random);
          const HeadsSpec wide = {DataType::kF32, 1, 5, 3, head_dim};
          const HeadsSpec narrow = {out_type, 1, 5, 3, head_dim};
          const Heads normed = OutOfPlace(transform, step, still, x, wide);
          const TransformCase none(TransformSpec(), 0, &random);
          EXPECT_EQ(
              OutOfPlace(transform, step, layout, x, narrow, direction).Bytes(),
              OutOfPlace(none, step, layout, normed, narrow, direction)
                  .Bytes());
          if (type != out_type) continue;
          EXPECT_EQ(InPlace(transform, step, layout, x, direction).Bytes(),
                    OutOfPlace(transform, step, layout, x, narrow, direction)
                        .Bytes());
        }
      }
    }
  }
}

// A scale before the rotation or after it: the same within the tolerance, and
// the same bits for a power of two.
TEST_P(HeadTransformTest, ScalesMultiplyEveryDim) {
  Random random = Random::ForTest();
  const RotaryLayout layout = FullLayout(80, Pairing::kHalf);
  const Step step = MakeStep(80, {0, 9, 3000});
  TransformSpec spec;
  spec.scale = 0.125f;
  const TransformCase eighth(spec, 3, &random);
  const TransformCase none(TransformSpec(), 0, &random);
  const Heads x({DataType::kF32, 1, 3, 2, 80}, &random);
  const Heads scaled = InPlace(eighth, step, layout, x);
  const Heads plain = InPlace(none, step, layout, x);
  for (int64_t t = 0; t < 3; ++t) {
    for (int d = 0; d < 80; ++d) {
      EXPECT_EQ(scaled.Get(0, t, 1, d), plain.Get(0, t, 1, d) / 8);
    }
  }
  spec.scale = -1.7f;
  spec.has_token_scale = true;
  const TransformCase both(spec, 3, &random);
  RotaryLayout part = layout;
  part.rotary_dim = 24;
  EXPECT_TRUE(IsTransformed(both, step, part, x, InPlace(both, step, part, x)));
}

// Where heads are the outer dimension, a tile of tokens passes at a time.
TEST_P(HeadTransformTest, ManyTokensInEitherOrder) {
  Random random = Random::ForTest();
  const RotaryLayout layout = FullLayout(64, Pairing::kHalf);
  const Step step = MakeStep(64, Count(0, 37));
  for (const DimOrder order :
       {DimOrder::kTokensHeads, DimOrder::kHeadsTokens}) {
    TransformSpec spec;
    spec.size = 64;
    spec.has_token_scale = true;
    const TransformCase transform(spec, 37, &random);
    const Heads x({DataType::kBF16, 2, 37, 3, 64, order}, &random);
    EXPECT_TRUE(IsTransformed(transform, step, layout, x,
                              InPlace(transform, step, layout, x)));
  }
}

TEST_P(HeadTransformTest, NothingTurnsButTheNormIsDone) {
  Random random = Random::ForTest();
  RotaryLayout still;
  still.head_dim = 96;
  const Step step = MakeStep(0, {5, 6});
  for (const DataType type : kAllTypes) {
    for (const HeadNorm::Kind kind : kKinds) {
      const TransformCase transform(DrawTransform(kind, type, 96, &random), 2,
                                    &random);
      const Heads x({type, 1, 2, 3, 96}, &random);
      const Heads y = InPlace(transform, step, still, x);
      EXPECT_NE(y.Bytes(), x.Bytes());
      EXPECT_TRUE(IsTransformed(transform, step, still, x, y));
    }
  }
}

TEST_P(HeadTransformTest, RowsOfPositionZeroAreNormedToo) {
  Random random = Random::ForTest();
  const RotaryLayout layout = FullLayout(64, Pairing::kInterleaved);
  const Step step = MakeStep(64, {0, 0, 0});
  for (const DataType type : kAllTypes) {
    TransformSpec spec;
    spec.size = 64;
    const TransformCase transform(spec, 3, &random);
    const Heads x({type, 1, 3, 2, 64}, &random);
    const Heads y = InPlace(transform, step, layout, x);
    EXPECT_NE(y.Bytes(), x.Bytes());
    EXPECT_TRUE(IsTransformed(transform, step, layout, x, y));
  }
}

// Dims before, in and behind the norm's window.
TEST_P(HeadTransformTest, DimsOutsideTheNormAndTheWindowKeepTheirBits) {
  Random random = Random::ForTest();
  RotaryLayout layout = FullLayout(100, Pairing::kHalf);
  layout.rotary_dim = 16;
  layout.rotary_offset = 40;
  TransformSpec spec;
  spec.size = 37;
  spec.offset = 23;
  const Step step = MakeStep(16, {4, 0});
  for (const DataType type : kAllTypes) {
    const TransformCase transform(spec, 2, &random);
    const Heads x({type, 1, 2, 2, 100}, &random);
    const Heads y = InPlace(transform, step, layout, x);
    for (int d = 0; d < 100; ++d) {
      if (d >= 23 && d < 60) continue;
      for (int64_t t = 0; t < 2; ++t) {
        EXPECT_EQ(y.Bits(0, t, 1, d), x.Bits(0, t, 1, d)) << d;
      }
    }
  }
}

TEST_P(HeadTransformTest, AHeadOfZerosStaysZero) {
  Random random = Random::ForTest();
  const RotaryLayout layout = FullLayout(32, Pairing::kHalf);
  const Step step = MakeStep(32, {7});
  for (const HeadNorm::Kind kind : kKinds) {
    TransformSpec spec;
    spec.kind = kind;
    spec.size = 32;
    const TransformCase transform(spec, 1, &random);
    Heads x({DataType::kBF16, 1, 1, 1, 32});
    for (int d = 0; d < 32; ++d) x.Set(0, 0, 0, d, 0);
    const Heads y = InPlace(transform, step, layout, x);
    for (int d = 0; d < 32; ++d) EXPECT_EQ(y.Get(0, 0, 0, d), 0);
  }
}

// The buffer's limit, and many heads that take turns in it.
TEST_P(HeadTransformTest, HeadsAsLargeAsTheBuffer) {
  Random random = Random::ForTest();
  for (const int head_dim : {kMaxTransformDim, 2050, 1366}) {
    RotaryLayout layout = FullLayout(head_dim, Pairing::kHalf);
    layout.rotary_dim = 64;
    TransformSpec spec;
    spec.size = head_dim;
    const Step step = MakeStep(64, {12});
    const TransformCase transform(spec, 1, &random);
    const Heads x({DataType::kF32, 1, 1, 5, head_dim}, &random);
    EXPECT_TRUE(IsTransformed(transform, step, layout, x,
                              InPlace(transform, step, layout, x)));
  }
}

// Targets with FMA give the bits of each other, and so do those without.
TEST(HeadTransformTargetsTest, TargetsOfAKindGiveTheSameBits) {
  Random random = Random::ForTest();
  for (int run = 0; run < 60; ++run) {
    const int head_dim = 2 * static_cast<int>(random.Between(1, 150));
    const TransformCase transform(
        DrawTransform(kKinds[run % 2], kAllTypes[run % 3], head_dim, &random),
        4, &random);
    const Pairing pairing = kPairings[random.Below(2)];
    const RotaryLayout layout = PartOf(head_dim, pairing, &random);
    const Step step = MakeStep(head_dim, {0, 3, 500, 70000}, 1.25);
    const Heads x({kAllTypes[random.Below(3)], 1, 4, 3, head_dim}, &random);
    std::map<bool, std::vector<uint8_t>> bits;  // by whether there is FMA
    for (const std::string& target : TargetsToTest()) {
      ASSERT_TRUE(ForceTarget(target).ok());
      const std::vector<uint8_t> got =
          OutOfPlace(transform, step, layout, x,
                     {DataType::kF32, 1, 4, 3, head_dim})
              .Bytes();
      const auto first = bits.emplace(ActiveTargetHasFma(), got).first;
      EXPECT_EQ(first->second, got) << target << " head_dim " << head_dim;
    }
    ASSERT_TRUE(ForceTarget("").ok());
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(HeadTransformTest);

}  // namespace
}  // namespace ropewalk::test
