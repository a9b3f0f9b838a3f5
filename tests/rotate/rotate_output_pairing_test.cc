// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// RotaryLayout::output_pairing: pairs that are read in one order and written in
// the other, against the oracle and against a rotation whose result is permuted
// dim by dim.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "ropewalk/rotate.h"
#include "rotate/transform_case.h"
#include "support/all_targets.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using RotateOutputPairingTest = AllTargets;

constexpr Pairing kPairings[] = {Pairing::kHalf, Pairing::kInterleaved};
constexpr Direction kDirections[] = {Direction::kForward, Direction::kInverse,
                                     Direction::kTranspose};

Pairing Other(Pairing pairing) {
  return pairing == Pairing::kHalf ? Pairing::kInterleaved : Pairing::kHalf;
}

RotaryLayout Changing(RotaryLayout layout) {
  layout.output_pairing = Other(layout.pairing);
  return layout;
}

RotaryLayout Kept(RotaryLayout layout) {
  layout.output_pairing.reset();
  layout.pair_distance = 0;
  return layout;
}

// A window anywhere in a head; half the time the distance of half pairing is
// written out.
RotaryLayout DrawChanging(int rotary_dim, Pairing pairing, Random* random) {
  RotaryLayout layout = Changing(FullLayout(rotary_dim, pairing));
  if (random->Below(2)) layout.pair_distance = rotary_dim / 2;
  if (random->Below(2)) return layout;
  layout.rotary_offset = static_cast<int>(random->Below(40));
  layout.head_dim += layout.rotary_offset + static_cast<int>(random->Below(40));
  return layout;
}

HeadsSpec DrawSpec(DataType type, int head_dim, Random* random) {
  HeadsSpec spec = {type, 2, 3, random->Between(1, 5), head_dim};
  spec.order =
      random->Below(2) ? DimOrder::kTokensHeads : DimOrder::kHeadsTokens;
  spec.head_gap = random->Below(2) * random->Below(20);
  spec.outer_gap = random->Below(2) * random->Below(20);
  spec.side = random->Below(2) ? GuardSide::kBegin : GuardSide::kEnd;
  spec.shift = random->Below(2) * random->Below(33);
  return spec;
}

HeadsSpec Like(const HeadsSpec& shape, HeadsSpec spec) {
  spec.heads = shape.heads;
  return spec;
}

// Moves the members of each pair to where the layout writes them.
Heads Permuted(const RotaryLayout& layout, const Heads& x) {
  const reference::Window from = WindowOf(layout);
  const reference::Window to = OutputWindowOf(layout);
  Heads y = x.Copy();
  const HeadsSpec& spec = x.spec();
  for (int64_t b = 0; b < spec.batch; ++b) {
    for (int64_t t = 0; t < spec.tokens; ++t) {
      for (int64_t h = 0; h < spec.heads; ++h) {
        for (int i = 0; i < from.pairs; ++i) {
          y.SetBits(b, t, h, Member0(to, i), x.Bits(b, t, h, Member0(from, i)));
          y.SetBits(b, t, h, Member1(to, i), x.Bits(b, t, h, Member1(from, i)));
        }
      }
    }
  }
  return y;
}

Heads InPlace(const Step& step, const RotaryLayout& layout, const Heads& x,
              const RotateOptions& options = RotateOptions{}) {
  Heads y = x.Copy();
  EXPECT_TRUE(Succeeds(Rotate(step.rows, layout, {y.view()}, options)));
  EXPECT_TRUE(y.buffer().CanariesIntact());
  EXPECT_EQ(y.GapBytes(), x.GapBytes());
  return y;
}

Heads OutOfPlace(const Step& step, const RotaryLayout& layout, const Heads& x,
                 const HeadsSpec& spec,
                 const RotateOptions& options = RotateOptions{}) {
  Heads in = x.Copy();
  in.buffer().MakeReadOnly();
  Heads out(spec);
  const std::vector<uint8_t> gaps = out.GapBytes();
  EXPECT_TRUE(
      Succeeds(Rotate(step.rows, layout, in.view(), out.view(), options)));
  EXPECT_TRUE(out.buffer().CanariesIntact());
  EXPECT_EQ(out.GapBytes(), gaps);
  return out;
}

