// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// AddLearned: the row of each position, added.
#include "ropewalk/encodings/learned.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "encodings/row_tensors.h"
#include "gtest/gtest.h"
#include "support/all_targets.h"
#include "support/random.h"

namespace ropewalk::test {
namespace {

using LearnedTest = AllTargets;

constexpr int64_t kRows = 9;

// Whether each token got its row: the float32 sum, rounded once to the type.
testing::AssertionResult IsAdded(const Heads& table, const Heads& before,
                                 const Heads& after,
                                 const std::vector<int64_t>& rows) {
  for (int64_t t = 0; t < before.spec().tokens; ++t) {
    for (int dim = 0; dim < before.spec().head_dim; ++dim) {
      const double row = table.Get(0, rows[static_cast<size_t>(t)], 0, dim);
      const double want = Rounded(before.spec().type,
                                  static_cast<float>(before.Get(0, t, 0, dim)) +
                                      static_cast<float>(row));
      const double got = after.Get(0, t, 0, dim);
      if (got == want) continue;
      return testing::AssertionFailure()
             << NameOf(table.spec().type) << " to "
             << NameOf(before.spec().type) << ", token " << t << ", dim " << dim
             << " of " << before.spec().head_dim << ": " << got << ", not "
             << want;
    }
  }
  return testing::AssertionSuccess();
}

TEST_P(LearnedTest, AddsOnceRoundedInsideItsMemory) {
  Random random = Random::ForTest();
  for (const DataType from : kAllTypes) {
    for (const DataType to : kAllTypes) {
      for (const int width : kWidths) {
        const GuardSide side =
            random.Below(2) ? GuardSide::kBegin : GuardSide::kEnd;
        Heads table(RowsSpec(from, kRows, width, random.Below(3), side),
                    &random);
        table.buffer().MakeReadOnly();
        const Heads before(RowsSpec(to, 3, width, random.Below(3), side),
                           &random);
        Heads after = before.Copy();
        const std::vector<int32_t> ids = {6, 0, 6};
        // OPT's and BART's offset.
        const Status status = AddLearned(
            TableOf(table), Positions(ids.data(), 3), 2, HiddenOf(after));
        ASSERT_TRUE(status.ok()) << status.message();
        ASSERT_TRUE(IsAdded(table, before, after, {8, 2, 8}));
        ASSERT_EQ(before.GapBytes(), after.GapBytes());
        ASSERT_TRUE(after.buffer().CanariesIntact());
      }
    }
  }
}

TEST_P(LearnedTest, TakesPositionsOfEveryIntegerKind) {
  Random random = Random::ForTest();
  const Heads table(RowsSpec(DataType::kF32, kRows, 12), &random);
  const std::vector<int64_t> wide = {4, 5, 6, 7};
  const int64_t firsts[] = {0, 5};
  struct Kind {
    Positions positions;
    int64_t offset;
    std::vector<int64_t> rows;
  };
  const Kind kinds[] = {{Positions(wide.data(), 4), 0, {4, 5, 6, 7}},
                        {Positions(wide.data(), 4), -4, {0, 1, 2, 3}},
                        {Positions::Consecutive(1, 4), 1, {2, 3, 4, 5}},
                        {Positions::Consecutive(firsts, 2, 2), 0, {0, 1, 5, 6}},
                        {Positions::Constant(8, 4), 0, {8, 8, 8, 8}},
                        {Positions::Consecutive(-5, 4), 5, {0, 1, 2, 3}}};
  for (const Kind& kind : kinds) {
    const Heads before(RowsSpec(DataType::kF32, 4, 12), &random);
    const Heads after = before.Copy();
    const Status status = AddLearned(TableOf(table), kind.positions,
                                     kind.offset, HiddenOf(after));
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_TRUE(IsAdded(table, before, after, kind.rows));
  }
}

TEST_P(LearnedTest, NaNStaysNaN) {
  for (const DataType from : kAllTypes) {
    for (const DataType to : kAllTypes) {
      Heads table(RowsSpec(from, 1, 70));
      Heads hidden(RowsSpec(to, 1, 70));
      for (int dim = 0; dim < 70; ++dim) {
        // A payload that bf16 has no room for, Inf, and Inf - Inf.
        if (dim % 3 == 0 && from == DataType::kF32) {
          table.SetBits(0, 0, 0, dim, 0x7F800001u);
        } else {
          table.Set(0, 0, 0, dim, dim % 3 == 0 ? std::nan("") : HUGE_VAL);
        }
        hidden.Set(0, 0, 0, dim, dim % 3 == 2 ? -HUGE_VAL : 1);
      }
      ASSERT_TRUE(AddLearned(TableOf(table), Positions::Consecutive(0, 1), 0,
                             HiddenOf(hidden))
                      .ok());
      for (int dim = 0; dim < 70; ++dim) {
        const double got = hidden.Get(0, 0, 0, dim);
        if (dim % 3 == 1) {
          ASSERT_EQ(got, HUGE_VAL) << dim;
        } else {
          ASSERT_TRUE(std::isnan(got)) << dim;
        }
      }
    }
  }
}

TEST_P(LearnedTest, SplitsGiveTheSameBits) {
  Random random = Random::ForTest();
  // Enough bytes for two tasks of oneTBB.
  constexpr int64_t kTokens = 400;
  const Heads table(RowsSpec(DataType::kBF16, kTokens, 1001), &random);
  for (const DataType type : kAllTypes) {
    const Heads before(RowsSpec(type, kTokens, 1001), &random);
    const auto run = [&](const Heads& hidden, const Parallel& parallel) {
      const Status status =
          AddLearned(TableOf(table), Positions::Consecutive(0, kTokens), 0,
                     HiddenOf(hidden), parallel);
      ASSERT_TRUE(status.ok()) << status.message();
    };
    const Heads whole = before.Copy();
    run(whole, Parallel::Serial());
    const Heads tbb = before.Copy();
    run(tbb, Parallel::Tbb());
    EXPECT_EQ(tbb.Bytes(), whole.Bytes());
    for (const int count : {2, 3, 401}) {
      const Heads shared = before.Copy();
      RunShares(count, [&](const Parallel& share) { run(shared, share); });
      EXPECT_EQ(shared.Bytes(), whole.Bytes()) << count << " shares";
    }
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(LearnedTest);

}  // namespace
}  // namespace ropewalk::test
