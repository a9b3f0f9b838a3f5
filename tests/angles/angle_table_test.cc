// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of every kind of table: their accuracy, and what must not change them.
// The other modes, axes and the errors have files of their own.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "angles/table_cases.h"
#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "support/all_targets.h"
#include "support/random.h"
#include "support/ulp.h"

namespace ropewalk::test {
namespace {

class AngleTableTest : public AllTargets {};

// The promise of AngleTable::Fill, and 2^-51 m for the oracle.
double Bound(double exact, double m) {
  return 0.5 * UlpF32(std::fabs(exact)) + m * (0x1p-40 + 0x1p-51);
}

void ExpectAccurate(const AngleTable& table, const AngleRows& rows,
                    const std::vector<int64_t>& positions) {
  const std::vector<double>& inv_freq = table.frequencies().inv_freq;
  const double m = table.frequencies().attention_factor;
  for (size_t t = 0; t < positions.size(); ++t) {
    const int64_t row = static_cast<int64_t>(t);
    for (size_t i = 0; i < inv_freq.size(); ++i) {
      const reference::CosSin want =
          reference::ExactAngle(static_cast<double>(positions[t]), inv_freq[i]);
      ASSERT_NEAR(rows.cos(row)[i], m * want.cos, Bound(m * want.cos, m))
          << "position " << positions[t] << " pair " << i;
      ASSERT_NEAR(rows.sin(row)[i], m * want.sin, Bound(m * want.sin, m))
          << "position " << positions[t] << " pair " << i;
    }
  }
}

std::vector<int64_t> WithNegatives(std::vector<int64_t> positions) {
  const size_t count = positions.size();
  for (size_t i = 0; i < count; ++i) positions.push_back(-positions[i]);
  return positions;
}

// Both sides of every border of the levels, and of int32.
const std::vector<int64_t> kBorders = WithNegatives(
    {0, 1, 1023, 1024, 1025, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 10000000,
     (1 << 30) - 1, 1 << 30, (1 << 30) + 1, 2147483647});

Positions Of(const std::vector<int64_t>& positions) {
  return Positions(positions.data(), static_cast<int64_t>(positions.size()));
}

TEST_P(AngleTableTest, EveryKindIsAccurateAtTheBorders) {
  for (const double base : {1e4, 5e5, 1e6, 1e7}) {
    for (const int rotary_dim : {2, 6, 32, 96, 128, 256}) {
      for (const TableKind kind :
           {TableKind::kFactored, TableKind::kDense, TableKind::kDirect}) {
        const TablePointer table =
            Build(PlainOf(rotary_dim, base),
                  OptionsOf(kind, kind == TableKind::kDense ? 1025 : 0));
        ASSERT_NE(table, nullptr);
        ExpectAccurate(*table, Filled(*table, Of(kBorders)), kBorders);
      }
    }
  }
}

TEST_P(AngleTableTest, IsAccurateAtRandomPositions) {
  Random random = Random::ForTest();
  std::vector<int64_t> positions;
  for (int i = 0; i < 300; ++i) {
    const int bits = static_cast<int>(random.Between(1, 31));
    positions.push_back(random.Below(int64_t{1} << bits));
  }
  positions = WithNegatives(positions);
  Frequencies frequencies = PlainOf(96, 5e5);
  frequencies.attention_factor = 1.3688879454113936;
  const TablePointer table = Build(frequencies);
  ExpectAccurate(*table, Filled(*table, Of(positions)), positions);
}

// A dense table this large is made from levels of its own.
TEST_P(AngleTableTest, LargeDenseTableIsAccurate) {
  const TablePointer table =
      Build(PlainOf(20, 1e4), OptionsOf(TableKind::kDense, 8194));
  const std::vector<int64_t> positions =
      WithNegatives({0, 1, 4095, 8192, 8193, 8194, 8195});
  ExpectAccurate(*table, Filled(*table, Of(positions)), positions);
}

TEST_P(AngleTableTest, AttentionFactorIsInTheRows) {
  for (const double m :
       {0.5, 1.2772588722239782, kMinAttentionFactor, kMaxAttentionFactor}) {
    Frequencies frequencies = PlainOf(64, 1e6);
    frequencies.attention_factor = m;
    for (const TableKind kind :
         {TableKind::kFactored, TableKind::kDense, TableKind::kDirect}) {
      const TablePointer table = Build(frequencies, OptionsOf(kind, 1024));
      const AngleRows rows = Filled(*table, Of(kBorders));
      ExpectAccurate(*table, rows, kBorders);
      EXPECT_EQ(rows.attention_factor(0), m);
      EXPECT_FALSE(rows.identity(0)) << "position 0 scales by " << m;
    }
  }
}

// Position 16777217 does not exist in float32.
TEST_P(AngleTableTest, NeighboursBeyondFloat32Differ) {
  const TablePointer table = Build(PlainOf(128, 1e4));
  const std::vector<int64_t> positions = {16777216, 16777217, 2147483647};
  const AngleRows rows = Filled(*table, Of(positions));
  EXPECT_NEAR(rows.cos(0)[0], 0.6263230, 0.5e-7 + 0x1p-24);
  EXPECT_NEAR(rows.cos(1)[0], 0.9943840, 0.5e-7 + 0x1p-24);
  EXPECT_NEAR(rows.cos(2)[0], -0.6888367, 0.5e-7 + 0x1p-24);
}

TEST_P(AngleTableTest, EveryWayToGiveAPositionGivesTheSameBits) {
  const TablePointer table = Build(PlainOf(40, 1e4));
  const std::vector<int32_t> narrow = {5, 6, 7, 8};
  const std::vector<int64_t> wide = {5, 6, 7, 8};
  const std::vector<float> want = Values(Filled(*table, Of(wide)));
  EXPECT_EQ(Values(Filled(*table, Positions(narrow.data(), 4))), want);
  EXPECT_EQ(Values(Filled(*table, Positions::Consecutive(5, 4))), want);
  const std::vector<int64_t> firsts = {5, 7};
  EXPECT_EQ(Values(Filled(*table, Positions::Consecutive(firsts.data(), 2, 2))),
            want);
  EXPECT_EQ(Values(Filled(*table, Positions::Components(wide.data(), 1, 4, 0))),
            want);
  const std::vector<int64_t> same = {7, 7, 7};
  EXPECT_EQ(Values(Filled(*table, Positions::Constant(7, 3))),
            Values(Filled(*table, Of(same))));
}

TEST_P(AngleTableTest, RealPositionsAgreeAndMayBeFractions) {
  const TablePointer table = Build(PlainOf(64, 1e4));
  const std::vector<int64_t> whole = {0, 3, -1048577, 2147483647};
  const std::vector<double> real = {0, 3, -1048577, 2147483647};
  ExpectAccurate(*table, Filled(*table, Positions(real.data(), 4)), whole);
  const std::vector<double> half = {0.5, -1.25};
  const AngleRows rows = Filled(*table, Positions(half.data(), 2));
  EXPECT_EQ(rows.cos(0)[0], static_cast<float>(std::cos(0.5)));
  EXPECT_EQ(rows.sin(1)[0], static_cast<float>(std::sin(-1.25)));
}

TEST_P(AngleTableTest, AppendingChunksGivesTheWholeFill) {
  const TablePointer table = Build(PlainOf(24, 5e5));
  const std::vector<float> whole =
      Values(Filled(*table, Positions::Consecutive(-70, 200)));
  for (const int64_t chunk : {1, 63, 64, 65, 200}) {
    AngleRows rows;
    for (int64_t t = 0; t < 200; t += chunk) {
      const int64_t n = std::min(chunk, 200 - t);
      ASSERT_TRUE(
          table->Fill(Positions::Consecutive(t - 70, n), &rows, t).ok());
    }
    EXPECT_EQ(Values(rows), whole) << "chunk " << chunk;
  }
}

TEST_P(AngleTableTest, OrderOfQueriesChangesNothing) {
  const TablePointer table = Build(PlainOf(64, 1e4));
  const std::vector<float> before =
      Values(Filled(*table, Positions::Consecutive(0, 8192)));
  for (const int64_t length : {8191, 8192, 8193, 10485760}) {
    Filled(*table, Positions::Constant(length, 1));
    EXPECT_EQ(Values(Filled(*table, Positions::Consecutive(0, 8192))), before);
  }
}

TEST_P(AngleTableTest, NegativePositionsTurnBack) {
  for (const TableKind kind :
       {TableKind::kFactored, TableKind::kDense, TableKind::kDirect}) {
    const TablePointer table = Build(PlainOf(64, 1e4), OptionsOf(kind, 100));
    const std::vector<int64_t> positions = {-1, -1, 0, 1};
    const AngleRows rows = Filled(*table, Of(positions));
    for (int i = 0; i < rows.pairs(); ++i) {
      EXPECT_EQ(rows.cos(0)[i], rows.cos(3)[i]);
      EXPECT_EQ(rows.sin(0)[i], -rows.sin(3)[i]);
      EXPECT_EQ(rows.cos(2)[i], 1.0f);
      EXPECT_EQ(rows.sin(2)[i], 0.0f);
    }
    EXPECT_FALSE(rows.identity(0));
    EXPECT_TRUE(rows.identity(2));
    EXPECT_FALSE(rows.identity(3));
  }
}

TEST_P(AngleTableTest, ExtremePositionsAreLegal) {
  const TablePointer table = Build(PlainOf(8, 1e4));
  const std::vector<int64_t> positions = {INT64_MIN, INT64_MAX,
                                          -(int64_t{1} << 30)};
  const AngleRows rows = Filled(*table, Of(positions));
  // cos(2^63) and cos(2^63 - 1), by mpmath with 600 bits.
  EXPECT_NEAR(rows.cos(0)[0], 0.0118000765128002367, 0x1p-31);
  EXPECT_NEAR(rows.cos(1)[0], 0.847788007348018783, 0x1p-25);
}

TEST_P(AngleTableTest, AnyNumberOfPairs) {
  const std::vector<int64_t> positions = {0, 77777, -5, 1 << 21, 1 << 30};
  for (int rotary_dim = 0; rotary_dim <= 80; rotary_dim += 2) {
    const TablePointer table = Build(PlainOf(rotary_dim, 1e4));
    const AngleRows rows = Filled(*table, Of(positions));
    EXPECT_EQ(rows.pairs(), rotary_dim / 2);
    ASSERT_EQ(rows.rows(), 5);
    ExpectAccurate(*table, rows, positions);
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(AngleTableTest);

}  // namespace
}  // namespace ropewalk::test
