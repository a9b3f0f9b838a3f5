// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables of embeddings, learned and sinusoidal positions: C gives the bits, and
// the errors, of C++.
#include <cstdint>
#include <limits>
#include <vector>

#include "c_api/c_encodings.h"
#include "gtest/gtest.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/random.h"

namespace ropewalk::test {
namespace {

constexpr int64_t kTokens = 4;
constexpr int64_t kVocabulary = 9;
constexpr int kWidths[] = {1, 8, 33};
constexpr int64_t kIds[kTokens] = {8, 0, 3, 3};
constexpr int32_t kNarrowIds[kTokens] = {8, 0, 3, 3};

HeadsSpec RowsSpec(DataType type, int64_t rows, int width) {
  HeadsSpec spec;
  spec.type = type;
  spec.tokens = rows;
  spec.head_dim = width;
  spec.outer_gap = 2;
  return spec;
}

EmbeddingTable EmbeddingsOf(const Heads& rows) {
  const HeadsView& view = rows.view();
  return {view.data, view.type, view.tokens, rows.spec().head_dim,
          view.token_stride};
}

HiddenStates HiddenOf(const Heads& rows) {
  const HeadsView& view = rows.view();
  return {view.data, view.type, view.tokens, rows.spec().head_dim,
          view.token_stride};
}

// One memory of C and one of C++, with the same bytes.
struct Outputs {
  Outputs(DataType type, int width, Random* random)
      : got(RowsSpec(type, kTokens, width), random), want(got.Copy()) {}
  HiddenStates of_c() const { return HiddenOf(got); }
  HiddenStates of_cpp() const { return HiddenOf(want); }

  Heads got;
  Heads want;
};

ropewalk_token_ids IdsInC(bool wide, int64_t count = kTokens) {
  ropewalk_token_ids ids = ROPEWALK_TOKEN_IDS_INIT;
  ids.kind = wide ? ROPEWALK_TOKEN_IDS_INT64 : ROPEWALK_TOKEN_IDS_INT32;
  ids.ids = wide ? static_cast<const void*>(kIds) : kNarrowIds;
  ids.count = count;
  return ids;
}

ropewalk_positions PositionsInC(int32_t kind, const void* ids) {
  ropewalk_positions positions = ROPEWALK_POSITIONS_INIT;
  positions.kind = kind;
  positions.ids = ids;
  positions.count = kTokens;
  return positions;
}

// Shares in the order in which a host may come by them, and each alone.
const Parallel kWays[] = {Parallel::Share(1, 2), Parallel::Share(0, 2),
                          Parallel::Tbb(), Parallel::Serial()};

using CEncodingsTest = AllTargets;

TEST_P(CEncodingsTest, LookupGivesTheBitsOfCpp) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (const DataType out_type : kAllTypes) {
      for (const int width : kWidths) {
        const Heads table(RowsSpec(type, kVocabulary, width), &random);
        const ropewalk_embedding_table c_table = ToC(EmbeddingsOf(table));
        for (const float multiplier : {1.0f, 55.4256f}) {
          const Outputs out(out_type, width, &random);
          const std::vector<uint8_t> before = out.got.Bytes();
          const ropewalk_hidden_states c_out = ToC(out.of_c());
          bool wide = false;
          for (const Parallel& parallel : kWays) {
            const ropewalk_parallel c_parallel = ToC(parallel);
            const LookupOptions options{multiplier, parallel};
            const ropewalk_lookup_options c_options = ToC(options, &c_parallel);
            const ropewalk_token_ids ids = IdsInC(wide);
            ropewalk_error error = UsedError();
            const ropewalk_status code =
                ropewalk_lookup(&c_table, &ids, &c_out, &c_options, &error);
            EXPECT_TRUE(Alike(code, error,
                              Lookup(EmbeddingsOf(table), {kIds, kTokens},
                                     out.of_cpp(), options)));
            ASSERT_EQ(code, ROPEWALK_OK) << error.message;
            EXPECT_EQ(out.got.Bytes(), out.want.Bytes());
            wide = !wide;
          }
          EXPECT_NE(out.got.Bytes(), before);
        }
      }
    }
  }
}