Heads HeadOf(const std::vector<double>& x) {
  Heads head({DataType::kF32, 1, 1, 1, static_cast<int>(x.size())});
  for (size_t d = 0; d < x.size(); ++d) {
    head.Set(0, 0, 0, static_cast<int>(d), x[d]);
  }
  return head;
}

// new[k] = old[p[k]]: the order in which transformers' DeepSeek-V3 leaves q and
// k (rope_interleave), and the way back.
TEST_P(RotateOutputPairingTest, PermutationsOfEightDims) {
  const Step step = MakeStep(8, {0});
  const Heads x = HeadOf({0, 1, 2, 3, 4, 5, 6, 7});
  const int to_half[] = {0, 2, 4, 6, 1, 3, 5, 7};
  const int to_interleaved[] = {0, 4, 1, 5, 2, 6, 3, 7};
  for (const Pairing pairing : kPairings) {
    const int* p = pairing == Pairing::kHalf ? to_interleaved : to_half;
    const Heads y = InPlace(step, Changing(FullLayout(8, pairing)), x);
    for (int k = 0; k < 8; ++k) EXPECT_EQ(y.Get(0, 0, 0, k), p[k]) << k;
  }
}

// 1, 2, 3, 4 at position 1 with base 10000, computed with many digits.
TEST_P(RotateOutputPairingTest, WorkedNumbersOfFourDims) {
  const Step step = MakeStep(4, {1});
  const Heads x = HeadOf({1, 2, 3, 4});
  const struct {
    Pairing pairing;
    double want[4];
  } cases[] = {
      {Pairing::kInterleaved, {-1.142640, 2.959851, 1.922076, 4.029800}},
      {Pairing::kHalf, {-1.984111, 2.462378, 1.959901, 4.019800}}};
  for (const auto& one : cases) {
    const RotaryLayout layout = Changing(FullLayout(4, one.pairing));
    const Heads y = InPlace(step, layout, x);
    for (int d = 0; d < 4; ++d) {
      EXPECT_NEAR(
          y.Get(0, 0, 0, d), one.want[d],
          0.5e-6 * (1 + 1e-6) + RotationTolerance(4, 1, Direction::kForward));
    }
  }
}

TEST_P(RotateOutputPairingTest, MatchesTheOracle) {
  Random random = Random::ForTest();
  for (const int rotary_dim :
       {2, 4, 6, 10, 18, 24, 36, 48, 64, 80, 96, 112, 128, 192, 256, 1024}) {
    for (const DataType in : kAllTypes) {
      for (const DataType out : kAllTypes) {
        for (const Pairing pairing : kPairings) {
          const RotaryLayout layout =
              DrawChanging(rotary_dim, pairing, &random);
          const Direction direction = kDirections[random.Below(3)];
          const Step step =
              MakeStep(rotary_dim, Count(random.Below(100000), 6),
                       random.Below(2) ? 1 : 0.5 + random.Uniform());
          const Heads x(DrawSpec(in, layout.head_dim, &random), &random);
          Heads y(Like(x.spec(), DrawSpec(out, layout.head_dim, &random)),
                  &random);
          const std::string name = std::string(NameOf(in)) + " to " +
                                   NameOf(out) + " rotary_dim " +
                                   std::to_string(rotary_dim);
          EXPECT_TRUE(RotatesOutOfPlace(step, layout, direction, x, &y))
              << name;
          if (in == out) {
            EXPECT_TRUE(RotatesInPlace(step, layout, direction, x)) << name;
          }
        }
      }
    }
  }
}

TEST_P(RotateOutputPairingTest, HasTheBitsOfRotatingAndThenPermuting) {
  Random random = Random::ForTest();
  for (const int rotary_dim : {2, 6, 10, 24, 64, 80, 128, 576, 1024}) {
    for (const DataType in : kAllTypes) {
      for (const DataType out : kAllTypes) {
        for (const Pairing pairing : kPairings) {
          const RotaryLayout layout =
              DrawChanging(rotary_dim, pairing, &random);
          const Step step = MakeStep(rotary_dim, {0, 9, 70000}, 1);
          RotateOptions options;
          options.direction = kDirections[random.Below(3)];
          const Heads x(DrawSpec(in, layout.head_dim, &random), &random);
          const HeadsSpec spec =
              Like(x.spec(), DrawSpec(out, layout.head_dim, &random));
          const Heads want = Permuted(
              layout, OutOfPlace(step, Kept(layout), x, spec, options));
          EXPECT_EQ(OutOfPlace(step, layout, x, spec, options).Bytes(),
                    want.Bytes())
              << NameOf(in) << " to " << NameOf(out) << " rotary_dim "
              << rotary_dim;
        }
      }
    }
  }
}

