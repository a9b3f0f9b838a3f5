// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Biases of scores: C gives the bits, and the errors, of C++.
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "c_api/c_encodings.h"
#include "encodings/bias_calls.h"
#include "gtest/gtest.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/random.h"

namespace ropewalk::test {
namespace {

ropewalk_status RunInC(BiasCall call, const BiasArguments& a,
                       const Parallel& parallel, ropewalk_error* error) {
  const ropewalk_parallel c_parallel = ToC(parallel);
  const ropewalk_scores scores = ToC(a.view);
  const ropewalk_embedding_table t5_table = ToC(a.t5_table);
  const ropewalk_embedding_table shaw_table = ToC(a.shaw_table);
  const ropewalk_t5_buckets t5_rule = ToC(a.t5_rule);
  const ropewalk_shaw_rule shaw_rule = ToC(a.shaw_rule);
  const ropewalk_const_heads queries = ToCConst(a.heads_view);
  const ropewalk_heads output = ToC(a.heads_view);
  const int32_t range = RangeToC(a.range);
  switch (call) {
    case BiasCall::kAlibi:
      return ropewalk_add_alibi(a.slopes_data(), &scores, range, &c_parallel,
                                error);
    case BiasCall::kT5:
      return ropewalk_add_t5_bias(&t5_table, &t5_rule, &scores, range,
                                  &c_parallel, error);
    case BiasCall::kShawScores:
      return ropewalk_add_shaw_scores(&shaw_table, &shaw_rule, &queries,
                                      a.multiplier, &scores, range, &c_parallel,
                                      error);
    case BiasCall::kShawValues:
      return ropewalk_add_shaw_values(&shaw_table, &shaw_rule, &scores, &output,
                                      range, &c_parallel, error);
  }
  return -1;
}

using CScoreBiasesTest = AllTargets;

TEST_P(CScoreBiasesTest, GiveTheBitsOfCpp) {
  const ScoresShape shapes[] = {{1, 1, 70}, {2, 3, 10}, {3, 40, 33}, {2, 3, 0}};
  for (const DataType type : kAllTypes) {
    for (const ScoresShape& shape : shapes) {
      for (const BiasCall call : kBiasCalls) {
        for (const ScoreRange range : {ScoreRange::kAll, ScoreRange::kCausal}) {
          // The same numbers in two memories.
          Random random = Random::ForTest();
          Random same = Random::ForTest();
          BiasArguments got(type, shape, &random);
          BiasArguments want(type, shape, &same);
          got.range = want.range = range;
          got.t5_rule.bidirectional = range == ScoreRange::kAll;
          want.t5_rule.bidirectional = range == ScoreRange::kAll;
          got.shaw_rule.reversed = range == ScoreRange::kCausal;
          want.shaw_rule.reversed = range == ScoreRange::kCausal;
          const std::vector<uint8_t> before = got.Bytes();
          ASSERT_EQ(before, want.Bytes());
          for (const Parallel& parallel :
               {Parallel::Share(1, 2), Parallel::Share(0, 2), Parallel::Tbb(),
                Parallel::Serial()}) {
            ropewalk_error error = UsedError();
            const ropewalk_status code = RunInC(call, got, parallel, &error);
            EXPECT_TRUE(Alike(code, error, want.Run(call, parallel)));
            ASSERT_EQ(code, ROPEWALK_OK) << error.message;
            EXPECT_EQ(got.Bytes(), want.Bytes());
          }
          EXPECT_EQ(got.Bytes() == before, shape.keys == 0);
        }
      }
    }
  }
}

// Each breaks a rule of one argument, of some of the calls at least.
using Spoil = std::function<void(BiasArguments*)>;
const Spoil kSpoils[] = {
    [](auto* a) { a->view.heads = -1; },
    [](auto* a) { a->view.queries = -1; },
    [](auto* a) { a->view.keys = -1; },
    [](auto* a) { a->view.data = nullptr; },
    [](auto* a) { a->view.query_stride += 1; },
    [](auto* a) { a->view.query_stride = 0; },
    [](auto* a) { a->view.head_stride = INT64_MAX & ~int64_t{3}; },
    [](auto* a) { a->view.first_query = INT64_MAX; },
    [](auto* a) { a->view.first_key = INT64_MIN; },
    [](auto* a) { a->slopes[1] = std::numeric_limits<float>::quiet_NaN(); },
    [](auto* a) { a->slopes.clear(); },
    [](auto* a) { a->t5_rule.buckets = 31; },
    [](auto* a) { a->t5_rule.max_distance = 8; },
    [](auto* a) { a->t5_table.vocabulary = 16; },
    [](auto* a) { a->t5_table.data = nullptr; },
    [](auto* a) { a->shaw_rule.clip = -1; },
    [](auto* a) { a->shaw_rule.clip = 4; },
    [](auto* a) { a->shaw_table.width = 0; },
    [](auto* a) { a->heads_view.tokens = 2; },
    [](auto* a) { a->heads_view.data = nullptr; },
    [](auto* a) { a->multiplier = std::numeric_limits<float>::infinity(); },
};

TEST_P(CScoreBiasesTest, ErrorsComeThroughAndWriteNothing) {
  int number = 0;
  for (const Spoil& spoil : kSpoils) {
    SCOPED_TRACE(number++);
    int failures = 0;
    for (const BiasCall call : kBiasCalls) {
      Random random = Random::ForTest();
      BiasArguments a(DataType::kF32, {2, 3, 10}, &random);
      spoil(&a);
      const std::vector<uint8_t> before = a.Bytes();
      const Status want = a.Run(call, Parallel::Share(0, 1));
      // The calls that do not look at what is spoilt.
      if (want.ok()) continue;
      ++failures;
      ropewalk_error error = UsedError();
      EXPECT_TRUE(
          Alike(RunInC(call, a, Parallel::Share(0, 1), &error), error, want));
      EXPECT_EQ(a.Bytes(), before);
    }
    EXPECT_GT(failures, 0);
  }
}

TEST_P(CScoreBiasesTest, AShareThatIsNoneIsRefused) {
  Random random = Random::ForTest();
  const BiasArguments a(DataType::kF32, {2, 3, 10}, &random);
  for (const BiasCall call : kBiasCalls) {
    ropewalk_error error = UsedError();
    const ropewalk_status code = RunInC(call, a, Parallel::Share(2, 2), &error);
    EXPECT_TRUE(Alike(code, error, a.Run(call, Parallel::Share(2, 2))));
    EXPECT_EQ(code, ROPEWALK_INVALID_ARGUMENT);
  }
}

// Weights of one head for all of them.
TEST_P(CScoreBiasesTest, WeightsBroadcastAsInCpp) {
  Random random = Random::ForTest();
  Random same = Random::ForTest();
  BiasArguments got(DataType::kF32, {2, 3, 10}, &random);
  BiasArguments want(DataType::kF32, {2, 3, 10}, &same);
  got.view.head_stride = want.view.head_stride = 0;
  ropewalk_error error = UsedError();
  const ropewalk_status code =
      RunInC(BiasCall::kShawValues, got, Parallel::Serial(), &error);
  EXPECT_TRUE(Alike(code, error, want.Run(BiasCall::kShawValues)));
  EXPECT_EQ(code, ROPEWALK_OK);
  EXPECT_EQ(got.Bytes(), want.Bytes());
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(CScoreBiasesTest);

TEST(CAlibiSlopesTest, AreThoseOfCpp) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const int heads : {-1, 0, 1, 5, 8, 12, 65536, 65537}) {
    for (const double max_bias : {8.0, 1.5, 0.0, -1.0, nan}) {
      std::vector<float> got(65537, -5);
      std::vector<float> want = got;
      ropewalk_error error = UsedError();
      const ropewalk_status code =
          ropewalk_alibi_slopes(heads, max_bias, got.data(), &error);
      EXPECT_TRUE(
          Alike(code, error, AlibiSlopes(heads, max_bias, want.data())));
      EXPECT_EQ(code == ROPEWALK_OK,
                heads >= 1 && heads <= 65536 && max_bias >= 0);
      EXPECT_EQ(got, want);
    }
  }
}

TEST(CT5BucketTest, IsThatOfCpp) {
  int refused = 0;
  for (const int buckets : {-2, 0, 1, 2, 4, 31, 32, 1024, 1026}) {
    for (const int64_t max_distance :
         {int64_t{0}, int64_t{128}, kMaxT5Distance, kMaxT5Distance + 1}) {
      for (const bool bidirectional : {true, false}) {
        const T5Buckets rule{buckets, max_distance, bidirectional};
        const ropewalk_t5_buckets c_rule = ToC(rule);
        for (const int64_t distance :
             {INT64_MIN, int64_t{-129}, int64_t{-9}, int64_t{0}, int64_t{1},
              int64_t{20}, int64_t{500}, INT64_MAX}) {
          int32_t bucket = -7;
          ropewalk_error error = UsedError();
          const ropewalk_status code =
              ropewalk_t5_bucket(&c_rule, distance, &bucket, &error);
          const auto want = T5Bucket(rule, distance);
          EXPECT_TRUE(Alike(code, error, want.status()));
          EXPECT_EQ(bucket, want.ok() ? want.value() : -7);
          refused += want.ok() ? 0 : 1;
        }
      }
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(CShawIndexTest, IsThatOfCppAndRefusesWhatCppLeavesUndefined) {
  const int64_t distances[] = {INT64_MIN, -17, -16, -1,       0,
                               1,         16,  17,  INT64_MAX};
  for (const int64_t clip : {int64_t{0}, int64_t{16}, int64_t{1} << 30}) {
    for (const bool reversed : {false, true}) {
      const ShawRule rule{clip, reversed};
      const ropewalk_shaw_rule c_rule = ToC(rule);
      for (const int64_t distance : distances) {
        int64_t index = -7;
        ropewalk_error error = UsedError();
        EXPECT_TRUE(
            Alike(ropewalk_shaw_index(&c_rule, distance, &index, &error), error,
                  Status()));
        EXPECT_EQ(index, ShawIndex(rule, distance));
      }
    }
  }
  for (const int64_t clip : {int64_t{-1}, (int64_t{1} << 30) + 1, INT64_MIN}) {
    const ropewalk_shaw_rule c_rule = ToC(ShawRule{clip, false});
    int64_t index = -7;
    ropewalk_error error = UsedError();
    EXPECT_TRUE(Fails(ropewalk_shaw_index(&c_rule, 1, &index, &error), error,
                      ROPEWALK_INVALID_ARGUMENT));
    EXPECT_EQ(index, -7);
  }
}

}  // namespace
}  // namespace ropewalk::test
