// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rotate() on small cases that can be worked by hand, and its plain promises:
// what is touched, what is left alone, several tensors, special numbers.
#include "ropewalk/rotate.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/angle_rows.h"
#include "ropewalk/angles.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"
#include "support/ulp.h"

namespace ropewalk::test {
namespace {

using RotateTest = AllTargets;

const double kPi = std::acos(-1.0);

// The two coordinates of a point, turned by position * theta.
struct Point {
  double x;
  double y;
};

Point Turned(double theta, int64_t position, Point point) {
  const Step step = MakeStep(std::vector<double>{theta}, {position});
  Heads heads(HeadsSpec{DataType::kF32, 1, 1, 1, 2});
  heads.Set(0, 0, 0, 0, point.x);
  heads.Set(0, 0, 0, 1, point.y);
  const Status status = Rotate(step.rows, FullLayout(2, Pairing::kHalf),
                               {heads.view()}, RotateOptions{});
  EXPECT_TRUE(status.ok()) << status.message();
  return {heads.Get(0, 0, 0, 0), heads.Get(0, 0, 0, 1)};
}

double Dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }

double Score(double theta, int64_t m, Point q, int64_t n, Point k) {
  return Dot(Turned(theta, m, q), Turned(theta, n, k));
}

// The rounding of a rotated point of that size.
double PointTolerance(double size) { return MaxRotationUlps() * UlpF32(size); }

// Of an inner product of two points with coordinates up to those sizes.
double ScoreTolerance(double q, double k) {
  return 4 * (PointTolerance(q) * k + PointTolerance(k) * q);
}

// The printed numbers have four decimals.
constexpr double kPrinted = 0.5e-4 * (1 + 1e-6);

TEST_P(RotateTest, WorkedNumbersOfASixthOfPi) {
  const Point q = {1, 2};
  const Point k = {3, 1};
  const Point q1 = Turned(kPi / 6, 1, q);
  EXPECT_NEAR(q1.x, -0.1340, kPrinted + PointTolerance(2));
  EXPECT_NEAR(q1.y, 2.2321, kPrinted + PointTolerance(2));
  const Point k3 = Turned(kPi / 6, 3, k);
  EXPECT_NEAR(k3.x, -1, PointTolerance(3));
  EXPECT_NEAR(k3.y, 3, PointTolerance(3));
  const double printed = kPrinted + ScoreTolerance(3, 4);
  EXPECT_NEAR(Score(kPi / 6, 1, q, 3, k), 6.8301, printed);
  EXPECT_NEAR(Score(kPi / 6, 5, q, 7, k), 6.8301, printed);
  // R_3 is a quarter turn of k: (1, 2) . (-1, 3) = 5.
  EXPECT_NEAR(Score(kPi / 6, 1, q, 4, k), 5, ScoreTolerance(3, 4));
}

TEST_P(RotateTest, WorkedNumbersOfAQuarterTurn) {
  const Point q = {1, 0};
  const Point k = {0, 1};
  const double tolerance = ScoreTolerance(1, 1);
  EXPECT_NEAR(Score(kPi / 2, 2, q, 3, k), -1, tolerance);
  EXPECT_NEAR(Score(kPi / 2, 3, q, 3, k), 0, tolerance);
  EXPECT_NEAR(Score(kPi / 2, 4, q, 3, k), 1, tolerance);
}

TEST_P(RotateTest, EqualDistancesScoreAlike) {
  const Point q = {1, 2};
  const Point k = {3, 1};
  for (const double theta : {kPi / 6, kPi / 2, 1.0, 0.01}) {
    EXPECT_NEAR(Score(theta, 2, q, 5, k), Score(theta, 100, q, 103, k),
                2 * ScoreTolerance(3, 4));
  }
}

TEST_P(RotateTest, NothingTurnsWithoutRotaryDims) {
  Random random = Random::ForTest();
  const Step step = MakeStep(0, Count(5, 3));
  const Heads x({DataType::kBF16, 1, 3, 2, 10}, &random);
  RotaryLayout layout;
  layout.head_dim = 10;
  EXPECT_TRUE(RotatesInPlace(step, layout, Direction::kForward, x));
  Heads out({DataType::kF32, 1, 3, 2, 10}, &random);
  EXPECT_TRUE(RotatesOutOfPlace(step, layout, Direction::kForward, x, &out));
}

TEST_P(RotateTest, FirstPairChoosesAPartOfTheRow) {
  Random random = Random::ForTest();
  const Step step = MakeStep(128, Count(1000, 4));
  for (const int first_pair : {1, 7, 16, 31, 48}) {
    RotaryLayout layout = FullLayout(32, Pairing::kInterleaved);
    layout.first_pair = first_pair;
    const Heads x({DataType::kF32, 1, 4, 3, 32}, &random);
    EXPECT_TRUE(RotatesInPlace(step, layout, Direction::kForward, x));
    layout.pairing = Pairing::kHalf;
    EXPECT_TRUE(RotatesInPlace(step, layout, Direction::kInverse, x));
  }
}

TEST_P(RotateTest, PerturbedPairMovesOnlyItsOwnMembers) {
  Random random = Random::ForTest();
  const Step step = MakeStep(64, {3});
  for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
    const RotaryLayout layout = FullLayout(64, pairing);
    const Heads x({DataType::kF32, 1, 1, 1, 64}, &random);
    Heads plain = x.Copy();
    ASSERT_TRUE(
        Rotate(step.rows, layout, {plain.view()}, RotateOptions{}).ok());
    for (int pair = 0; pair < 32; ++pair) {
      Heads moved = x.Copy();
      const int member0 = Member0(WindowOf(layout), pair);
      const int member1 = Member1(WindowOf(layout), pair);
      moved.Set(0, 0, 0, member0, 50);
      ASSERT_TRUE(
          Rotate(step.rows, layout, {moved.view()}, RotateOptions{}).ok());
      for (int d = 0; d < 64; ++d) {
        EXPECT_EQ(moved.Bits(0, 0, 0, d) != plain.Bits(0, 0, 0, d),
                  d == member0 || d == member1);
      }
    }
  }
}

