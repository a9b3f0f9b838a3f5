// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Shaw's relative positions: rows of distances, products and weighted sums
// against sums in double.
#include <cmath>
#include <cstdint>
#include <vector>

#include "encodings/score_tensor.h"
#include "golden/golden_file.h"
#include "gtest/gtest.h"
#include "reference/score_biases.h"
#include "ropewalk/encodings/shaw.h"
#include "ropewalk/target.h"
#include "support/all_targets.h"
#include "support/ulp.h"

namespace ropewalk::test {
namespace {

using ShawTest = AllTargets;

constexpr ScoreRange kRanges[] = {ScoreRange::kAll, ScoreRange::kCausal};

// What one call works on.
struct Work {
  ShawRule rule;
  Place place;
  ScoreRange range;
  float multiplier;
  Heads table;
  Heads scores;
  Heads heads;  // queries, or outputs

  Work(const ShawRule& rule_of, const ScoresShape& shape, int head_dim,
       Random* random)
      : rule(rule_of),
        place{random->Below(shape.keys + 4), random->Below(4)},
        range(kRanges[random->Below(2)]),
        multiplier(static_cast<float>(random->Gaussian())),
        table(
            TableSpec(kAllTypes[random->Below(3)], 2 * rule.clip + 1, head_dim),
            random),
        scores(SpecOf(kAllTypes[random->Below(3)], shape), random),
        heads(HeadsOf(shape, head_dim, random)) {}

  static Heads HeadsOf(const ScoresShape& shape, int head_dim, Random* random) {
    HeadsSpec spec;
    spec.type = kAllTypes[random->Below(3)];
    spec.tokens = shape.queries;
    spec.heads = shape.heads;
    spec.head_dim = head_dim;
    spec.head_gap = 1;
    if (random->Below(2)) spec.order = DimOrder::kHeadsTokens;
    return Heads(spec, random);
  }

