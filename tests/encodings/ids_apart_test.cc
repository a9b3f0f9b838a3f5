// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Ids and positions are checked before the first write and read after it: a
// call refuses those that lie in the rows which it writes. And what only looks
// like memory: sizes whose bytes pass int64.
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "cache/refusal.h"
#include "gtest/gtest.h"
#include "ropewalk/encodings.h"

namespace ropewalk::test {
namespace {

constexpr int64_t kWidth = 8;
constexpr int64_t kTokens = 4;
constexpr int64_t kOutAt = 4;  // in words of eight bytes
constexpr int64_t kOutEnd = kOutAt + kTokens * kWidth / 2;
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// Zeros, which are ids and positions wherever they are read, around the rows.
using Words = std::vector<int64_t>;
using Call = std::function<Status(Words*, int64_t* ids)>;

HiddenStates Rows(Words* words) {
  return DenseHidden(words->data() + kOutAt, DataType::kF32, kTokens, kWidth);
}

Status LookupIn(Words* words, int64_t* ids) {
  const std::vector<float> table(2 * kWidth, 1e30f);
  return Lookup(DenseTable(table.data(), DataType::kF32, 2, kWidth),
                TokenIds(ids, kTokens), Rows(words));
}

Status LearnedIn(Words* words, int64_t* ids) {
  const std::vector<float> table(2 * kWidth, 1e30f);
  return AddLearned(DenseTable(table.data(), DataType::kF32, 2, kWidth),
                    Positions(ids, kTokens), 0, Rows(words));
}

TEST(IdsApartTest, IdsInTheRowsAreRefused) {
  const Words zeros(kOutEnd + kTokens, 0);
  for (const Call& call : {Call(LookupIn), Call(LearnedIn)}) {
    for (const int64_t at : {kOutAt - 1, kOutAt, kOutAt + 5, kOutEnd - 1}) {
      Words words = zeros;
      ExpectRefused(call(&words, words.data() + at),
                    StatusCode::kInvalidArgument, {".data", "share"});
      EXPECT_EQ(words, zeros) << "a call that failed wrote";
    }
    for (const int64_t at : {kOutAt - kTokens, kOutEnd}) {
      Words words = zeros;
      const Status status = call(&words, words.data() + at);
      EXPECT_TRUE(status.ok()) << status.message();
    }
  }
}

TEST(IdsApartTest, TablesWithoutAStrideAreRefused) {
  const std::vector<float> memory(kWidth, 1.0f);
  EmbeddingTable table = DenseTable(memory.data(), DataType::kF32, 2, kWidth);
  table.row_stride = 0;
  Words words(kOutEnd, 0);
  const int64_t ids[kTokens] = {};
  ExpectRefused(Lookup(table, TokenIds(ids, kTokens), Rows(&words)),
                StatusCode::kInvalidArgument, {"table.row_stride = 0"});
}

TEST(IdsApartTest, SlopesAreReadWhereThereIsAScore) {
  float memory[3] = {1, 1, 1};
  Scores scores = DenseScores(&memory[2], 1, 1, 1);
  ExpectRefused(AddAlibi(reinterpret_cast<const float*>(
                             reinterpret_cast<const uint8_t*>(memory) + 2),
                         scores),
                StatusCode::kInvalidArgument, {"slopes.data", "multiple"});
  scores.queries = 0;
  scores.heads = int64_t{1} << 40;
  ExpectRefused(AddAlibi(nullptr, scores), StatusCode::kInvalidArgument,
                {"slopes = null"});
  const Status status = AddAlibi(memory, scores);
  EXPECT_TRUE(status.ok()) << status.message();
}

// The scores of later keys are left alone, so that they need not be memory.
TEST(IdsApartTest, CausalRowsOfMoreBytesThanAnInt64) {
  // The slope lies before the score: the rows reach over all that follows.
  float memory[2] = {1, 1};
  for (const int64_t keys : {int64_t{1} << 59, (int64_t{1} << 60) + 1}) {
    Scores scores = DenseScores(&memory[1], 1, 1, 1);
    scores.keys = keys;
    const Status status = AddAlibi(&memory[0], scores);
    // Where the rows cannot be addressed they are refused.
    EXPECT_TRUE(status.ok() || status.code() == StatusCode::kOutOfRange)
        << status.message();
    EXPECT_EQ(memory[1], 1);
  }
}

TEST(IdsApartTest, DenseScoresOfAnySizes) {
  float score = 1;
  for (const int64_t size : {std::numeric_limits<int64_t>::min(), int64_t{-1},
                             int64_t{0}, int64_t{1}, kMax}) {
    for (const int64_t keys : {int64_t{-1}, int64_t{0}, int64_t{1}, kMax}) {
      const Scores scores = DenseScores(&score, 1, size, keys);
      EXPECT_EQ(scores.first_query, size >= 0 && keys > size ? keys - size : 0);
    }
  }
}

}  // namespace
}  // namespace ropewalk::test