// Whatever the width of the vectors, a special number has neighbours.
TEST_P(RotateTest, NanAndInfStayWithinTheirPair) {
  Random random = Random::ForTest();
  const Step step = MakeStep(96, {77});
  for (const DataType type : kAllTypes) {
    for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
      const RotaryLayout layout = FullLayout(96, pairing);
      const reference::Window window = WindowOf(layout);
      for (const double special : {std::numeric_limits<double>::quiet_NaN(),
                                   std::numeric_limits<double>::infinity()}) {
        const int pair = static_cast<int>(random.Below(48));
        Heads x({type, 1, 1, 2, 96}, &random);
        const Heads clean = x.Copy();
        x.Set(0, 0, 0, Member0(window, pair), special);
        Heads want = clean.Copy();
        ASSERT_TRUE(
            Rotate(step.rows, layout, {want.view()}, RotateOptions{}).ok());
        ASSERT_TRUE(
            Rotate(step.rows, layout, {x.view()}, RotateOptions{}).ok());
        for (int d = 0; d < 96; ++d) {
          const bool of_pair =
              d == Member0(window, pair) || d == Member1(window, pair);
          EXPECT_EQ(std::isfinite(x.Get(0, 0, 0, d)), !of_pair)
              << NameOf(type) << " dim " << d;
          if (!of_pair) {
            EXPECT_EQ(x.Bits(0, 0, 0, d), want.Bits(0, 0, 0, d));
          }
          EXPECT_EQ(x.Bits(0, 0, 1, d), want.Bits(0, 0, 1, d));
        }
        EXPECT_EQ(std::isnan(special),
                  std::isnan(x.Get(0, 0, 0, Member0(window, pair))));
      }
    }
  }
}

TEST_P(RotateTest, SeveralTensorsInOneCall) {
  Random random = Random::ForTest();
  const Step step = MakeStep(128, Count(4000, 6));
  const RotaryLayout layout = FullLayout(128, Pairing::kHalf);
  const Heads q({DataType::kBF16, 1, 6, 32, 128}, &random);
  const Heads k({DataType::kF32, 1, 6, 8, 128}, &random);
  const Heads more({DataType::kF16, 1, 6, 1, 128}, &random);
  Heads q_out = q.Copy();
  Heads k_out = k.Copy();
  Heads more_out = more.Copy();
  const Status status =
      Rotate(step.rows, layout, {q_out.view(), k_out.view(), more_out.view()},
             RotateOptions{});
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_TRUE(IsRotated(step, layout, Direction::kForward, q, q_out));
  EXPECT_TRUE(IsRotated(step, layout, Direction::kForward, k, k_out));
  EXPECT_TRUE(IsRotated(step, layout, Direction::kForward, more, more_out));
}

