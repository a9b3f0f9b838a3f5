// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// TiedLogits: the order that is promised, bit for bit, and its error.
#include <cmath>
#include <cstdint>
#include <vector>

#include "encodings/row_tensors.h"
#include "gtest/gtest.h"
#include "support/all_targets.h"
#include "support/random.h"

namespace ropewalk::test {
namespace {

using TiedLogitsTest = AllTargets;

TEST_P(TiedLogitsTest, OfThreeRowsOfTwo) {
  const float table[] = {1, 0, 0, 1, 1, 1};
  float hidden[] = {2, 1};
  std::vector<float> logits(3);
  ASSERT_TRUE(TiedLogits(DenseTable(table, DataType::kF32, 3, 2),
                         DenseHidden(hidden, DataType::kF32, 1, 2),
                         logits.data(), 12)
                  .ok());
  EXPECT_EQ(logits, (std::vector<float>{2, 1, 3}));
}

// In the order that embedding_table.h describes.
float OrderedDot(const Heads& table, int64_t row, const Heads& hidden,
                 int64_t token) {
  float sums[16] = {};
  for (int i = 0; i < table.spec().head_dim; ++i) {
    const float product = static_cast<float>(hidden.Get(0, token, 0, i)) *
                          static_cast<float>(table.Get(0, row, 0, i));
    sums[i % 16] = sums[i % 16] + product;
  }
  for (const int half : {8, 4, 2, 1}) {
    for (int i = 0; i < half; ++i) sums[i] = sums[i] + sums[i + half];
  }
  return sums[0];
}

// How far from exact, as embedding_table.h bounds it.
testing::AssertionResult IsNearExact(const Heads& table, int64_t row,
                                     const Heads& hidden, int64_t token,
                                     double got) {
  const int width = table.spec().head_dim;
  long double exact = 0, magnitude = 0;
  for (int i = 0; i < width; ++i) {
    const long double product =
        static_cast<long double>(hidden.Get(0, token, 0, i)) *
        static_cast<long double>(table.Get(0, row, 0, i));
    exact += product;
    magnitude += std::fabs(product);
  }
  const long double bound = (width / 16 + 8) * 0x1p-24L * magnitude;
  if (std::fabs(static_cast<long double>(got) - exact) <= bound) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "width " << width << ": " << got
                                     << ", not " << static_cast<double>(exact);
}

// Whether all logits are there, to the bit.
testing::AssertionResult AreLogits(const Heads& table, const Heads& hidden,
                                   const Heads& logits) {
  for (int64_t t = 0; t < hidden.spec().tokens; ++t) {
    for (int64_t row = 0; row < table.spec().tokens; ++row) {
      const float got =
          static_cast<float>(logits.Get(0, t, 0, static_cast<int>(row)));
      const float want = OrderedDot(table, row, hidden, t);
      if (got != want) {
        return testing::AssertionFailure()
               << NameOf(table.spec().type) << " times "
               << NameOf(hidden.spec().type) << ", width "
               << table.spec().head_dim << ", token " << t << ", row " << row
               << ": " << got << ", not " << want;
      }
      if (auto near = IsNearExact(table, row, hidden, t, got); !near) {
        return near;
      }
    }
  }
  return testing::AssertionSuccess();
}

Status RunLogits(const Heads& table, const Heads& hidden, const Heads& logits,
                 Parallel parallel = Parallel::Serial()) {
  return TiedLogits(TableOf(table), HiddenOf(hidden),
                    static_cast<float*>(logits.view().data),
                    logits.view().token_stride, parallel);
}

TEST_P(TiedLogitsTest, FollowThePromisedOrderInsideTheirMemory) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (const DataType hidden_type : kAllTypes) {
      for (const int width : kWidths) {
        const GuardSide side =
            random.Below(2) ? GuardSide::kBegin : GuardSide::kEnd;
        // Around the rows that are taken at a time.
        const int rows = static_cast<int>(random.Between(1, 19));
        Heads table(RowsSpec(type, rows, width, random.Below(3), side),
                    &random);
        Heads hidden(RowsSpec(hidden_type, random.Between(1, 3), width,
                              random.Below(3), side),
                     &random);
        Heads logits(RowsSpec(DataType::kF32, hidden.spec().tokens, rows,
                              random.Below(3), side),
                     &random);
        const auto gaps = logits.GapBytes();
        table.buffer().MakeReadOnly();
        hidden.buffer().MakeReadOnly();
        const Status status = RunLogits(table, hidden, logits);
        ASSERT_TRUE(status.ok()) << status.message();
        ASSERT_TRUE(AreLogits(table, hidden, logits));
        ASSERT_EQ(logits.GapBytes(), gaps);
        ASSERT_TRUE(logits.buffer().CanariesIntact());
      }
    }
  }
}

