// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the calls of score biases refuse, before they write anything, and the
// edges of what they take.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "encodings/bias_calls.h"
#include "encodings/score_tensor.h"
#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

constexpr ScoresShape kShape = {2, 3, 10};

class ScoreErrorsTest : public testing::TestWithParam<BiasCall> {
 protected:
  ScoreErrorsTest()
      : random_(Random::ForTest()), good(DataType::kF32, kShape, &random_) {}

  // Runs every share, all of which must say the same.
  testing::AssertionResult Refuses(StatusCode code,
                                   const std::string& message) {
    const std::vector<uint8_t> before = good.Bytes();
    for (const Parallel& parallel :
         {Parallel::Serial(), Parallel::Share(0, 2), Parallel::Share(1, 2)}) {
      const Status status = good.Run(GetParam(), parallel);
      if (status.code() != code || status.message() != message) {
        return testing::AssertionFailure() << status.message();
      }
    }
    return good.Bytes() == before ? testing::AssertionSuccess()
                                  : testing::AssertionFailure() << "written";
  }
  testing::AssertionResult Refuses(const std::string& message) {
    return Refuses(StatusCode::kInvalidArgument, message);
  }

  bool is_shaw() const { return GetParam() >= BiasCall::kShawScores; }
  bool writes_scores() const { return GetParam() != BiasCall::kShawValues; }
  // How messages call the scores and the heads.
  std::string scores_name() const {
    return writes_scores() ? "scores" : "weights";
  }
  std::string heads_name() const {
    return writes_scores() ? "queries" : "output";
  }

  Random random_;
  BiasArguments good;
};

TEST_P(ScoreErrorsTest, TakesWhatIsGood) {
  EXPECT_TRUE(IsOk(good.Run(GetParam())));
}

TEST_P(ScoreErrorsTest, SizesAndTypes) {
  good.view.type = static_cast<DataType>(3);
  EXPECT_TRUE(
      Refuses(scores_name() + ".type = 3: must be kF32, kBF16 or kF16"));
  good.view.type = DataType::kF32;
  good.view.keys = -1;
  EXPECT_TRUE(Refuses(scores_name() + ".keys = -1: must not be negative"));
  good.view.keys = 10;
  good.view.queries = -2;
  EXPECT_TRUE(Refuses(scores_name() + ".queries = -2: must not be negative"));
  good.view.queries = 3;
  good.view.heads = -3;
  EXPECT_TRUE(Refuses(scores_name() + ".heads = -3: must not be negative"));
}

TEST_P(ScoreErrorsTest, PointersAndStrides) {
  void* const data = good.view.data;
  good.view.data = nullptr;
  EXPECT_TRUE(Refuses(scores_name() + ".data = null: must point to 3 queries"));
  good.view.data = data;
  good.view.query_stride += 2;
  EXPECT_TRUE(Refuses(scores_name() + ".query_stride = 54: must be a multiple "
                                      "of the element size 4"));
  good.view.query_stride -= 2;
  good.view.head_stride += 1;
  EXPECT_FALSE(good.Run(GetParam()).ok());
  good.view.head_stride = INT64_MAX - 3;
  const Status status = good.Run(GetParam());
  EXPECT_EQ(status.code(), StatusCode::kOutOfRange) << status.message();
}

TEST_P(ScoreErrorsTest, RangesAndShares) {
  good.range = static_cast<ScoreRange>(2);
  EXPECT_TRUE(Refuses("range = 2: must be kAll or kCausal"));
  good.range = ScoreRange::kAll;
  const std::vector<uint8_t> before = good.Bytes();
  EXPECT_FALSE(good.Run(GetParam(), Parallel::Share(2, 2)).ok());
  EXPECT_FALSE(good.Run(GetParam(), Parallel::Share(0, 0)).ok());
  EXPECT_EQ(good.Bytes(), before);
}

TEST_P(ScoreErrorsTest, PositionsThatAreNone) {
  // The last ones there are, and the least distance there is.
  for (const Place& place :
       {Place{INT64_MAX - 2, INT64_MAX - 9}, Place{INT64_MAX - 2, -1}}) {
    good.view.first_query = place.first_query;
    good.view.first_key = place.first_key;
    EXPECT_TRUE(IsOk(good.Run(GetParam())));
  }
  for (const Place& place :
       {Place{INT64_MAX - 1, 0}, Place{0, INT64_MAX - 8},
        Place{-1, INT64_MAX - 9}, Place{INT64_MAX - 2, -2}}) {
    good.view.first_query = place.first_query;
    good.view.first_key = place.first_key;
    EXPECT_TRUE(Refuses(
        StatusCode::kOutOfRange,
        scores_name() + ".first_query = " + std::to_string(place.first_query) +
            ", first_key = " + std::to_string(place.first_key) +
            ": the positions of 3 queries and 10 keys, and their distances, "
            "must fit an int64"));
  }
}

TEST_P(ScoreErrorsTest, ElementsThatAreShared) {
  if (!writes_scores()) {
    // Weights are only read: they may be those of one head for all.
    good.view.head_stride = 0;
    EXPECT_TRUE(IsOk(good.Run(GetParam())));
    good.heads_view.head_stride = 0;
    EXPECT_TRUE(
        Refuses("output.head_stride = 0: the heads must not share elements"));
    return;
  }
  good.view.query_stride = 0;
  EXPECT_TRUE(
      Refuses("scores.query_stride = 0: the queries must not share elements"));
  good.view.query_stride = 36;
  EXPECT_TRUE(Refuses(
      "scores.query_stride = 36 or its negative: the queries must not share "
      "elements, 40 bytes lie within one step"));
}