TEST_P(RotateTest, NoTensorsIsSuccess) {
  const Step step = MakeStep(8, {1});
  const RotaryLayout layout = FullLayout(8, Pairing::kHalf);
  EXPECT_TRUE(Rotate(step.rows, layout, nullptr, 0, RotateOptions{}).ok());
}

TEST_P(RotateTest, NoTokensOrNoHeadsTouchesNothing) {
  const Step step = MakeStep(8, {1, 2});
  const RotaryLayout layout = FullLayout(8, Pairing::kHalf);
  HeadsView view;
  view.token_stride = view.head_stride = 32;
  view.heads = 3;
  const Step empty = MakeStep(8, {});
  EXPECT_TRUE(Rotate(empty.rows, layout, {view}, RotateOptions{}).ok());
  EXPECT_TRUE(Rotate(empty.rows, layout, view, view, RotateOptions{}).ok());
  view.tokens = 2;
  view.heads = 0;
  EXPECT_TRUE(Rotate(step.rows, layout, {view}, RotateOptions{}).ok());
  view.heads = 3;
  view.batch = 0;
  EXPECT_TRUE(Rotate(step.rows, layout, {view}, RotateOptions{}).ok());
}

TEST_P(RotateTest, PositionsOfEitherWidthGiveTheSameRows) {
  const std::vector<double> inv_freq = reference::PlainInvFreq(64, 10000);
  Frequencies frequencies;
  frequencies.inv_freq = inv_freq;
  const auto table = AngleTable::Build(frequencies);
  ASSERT_TRUE(table.ok()) << table.status().message();
  const int32_t narrow[] = {5, 6, -7, 8};
  const int64_t wide[] = {5, 6, -7, 8};
  AngleRows of_narrow;
  AngleRows of_wide;
  ASSERT_TRUE(table.value()->Fill(Positions(narrow, 4), &of_narrow).ok());
  ASSERT_TRUE(table.value()->Fill(Positions(wide, 4), &of_wide).ok());
  Random random = Random::ForTest();
  Heads a({DataType::kF32, 1, 4, 2, 64}, &random);
  Heads b = a.Copy();
  const RotaryLayout layout = FullLayout(64, Pairing::kHalf);
  ASSERT_TRUE(Rotate(of_narrow, layout, {a.view()}, RotateOptions{}).ok());
  ASSERT_TRUE(Rotate(of_wide, layout, {b.view()}, RotateOptions{}).ok());
  EXPECT_EQ(a.Bytes(), b.Bytes());
}

TEST_P(RotateTest, NegativePositionsTurnBack) {
  Random random = Random::ForTest();
  const Step step = MakeStep(64, {-1, -1, 0, 1});
  const Heads x({DataType::kF32, 1, 4, 2, 64}, &random);
  const RotaryLayout layout = FullLayout(64, Pairing::kHalf);
  EXPECT_TRUE(RotatesInPlace(step, layout, Direction::kForward, x));
}

TEST_P(RotateTest, CallsLeaveNoTraceInTheRows) {
  Random random = Random::ForTest();
  const Step step = MakeStep(64, Count(900, 5));
  std::vector<float> before;
  for (int row = 0; row < 5; ++row) {
    before.insert(before.end(), step.rows.cos(row), step.rows.cos(row) + 32);
    before.insert(before.end(), step.rows.sin(row), step.rows.sin(row) + 32);
  }
  Heads x({DataType::kBF16, 1, 5, 4, 64}, &random);
  RotateOptions options;
  options.direction = Direction::kInverse;
  ASSERT_TRUE(Rotate(step.rows, FullLayout(64, Pairing::kInterleaved),
                     {x.view()}, options)
                  .ok());
  std::vector<float> after;
  for (int row = 0; row < 5; ++row) {
    after.insert(after.end(), step.rows.cos(row), step.rows.cos(row) + 32);
    after.insert(after.end(), step.rows.sin(row), step.rows.sin(row) + 32);
  }
  EXPECT_EQ(before, after);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(RotateTest);

}  // namespace
}  // namespace ropewalk::test
