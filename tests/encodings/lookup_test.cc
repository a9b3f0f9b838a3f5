// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Lookup: rows of the table, copied, converted and multiplied.
#include <cmath>
#include <cstdint>
#include <vector>

#include "encodings/row_tensors.h"
#include "gtest/gtest.h"
#include "support/all_targets.h"
#include "support/random.h"

namespace ropewalk::test {
namespace {

using LookupTest = AllTargets;

constexpr int64_t kVocabulary = 11;

TEST_P(LookupTest, TheSameTypeIsCopiedBitForBit) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (const int width : kWidths) {
      Heads table(RowsSpec(type, kVocabulary, width, random.Below(3)));
      for (int64_t row = 0; row < kVocabulary; ++row) {
        for (int dim = 0; dim < width; ++dim) {
          // Every NaN and denormal there is.
          table.SetBits(0, row, 0, dim, static_cast<uint32_t>(random.Next()));
        }
      }
      table.buffer().MakeReadOnly();
      const std::vector<int32_t> ids = {10, 0, 3, 3};
      const Heads out(RowsSpec(type, 4, width, random.Below(3)), &random);
      const auto gaps = out.GapBytes();
      const Status status =
          Lookup(TableOf(table), TokenIds(ids.data(), 4), HiddenOf(out));
      ASSERT_TRUE(status.ok()) << status.message();
      for (int64_t t = 0; t < 4; ++t) {
        for (int dim = 0; dim < width; ++dim) {
          ASSERT_EQ(out.Bits(0, t, 0, dim),
                    table.Bits(0, ids[static_cast<size_t>(t)], 0, dim));
        }
      }
      ASSERT_EQ(out.GapBytes(), gaps);
    }
  }
}

struct Conversion {
  DataType from;
  DataType to;
  float multiplier;
};

// Whether out is the float32 product, rounded once more to its type.
testing::AssertionResult IsProduct(const Conversion& conversion,
                                   const Heads& table,
                                   const std::vector<int64_t>& ids,
                                   const Heads& out) {
  for (int64_t t = 0; t < out.spec().tokens; ++t) {
    for (int dim = 0; dim < out.spec().head_dim; ++dim) {
      const double element = table.Get(0, ids[static_cast<size_t>(t)], 0, dim);
      const float product = static_cast<float>(element) * conversion.multiplier;
      const double want = Rounded(conversion.to, product);
      const double got = out.Get(0, t, 0, dim);
      if (got == want) continue;
      return testing::AssertionFailure()
             << NameOf(conversion.from) << " to " << NameOf(conversion.to)
             << " times " << conversion.multiplier << ", token " << t
             << ", dim " << dim << " of " << out.spec().head_dim << ": " << got
             << ", not " << want;
    }
  }
  return testing::AssertionSuccess();
}

TEST_P(LookupTest, ConvertsAndMultipliesOnceRoundedInsideItsMemory) {
  Random random = Random::ForTest();
  for (const DataType from : kAllTypes) {
    for (const DataType to : kAllTypes) {
      // Gemma's of width 3072, in bf16 and exact, and 1.
      for (const float multiplier : {55.5f, 55.425625f, 1.0f}) {
        for (const int width : kWidths) {
          const GuardSide side =
              random.Below(2) ? GuardSide::kBegin : GuardSide::kEnd;
          Heads table(RowsSpec(from, kVocabulary, width, 0, side), &random);
          Heads out(RowsSpec(to, 3, width, 0, side), &random);
          table.buffer().MakeReadOnly();
          const std::vector<int64_t> ids = {random.Below(kVocabulary), 0,
                                            kVocabulary - 1};
          LookupOptions options;
          options.multiplier = multiplier;
          const Status status = Lookup(TableOf(table), TokenIds(ids.data(), 3),
                                       HiddenOf(out), options);
          ASSERT_TRUE(status.ok()) << status.message();
          ASSERT_TRUE(IsProduct({from, to, multiplier}, table, ids, out));
          ASSERT_TRUE(out.buffer().CanariesIntact());
        }
      }
    }
  }
}

