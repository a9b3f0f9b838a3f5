// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What rotations are in mathematics, as properties over many shapes.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/rotate.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"
#include "support/ulp.h"

namespace ropewalk::test {
namespace {

using RotateTheoremsTest = AllTargets;

constexpr int kShapes = 40;

// A shape drawn at random: a layout, and a tensor of float32 with some tokens.
struct Shape {
  RotaryLayout layout;
  HeadsSpec spec;
};

Shape AnyShape(Random* random) {
  Shape shape;
  RotaryLayout& layout = shape.layout;
  const int pairs = static_cast<int>(random->Between(1, 160));
  layout.rotary_dim = 2 * pairs;
  layout.pairing = random->Below(2) ? Pairing::kHalf : Pairing::kInterleaved;
  int span = layout.rotary_dim;
  if (layout.pairing == Pairing::kHalf && random->Below(3) == 0) {
    layout.pair_distance = pairs + static_cast<int>(random->Below(20));
    span = layout.pair_distance + pairs;
  }
  layout.rotary_offset = static_cast<int>(random->Below(30));
  layout.head_dim =
      layout.rotary_offset + span + static_cast<int>(random->Below(30));
  shape.spec.tokens = random->Between(1, 5);
  shape.spec.heads = random->Between(1, 5);
  shape.spec.head_dim = layout.head_dim;
  shape.spec.head_gap = random->Below(4);
  return shape;
}

std::vector<int64_t> AnyPositions(Random* random, int64_t count,
                                  int64_t limit) {
  std::vector<int64_t> positions;
  for (int64_t i = 0; i < count; ++i) {
    positions.push_back(random->Between(-limit, limit));
  }
  return positions;
}

std::vector<int64_t> Added(std::vector<int64_t> positions,
                           const std::vector<int64_t>& deltas) {
  for (size_t i = 0; i < positions.size(); ++i) positions[i] += deltas[i];
  return positions;
}

std::vector<int64_t> Added(const std::vector<int64_t>& positions,
                           int64_t delta) {
  return Added(positions, std::vector<int64_t>(positions.size(), delta));
}

Heads Rotated(const Step& step, const RotaryLayout& layout, const Heads& x,
              Direction direction = Direction::kForward) {
  Heads y = x.Copy();
  RotateOptions options;
  options.direction = direction;
  const Status status = Rotate(step.rows, layout, {y.view()}, options);
  EXPECT_TRUE(status.ok()) << status.message();
  return y;
}

// max(|x0|, |x1|) of the pair that holds the dim, 0 outside the window.
std::vector<double> PairMaxima(const RotaryLayout& layout, const Heads& x,
                               int64_t t, int64_t h) {
  std::vector<double> maxima(static_cast<size_t>(layout.head_dim), 0);
  const reference::Window window = WindowOf(layout);
  for (int i = 0; i < window.pairs; ++i) {
    const int d0 = Member0(window, i);
    const int d1 = Member1(window, i);
    maxima[static_cast<size_t>(d0)] = maxima[static_cast<size_t>(d1)] =
        std::max(std::fabs(x.Get(0, t, h, d0)), std::fabs(x.Get(0, t, h, d1)));
  }
  return maxima;
}

// A pair of errors up to e, rotated: up to sqrt(2) e in each member.
const double kTurned = std::sqrt(2.0);

// Whether y2, two rotations after x (first with factor m1, then m2), is y, one
// rotation after x with factor m1 * m2, as far as the roundings of the three
// allow.
void ExpectComposed(const RotaryLayout& layout, const Heads& x,
                    const Heads& between, const Heads& y2, const Heads& y,
                    double m1, double m2, Direction second) {
  const double scale2 = second == Direction::kInverse ? 1 / m2 : m2;
  for (int64_t t = 0; t < x.spec().tokens; ++t) {
    for (int64_t h = 0; h < x.spec().heads; ++h) {
      const auto max_x = PairMaxima(layout, x, t, h);
      const auto max_between = PairMaxima(layout, between, t, h);
      for (int d = 0; d < layout.head_dim; ++d) {
        const double mx = max_x[static_cast<size_t>(d)];
        const double mb = max_between[static_cast<size_t>(d)];
        const double tolerance =
            RotationTolerance(mx, m1, Direction::kForward) * scale2 * kTurned +
            RotationTolerance(mb, m2, second) +
            RotationTolerance(mx, m1 * scale2, Direction::kForward);
        ASSERT_NEAR(y2.Get(0, t, h, d), y.Get(0, t, h, d), tolerance)
            << "token " << t << " head " << h << " dim " << d;
      }
    }
  }
}

TEST_P(RotateTheoremsTest, RotationsAdd) {
  Random random = Random::ForTest();
  for (int i = 0; i < kShapes; ++i) {
    const Shape shape = AnyShape(&random);
    const Heads x(shape.spec, &random);
    const auto a = AnyPositions(&random, x.spec().tokens, 100000);
    const auto b = AnyPositions(&random, x.spec().tokens, 100000);
    const int dims = shape.layout.rotary_dim;
    const Heads xa = Rotated(MakeStep(dims, a), shape.layout, x);
    const Heads xab = Rotated(MakeStep(dims, b), shape.layout, xa);
    const Heads sum = Rotated(MakeStep(dims, Added(a, b)), shape.layout, x);
    ExpectComposed(shape.layout, x, xa, xab, sum, 1, 1, Direction::kForward);
  }
}

TEST_P(RotateTheoremsTest, TwiceIsOnceAtTwiceThePositionAndSquaredFactor) {
  Random random = Random::ForTest();
  for (int i = 0; i < kShapes; ++i) {
    const Shape shape = AnyShape(&random);
    const Heads x(shape.spec, &random);
    const double m = 0.5 + random.Uniform();
    const auto p = AnyPositions(&random, x.spec().tokens, 100000);
    const Step step = MakeStep(shape.layout.rotary_dim, p, m);
    const Step twice = MakeStep(shape.layout.rotary_dim, Added(p, p), m * m);
    const Heads y = Rotated(step, shape.layout, x);
    const Heads z = Rotated(step, shape.layout, y);
    ExpectComposed(shape.layout, x, y, z, Rotated(twice, shape.layout, x), m, m,
                   Direction::kForward);
  }
}

TEST_P(RotateTheoremsTest, InverseUndoes) {
  Random random = Random::ForTest();
  for (int i = 0; i < kShapes; ++i) {
    const Shape shape = AnyShape(&random);
    const Heads x(shape.spec, &random);
    const double m = i % 2 ? 1 : 0.5 + random.Uniform();
    const Step step =
        MakeStep(shape.layout.rotary_dim,
                 AnyPositions(&random, x.spec().tokens, 1000000), m);
    const Heads y = Rotated(step, shape.layout, x);
    const Heads back = Rotated(step, shape.layout, y, Direction::kInverse);
    ExpectComposed(shape.layout, x, y, back, x, m, m, Direction::kInverse);
  }
}

TEST_P(RotateTheoremsTest, TransposeKeepsTheFactorAndTurnsBack) {
  Random random = Random::ForTest();
  for (int i = 0; i < kShapes; ++i) {
    const Shape shape = AnyShape(&random);
    const Heads x(shape.spec, &random);
    const double m = 0.5 + random.Uniform();
    const auto p = AnyPositions(&random, x.spec().tokens, 100000);
    const Step step = MakeStep(shape.layout.rotary_dim, p, m);
    const Heads y = Rotated(step, shape.layout, x);
    const Heads back = Rotated(step, shape.layout, y, Direction::kTranspose);
    // R^T R = m^2.
    const Step at_zero = MakeStep(shape.layout.rotary_dim,
                                  std::vector<int64_t>(p.size(), 0), m * m);
    ExpectComposed(shape.layout, x, y, back, Rotated(at_zero, shape.layout, x),
                   m, m, Direction::kTranspose);
  }
}

TEST_P(RotateTheoremsTest, NormIsKeptTimesTheFactor) {
  Random random = Random::ForTest();
  for (const int rotary_dim : {24, 48, 64, 80, 96, 112, 128, 192}) {
    for (const double m : {1.0, 1.1386294361119891, 0.7}) {
      for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
        const RotaryLayout layout = FullLayout(rotary_dim, pairing);
        const reference::Window window = WindowOf(layout);
        const Step step = MakeStep(rotary_dim, {1000, 131071}, m);
        const Heads x({DataType::kF32, 1, 2, 3, rotary_dim}, &random);
        const Heads y = Rotated(step, layout, x);
        for (int64_t t = 0; t < 2; ++t) {
          for (int64_t h = 0; h < 3; ++h) {
            const auto maxima = PairMaxima(layout, x, t, h);
            for (int i = 0; i < window.pairs; ++i) {
              const int d0 = Member0(window, i);
              const int d1 = Member1(window, i);
              const double before =
                  std::hypot(x.Get(0, t, h, d0), x.Get(0, t, h, d1));
              const double after =
                  std::hypot(y.Get(0, t, h, d0), y.Get(0, t, h, d1));
              ASSERT_NEAR(
                  after, m * before,
                  kTurned * RotationTolerance(maxima[static_cast<size_t>(d0)],
                                              m, Direction::kForward));
            }
          }
        }
      }
    }
  }
}

// <q, k> of a head, and how far its roundings can move it.
struct Score {
  double value;
  double tolerance;
};

Score ScoreOf(const RotaryLayout& layout, const Heads& q0, const Heads& k0,
              const Heads& q, const Heads& k, int64_t t, int64_t h) {
  Score score = {0, 0};
  const auto max_q = PairMaxima(layout, q0, t, h);
  const auto max_k = PairMaxima(layout, k0, t, h);
  for (int d = 0; d < layout.head_dim; ++d) {
    const double eq = RotationTolerance(max_q[static_cast<size_t>(d)], 1,
                                        Direction::kForward);
    const double ek = RotationTolerance(max_k[static_cast<size_t>(d)], 1,
                                        Direction::kForward);
    const double qd = q.Get(0, t, h, d);
    const double kd = k.Get(0, t, h, d);
    score.value += qd * kd;
    score.tolerance += eq * std::fabs(kd) + ek * std::fabs(qd) + eq * ek;
  }
  return score;
}

TEST_P(RotateTheoremsTest, ScoreDependsOnTheDistanceOnly) {
  Random random = Random::ForTest();
  for (int i = 0; i < kShapes; ++i) {
    const Shape shape = AnyShape(&random);
    const RotaryLayout& layout = shape.layout;
    const Heads q(shape.spec, &random);
    const Heads k(shape.spec, &random);
    const auto m = AnyPositions(&random, q.spec().tokens, 2000);
    const auto n = AnyPositions(&random, q.spec().tokens, 2000);
    const int dims = layout.rotary_dim;
    const Heads q1 = Rotated(MakeStep(dims, m), layout, q);
    const Heads k1 = Rotated(MakeStep(dims, n), layout, k);
    for (const int64_t shift : {500, 100000}) {
      const Heads q2 = Rotated(MakeStep(dims, Added(m, shift)), layout, q);
      const Heads k2 = Rotated(MakeStep(dims, Added(n, shift)), layout, k);
      for (int64_t t = 0; t < q.spec().tokens; ++t) {
        for (int64_t h = 0; h < q.spec().heads; ++h) {
          const Score near = ScoreOf(layout, q, k, q1, k1, t, h);
          const Score far = ScoreOf(layout, q, k, q2, k2, t, h);
          ASSERT_NEAR(near.value, far.value, near.tolerance + far.tolerance);
        }
      }
    }
  }
}

// Signed zeros, denormals, Inf and NaNs with payloads, quiet and signalling.
std::vector<uint32_t> SpecialBits(DataType type) {
  switch (type) {
    case DataType::kBF16:
      return {0x8000, 0x0000, 0x0001, 0x807F, 0x7F80,
              0xFF80, 0x7F81, 0xFFC5, 0x7FFF, 0x3F80};
    case DataType::kF16:
      return {0x8000, 0x0000, 0x0001, 0x83FF, 0x7C00,
              0xFC00, 0x7C01, 0xFE05, 0x7FFF, 0x3C00};
    case DataType::kF32:
      break;
  }
  return {0x80000000, 0x00000000, 0x00000001, 0x807FFFFF, 0x7F800000,
          0xFF800000, 0x7F800001, 0xFFC12345, 0x7FFFFFFF, 0x3F800000};
}

TEST_P(RotateTheoremsTest, PositionZeroIsTheIdentityBitForBit) {
  Random random = Random::ForTest();
  const Direction directions[] = {Direction::kForward, Direction::kInverse,
                                  Direction::kTranspose};
  for (const DataType type : kAllTypes) {
    const std::vector<uint32_t> special = SpecialBits(type);
    for (int i = 0; i < kShapes; ++i) {
      Shape shape = AnyShape(&random);
      shape.spec.type = type;
      Heads x(shape.spec, &random);
      for (int d = 0; d < shape.layout.head_dim; ++d) {
        x.SetBits(0, 0, 0, d, special[static_cast<size_t>(random.Below(10))]);
      }
      const Step step = MakeStep(
          shape.layout.rotary_dim,
          std::vector<int64_t>(static_cast<size_t>(x.spec().tokens), 0));
      const Direction direction = directions[i % 3];
      const Heads y = Rotated(step, shape.layout, x, direction);
      ASSERT_EQ(x.Bytes(), y.Bytes()) << NameOf(type);
      Heads out(shape.spec);
      RotateOptions options;
      options.direction = direction;
      ASSERT_TRUE(
          Rotate(step.rows, shape.layout, x.view(), out.view(), options).ok());
      for (int64_t t = 0; t < x.spec().tokens; ++t) {
        for (int64_t h = 0; h < x.spec().heads; ++h) {
          for (int d = 0; d < shape.layout.head_dim; ++d) {
            ASSERT_EQ(out.Bits(0, t, h, d), x.Bits(0, t, h, d));
          }
        }
      }
    }
  }
}

TEST_P(RotateTheoremsTest, PairingsAgreeUnderThePermutationOfDims) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (int i = 0; i < kShapes; ++i) {
      const int dims = 2 * static_cast<int>(random.Between(1, 130));
      const HeadsSpec spec = {type, 1, 2, 3, dims};
      const Heads half(spec, &random);
      Heads neighbours(spec);
      const RotaryLayout as_half = FullLayout(dims, Pairing::kHalf);
      const RotaryLayout as_neighbours =
          FullLayout(dims, Pairing::kInterleaved);
      // Dim d of one is dim `there(d)` of the other.
      const auto there = [dims](int d) {
        return d < dims / 2 ? 2 * d : 2 * (d - dims / 2) + 1;
      };
      for (int64_t t = 0; t < 2; ++t) {
        for (int64_t h = 0; h < 3; ++h) {
          for (int d = 0; d < dims; ++d) {
            neighbours.SetBits(0, t, h, there(d), half.Bits(0, t, h, d));
          }
        }
      }
      const Step step = MakeStep(dims, AnyPositions(&random, 2, 100000), 1.25);
      const auto direction = static_cast<Direction>(i % 3);
      const Heads a = Rotated(step, as_half, half, direction);
      const Heads b = Rotated(step, as_neighbours, neighbours, direction);
      for (int64_t t = 0; t < 2; ++t) {
        for (int64_t h = 0; h < 3; ++h) {
          for (int d = 0; d < dims; ++d) {
            ASSERT_EQ(a.Bits(0, t, h, d), b.Bits(0, t, h, there(d)))
                << NameOf(type) << " dims " << dims << " dim " << d;
          }
        }
      }
    }
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(RotateTheoremsTest);

}  // namespace
}  // namespace ropewalk::test
