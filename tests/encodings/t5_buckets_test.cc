// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// T5's buckets: known ones, and an independent definition in real arithmetic.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "golden/golden_file.h"
#include "gtest/gtest.h"
#include "reference/score_biases.h"
#include "ropewalk/encodings/t5_bias.h"
#include "support/random.h"

namespace ropewalk::test {
namespace {

int BucketOf(const T5Buckets& rule, int64_t key_minus_query) {
  const Result<int> bucket = T5Bucket(rule, key_minus_query);
  EXPECT_TRUE(bucket.ok()) << bucket.status().message();
  return bucket.ok() ? bucket.value() : -1;
}

int ReferenceOf(const T5Buckets& rule, int64_t key_minus_query) {
  return reference::T5BucketOf(rule.buckets, rule.max_distance,
                               rule.bidirectional, key_minus_query);
}

TEST(T5BucketsTest, MatchKnownBuckets) {
  const auto& golden = GoldenFile("score_biases.json").at("t5_buckets");
  for (const bool bidirectional : {true, false}) {
    const T5Buckets rule = {golden.at("buckets"), golden.at("max_distance"),
                            bidirectional};
    const auto want =
        golden.at(bidirectional ? "bidirectional" : "unidirectional")
            .get<std::vector<int>>();
    ASSERT_EQ(want.size(), 321u);
    int64_t distance = golden.at("first_key_minus_query");
    for (const int bucket : want) {
      EXPECT_EQ(BucketOf(rule, distance), bucket) << distance;
      ++distance;
    }
  }
}

// 32 and 128 is T5's own rule: 8 16^(k / 8) and 16 8^(k / 16) hit integers.
// Among the others are rules whose every mark is one, whose steps are many or
// one, whose marks lie closer than integers, and pairs without any structure.
TEST(T5BucketsTest, MatchTheirDefinition) {
  const T5Buckets rules[] = {
      {32, 128, true},  {32, 128, false}, {64, 256, true},  {8, 64, true},
      {8, 4096, false}, {4, 2, true},     {2, 2, false},    {6, 100, true},
      {32, 9, true},    {32, 17, false},  {320, 800, true}, {100, 3000, false},
      {7, 1000, false}, {5, 6561, false}, {48, 500, true},  {1024, 5000, true},
      {512, 600, false}};
  for (const T5Buckets& rule : rules) {
    for (int64_t distance = -6600; distance <= 6600; ++distance) {
      // Every distance of the first rules, a sample where each costs many
      // powers.
      if (rule.buckets > 64 && distance % 7 != 0) continue;
      ASSERT_EQ(BucketOf(rule, distance), ReferenceOf(rule, distance))
          << rule.buckets << ", " << rule.max_distance << ", distance "
          << distance;
    }
  }
}

// 2^(30 k / 30): every mark is an integer, up to the largest distance.
TEST(T5BucketsTest, LargeMarksAreExact) {
  const T5Buckets rule = {3, int64_t{1} << 30, false};  // one: 2^(30 k / 2)
  EXPECT_EQ(BucketOf(rule, -((1 << 15) - 1)), 1);
  EXPECT_EQ(BucketOf(rule, -(1 << 15)), 2);
  // 32 (2^25)^(k / 32), whose integers are where k is a multiple of 32.
  const T5Buckets square = {128, int64_t{1} << 30, true};
  for (const int64_t distance : {int64_t{32}, int64_t{33}, int64_t{1} << 20,
                                 (int64_t{1} << 30) - 1, int64_t{1} << 30}) {
    EXPECT_EQ(BucketOf(square, distance), ReferenceOf(square, distance));
  }
  // 3 (3^16 / 3)^(k / 15) with 3 exact ones needs 6 buckets: 3, 3^6, 3^11.
  const T5Buckets threes = {6, 43046721, false};
  for (const int64_t mark : {int64_t{729}, int64_t{177147}}) {
    EXPECT_EQ(BucketOf(threes, -mark), BucketOf(threes, -(mark - 1)) + 1);
    EXPECT_EQ(BucketOf(threes, -mark), BucketOf(threes, -(mark + 1)));
  }
}

TEST(T5BucketsTest, BucketsGrowWithDistanceAndEnd) {
  Random random = Random::ForTest();
  for (int i = 0; i < 60; ++i) {
    T5Buckets rule;
    rule.bidirectional = random.Below(2) != 0;
    rule.buckets = static_cast<int>(2 * random.Between(2, 512));
    const int direction = rule.bidirectional ? rule.buckets / 2 : rule.buckets;
    rule.max_distance = std::min(
        direction / 2 + 1 + random.Below(int64_t{1} << random.Between(1, 30)),
        kMaxT5Distance);
    int last = 0;
    for (int64_t distance = 0; distance < int64_t{1} << 31;
         distance += 1 + random.Below(distance / 4 + 2)) {
      const int bucket = BucketOf(rule, -distance);
      ASSERT_GE(bucket, last) << rule.buckets << ", " << rule.max_distance;
      ASSERT_LT(bucket, direction);
      last = bucket;
      if (distance == 0) continue;
      // Keys after the query have the upper half, or none.
      ASSERT_EQ(BucketOf(rule, distance),
                rule.bidirectional ? direction + bucket : 0);
    }
    EXPECT_EQ(BucketOf(rule, -rule.max_distance), direction - 1);
    EXPECT_EQ(BucketOf(rule, INT64_MIN), direction - 1);
    EXPECT_EQ(BucketOf(rule, INT64_MAX),
              rule.bidirectional ? 2 * direction - 1 : 0);
  }
}

TEST(T5BucketsTest, RulesThatHaveNoBuckets) {
  const auto message = [](const T5Buckets& rule) {
    const Result<int> bucket = T5Bucket(rule, 0);
    EXPECT_EQ(bucket.status().code(), StatusCode::kInvalidArgument);
    return std::string(bucket.status().message());
  };
  EXPECT_EQ(message({1, 128, false}),
            "rule.buckets = 1: must be from 2 to 1024");
  EXPECT_EQ(message({2, 128, true}),
            "rule.buckets = 2: must be from 4 to 1024");
  EXPECT_EQ(message({1025, 9999, false}),
            "rule.buckets = 1025: must be from 2 to 1024");
  EXPECT_EQ(message({33, 128, true}),
            "rule.buckets = 33: must be even where bidirectional");
  EXPECT_EQ(message({32, 8, true}),
            "rule.max_distance = 8: must be above 8, half the buckets of a "
            "direction, and at most 2^30");
  EXPECT_EQ(message({32, 16, false}),
            "rule.max_distance = 16: must be above 16, half the buckets of a "
            "direction, and at most 2^30");
  EXPECT_EQ(message({32, kMaxT5Distance + 1, false}),
            "rule.max_distance = 1073741825: must be above 16, half the "
            "buckets of a direction, and at most 2^30");
  EXPECT_TRUE(T5Bucket({33, 128, false}, 0).ok());
  EXPECT_TRUE(T5Bucket({32, 9, true}, 0).ok());
  EXPECT_TRUE(T5Bucket({1024, kMaxT5Distance, true}, 0).ok());
}

}  // namespace
}  // namespace ropewalk::test