// The last vector of a window takes again what the one before it took, and
// short windows have none.
TEST_P(RotateOutputPairingTest, EveryEvenRotaryDim) {
  Random random = Random::ForTest();
  const Step step = MakeStep(1024, {31});
  for (const DataType type : {DataType::kF32, DataType::kBF16}) {
    for (int rotary_dim = 2; rotary_dim <= 1024; rotary_dim += 2) {
      for (const Pairing pairing : kPairings) {
        const RotaryLayout layout = Changing(FullLayout(rotary_dim, pairing));
        const Heads x({type, 1, 1, 2, rotary_dim}, &random);
        ASSERT_EQ(InPlace(step, layout, x).Bytes(),
                  Permuted(layout, InPlace(step, Kept(layout), x)).Bytes())
            << NameOf(type) << " rotary_dim " << rotary_dim;
      }
    }
  }
}

// In place a head is read whole before it is written.
TEST_P(RotateOutputPairingTest, InPlaceAndOutOfPlaceAgree) {
  Random random = Random::ForTest();
  for (const int head_dim : {64, 80, 112, 4096}) {
    for (const DataType type : kAllTypes) {
      for (const Pairing pairing : kPairings) {
        for (const DimOrder order :
             {DimOrder::kTokensHeads, DimOrder::kHeadsTokens}) {
          RotaryLayout layout = Changing(FullLayout(64, pairing));
          if (head_dim == 4096) layout.rotary_dim = 4096;
          layout.head_dim = head_dim;
          const Step step = MakeStep(layout.rotary_dim, Count(0, 19), 1.2);
          const Heads x({type, 1, 19, 6, head_dim, order, 5}, &random);
          const Heads want =
              OutOfPlace(step, layout, x, {type, 1, 19, 6, head_dim});
          const Heads y = InPlace(step, layout, x);
          EXPECT_EQ(CopyOf(y.view(), head_dim).Bytes(), want.Bytes());
          Heads alias = x.Copy();
          EXPECT_TRUE(Succeeds(Rotate(step.rows, layout, alias.view(),
                                      alias.view(), RotateOptions{})));
          EXPECT_EQ(alias.Bytes(), y.Bytes());
        }
      }
    }
  }
}

// All bits of an element are random: NaN payloads and -0 are among them.
TEST_P(RotateOutputPairingTest, PositionZeroIsThePermutationBitForBit) {
  Random random = Random::ForTest();
  for (const int rotary_dim : {4, 30, 128, 1024}) {
    const Step step = MakeStep(rotary_dim, {0, 0});
    for (const DataType type : kAllTypes) {
      for (const Pairing pairing : kPairings) {
        const RotaryLayout layout = DrawChanging(rotary_dim, pairing, &random);
        Heads x({type, 1, 2, 3, layout.head_dim}, &random);
        for (size_t i = 0; i < x.buffer().size(); ++i) {
          x.buffer().data()[i] = static_cast<uint8_t>(random.Next());
        }
        const Heads want = Permuted(layout, x);
        EXPECT_EQ(InPlace(step, layout, x).Bytes(), want.Bytes());
        EXPECT_EQ(OutOfPlace(step, layout, x, x.spec()).Bytes(), want.Bytes());
      }
    }
  }
}

TEST_P(RotateOutputPairingTest, TheOwnPairingIsAsUnset) {
  Random random = Random::ForTest();
  const Step step = MakeStep(32, Count(5, 2));
  for (const Pairing pairing : kPairings) {
    RotaryLayout layout = FullLayout(32, pairing);
    layout.head_dim = 80;
    if (pairing == Pairing::kHalf) layout.pair_distance = 40;
    const Heads x({DataType::kF32, 1, 2, 3, 80}, &random);
    const Heads want = InPlace(step, layout, x);
    layout.output_pairing = pairing;
    EXPECT_EQ(InPlace(step, layout, x).Bytes(), want.Bytes());
  }
}

