// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the sinusoidal encoding is known for: shifts are rotations, products
// depend on distances alone, and what is added to a token is not relative.
#include <cmath>
#include <cstdint>
#include <vector>

#include "encodings/sinusoid.h"
#include "gtest/gtest.h"
#include "support/all_targets.h"

namespace ropewalk::test {
namespace {

using SinusoidalTheoremsTest = AllTargets;

constexpr int kWidth = 16;

double Dot(const double* a, const double* b, int width) {
  double sum = 0;
  for (int i = 0; i < width; ++i) sum += a[i] * b[i];
  return sum;
}

// The products of a sum of `width` terms, each off by twice an element's error:
// the other factor is at most 1 in magnitude.
double DotTolerance(int width) { return width * 2.01 * kElementError; }

// M_k times a row: pair i turns by w_i k.
std::vector<double> Shifted(const double* row, const std::vector<double>& w,
                            int64_t k) {
  std::vector<double> shifted;
  for (size_t i = 0; i < w.size(); ++i) {
    const auto turn = reference::ExactAngle(static_cast<double>(k), w[i]);
    const double sin = row[2 * i];
    const double cos = row[2 * i + 1];
    shifted.push_back(turn.cos * sin + turn.sin * cos);
    shifted.push_back(turn.cos * cos - turn.sin * sin);
  }
  return shifted;
}

TEST_P(SinusoidalTheoremsTest, AShiftIsABlockRotation) {
  constexpr int64_t kCount = 600;
  const Sinusoid sinusoid =
      MakeSinusoid(kWidth, Positions::Consecutive(0, kCount));
  const auto pe = Encoding(sinusoid, SinusoidalOrder::kInterleaved);
  // An element of M_k PE is off by |cos| + |sin| <= sqrt(2) elements' errors,
  // that of PE(p + k) by one.
  constexpr double kTolerance = 2.42 * kElementError;
  for (const int64_t k : {1, 7, 100, 500}) {
    for (int64_t p = 0; p + k < kCount; p += 13) {
      const auto got = Shifted(pe.data() + p * kWidth, sinusoid.inv_freq, k);
      const double* const want = pe.data() + (p + k) * kWidth;
      for (int i = 0; i < kWidth; ++i) {
        ASSERT_NEAR(got[static_cast<size_t>(i)], want[i], kTolerance)
            << "position " << p << " by " << k;
      }
      // M_k M_l = M_(k+l): l steps first, then k, are k + l at once.
      const auto twice =
          Shifted(Shifted(pe.data() + p * kWidth, sinusoid.inv_freq, 3).data(),
                  sinusoid.inv_freq, k);
      const auto once =
          Shifted(pe.data() + p * kWidth, sinusoid.inv_freq, k + 3);
      for (size_t i = 0; i < once.size(); ++i) {
        // A few roundings in double of numbers below 2.
        ASSERT_NEAR(twice[i], once[i], 0x1p-48);
      }
    }
  }
}

TEST_P(SinusoidalTheoremsTest, ProductsDependOnTheDistanceAlone) {
  constexpr int64_t kCount = 400;
  const Sinusoid sinusoid =
      MakeSinusoid(kWidth, Positions::Consecutive(1000, kCount));
  const auto pe = Encoding(sinusoid, SinusoidalOrder::kInterleaved);
  for (int64_t p = 0; p < kCount; p += 7) {
    for (int64_t q = 0; q < kCount; q += 11) {
      double want = 0;
      for (const double w : sinusoid.inv_freq) {
        want += reference::ExactAngle(static_cast<double>(p - q), w).cos;
      }
      ASSERT_NEAR(Dot(pe.data() + p * kWidth, pe.data() + q * kWidth, kWidth),
                  want, DotTolerance(kWidth))
          << p << ", " << q;
    }
    ASSERT_NEAR(Dot(pe.data() + p * kWidth, pe.data() + p * kWidth, kWidth),
                kWidth / 2.0, DotTolerance(kWidth));
  }
}

TEST_P(SinusoidalTheoremsTest, ThreeStepsOfWidthFourAreNearlyOrthogonal) {
  const auto pe = Encoding(4, Positions::Consecutive(0, 4));
  // To the digits that are given.
  EXPECT_NEAR(Dot(pe.data(), pe.data() + 12, 4), 0.00956, 5e-6);
}

TEST_P(SinusoidalTheoremsTest, NoTwoPositionsBelowTheLongestWaveAreAlike) {
  // 2 pi / w of the slower pair of width 4 is 628.3.
  constexpr int64_t kCount = 628;
  const auto pe = Encoding(4, Positions::Consecutive(0, kCount));
  double least = 4;
  for (int64_t p = 0; p < kCount; ++p) {
    for (int64_t q = 0; q < p; ++q) {
      double square = 0;
      for (int i = 0; i < 4; ++i) {
        const double d = pe[static_cast<size_t>(4 * p + i)] -
                         pe[static_cast<size_t>(4 * q + i)];
        square += d * d;
      }
      least = std::min(least, std::sqrt(square));
    }
  }
  // The slower pair alone is a chord of 0.01 k rad, k from 1 to 627: at least
  // 2 sin(0.005) = 0.0099999.
  EXPECT_GT(least, 0.00999);
}

// The token (1, 0) with the encoding of its position, width 2.
std::vector<double> TokenAt(int64_t position) {
  std::vector<float> token = {1.0f, 0.0f};
  const Sinusoid sinusoid =
      MakeSinusoid(2, Positions::Consecutive(position, 1));
  EXPECT_TRUE(AddSinusoidal(sinusoid.rows,
                            DenseHidden(token.data(), DataType::kF32, 1, 2))
                  .ok());
  return {token.begin(), token.end()};
}

TEST_P(SinusoidalTheoremsTest, WhatIsAddedIsNotRelative) {
  const auto first = TokenAt(0), second = TokenAt(1), third = TokenAt(2);
  // The same tokens one step apart; to the digits that are given.
  EXPECT_NEAR(Dot(first.data(), second.data(), 2), 2.3818, 5e-5);
  EXPECT_NEAR(Dot(second.data(), third.data(), 2), 3.2911, 5e-5);
}

TEST_P(SinusoidalTheoremsTest, AScoreIsTheSumOfFourTerms) {
  const double x[] = {1.0, 0.0};
  const auto pe = Encoding(2, Positions::Consecutive(0, 3));
  for (int64_t m = 0; m < 3; ++m) {
    for (int64_t n = 0; n < 3; ++n) {
      const double* const a = pe.data() + 2 * m;
      const double* const b = pe.data() + 2 * n;
      const double terms =
          Dot(x, x, 2) + Dot(x, b, 2) + Dot(a, x, 2) + Dot(a, b, 2);
      // Of 1 + sin, below 2, rounded once more: half an ulp of it, times a
      // factor below 2, on both sides and in double.
      ASSERT_NEAR(Dot(TokenAt(m).data(), TokenAt(n).data(), 2), terms,
                  4 * 0x1p-24 * 1.01);
    }
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(SinusoidalTheoremsTest);

}  // namespace
}  // namespace ropewalk::test
