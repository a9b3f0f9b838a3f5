// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What tables, hidden states and frequencies are refused for: C says what C++
// says, and writes nothing.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "c_api/c_encodings.h"
#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

constexpr int64_t kTokens = 3;
constexpr int64_t kVocabulary = 5;
constexpr int64_t kWidth = 8;

// What the calls take, good until one is spoilt.
struct Case {
  Case() {
    table = DenseTable(table_data, DataType::kF32, kVocabulary, kWidth);
    hidden = DenseHidden(hidden_data, DataType::kF32, kTokens, kWidth);
  }
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  float table_data[kVocabulary * kWidth] = {};
  float hidden_data[kTokens * kWidth] = {};
  float logits_data[kTokens * kVocabulary] = {};
  int64_t id_data[kTokens] = {0, 4, 2};

  EmbeddingTable table;
  HiddenStates hidden;
  const int64_t* ids = id_data;
  int64_t count = kTokens;
  int64_t offset = 0;
  float* logits = logits_data;
  int64_t logits_stride = kVocabulary * 4;
  float multiplier = 1;
  Parallel parallel = Parallel::Serial();
};

enum class Entry { kLookup, kLogits, kLearned };

Status RunInCpp(Entry entry, const Case& a) {
  switch (entry) {
    case Entry::kLookup:
      return Lookup(a.table, {a.ids, a.count}, a.hidden,
                    {a.multiplier, a.parallel});
    case Entry::kLogits:
      return TiedLogits(a.table, a.hidden, a.logits, a.logits_stride,
                        a.parallel);
    case Entry::kLearned:
      return AddLearned(a.table, {a.ids, a.count}, a.offset, a.hidden,
                        a.parallel);
  }
  return Status();
}

ropewalk_status RunInC(Entry entry, const Case& a, ropewalk_error* error) {
  const ropewalk_embedding_table table = ToC(a.table);
  const ropewalk_hidden_states hidden = ToC(a.hidden);
  const ropewalk_const_hidden_states const_hidden = ToCConst(a.hidden);
  const ropewalk_parallel parallel = ToC(a.parallel);
  const ropewalk_lookup_options options =
      ToC(LookupOptions{a.multiplier, a.parallel}, &parallel);
  ropewalk_token_ids ids = ROPEWALK_TOKEN_IDS_INIT;
  ids.kind = ROPEWALK_TOKEN_IDS_INT64;
  ids.ids = a.ids;
  ids.count = a.count;
  ropewalk_positions positions = ROPEWALK_POSITIONS_INIT;
  positions.kind = ROPEWALK_POSITIONS_INT64;
  positions.ids = a.ids;
  positions.count = a.count;
  switch (entry) {
    case Entry::kLookup:
      return ropewalk_lookup(&table, &ids, &hidden, &options, error);
    case Entry::kLogits:
      return ropewalk_tied_logits(&table, &const_hidden, a.logits,
                                  a.logits_stride, &parallel, error);
    case Entry::kLearned:
      return ropewalk_add_learned(&table, &positions, a.offset, &hidden,
                                  &parallel, error);
  }
  return -1;
}

// Each breaks a rule of one argument, of some of the calls at least.
using Spoil = std::function<void(Case*)>;
const Spoil kSpoils[] = {
    [](Case* a) { a->table.data = nullptr; },
    [](Case* a) { a->table.vocabulary = -1; },
    [](Case* a) { a->table.width = 7; },
    [](Case* a) { a->table.width = a->hidden.width = 0; },
    [](Case* a) { a->table.row_stride = 33; },
    [](Case* a) { a->hidden.data = nullptr; },
    [](Case* a) { a->hidden.tokens = -1; },
    [](Case* a) { a->hidden.tokens = 2; },
    [](Case* a) { a->hidden.token_stride = 2; },
    [](Case* a) { a->hidden.token_stride = 0; },
    [](Case* a) { a->hidden.token_stride = INT64_MAX & ~int64_t{3}; },
    [](Case* a) { a->hidden.data = a->table_data; },
    [](Case* a) { a->ids = nullptr; },
    [](Case* a) { a->count = -1; },
    [](Case* a) { a->id_data[1] = kVocabulary; },
    [](Case* a) { a->id_data[2] = -1; },
    [](Case* a) { a->offset = INT64_MAX; },
    [](Case* a) { a->logits = nullptr; },
    [](Case* a) { a->logits_stride = 4; },
    [](Case* a) { a->logits = a->hidden_data; },
    [](Case* a) { a->multiplier = std::numeric_limits<float>::infinity(); },
    [](Case* a) { a->parallel = Parallel::Share(2, 2); },
};