TEST_P(ScoreErrorsTest, TablesThatAreWritten) {
  const bool t5 = GetParam() == BiasCall::kT5;
  if (!t5 && !is_shaw()) GTEST_SKIP() << "ALiBi takes no table";
  EmbeddingTable& table = t5 ? good.t5_table : good.shaw_table;
  void* const written = writes_scores() ? good.view.data : good.heads_view.data;
  table.data = written;
  const Status status = good.Run(GetParam());
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(std::string(status.message()).find("must not share elements"),
            std::string::npos)
      << status.message();
}

TEST_P(ScoreErrorsTest, TablesOfOtherShapes) {
  const bool t5 = GetParam() == BiasCall::kT5;
  if (!t5 && !is_shaw()) GTEST_SKIP() << "ALiBi takes no table";
  EmbeddingTable& table = t5 ? good.t5_table : good.shaw_table;
  table.data = nullptr;
  EXPECT_TRUE(Refuses(t5 ? "table.data = null: must point to 32 rows"
                         : "table.data = null: must point to 11 rows"));
  table.vocabulary = 31;
  EXPECT_TRUE(Refuses(
      t5 ? "table.vocabulary = 31, table.width = 2: must be the buckets, 32, "
           "and the heads of scores, 2"
         : "table.vocabulary = 31: must be 2 clip + 1 = 11"));
}

TEST_P(ScoreErrorsTest, NothingToDo) {
  const std::vector<uint8_t> before = good.Bytes();
  good.view.data = nullptr;
  good.view.keys = 0;
  EXPECT_TRUE(IsOk(good.Run(GetParam())));
  good.view.keys = 10;
  good.view.queries = 0;
  good.heads_view.tokens = 0;
  EXPECT_TRUE(IsOk(good.Run(GetParam())));
  good.view.queries = 3;
  good.view.heads = 0;
  good.heads_view.tokens = 3;
  good.heads_view.heads = 0;
  EXPECT_TRUE(IsOk(good.Run(GetParam())));
  EXPECT_EQ(good.Bytes(), before);
}

std::string CallName(const testing::TestParamInfo<BiasCall>& parameter) {
  const char* const names[] = {"Alibi", "T5", "ShawScores", "ShawValues"};
  return names[static_cast<int>(parameter.param)];
}

INSTANTIATE_TEST_SUITE_P(, ScoreErrorsTest, testing::ValuesIn(kBiasCalls),
                         CallName);

class OneCallErrorsTest : public testing::Test {
 protected:
  OneCallErrorsTest()
      : random_(Random::ForTest()), good(DataType::kF32, kShape, &random_) {}

  std::string Message(BiasCall call) {
    const std::vector<uint8_t> before = good.Bytes();
    const std::string message = good.Run(call).message();
    EXPECT_EQ(good.Bytes(), before);
    return message;
  }

  Random random_;
  BiasArguments good;
};

TEST_F(OneCallErrorsTest, Slopes) {
  good.slopes[1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(Message(BiasCall::kAlibi),
            "slopes[1] = nan: must be from -2^60 to 2^60");
  good.slopes[1] = 0x1.2p60f;
  EXPECT_EQ(Message(BiasCall::kAlibi),
            "slopes[1] = 1.29704e+18: must be from -2^60 to 2^60");
  good.slopes.clear();
  EXPECT_EQ(Message(BiasCall::kAlibi),
            "slopes = null: must be one a head, of 2");
  float* const inside = static_cast<float*>(good.view.data) + 5;
  const Status status = AddAlibi(inside, good.view);
  EXPECT_NE(std::string(status.message()).find("must not share elements"),
            std::string::npos)
      << status.message();
}

TEST_F(OneCallErrorsTest, T5Rules) {
  good.t5_rule.buckets = 31;
  EXPECT_EQ(Message(BiasCall::kT5),
            "rule.buckets = 31: must be even where bidirectional");
}

TEST_F(OneCallErrorsTest, ShawRules) {
  good.shaw_rule.clip = -1;
  EXPECT_EQ(Message(BiasCall::kShawScores),
            "rule.clip = -1: must be from 0 to 2^30");
  good.shaw_rule.clip = (int64_t{1} << 30) + 1;
  EXPECT_EQ(Message(BiasCall::kShawValues),
            "rule.clip = 1073741825: must be from 0 to 2^30");
  good.shaw_rule.clip = 5;
  good.multiplier = std::numeric_limits<float>::infinity();
  EXPECT_EQ(Message(BiasCall::kShawScores), "multiplier = inf: must be finite");
}

TEST_F(OneCallErrorsTest, ShawHeads) {
  good.heads_view.heads = 1;
  EXPECT_EQ(Message(BiasCall::kShawScores),
            "queries.batch = 1, queries.tokens = 3, queries.heads = 1: must be "
            "1, and the queries and heads of scores, 3 and 2");
  EXPECT_EQ(Message(BiasCall::kShawValues),
            "output.batch = 1, output.tokens = 3, output.heads = 1: must be "
            "1, and the queries and heads of weights, 3 and 2");
  good.heads_view.heads = 2;
  good.heads_view.batch = 2;
  EXPECT_NE(Message(BiasCall::kShawScores), "");
  good.heads_view.batch = 1;
  good.heads_view.data = good.view.data;
  for (const BiasCall call : {BiasCall::kShawScores, BiasCall::kShawValues}) {
    EXPECT_NE(Message(call).find("must not share elements"), std::string::npos);
  }
}

}  // namespace
}  // namespace ropewalk::test
