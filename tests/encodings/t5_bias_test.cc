// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// T5's biases, bit for bit: a sum in float32 and one rounding to the type. The
// buckets themselves are in t5_buckets_test.cc.
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "encodings/score_tensor.h"
#include "gtest/gtest.h"
#include "reference/score_biases.h"
#include "ropewalk/encodings/t5_bias.h"
#include "support/all_targets.h"

namespace ropewalk::test {
namespace {

using T5BiasTest = AllTargets;

constexpr ScoreRange kRanges[] = {ScoreRange::kAll, ScoreRange::kCausal};

testing::AssertionResult AddsBiases(const Heads& before, const Heads& table,
                                    const T5Buckets& rule, const Place& place,
                                    ScoreRange range) {
  const Heads after = before.Copy();
  const Status status =
      AddT5Bias(TableOf(table), rule, ScoresOf(after, place), range);
  if (!status.ok()) return IsOk(status);
  const DataType type = before.spec().type;
  return HoldsBiases(
      before, after, place, range,
      [&](double score, int64_t head, int64_t distance) {
        const int bucket = reference::T5BucketOf(
            rule.buckets, rule.max_distance, rule.bidirectional, distance);
        const double bias = table.Get(0, bucket, 0, static_cast<int>(head));
        return Rounded(type, static_cast<float>(score + bias));
      });
}

TEST_P(T5BiasTest, EveryLengthTypeAndPlace) {
  Random random = Random::ForTest();
  for (const bool bidirectional : {true, false}) {
    const T5Buckets rule = {32, 128, bidirectional};
    for (const DataType type : kAllTypes) {
      const DataType table_type = kAllTypes[random.Below(3)];
      const Heads table(TableSpec(table_type, 32, 3), &random);
      for (const int64_t keys : {1, 2, 5, 8, 15, 17, 33, 64, 131, 300, 515}) {
        const Heads scores(SpecOf(type, {3, 2, keys}), &random);
        // Near, across the near ones from both sides, and far off.
        const Place places[] = {{0, 0},          {keys - 1, 0},
                                {keys / 2, 0},   {random.Below(keys), 0},
                                {keys + 100, 6}, {0, 200},
                                {0, 90},         {100000, 0},
                                {-7000, 1234567}};
        for (const Place& place : places) {
          for (const ScoreRange range : kRanges) {
            EXPECT_TRUE(AddsBiases(scores, table, rule, place, range))
                << place.first_query << ", " << place.first_key;
          }
        }
      }
    }
  }
}

// Few buckets, as many as there may be, and those that end past what is near.
TEST_P(T5BiasTest, EveryRule) {
  Random random = Random::ForTest();
  const T5Buckets rules[] = {{4, 2, true},       {2, 2, false},
                             {32, 9, true},      {7, 1000, false},
                             {320, 800, true},   {64, 5000, true},
                             {1024, 900, false}, {40, kMaxT5Distance, true}};
  for (const T5Buckets& rule : rules) {
    const Heads table(TableSpec(DataType::kBF16, rule.buckets, 2), &random);
    const Heads scores(SpecOf(DataType::kF32, {2, 1, 1500}), &random);
    for (const int64_t query : {0, 1, 700, 1499, 2600}) {
      EXPECT_TRUE(AddsBiases(scores, table, rule, {query, 0}, ScoreRange::kAll))
          << rule.buckets << ", " << rule.max_distance << ", query " << query;
    }
  }
}

TEST_P(T5BiasTest, OnlyDistancesMatter) {
  Random random = Random::ForTest();
  const Heads table(TableSpec(DataType::kF32, 32, 2), &random);
  for (const DataType type : kAllTypes) {
    const Heads scores(SpecOf(type, {2, 3, 200}), &random);
    for (const ScoreRange range : kRanges) {
      const Heads want = scores.Copy();
      ASSERT_TRUE(
          IsOk(AddT5Bias(TableOf(table), {}, ScoresOf(want, {150, 0}), range)));
      for (const int64_t shift : {int64_t{1}, int64_t{-99}, int64_t{1} << 40,
                                  INT64_MAX - 300, INT64_MIN}) {
        const Heads moved = scores.Copy();
        ASSERT_TRUE(IsOk(AddT5Bias(
            TableOf(table), {}, ScoresOf(moved, {shift + 150, shift}), range)));
        EXPECT_EQ(moved.Bytes(), want.Bytes()) << shift;
      }
    }
  }
}

TEST_P(T5BiasTest, DistancesAsFarAsPositionsGo) {
  Random random = Random::ForTest();
  const Heads table(TableSpec(DataType::kF32, 32, 1), &random);
  const Heads scores(SpecOf(DataType::kF32, {1, 2, 40}), &random);
  const Place places[] = {
      {INT64_MAX - 1, 0}, {0, INT64_MAX - 39}, {-2, INT64_MAX - 41}};
  for (const Place& place : places) {
    const Heads after = scores.Copy();
    ASSERT_TRUE(IsOk(AddT5Bias(TableOf(table), {}, ScoresOf(after, place),
                               ScoreRange::kAll)));
    const int bucket = place.first_key > 0 ? 31 : 15;
    EXPECT_TRUE(HoldsBiases(
        scores, after, place, ScoreRange::kAll,
        [&](double score, int64_t, int64_t) {
          return Rounded(DataType::kF32, score + table.Get(0, bucket, 0, 0));
        }));
  }
}

TEST_P(T5BiasTest, MaskedScoresAndNanStay) {
  Random random = Random::ForTest();
  const Heads table(TableSpec(DataType::kF16, 32, 1), &random);
  for (const DataType type : kAllTypes) {
    Heads scores(SpecOf(type, {1, 1, 300}), &random);
    for (int k = 0; k < 300; k += 3) {
      scores.Set(0, 0, 0, k, -std::numeric_limits<double>::infinity());
      scores.Set(0, 0, 0, k + 1, std::numeric_limits<double>::quiet_NaN());
    }
    const Heads after = scores.Copy();
    ASSERT_TRUE(IsOk(AddT5Bias(TableOf(table), {}, ScoresOf(after, {150, 0}))));
    for (int k = 0; k < 300; ++k) {
      if (k % 3 == 2) continue;
      EXPECT_TRUE(SameValue(after.Get(0, 0, 0, k), scores.Get(0, 0, 0, k)));
    }
  }
}

// A table may be a slice of a wider one, or stand upside down.
TEST_P(T5BiasTest, AnyStrideOfTheTable) {
  Random random = Random::ForTest();
  const Heads table(TableSpec(DataType::kF32, 32, 8), &random);
  const Heads scores(SpecOf(DataType::kF32, {2, 2, 100}), &random);
  EmbeddingTable slice = TableOf(table);
  slice.data = static_cast<const float*>(slice.data) + 3;
  slice.width = 2;
  const Heads got = scores.Copy();
  ASSERT_TRUE(IsOk(AddT5Bias(slice, {}, ScoresOf(got, {60, 0}))));
  Heads own(TableSpec(DataType::kF32, 32, 2));
  for (int64_t b = 0; b < 32; ++b) {
    for (int h = 0; h < 2; ++h) {
      own.Set(0, 31 - b, 0, h, table.Get(0, b, 0, h + 3));
    }
  }
  EmbeddingTable upside_down = TableOf(own);
  upside_down.data = own.Element(0, 31, 0, 0);
  upside_down.row_stride = -upside_down.row_stride;
  const Heads want = scores.Copy();
  ASSERT_TRUE(IsOk(AddT5Bias(upside_down, {}, ScoresOf(want, {60, 0}))));
  EXPECT_EQ(got.Bytes(), want.Bytes());
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(T5BiasTest);

}  // namespace
}  // namespace ropewalk::test