TEST_P(CEncodingsTest, WithoutOptionsLookupCopies) {
  Random random = Random::ForTest();
  const Heads table(RowsSpec(DataType::kF16, kVocabulary, 8), &random);
  const Outputs out(DataType::kF16, 8, &random);
  const ropewalk_embedding_table c_table = ToC(EmbeddingsOf(table));
  const ropewalk_hidden_states c_out = ToC(out.of_c());
  const ropewalk_token_ids ids = IdsInC(true);
  ASSERT_EQ(ropewalk_lookup(&c_table, &ids, &c_out, nullptr, nullptr),
            ROPEWALK_OK);
  for (int64_t token = 0; token < kTokens; ++token) {
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(out.got.Bits(0, token, 0, i), table.Bits(0, kIds[token], 0, i));
    }
  }
}

TEST_P(CEncodingsTest, TiedLogitsGiveTheBitsOfCpp) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (const DataType hidden_type : kAllTypes) {
      for (const int width : kWidths) {
        const Heads table(RowsSpec(type, kVocabulary, width), &random);
        const Heads hidden(RowsSpec(hidden_type, kTokens, width), &random);
        const ropewalk_embedding_table c_table = ToC(EmbeddingsOf(table));
        ConstHiddenStates states = HiddenOf(hidden);
        for (const bool broadcast : {false, true}) {
          if (broadcast) states.token_stride = 0;
          const ropewalk_const_hidden_states c_hidden = ToCConst(states);
          std::vector<float> got(kTokens * 10, -5);
          std::vector<float> want = got;
          for (const Parallel& parallel : kWays) {
            const ropewalk_parallel c_parallel = ToC(parallel);
            ropewalk_error error = UsedError();
            const ropewalk_status code = ropewalk_tied_logits(
                &c_table, &c_hidden, got.data(), 40, &c_parallel, &error);
            EXPECT_TRUE(Alike(code, error,
                              TiedLogits(EmbeddingsOf(table), states,
                                         want.data(), 40, parallel)));
            ASSERT_EQ(code, ROPEWALK_OK) << error.message;
            EXPECT_EQ(got, want);
          }
          EXPECT_NE(got[0], -5);
        }
      }
    }
  }
}

TEST_P(CEncodingsTest, LearnedPositionsGiveTheBitsOfCpp) {
  Random random = Random::ForTest();
  ropewalk_positions consecutive =
      PositionsInC(ROPEWALK_POSITIONS_CONSECUTIVE, nullptr);
  consecutive.first = 3;
  const struct {
    ropewalk_positions c;
    Positions cpp;
    int64_t offset;
  } cases[] = {
      {PositionsInC(ROPEWALK_POSITIONS_INT32, kNarrowIds), {kIds, kTokens}, 0},
      {PositionsInC(ROPEWALK_POSITIONS_INT64, kIds), {kIds, kTokens}, 0},
      {consecutive, Positions::Consecutive(3, kTokens), 2},
      {consecutive, Positions::Consecutive(3, kTokens), -3}};
  for (const DataType type : kAllTypes) {
    for (const DataType out_type : kAllTypes) {
      for (const auto& each : cases) {
        const Heads table(RowsSpec(type, kVocabulary, 33), &random);
        const Outputs out(out_type, 33, &random);
        const std::vector<uint8_t> before = out.got.Bytes();
        const ropewalk_embedding_table c_table = ToC(EmbeddingsOf(table));
        const ropewalk_hidden_states c_out = ToC(out.of_c());
        for (const Parallel& parallel : kWays) {
          const ropewalk_parallel c_parallel = ToC(parallel);
          ropewalk_error error = UsedError();
          const ropewalk_status code = ropewalk_add_learned(
              &c_table, &each.c, each.offset, &c_out, &c_parallel, &error);
          EXPECT_TRUE(Alike(code, error,
                            AddLearned(EmbeddingsOf(table), each.cpp,
                                       each.offset, out.of_cpp(), parallel)));
          ASSERT_EQ(code, ROPEWALK_OK) << error.message;
          EXPECT_EQ(out.got.Bytes(), out.want.Bytes());
        }
        EXPECT_NE(out.got.Bytes(), before);
      }
    }
  }
}