TEST_P(LookupTest, NaNStaysNaN) {
  for (const DataType to : kAllTypes) {
    for (const float multiplier : {1.0f, 3.0f, 0.0f}) {
      Heads table(RowsSpec(DataType::kF32, 1, 70));
      for (int dim = 0; dim < 70; ++dim) {
        // Payloads in the upper half, the lower one, both; Inf among them.
        const uint32_t kBits[] = {0x7FC00000u, 0x7F800001u, 0xFFC12345u,
                                  0x7F800000u};
        table.SetBits(0, 0, 0, dim, kBits[dim % 4]);
      }
      const Heads out(RowsSpec(to, 1, 70));
      LookupOptions options;
      options.multiplier = multiplier;
      const int32_t id = 0;
      ASSERT_TRUE(
          Lookup(TableOf(table), TokenIds(&id, 1), HiddenOf(out), options)
              .ok());
      for (int dim = 0; dim < 70; ++dim) {
        const double got = out.Get(0, 0, 0, dim);
        // Inf * 0 is none either.
        if (dim % 4 != 3 || multiplier == 0) {
          ASSERT_TRUE(std::isnan(got)) << dim;
        } else {
          ASSERT_TRUE(std::isinf(got)) << dim;
        }
      }
    }
  }
}

TEST_P(LookupTest, SplitsGiveTheSameBits) {
  Random random = Random::ForTest();
  // Enough bytes for two tasks of oneTBB.
  constexpr int64_t kTokens = 500;
  const Heads table(RowsSpec(DataType::kF32, kVocabulary, 1001), &random);
  std::vector<int64_t> ids;
  for (int64_t t = 0; t < kTokens; ++t) ids.push_back(random.Below(11));
  for (const DataType type : kAllTypes) {
    const auto run = [&](const Heads& out, const Parallel& parallel) {
      const Status status =
          Lookup(TableOf(table), TokenIds(ids.data(), kTokens), HiddenOf(out),
                 {1.5f, parallel});
      ASSERT_TRUE(status.ok()) << status.message();
    };
    const Heads whole(RowsSpec(type, kTokens, 1001));
    run(whole, Parallel::Serial());
    const Heads tbb(RowsSpec(type, kTokens, 1001));
    run(tbb, Parallel::Tbb());
    EXPECT_EQ(tbb.Bytes(), whole.Bytes());
    for (const int count : {2, 3, 501}) {
      const Heads shared(RowsSpec(type, kTokens, 1001));
      RunShares(count, [&](const Parallel& share) { run(shared, share); });
      EXPECT_EQ(shared.Bytes(), whole.Bytes()) << count << " shares";
    }
  }
}

TEST_P(LookupTest, IsTheProductOfAOneHotVectorAndTheTable) {
  Random random = Random::ForTest();
  constexpr int kWidth = 37;
  const Heads table(RowsSpec(DataType::kF32, kVocabulary, kWidth), &random);
  // The table on its side: its logits are the columns' products.
  Heads columns(RowsSpec(DataType::kF32, kWidth, kVocabulary));
  for (int64_t row = 0; row < kVocabulary; ++row) {
    for (int dim = 0; dim < kWidth; ++dim) {
      columns.Set(0, dim, 0, static_cast<int>(row), table.Get(0, row, 0, dim));
    }
  }
  for (int64_t id = 0; id < kVocabulary; ++id) {
    std::vector<float> one_hot(kVocabulary, 0.0f);
    one_hot[static_cast<size_t>(id)] = 1.0f;
    std::vector<float> product(kWidth), row(kWidth);
    ASSERT_TRUE(
        TiedLogits(TableOf(columns),
                   DenseHidden(one_hot.data(), DataType::kF32, 1, kVocabulary),
                   product.data(), 4 * kWidth)
            .ok());
    ASSERT_TRUE(Lookup(TableOf(table), TokenIds(&id, 1),
                       DenseHidden(row.data(), DataType::kF32, 1, kWidth))
                    .ok());
    EXPECT_EQ(product, row);
  }
}

TEST_P(LookupTest, NoTokensAreLegal) {
  HiddenStates out;
  out.width = 8;
  EmbeddingTable table;
  table.width = 8;
  const int32_t* const none = nullptr;
  EXPECT_TRUE(Lookup(table, TokenIds(none, 0), out).ok());
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(LookupTest);

}  // namespace
}  // namespace ropewalk::test
