// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// ALiBi's biases, bit for bit: a product and a sum in float32, fused where the
// target has FMA, and one rounding to the type.
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "encodings/score_tensor.h"
#include "gtest/gtest.h"
#include "ropewalk/encodings/alibi.h"
#include "support/all_targets.h"

namespace ropewalk::test {
namespace {

using AlibiTest = AllTargets;

constexpr ScoreRange kRanges[] = {ScoreRange::kAll, ScoreRange::kCausal};

// Some of every number of lanes, and of four vectors and their tails.
constexpr int64_t kKeys[] = {1,  2,  3,  4,  5,  7,  8,   9,   15,  16, 17,
                             31, 33, 47, 63, 64, 65, 100, 129, 130, 259};

// The distance as a float32, which is exact up to 2^24.
float Magnitude(int64_t distance) {
  return static_cast<float>(std::abs(static_cast<long double>(distance)));
}

// Tests are compiled without contraction: only std::fma fuses.
double Biased(DataType type, float slope, double score, int64_t distance) {
  const float s = static_cast<float>(score);
  const float d = Magnitude(distance);
  const float product = slope * d;
  return Rounded(type,
                 ActiveTargetHasFma() ? std::fma(-slope, d, s) : s - product);
}

std::vector<float> SlopesOf(int64_t heads) {
  std::vector<float> slopes(static_cast<size_t>(heads));
  EXPECT_TRUE(IsOk(AlibiSlopes(static_cast<int>(heads), 8, slopes.data())));
  return slopes;
}

testing::AssertionResult AddsBiases(const Heads& before, const Place& place,
                                    ScoreRange range,
                                    const std::vector<float>& slopes) {
  const Heads after = before.Copy();
  const Status status = AddAlibi(slopes.data(), ScoresOf(after, place), range);
  if (!status.ok()) return IsOk(status);
  const DataType type = before.spec().type;
  return HoldsBiases(before, after, place, range,
                     [&](double score, int64_t head, int64_t distance) {
                       return Biased(type, slopes[static_cast<size_t>(head)],
                                     score, distance);
                     });
}

TEST_P(AlibiTest, EveryLengthTypeAndPlace) {
  Random random = Random::ForTest();
  const std::vector<float> slopes = SlopesOf(3);
  for (const DataType type : kAllTypes) {
    for (const int64_t keys : kKeys) {
      for (const GuardSide side : {GuardSide::kBegin, GuardSide::kEnd}) {
        const Heads scores(SpecOf(type, {3, 4, keys}, side), &random);
        // A prompt, a step after a cache, a window of a cache, keys that are
        // all later, and the query anywhere among them.
        const Place places[] = {{0, 0},
                                {keys - 1, 0},
                                {keys + 5, 6},
                                {0, 4},
                                {random.Below(keys), 0},
                                {1000000, 1000000 - random.Below(keys)}};
        for (const Place& place : places) {
          for (const ScoreRange range : kRanges) {
            EXPECT_TRUE(AddsBiases(scores, place, range, slopes));
          }
        }
      }
    }
  }
}

TEST_P(AlibiTest, KnownBiases) {
  float scores[9] = {};
  const float slopes[] = {0.5f};
  ASSERT_TRUE(
      IsOk(AddAlibi(slopes, DenseScores(scores, 1, 3, 3), ScoreRange::kAll)));
  const float all[] = {0, -0.5f, -1, -0.5f, 0, -0.5f, -1, -0.5f, 0};
  for (int i = 0; i < 9; ++i) EXPECT_EQ(scores[i], all[i]) << i;
  // The last query of three keys, by default at the last of them.
  float step[3] = {10, 10, 10};
  ASSERT_TRUE(IsOk(AddAlibi(slopes, DenseScores(step, 1, 1, 3))));
  EXPECT_EQ(step[0], 9.0f);
  EXPECT_EQ(step[1], 9.5f);
  EXPECT_EQ(step[2], 10.0f);
}

TEST_P(AlibiTest, DecodeStepsAddUpToThePrompt) {
  Random random = Random::ForTest();
  const int64_t keys = 77;
  const std::vector<float> slopes = SlopesOf(5);
  for (const DataType type : kAllTypes) {
    const Heads scores(SpecOf(type, {5, keys, keys}), &random);
    const Heads prompt = scores.Copy();
    const Heads steps = scores.Copy();
    ASSERT_TRUE(IsOk(AddAlibi(slopes.data(), ScoresOf(prompt, {0, 0}))));
    for (int64_t q = 0; q < keys; ++q) {
      Scores step = ScoresOf(steps, {q, 0});
      step.data = static_cast<uint8_t*>(step.data) + q * step.query_stride;
      step.queries = 1;
      ASSERT_TRUE(IsOk(AddAlibi(slopes.data(), step)));
    }
    EXPECT_EQ(steps.Bytes(), prompt.Bytes()) << NameOf(type);
  }
}

TEST_P(AlibiTest, OnlyDistancesMatter) {
  Random random = Random::ForTest();
  const std::vector<float> slopes = SlopesOf(2);
  for (const DataType type : kAllTypes) {
    const Heads scores(SpecOf(type, {2, 3, 70}), &random);
    for (const ScoreRange range : kRanges) {
      const Heads want = scores.Copy();
      ASSERT_TRUE(
          IsOk(AddAlibi(slopes.data(), ScoresOf(want, {30, 0}), range)));
      for (const int64_t shift : {int64_t{1}, int64_t{-12345}, int64_t{1} << 31,
                                  INT64_MAX - 100, INT64_MIN}) {
        const Heads moved = scores.Copy();
        ASSERT_TRUE(IsOk(AddAlibi(
            slopes.data(), ScoresOf(moved, {shift + 30, shift}), range)));
        EXPECT_EQ(moved.Bytes(), want.Bytes()) << shift;
      }
    }
  }
}

// From exact distances to rounded ones, and as far as positions go.
TEST_P(AlibiTest, FarDistances) {
  Random random = Random::ForTest();
  const std::vector<float> slopes = {0.75f, 0.0039f};
  constexpr int64_t kExact = int64_t{1} << 24;
  for (const DataType type : kAllTypes) {
    const Heads scores(SpecOf(type, {2, 2, 80}), &random);
    for (const int64_t first :
         {kExact, kExact - 40, kExact + 1, int64_t{1} << 31,
          (int64_t{1} << 40) + 12345, INT64_MAX - 1}) {
      EXPECT_TRUE(AddsBiases(scores, {first, 0}, ScoreRange::kCausal, slopes))
          << first;
      EXPECT_TRUE(AddsBiases(scores, {0, first - 80}, ScoreRange::kAll, slopes))
          << first;
    }
  }
}

TEST_P(AlibiTest, MaskedScoresAndNanStay) {
  Random random = Random::ForTest();
  const std::vector<float> slopes = {0.5f, 0x1p60f};
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const DataType type : kAllTypes) {
    Heads scores(SpecOf(type, {2, 2, 67}), &random);
    for (int64_t h = 0; h < 2; ++h) {
      for (int k = 0; k < 67; ++k) {
        if (k % 3 == 0) scores.Set(0, k % 2, h, k, -inf);
        if (k % 7 == 0) scores.Set(0, k % 2, h, k, nan);
        if (k % 11 == 0) scores.Set(0, k % 2, h, k, inf);
      }
    }
    const Place place = {INT64_MAX - 1, 0};
    const Heads after = scores.Copy();
    ASSERT_TRUE(IsOk(AddAlibi(slopes.data(), ScoresOf(after, place))));
    for (int64_t h = 0; h < 2; ++h) {
      for (int64_t q = 0; q < 2; ++q) {
        for (int k = 0; k < 67; ++k) {
          const double score = scores.Get(0, q, h, k);
          if (std::isfinite(score)) continue;
          EXPECT_TRUE(SameValue(after.Get(0, q, h, k), score)) << score;
        }
      }
    }
  }
}

TEST_P(AlibiTest, NoSlopeChangesNoBit) {
  Random random = Random::ForTest();
  const std::vector<float> slopes(3, 0.0f);
  for (const DataType type : kAllTypes) {
    Heads scores(SpecOf(type, {3, 5, 51}), &random);
    scores.Set(0, 1, 1, 1, -0.0);
    scores.Set(0, 2, 1, 40, -0.0);
    const std::vector<uint8_t> before = scores.Bytes();
    for (const ScoreRange range : kRanges) {
      ASSERT_TRUE(
          IsOk(AddAlibi(slopes.data(), ScoresOf(scores, {20, 3}), range)));
      EXPECT_EQ(scores.Bytes(), before) << NameOf(type);
    }
  }
}

TEST_P(AlibiTest, AnySignsOfStrides) {
  Random random = Random::ForTest();
  const std::vector<float> slopes = SlopesOf(3);
  const Heads scores(SpecOf(DataType::kF32, {3, 4, 37}), &random);
  const Heads want = scores.Copy();
  ASSERT_TRUE(IsOk(AddAlibi(slopes.data(), ScoresOf(want, {40, 3}))));
  const Heads got = scores.Copy();
  // The heads in the opposite order, with their slopes.
  Scores back = ScoresOf(got, {40, 3});
  back.data = static_cast<uint8_t*>(back.data) + 2 * back.head_stride;
  back.head_stride = -back.head_stride;
  const std::vector<float> reversed(slopes.rbegin(), slopes.rend());
  ASSERT_TRUE(IsOk(AddAlibi(reversed.data(), back)));
  EXPECT_EQ(got.Bytes(), want.Bytes());
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(AlibiTest);

}  // namespace
}  // namespace ropewalk::test