TEST(CEncodingsErrorsTest, AreThoseOfCppAndWriteNothing) {
  int number = 0;
  for (const Spoil& spoil : kSpoils) {
    SCOPED_TRACE(number++);
    int failures = 0;
    for (const Entry entry :
         {Entry::kLookup, Entry::kLogits, Entry::kLearned}) {
      Case a;
      // What a call would write.
      std::fill_n(a.table_data, kVocabulary * kWidth, 1.0f);
      spoil(&a);
      const Status want = RunInCpp(entry, a);
      // The calls that do not look at what is spoilt.
      if (want.ok()) continue;
      ++failures;
      ropewalk_error error = UsedError();
      EXPECT_TRUE(Alike(RunInC(entry, a, &error), error, want));
      for (const float x : a.hidden_data) EXPECT_EQ(x, 0);
      for (const float x : a.logits_data) EXPECT_EQ(x, 0);
    }
    EXPECT_GT(failures, 0);
  }
}

TEST(CEncodingsErrorsTest, OfASinusoidAreThoseOfCpp) {
  ropewalk_frequencies* made = nullptr;
  ASSERT_EQ(ropewalk_sinusoidal_frequencies(8, 10000, ROPEWALK_LADDER_BY_WIDTH,
                                            &made, nullptr),
            ROPEWALK_OK);
  const CFrequencies frequencies(made);
  const CTable table = TableOf(frequencies.get());
  const CRows rows = MakeRows();
  ropewalk_positions positions = ROPEWALK_POSITIONS_INIT;
  positions.kind = ROPEWALK_POSITIONS_CONSECUTIVE;
  positions.count = kTokens;
  ASSERT_EQ(ropewalk_angle_table_fill(table.get(), &positions, rows.get(), 0,
                                      nullptr),
            ROPEWALK_OK);
  AngleRows cpp;
  ASSERT_TRUE(AngleTable::Build(SinusoidalFrequencies(8).value())
                  .value()
                  ->Fill(Positions::Consecutive(0, kTokens), &cpp)
                  .ok());
  const Spoil spoils[] = {
      [](Case* a) { a->hidden.data = nullptr; },
      [](Case* a) { a->hidden.tokens = 2; },
      [](Case* a) { a->hidden.width = 6; },
      [](Case* a) { a->hidden.token_stride = 0; },
      [](Case* a) { a->parallel = Parallel::Share(-1, 2); },
  };
  for (const Spoil& spoil : spoils) {
    Case a;
    spoil(&a);
    const ropewalk_hidden_states hidden = ToC(a.hidden);
    const ropewalk_parallel parallel = ToC(a.parallel);
    const SinusoidalOptions options{SinusoidalOrder::kSinCos, a.parallel};
    const ropewalk_sinusoidal_options c_options = ToC(options, &parallel);
    const Status want = AddSinusoidal(cpp, a.hidden, options);
    EXPECT_FALSE(want.ok());
    ropewalk_error error = UsedError();
    EXPECT_TRUE(
        Alike(ropewalk_add_sinusoidal(rows.get(), &hidden, &c_options, &error),
              error, want));
    for (const float x : a.hidden_data) EXPECT_EQ(x, 0);
  }
}

TEST(CSinusoidalFrequenciesTest, AreThoseOfCppOrTheirErrors) {
  const SinusoidalLadder ladders[] = {SinusoidalLadder::kByWidth,
                                      SinusoidalLadder::kToBase,
                                      SinusoidalLadder::kByPairs};
  const ropewalk_rope_parameters parameters = ROPEWALK_ROPE_PARAMETERS_INIT;
  const CFrequencies others = FrequenciesOf(parameters);
  int refused = 0;
  for (const int width : {-1, 0, 1, 2, 3, 33, 512, kMaxRotaryDim + 1}) {
    for (const double base :
         {10000.0, 0.5, 0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
      for (const SinusoidalLadder ladder : ladders) {
        ropewalk_error error = UsedError();
        // Where it fails it must be set to null.
        ropewalk_frequencies* made = others.get();
        const ropewalk_status code = ropewalk_sinusoidal_frequencies(
            width, base, LadderToC(ladder), &made, &error);
        ASSERT_NE(made, others.get());
        const CFrequencies got(made);
        const auto want = SinusoidalFrequencies(width, base, ladder);
        EXPECT_TRUE(Alike(code, error, want.status()));
        EXPECT_EQ(got != nullptr, want.ok());
        if (want.ok()) {
          EXPECT_TRUE(SameFrequencies(got.get(), want.value()));
        }
        refused += want.ok() ? 0 : 1;
      }
    }
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace ropewalk::test
