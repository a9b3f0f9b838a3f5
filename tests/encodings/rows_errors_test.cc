// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What is refused of hidden states, tables, ids and positions: with the
// argument, its value and the rule, and before anything is written.
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "cache/refusal.h"
#include "encodings/row_tensors.h"
#include "encodings/sinusoid.h"
#include "gtest/gtest.h"
#include "ropewalk/encodings.h"
#include "support/random.h"

namespace ropewalk::test {
namespace {

constexpr int kWidth = 8;
constexpr int64_t kTokens = 3;
constexpr int64_t kVocabulary = 5;
constexpr auto kInvalid = StatusCode::kInvalidArgument;
constexpr auto kOutOfRange = StatusCode::kOutOfRange;

// Everything that the calls take, valid before it is changed.
struct Arguments {
  Random random = Random::ForTest();
  Heads table_memory{RowsSpec(DataType::kF32, kVocabulary, kWidth), &random};
  Heads hidden_memory{RowsSpec(DataType::kF32, kTokens, kWidth), &random};
  std::vector<float> logits_memory =
      std::vector<float>(kTokens * kVocabulary, 0.5f);
  std::vector<int64_t> id_memory = {0, 4, 2};
  std::vector<double> real_memory = {0, 1, 2};
  Sinusoid sinusoid = MakeSinusoid(kWidth, Positions::Consecutive(0, kTokens));

