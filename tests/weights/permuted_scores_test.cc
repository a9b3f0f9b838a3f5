// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What PermutePairing() is for: weights of one pairing, permuted, give the
// scores q . k with the other.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "ropewalk/rotate.h"
#include "ropewalk/weights.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using PermutedScoresTest = AllTargets;

constexpr int kHeadDim = 40;
constexpr int kRotaryDim = 24;
constexpr int kOffset = 9;
constexpr int64_t kHeads = 2;
constexpr int64_t kColumns = 48;
constexpr int64_t kTokens = 3;

RotaryLayout LayoutOf(Pairing pairing) {
  RotaryLayout layout;
  layout.head_dim = kHeadDim;
  layout.rotary_dim = kRotaryDim;
  layout.rotary_offset = kOffset;
  layout.pairing = pairing;
  return layout;
}

std::vector<float> Gaussians(int64_t count, Random* random) {
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<float>(random->Gaussian()));
  }
  return values;
}

std::vector<float> Permuted(std::vector<float> weights, Pairing from,
                            Pairing to) {
  const ProjectionView view = {weights.data(), DataType::kF32, kHeads, kColumns,
                               0};
  const Status status = PermutePairing(view, LayoutOf(from), to);
  EXPECT_TRUE(status.ok()) << status.message();
  return weights;
}

// weights x, rounded once: moved rows give moved elements of the same bits.
Heads Project(const std::vector<float>& weights, const std::vector<float>& x) {
  Heads heads({DataType::kF32, 1, kTokens, kHeads, kHeadDim});
  for (int64_t t = 0; t < kTokens; ++t) {
    for (int64_t h = 0; h < kHeads; ++h) {
      for (int d = 0; d < kHeadDim; ++d) {
        const float* row = weights.data() + (h * kHeadDim + d) * kColumns;
        double sum = 0;
        for (int64_t c = 0; c < kColumns; ++c) {
          sum += double{row[c]} * x[static_cast<size_t>(t * kColumns + c)];
        }
        heads.Set(0, t, h, d, sum);
      }
    }
  }
  return heads;
}

Heads Rotated(const Step& step, Pairing pairing, const Heads& heads) {
  Heads rotated = heads.Copy();
  const Status status =
      Rotate(step.rows, LayoutOf(pairing), {rotated.view()}, RotateOptions{});
  EXPECT_TRUE(status.ok()) << status.message();
  return rotated;
}

double Score(const Heads& q, const Heads& k, int64_t tq, int64_t tk,
             int64_t head) {
  double sum = 0;
  for (int d = 0; d < kHeadDim; ++d) {
    sum += q.Get(0, tq, head, d) * k.Get(0, tk, head, d);
  }
  return sum;
}

// The largest a rotated element of this head can be, and how far it can be
// from exact: those of the largest input, for every element.
struct Limits {
  double magnitude;
  double error;
};

Limits LimitsOf(const Heads& x, int64_t token, int64_t head) {
  double largest = 0;
  for (int d = 0; d < kHeadDim; ++d) {
    largest = std::max(largest, std::fabs(x.Get(0, token, head, d)));
  }
  const double error = RotationTolerance(largest, 1, Direction::kForward);
  return {std::sqrt(2.0) * largest + error, error};
}

// Both scores are of rotations that are each within the error of the same
// exact elements: (q + dq)(k + dk) - qk, twice, for each dim. The sums in
// double add what 2^-50 of the largest score covers.
double ScoreTolerance(const Limits& q, const Limits& k) {
  return kHeadDim * (2 * (q.error * k.magnitude + q.magnitude * k.error) +
                     0x1p-46 * q.magnitude * k.magnitude);
}

TEST_P(PermutedScoresTest, AreThoseOfTheOtherPairing) {
  Random random = Random::ForTest();
  const Step step = MakeStep(kRotaryDim, {0, 17, 100003});
  for (const Pairing from : {Pairing::kHalf, Pairing::kInterleaved}) {
    const Pairing to =
        from == Pairing::kHalf ? Pairing::kInterleaved : Pairing::kHalf;
    const auto wq = Gaussians(kHeads * kHeadDim * kColumns, &random);
    const auto wk = Gaussians(kHeads * kHeadDim * kColumns, &random);
    const auto x = Gaussians(kTokens * kColumns, &random);
    const Heads q = Project(wq, x);
    const Heads k = Project(wk, x);
    const Heads q_from = Rotated(step, from, q);
    const Heads k_from = Rotated(step, from, k);
    const Heads q_to = Rotated(step, to, Project(Permuted(wq, from, to), x));
    const Heads k_to = Rotated(step, to, Project(Permuted(wk, from, to), x));
    for (int64_t h = 0; h < kHeads; ++h) {
      for (int64_t tq = 0; tq < kTokens; ++tq) {
        double one_sided = 0;
        for (int64_t tk = 0; tk < kTokens; ++tk) {
          const double want = Score(q_from, k_from, tq, tk, h);
          const double tolerance =
              ScoreTolerance(LimitsOf(q, tq, h), LimitsOf(k, tk, h));
          EXPECT_NEAR(Score(q_to, k_to, tq, tk, h), want, tolerance)
              << "head " << h << " q " << tq << " k " << tk;
          one_sided = std::max(
              one_sided,
              std::fabs(Score(q_to, k_from, tq, tk, h) - want) / tolerance);
        }
        // Not a matter of rounding: most of the window's rows moved.
        EXPECT_GT(one_sided, 1000) << "head " << h << " q " << tq;
      }
    }
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(PermutedScoresTest);

}  // namespace
}  // namespace ropewalk::test