// Each way is off by its tolerance, the second of a member that may be sqrt(2)
// times the larger one, and turns the error of the first: 4 cover both.
TEST_P(RotateOutputPairingTest, InverseWithExchangedPairingsUndoes) {
  Random random = Random::ForTest();
  const Step step = MakeStep(96, Count(4000, 3));
  for (const Pairing pairing : kPairings) {
    RotaryLayout there = Changing(FullLayout(96, pairing));
    there.head_dim = 100;
    there.rotary_offset = 3;
    RotaryLayout back = there;
    back.pairing = *there.output_pairing;
    back.output_pairing = there.pairing;
    RotateOptions inverse;
    inverse.direction = Direction::kInverse;
    const Heads x({DataType::kF32, 1, 3, 5, 100}, &random);
    const Heads y = InPlace(step, back, InPlace(step, there, x), inverse);
    const reference::Window window = WindowOf(there);
    for (int64_t t = 0; t < 3; ++t) {
      for (int64_t h = 0; h < 5; ++h) {
        for (int i = 0; i < window.pairs; ++i) {
          const int d0 = Member0(window, i);
          const int d1 = Member1(window, i);
          const double tolerance =
              4 * RotationTolerance(std::fmax(std::fabs(x.Get(0, t, h, d0)),
                                              std::fabs(x.Get(0, t, h, d1))),
                                    1, Direction::kForward);
          ASSERT_NEAR(y.Get(0, t, h, d0), x.Get(0, t, h, d0), tolerance);
          ASSERT_NEAR(y.Get(0, t, h, d1), x.Get(0, t, h, d1), tolerance);
        }
      }
    }
  }
}

TEST_P(RotateOutputPairingTest, TransformsComeFirst) {
  Random random = Random::ForTest();
  for (const DataType in : kAllTypes) {
    for (const DataType out : kAllTypes) {
      for (const Pairing pairing : kPairings) {
        RotaryLayout layout = Changing(FullLayout(64, pairing));
        layout.head_dim = 100;
        layout.rotary_offset = 36;
        TransformSpec spec;
        spec.size = 80;
        spec.offset = 10;
        spec.has_weight = spec.has_token_scale = true;
        const TransformCase transform(spec, 3, &random);
        RotateOptions options;
        options.transform = transform.transform();
        const Step step = MakeStep(64, {0, 1, 90000});
        const Heads x({in, 2, 3, 40, 100}, &random);
        HeadsSpec to = x.spec();
        to.type = out;
        const Heads want =
            Permuted(layout, OutOfPlace(step, Kept(layout), x, to, options));
        EXPECT_EQ(OutOfPlace(step, layout, x, to, options).Bytes(),
                  want.Bytes())
            << NameOf(in) << " to " << NameOf(out);
        if (in != out) continue;
        EXPECT_EQ(InPlace(step, layout, x, options).Bytes(), want.Bytes())
            << NameOf(in);
      }
    }
  }
}

// Q and K in one call, a few heads of each: any split gives the same bits.
TEST_P(RotateOutputPairingTest, SharesAddUpToTheWhole) {
  Random random = Random::ForTest();
  const Step step = MakeStep(64, Count(100, 37));
  for (const DataType type : kAllTypes) {
    for (const DimOrder order :
         {DimOrder::kTokensHeads, DimOrder::kHeadsTokens}) {
      RotaryLayout layout =
          Changing(FullLayout(64, kPairings[random.Below(2)]));
      layout.head_dim = 80;
      const Heads q({type, 2, 37, 3, 80, order}, &random);
      const Heads k({type, 2, 37, 1, 80, order}, &random);
      const Heads q_want = InPlace(step, layout, q);
      const Heads k_want = InPlace(step, layout, k);
      for (const int count : {1, 2, 3, 7, 16}) {
        const Heads q_out = q.Copy();
        const Heads k_out = k.Copy();
        for (int i = count - 1; i >= 0; --i) {
          RotateOptions options;
          options.parallel = Parallel::Share(i, count);
          ASSERT_TRUE(Succeeds(Rotate(step.rows, layout,
                                      {q_out.view(), k_out.view()}, options)));
        }
        EXPECT_EQ(q_out.Bytes(), q_want.Bytes()) << count << " shares";
        EXPECT_EQ(k_out.Bytes(), k_want.Bytes()) << count << " shares";
      }
      RotateOptions options;
      options.parallel = Parallel::Tbb();
      EXPECT_EQ(InPlace(step, layout, q, options).Bytes(), q_want.Bytes());
    }
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(RotateOutputPairingTest);

}  // namespace
}  // namespace ropewalk::test