  EmbeddingTable table = TableOf(table_memory);
  HiddenStates hidden = HiddenOf(hidden_memory);
  TokenIds ids{id_memory.data(), kTokens};
  Positions positions{id_memory.data(), kTokens};
  int64_t offset = 0;
  float* logits = logits_memory.data();
  int64_t logits_stride = 4 * kVocabulary;
  float multiplier = 1.0f;
  SinusoidalOrder order = SinusoidalOrder::kInterleaved;
  Parallel parallel = Parallel::Serial();
};

using Call = std::function<Status(const Arguments&, const Parallel&)>;

Status CallLookup(const Arguments& a, const Parallel& parallel) {
  return Lookup(a.table, a.ids, a.hidden, {a.multiplier, parallel});
}
Status CallLearned(const Arguments& a, const Parallel& parallel) {
  return AddLearned(a.table, a.positions, a.offset, a.hidden, parallel);
}
Status CallSinusoidal(const Arguments& a, const Parallel& parallel) {
  return AddSinusoidal(a.sinusoid.rows, a.hidden, {a.order, parallel});
}
Status CallLogits(const Arguments& a, const Parallel& parallel) {
  return TiedLogits(a.table, a.hidden, a.logits, a.logits_stride, parallel);
}

void ExpectAllRefused(const Call& call,
                      const std::vector<Refusal<Arguments>>& refusals) {
  for (const auto& refusal : refusals) {
    Arguments arguments;
    refusal.change(&arguments);
    const auto hidden = arguments.hidden_memory.Bytes();
    const auto table = arguments.table_memory.Bytes();
    const auto logits = arguments.logits_memory;
    for (const Parallel& parallel : Ways(arguments.parallel)) {
      ExpectRefused(call(arguments, parallel), refusal.code, refusal.words);
    }
    EXPECT_EQ(arguments.hidden_memory.Bytes(), hidden);
    EXPECT_EQ(arguments.table_memory.Bytes(), table);
    EXPECT_EQ(arguments.logits_memory, logits);
  }
}

TEST(RowsErrorsTest, ValidArgumentsPass) {
  for (const Call& call : {Call(CallLookup), Call(CallLearned),
                           Call(CallSinusoidal), Call(CallLogits)}) {
    const Arguments arguments;
    const Status status = call(arguments, Parallel::Serial());
    EXPECT_TRUE(status.ok()) << status.message();
  }
}

// Of the hidden states that each call takes, by the name it has there.
std::vector<Refusal<Arguments>> HiddenRefusals(const std::string& name) {
  return {
      {kInvalid,
       {name + ".data = null", "3 tokens"},
       [](Arguments* a) { a->hidden.data = nullptr; }},
      {kInvalid,
       {name + ".type = 7", "kF32, kBF16 or kF16"},
       [](Arguments* a) { a->hidden.type = static_cast<DataType>(7); }},
      {kInvalid,
       {name + ".tokens = -1", "negative"},
       [](Arguments* a) { a->hidden.tokens = -1; }},
      {kInvalid,
       {name + ".tokens = 2", "3"},
       [](Arguments* a) { a->hidden.tokens = 2; }},
      {kInvalid,
       {name + ".width = 0", "positive"},
       [](Arguments* a) { a->hidden.width = 0; }},
      {kInvalid,
       {name + ".width = 6"},
       [](Arguments* a) { a->hidden.width = 6; }},
      {kOutOfRange,
       {name, "9223372036854775807", "address space"},
       [](Arguments* a) { a->hidden.width = INT64_MAX; }},
      {kInvalid,
       {name + ".token_stride = 30", "element size 4"},
       [](Arguments* a) { a->hidden.token_stride = 30; }},
      {kOutOfRange,
       {name, "token_stride = 9223372036854775804", "address space"},
       [](Arguments* a) { a->hidden.token_stride = INT64_MAX - 3; }},
      {kInvalid,
       {name + ".data", "element size 4"},
       [](Arguments* a) {
         a->hidden.data = static_cast<uint8_t*>(a->hidden.data) + 1;
       }},
      {kInvalid,
       {"Share(3, 3)", "[0, count)"},
       [](Arguments* a) { a->parallel = Parallel::Share(3, 3); }},
  };
}

// Of the table.
std::vector<Refusal<Arguments>> TableRefusals() {
  return {
      {kInvalid,
       {"table.data = null", "5 rows"},
       [](Arguments* a) { a->table.data = nullptr; }},
      {kInvalid,
       {"table.vocabulary = -2", "negative"},
       [](Arguments* a) { a->table.vocabulary = -2; }},
      {kInvalid,
       {"table.width = -1", "positive"},
       [](Arguments* a) { a->table.width = -1; }},
      {kInvalid,
       {".width = 8", "table, 7"},
       [](Arguments* a) { a->table.width = 7; }},
      {kInvalid,
       {"table.row_stride = 2", "element size 4"},
       [](Arguments* a) { a->table.row_stride = 2; }},
      {kOutOfRange,
       {"table of vocabulary = 5", "row_stride", "address space"},
       [](Arguments* a) { a->table.row_stride = INT64_MAX - 3; }},
  };
}

// Two rows in one, and rows of the table in those that are written.
std::vector<Refusal<Arguments>> OverlapRefusals(const std::string& name) {
  return {
      {kInvalid,
       {name + ".token_stride = 0", "tokens must not share"},
       [](Arguments* a) { a->hidden.token_stride = 0; }},
      {kInvalid,
       {name + ".token_stride = 28", "tokens must not share"},
       [](Arguments* a) { a->hidden.token_stride = -28; }},
      {kInvalid,
       {name + ".data", "table.data", "share elements"},
       [](Arguments* a) {
         a->table.data = static_cast<uint8_t*>(a->hidden.data) + 4;
       }},
  };
}

TEST(RowsErrorsTest, LookupRefuses) {
  ExpectAllRefused(CallLookup, HiddenRefusals("out"));
  ExpectAllRefused(CallLookup, TableRefusals());
  ExpectAllRefused(CallLookup, OverlapRefusals("out"));
  ExpectAllRefused(
      CallLookup,
      {{kOutOfRange,
        {"ids[2] = 5", "vocabulary of 5"},
        [](Arguments* a) { a->id_memory[2] = 5; }},
       {kOutOfRange,
        {"ids[1] = -1", "vocabulary of 5"},
        [](Arguments* a) { a->id_memory[1] = -1; }},
       {kInvalid,
        {"ids = null", "3 tokens"},
        [](Arguments* a) {
          a->ids = TokenIds(static_cast<const int32_t*>(nullptr), 3);
        }},
       {kInvalid,
        {"out.tokens = 3", "ids, -3"},
        [](Arguments* a) { a->ids = TokenIds(a->id_memory.data(), -3); }},
       {kInvalid, {"multiplier = inf", "finite"}, [](Arguments* a) {
          a->multiplier = std::numeric_limits<float>::infinity();
        }}});
}

TEST(RowsErrorsTest, AddLearnedRefuses) {
  ExpectAllRefused(CallLearned, HiddenRefusals("hidden"));
  ExpectAllRefused(CallLearned, TableRefusals());
  ExpectAllRefused(CallLearned, OverlapRefusals("hidden"));
  ExpectAllRefused(
      CallLearned,
      {{kOutOfRange,
        {"position[1] = 4", "offset = 1", "table of 5 rows"},
        [](Arguments* a) { a->offset = 1; }},
       {kOutOfRange,
        {"position[0] = 0", "offset = -1", "table of 5 rows"},
        [](Arguments* a) { a->offset = -1; }},
       {kOutOfRange,
        {"position[1] = 4", "offset = 9223372036854775807"},
        [](Arguments* a) {
          a->id_memory[0] = -INT64_MAX;
          a->offset = INT64_MAX;
        }},
       {kInvalid,
        {"double", "integers"},
        [](Arguments* a) {
          a->positions = Positions(a->real_memory.data(), 3);
        }},
       {kInvalid,
        {"2 components", "one"},
        [](Arguments* a) { a->positions = Positions::Consecutive(0, 3, 2); }},
       {kInvalid, {"ids = null"}, [](Arguments* a) {
          a->positions = Positions(static_cast<const int64_t*>(nullptr), 3);
        }}});
}

TEST(RowsErrorsTest, AddSinusoidalRefuses) {
  ExpectAllRefused(CallSinusoidal, HiddenRefusals("hidden"));
  ExpectAllRefused(
      CallSinusoidal,
      {{kInvalid,
        {"order = 3", "kCosSin"},
        [](Arguments* a) { a->order = static_cast<SinusoidalOrder>(3); }},
       {kInvalid,
        {"hidden.token_stride = 28", "tokens must not share"},
        [](Arguments* a) { a->hidden.token_stride = 28; }},
       {kInvalid,
        {"hidden.width = 8", "3 pairs", "4 are needed"},
        [](Arguments* a) {
          a->sinusoid = MakeSinusoid(6, Positions::Consecutive(0, kTokens));
        }}});
}

TEST(RowsErrorsTest, AddSinusoidalRefusesRowsOfSeveralHeads) {
  const Arguments a;
  const float table[4 * kTokens * kWidth] = {};
  ConstCosSinView view;
  view.cos = table;
  view.sin = table;
  view.rows = kTokens;
  view.pairs = kWidth / 2;
  view.row_stride = 4 * kWidth;
  view.pair_stride = 4;
  view.heads = 2;
  view.head_stride = 4 * kTokens * kWidth;
  const auto rows = AngleRows::Wrap(view);
  ASSERT_TRUE(rows.ok()) << rows.status().message();
  ExpectRefused(AddSinusoidal(rows.value(), a.hidden), kInvalid,
                {"2 heads", "one"});
}

TEST(RowsErrorsTest, TiedLogitsRefuses) {
  // As many tokens as logits have room for are no error, and tokens that are
  // only read may share their elements.
  std::vector<Refusal<Arguments>> hidden = HiddenRefusals("hidden");
  hidden.erase(hidden.begin() + 3);
  ExpectAllRefused(CallLogits, hidden);
  ExpectAllRefused(CallLogits, TableRefusals());
  ExpectAllRefused(CallLogits,
                   {{kInvalid,
                     {"logits.data = null", "3 tokens"},
                     [](Arguments* a) { a->logits = nullptr; }},
                    {kInvalid,
                     {"logits.stride = 18", "element size 4"},
                     [](Arguments* a) { a->logits_stride = 18; }},
                    {kInvalid,
                     {"logits.stride = 16", "tokens must not share"},
                     [](Arguments* a) { a->logits_stride = 16; }},
                    {kOutOfRange,
                     {"logits of tokens = 3", "address space"},
                     [](Arguments* a) { a->logits_stride = INT64_MAX - 3; }},
                    {kInvalid,
                     {"logits.data", "table.data", "share elements"},
                     [](Arguments* a) { a->table.data = a->logits; }},
                    {kInvalid,
                     {"logits.data", "hidden.data", "share elements"},
                     [](Arguments* a) { a->hidden.data = a->logits; }}});
}

}  // namespace
}  // namespace ropewalk::test