// Both rows of a sinusoid, at real positions.
struct Sinusoids {
  explicit Sinusoids(int width, SinusoidalLadder ladder) {
    ropewalk_error error = UsedError();
    ropewalk_frequencies* made = nullptr;
    const ropewalk_status code = ropewalk_sinusoidal_frequencies(
        width, 10000, LadderToC(ladder), &made, &error);
    EXPECT_EQ(code, ROPEWALK_OK) << error.message;
    const CFrequencies frequencies(made);
    const CTable table = TableOf(frequencies.get());
    const double ids[kTokens] = {0, 0.5, -7, 131071};
    const ropewalk_positions positions =
        PositionsInC(ROPEWALK_POSITIONS_DOUBLE, ids);
    EXPECT_EQ(
        ropewalk_angle_table_fill(table.get(), &positions, c.get(), 0, nullptr),
        ROPEWALK_OK);
    const auto cpp_table =
        AngleTable::Build(SinusoidalFrequencies(width, 10000, ladder).value());
    EXPECT_TRUE(cpp_table.value()->Fill({ids, kTokens}, &cpp).ok());
  }

  CRows c = MakeRows();
  AngleRows cpp;
};

constexpr SinusoidalOrder kOrders[] = {SinusoidalOrder::kInterleaved,
                                       SinusoidalOrder::kSinCos,
                                       SinusoidalOrder::kCosSin};
constexpr SinusoidalLadder kLadders[] = {SinusoidalLadder::kByWidth,
                                         SinusoidalLadder::kToBase,
                                         SinusoidalLadder::kByPairs};

TEST_P(CEncodingsTest, SinusoidsGiveTheBitsOfCpp) {
  Random random = Random::ForTest();
  for (const int width : {2, 8, 33}) {
    for (const SinusoidalLadder ladder : kLadders) {
      const Sinusoids rows(width, ladder);
      for (const DataType type : kAllTypes) {
        for (const SinusoidalOrder order : kOrders) {
          const Outputs out(type, width, &random);
          const std::vector<uint8_t> before = out.got.Bytes();
          const ropewalk_hidden_states c_out = ToC(out.of_c());
          for (const Parallel& parallel : kWays) {
            const ropewalk_parallel c_parallel = ToC(parallel);
            const SinusoidalOptions options{order, parallel};
            const ropewalk_sinusoidal_options c_options =
                ToC(options, &c_parallel);
            ropewalk_error error = UsedError();
            const ropewalk_status code = ropewalk_add_sinusoidal(
                rows.c.get(), &c_out, &c_options, &error);
            EXPECT_TRUE(Alike(code, error,
                              AddSinusoidal(rows.cpp, out.of_cpp(), options)));
            ASSERT_EQ(code, ROPEWALK_OK) << error.message;
            EXPECT_EQ(out.got.Bytes(), out.want.Bytes());
          }
          EXPECT_NE(out.got.Bytes(), before);
        }
      }
    }
  }
}

TEST_P(CEncodingsTest, WithoutOptionsASinusoidIsTheOriginal) {
  Random random = Random::ForTest();
  const Sinusoids rows(8, SinusoidalLadder::kByWidth);
  const Outputs out(DataType::kF32, 8, &random);
  const ropewalk_hidden_states c_out = ToC(out.of_c());
  ASSERT_EQ(ropewalk_add_sinusoidal(rows.c.get(), &c_out, nullptr, nullptr),
            ROPEWALK_OK);
  ASSERT_TRUE(AddSinusoidal(rows.cpp, out.of_cpp(),
                            {SinusoidalOrder::kInterleaved, Parallel::Serial()})
                  .ok());
  EXPECT_EQ(out.got.Bytes(), out.want.Bytes());
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(CEncodingsTest);

}  // namespace
}  // namespace ropewalk::test