  int64_t RowOf(int64_t query, int64_t key) const {
    return reference::ShawRow(rule.clip, rule.reversed,
                              place.first_query + query, place.first_key + key);
  }
  bool IsBiasedAt(int64_t query, int64_t key) const {
    return IsBiased(range, place.first_key + key - place.first_query - query);
  }
};

std::vector<double> DimsOf(const Heads& x, int64_t token, int64_t head) {
  std::vector<double> dims;
  for (int d = 0; d < x.spec().head_dim; ++d) {
    dims.push_back(x.Get(0, token, head, d));
  }
  return dims;
}

// Half an ulp of the type, and that of float32 before it; a hundredth more for
// magnitudes that are off themselves, and the least step of the type where a
// sum cancels.
double StoreError(DataType type, double magnitude) {
  return 0.505 * (Ulp(type, magnitude) + UlpF32(magnitude));
}

testing::AssertionResult AddsScores(const Work& work) {
  const Heads after = work.scores.Copy();
  const Status status =
      AddShawScores(TableOf(work.table), work.rule, work.heads.view(),
                    work.multiplier, ScoresOf(after, work.place), work.range);
  if (!status.ok()) return IsOk(status);
  const HeadsSpec& spec = work.scores.spec();
  for (int64_t h = 0; h < spec.heads; ++h) {
    for (int64_t q = 0; q < spec.tokens; ++q) {
      const std::vector<double> query = DimsOf(work.heads, q, h);
      for (int k = 0; k < spec.head_dim; ++k) {
        if (!work.IsBiasedAt(q, k)) {
          if (work.scores.Bits(0, q, h, k) == after.Bits(0, q, h, k)) continue;
          return testing::AssertionFailure() << "a later key has changed";
        }
        const reference::Sum dot =
            reference::Product(query, DimsOf(work.table, work.RowOf(q, k), 0));
        const double want =
            work.scores.Get(0, q, h, k) + work.multiplier * dot.value;
        // As the header bounds the product, and a rounding of its multiple.
        const double width = static_cast<double>(query.size());
        const double error = (width / 16 + 9) * 0x1p-24 * 1.01 *
                             std::abs(work.multiplier) * dot.magnitude;
        const double off = std::abs(after.Get(0, q, h, k) - want);
        if (off <= error + StoreError(spec.type, std::abs(want) + error))
          continue;
        return testing::AssertionFailure()
               << "head " << h << " query " << q << " key " << k << " of "
               << spec.head_dim << ": off by " << off;
      }
    }
  }
  return after.GapBytes() == work.scores.GapBytes()
             ? testing::AssertionSuccess()
             : testing::AssertionFailure() << "a gap has changed";
}

testing::AssertionResult AddsValues(const Work& work) {
  const Heads after = work.heads.Copy();
  const Status status = AddShawValues(TableOf(work.table), work.rule,
                                      ScoresOf(work.scores, work.place),
                                      after.view(), work.range);
  if (!status.ok()) return IsOk(status);
  const HeadsSpec& spec = work.heads.spec();
  const int keys = work.scores.spec().head_dim;
  for (int64_t h = 0; h < spec.heads; ++h) {
    for (int64_t q = 0; q < spec.tokens; ++q) {
      for (int d = 0; d < spec.head_dim; ++d) {
        reference::Sum sum;
        for (int k = 0; k < keys; ++k) {
          if (!work.IsBiasedAt(q, k)) continue;
          sum.Add(work.scores.Get(0, q, h, k) *
                  work.table.Get(0, work.RowOf(q, k), 0, d));
        }
        const double want = work.heads.Get(0, q, h, d) + sum.value;
        // As the header bounds the sum; but where many weights share a row,
        // theirs are summed first, whose magnitudes come before the product.
        const double error = (keys / 8.0 + 48) * 0x1p-24 * 1.01 * sum.magnitude;
        const double off = std::abs(after.Get(0, q, h, d) - want);
        if (off <= error + StoreError(spec.type, std::abs(want) + error))
          continue;
        return testing::AssertionFailure()
               << "head " << h << " query " << q << " dim " << d << " of "
               << spec.head_dim << ": off by " << off;
      }
    }
  }
  return after.GapBytes() == work.heads.GapBytes()
             ? testing::AssertionSuccess()
             : testing::AssertionFailure() << "a gap has changed";
}

TEST(ShawIndexTest, MatchesKnownRows) {
  const auto& golden = GoldenFile("score_biases.json").at("shaw_index");
  const ShawRule rule = {golden.at("clip"), false};
  const auto rows = golden.at("rows").get<std::vector<std::vector<int64_t>>>();
  ASSERT_EQ(rows.size(), 7u);
  for (int64_t q = 0; q < 7; ++q) {
    for (int64_t k = 0; k < 7; ++k) {
      EXPECT_EQ(ShawIndex(rule, k - q),
                rows[static_cast<size_t>(q)][static_cast<size_t>(k)]);
      // Reversed, the rows are those of query and key exchanged.
      EXPECT_EQ(ShawIndex({rule.clip, true}, k - q),
                rows[static_cast<size_t>(k)][static_cast<size_t>(q)]);
    }
  }
}

TEST(ShawIndexTest, ClipsAnyDistance) {
  static_assert(ShawIndex({16, false}, -17) == 0);
  static_assert(ShawIndex({16, true}, -17) == 32);
  for (const int64_t clip : {int64_t{0}, int64_t{1}, int64_t{1} << 30}) {
    EXPECT_EQ(ShawIndex({clip, false}, INT64_MIN), 0);
    EXPECT_EQ(ShawIndex({clip, false}, INT64_MAX), 2 * clip);
    EXPECT_EQ(ShawIndex({clip, true}, INT64_MIN), 2 * clip);
    EXPECT_EQ(ShawIndex({clip, true}, INT64_MAX), 0);
    EXPECT_EQ(ShawIndex({clip, false}, 0), clip);
  }
  // BERT's relative_key: query - key + max_position_embeddings - 1.
  EXPECT_EQ(ShawIndex({511, true}, /*key - query=*/5 - 12), 12 - 5 + 511);
}

TEST_P(ShawTest, MatchesSumsInDouble) {
  Random random = Random::ForTest();
  for (const bool reversed : {false, true}) {
    for (const int64_t clip : {0, 1, 4, 16, 140, 700}) {
      for (const int64_t keys : {1, 7, 16, 33, 300, 600}) {
        for (int i = 0; i < 3; ++i) {
          const int head_dim = static_cast<int>(random.Between(1, 80));
          const Work work({clip, reversed}, {2, 2, keys}, head_dim, &random);
          EXPECT_TRUE(AddsScores(work)) << clip << ", " << head_dim;
          EXPECT_TRUE(AddsValues(work)) << clip << ", " << head_dim;
        }
      }
    }
  }
}

TEST_P(ShawTest, HeadsOfAnySize) {
  Random random = Random::ForTest();
  for (const int head_dim :
       {1, 2, 15, 16, 17, 64, 128, 1023, 1024, 1025, 2060}) {
    const Work work({3, false}, {1, 2, 11}, head_dim, &random);
    EXPECT_TRUE(AddsScores(work)) << head_dim;
    EXPECT_TRUE(AddsValues(work)) << head_dim;
  }
}

TEST_P(ShawTest, OnlyDistancesMatter) {
  Random random = Random::ForTest();
  Work work({9, false}, {2, 3, 40}, 24, &random);
  const Heads want_scores = work.scores.Copy();
  const Heads want_values = work.heads.Copy();
  const EmbeddingTable table = TableOf(work.table);
  ASSERT_TRUE(IsOk(AddShawScores(table, work.rule, work.heads.view(), 1,
                                 ScoresOf(want_scores, {30, 7}))));
  ASSERT_TRUE(IsOk(AddShawValues(
      table, work.rule, ScoresOf(work.scores, {30, 7}), want_values.view())));
  for (const int64_t shift :
       {int64_t{-100}, int64_t{1} << 50, INT64_MAX - 60, INT64_MIN}) {
    const Heads scores = work.scores.Copy();
    const Heads values = work.heads.Copy();
    const Place place = {shift + 23, shift};
    ASSERT_TRUE(IsOk(AddShawScores(table, work.rule, work.heads.view(), 1,
                                   ScoresOf(scores, place))));
    ASSERT_TRUE(IsOk(AddShawValues(
        table, work.rule, ScoresOf(work.scores, place), values.view())));
    EXPECT_EQ(scores.Bytes(), want_scores.Bytes()) << shift;
    EXPECT_EQ(values.Bytes(), want_values.Bytes()) << shift;
  }
}

// With the unit vectors for rows, each product is an element of the query.
TEST_P(ShawTest, UnitRowsPickElements) {
  Random random = Random::ForTest();
  Work work({4, false}, {1, 1, 9}, 9, &random);
  for (int64_t row = 0; row < 9; ++row) {
    for (int d = 0; d < 9; ++d) work.table.Set(0, row, 0, d, row == d);
  }
  Scores scores = ScoresOf(work.scores, {4, 0});
  for (int k = 0; k < 9; ++k) work.scores.Set(0, 0, 0, k, 0);
  ASSERT_TRUE(IsOk(AddShawScores(TableOf(work.table), work.rule,
                                 work.heads.view(), 1, scores)));
  for (int k = 0; k < 9; ++k) {
    EXPECT_EQ(work.scores.Get(0, 0, 0, k),
              Rounded(scores.type, work.heads.Get(0, 0, 0, k)));
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(ShawTest);

// The order of the sums is that of no target.
TEST(ShawTargetsTest, AllGiveTheSameBits) {
  Random random = Random::ForTest();
  for (int i = 0; i < 20; ++i) {
    Work work({random.Below(60), false}, {2, 2, random.Between(1, 400)},
              static_cast<int>(random.Between(1, 140)), &random);
    std::vector<std::vector<uint8_t>> results;
    for (const std::string& target : TargetsToTest()) {
      ASSERT_TRUE(IsOk(ForceTarget(target)));
      const Heads scores = work.scores.Copy();
      const Heads values = work.heads.Copy();
      EXPECT_TRUE(
          IsOk(AddShawScores(TableOf(work.table), work.rule, work.heads.view(),
                             work.multiplier, ScoresOf(scores, work.place))));
      EXPECT_TRUE(IsOk(AddShawValues(TableOf(work.table), work.rule,
                                     ScoresOf(work.scores, work.place),
                                     values.view())));
      results.push_back(scores.Bytes());
      const std::vector<uint8_t> bytes = values.Bytes();
      results.back().insert(results.back().end(), bytes.begin(), bytes.end());
      EXPECT_EQ(results.back(), results.front()) << target;
    }
    EXPECT_TRUE(IsOk(ForceTarget("")));
  }
}

}  // namespace
}  // namespace ropewalk::test