TEST_P(TiedLogitsTest, KeepTheirErrorBoundAtLargeWidths) {
  Random random = Random::ForTest();
  for (const int width : {4096, 16384, 12287}) {
    const Heads table(RowsSpec(DataType::kF32, 3, width), &random);
    const Heads hidden(RowsSpec(DataType::kF32, 1, width), &random);
    const Heads logits(RowsSpec(DataType::kF32, 1, 3));
    ASSERT_TRUE(RunLogits(table, hidden, logits).ok());
    EXPECT_TRUE(AreLogits(table, hidden, logits));
  }
}

TEST_P(TiedLogitsTest, SplitsGiveTheSameBits) {
  Random random = Random::ForTest();
  // Enough bytes for two tasks of oneTBB.
  constexpr int kVocabulary = 611;
  const Heads table(RowsSpec(DataType::kF32, kVocabulary, 501), &random);
  const Heads hidden(RowsSpec(DataType::kBF16, 2, 501), &random);
  const HeadsSpec spec = RowsSpec(DataType::kF32, 2, kVocabulary, 1);
  const Heads whole(spec);
  ASSERT_TRUE(RunLogits(table, hidden, whole).ok());
  const Heads tbb(spec);
  ASSERT_TRUE(RunLogits(table, hidden, tbb, Parallel::Tbb()).ok());
  EXPECT_EQ(tbb.Bytes(), whole.Bytes());
  for (const int count : {2, 3, 7, 612}) {
    const Heads shared(spec);
    RunShares(count, [&](const Parallel& share) {
      ASSERT_TRUE(RunLogits(table, hidden, shared, share).ok());
    });
    EXPECT_EQ(shared.Bytes(), whole.Bytes()) << count << " shares";
  }
}

TEST_P(TiedLogitsTest, NaNAndInfinityReachTheirLogitsOnly) {
  for (const DataType type : kAllTypes) {
    // In the last elements, which are padded.
    for (const int width : {5, 40}) {
      Heads table(RowsSpec(type, 3, width));
      Heads hidden(RowsSpec(type, 1, width));
      for (int i = 0; i < width; ++i) {
        for (int64_t row = 0; row < 3; ++row) table.Set(0, row, 0, i, 1);
        hidden.Set(0, 0, 0, i, 1);
      }
      table.Set(0, 0, 0, width - 1, std::nan(""));
      table.Set(0, 2, 0, width - 1, -HUGE_VAL);
      const Heads logits(RowsSpec(DataType::kF32, 1, 3));
      ASSERT_TRUE(RunLogits(table, hidden, logits).ok());
      EXPECT_TRUE(std::isnan(logits.Get(0, 0, 0, 0)));
      EXPECT_EQ(logits.Get(0, 0, 0, 1), width);
      EXPECT_EQ(logits.Get(0, 0, 0, 2), -HUGE_VAL);
    }
  }
}

TEST_P(TiedLogitsTest, NoTokensOrNoVocabularyAreLegal) {
  std::vector<float> row(8, 1.0f);
  const HiddenStates none = {nullptr, DataType::kF32, 0, 8, 0};
  const HiddenStates one = DenseHidden(row.data(), DataType::kF32, 1, 8);
  EXPECT_TRUE(
      TiedLogits(DenseTable(row.data(), DataType::kF32, 1, 8), none, nullptr, 0)
          .ok());
  EXPECT_TRUE(
      TiedLogits(DenseTable(nullptr, DataType::kF32, 0, 8), one, nullptr, 0)
          .ok());
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(TiedLogitsTest);

}  // namespace
}  // namespace ropewalk::test
