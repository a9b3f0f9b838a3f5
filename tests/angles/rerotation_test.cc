// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// AngleTable::FillRerotation(): from the angles of one table to another's.
#include <cmath>
#include <cstdint>
#include <vector>

#include "angles/table_cases.h"
#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "support/all_targets.h"
#include "support/ulp.h"

namespace ropewalk::test {
namespace {

using RerotationTest = AllTargets;

constexpr double kFactor = 1.25;

// A rotation by the difference, written out in extended precision.
void ExpectDifference(const AngleRows& rows, int64_t row, double position,
                      const Frequencies& from, const Frequencies& to) {
  const double q = to.attention_factor / from.attention_factor;
  for (int i = 0; i < rows.pairs(); ++i) {
    const auto at = static_cast<size_t>(i);
    const auto a = reference::ExactAngle(position, from.inv_freq[at]);
    const auto b = reference::ExactAngle(position, to.inv_freq[at]);
    const long double ac = a.cos, as = a.sin, bc = b.cos, bs = b.sin;
    const auto cos = static_cast<double>((bc * ac + bs * as) * q);
    const auto sin = static_cast<double>((bs * ac - bc * as) * q);
    // As FillRotation; the oracle's two angles are within 2^-51 each.
    const double slack = q * (0x1p-40 + 0x1p-49);
    ASSERT_NEAR(rows.cos(row)[i], cos, 0.5 * UlpF32(std::fabs(cos)) + slack)
        << position << " pair " << i;
    ASSERT_NEAR(rows.sin(row)[i], sin, 0.5 * UlpF32(std::fabs(sin)) + slack)
        << position << " pair " << i;
  }
  EXPECT_EQ(rows.attention_factor(row), q);
}

std::vector<int64_t> Edges() {
  const std::vector<int64_t> magnitudes = {
      1,       1023,    1024,          131071,  1048575,
      1048576, 1 << 29, (1 << 30) - 1, 1 << 30, 2147483647};
  std::vector<int64_t> positions = {0};
  for (const int64_t m : magnitudes) {
    positions.push_back(m);
    positions.push_back(-m);
  }
  return positions;
}

TEST_P(RerotationTest, IsTheDifferenceForEveryKindOfTable) {
  Frequencies from_frequencies = PlainOf(70, 10000);
  Frequencies to_frequencies = PlainOf(70, 500000);
  to_frequencies.attention_factor = kFactor;
  const std::vector<int64_t> ids = Edges();
  const auto count = static_cast<int64_t>(ids.size());
  const std::vector<double> real(ids.begin(), ids.end());
  const TableKind kinds[] = {TableKind::kFactored, TableKind::kDense,
                             TableKind::kDirect};
  for (const TableKind a : kinds) {
    for (const TableKind b : kinds) {
      const auto from = Build(from_frequencies, OptionsOf(a, 100));
      const auto to = Build(to_frequencies, OptionsOf(b, 100));
      for (const Positions& positions :
           {Positions(ids.data(), count), Positions(real.data(), count)}) {
        AngleRows rows;
        ASSERT_TRUE(to->FillRerotation(*from, positions, &rows).ok());
        ASSERT_EQ(rows.rows(), count);
        for (int64_t row = 0; row < count; ++row) {
          ExpectDifference(rows, row, real[static_cast<size_t>(row)],
                           from_frequencies, to_frequencies);
          EXPECT_FALSE(rows.identity(row)) << "the factor is not 1";
        }
      }
    }
  }
}

TEST_P(RerotationTest, IgnoresWhatTheOptionsRound) {
  AngleOptions rounded;
  rounded.mode = AngleMode::kFloat32;
  rounded.round_to = DataType::kBF16;
  const Frequencies a = PlainOf(64, 10000), b = PlainOf(64, 20000);
  const auto from = Build(a, rounded), to = Build(b, rounded);
  AngleRows rows;
  ASSERT_TRUE(
      to->FillRerotation(*from, Positions::Constant(100003, 1), &rows).ok());
  ExpectDifference(rows, 0, 100003, a, b);
}

// More rows than are multiplied at a time, some past the levels between them.
TEST_P(RerotationTest, MixesRowsFromLevelsAndComputedOnes) {
  const Frequencies a = PlainOf(16, 10000), b = PlainOf(16, 30000);
  const auto from = Build(a), to = Build(b);
  std::vector<int64_t> ids;
  for (int64_t i = 0; i < 300; ++i) {
    ids.push_back(i % 7 == 3 ? (int64_t{1} << 30) + i : 1000 * i);
  }
  AngleRows rows;
  ASSERT_TRUE(
      to->FillRerotation(*from, Positions(ids.data(), 300), &rows).ok());
  for (int64_t row = 0; row < 300; ++row) {
    ExpectDifference(rows, row,
                     static_cast<double>(ids[static_cast<size_t>(row)]), a, b);
  }
}

TEST_P(RerotationTest, TextIsAsOnOneAxis) {
  Frequencies a = PlainOf(12, 10000), b = PlainOf(12, 30000);
  const auto from = Build(a), to = Build(b);
  a.axis = b.axis = {0, 1, 2, 2, 1, 0};
  AngleRows got, want;
  ASSERT_TRUE(
      to->FillRerotation(*from, Positions::Consecutive(99990, 40), &want).ok());
  ASSERT_TRUE(Build(b)
                  ->FillRerotation(*Build(a),
                                   Positions::Consecutive(99990, 40, 3), &got)
                  .ok());
  EXPECT_EQ(Values(got), Values(want));
}

TEST_P(RerotationTest, PairsTakeThePositionOfTheirAxis) {
  Frequencies a = PlainOf(12, 10000), b = PlainOf(12, 30000);
  a.axis = b.axis = {0, 1, 2, 2, 1, 0};
  const int64_t ids[] = {5, 9, 100000, 7, 2000, 7};  // [3][2]
  const auto from = Build(a), to = Build(b);
  AngleRows rows;
  ASSERT_TRUE(
      to->FillRerotation(*from, Positions::Components(ids, 3, 2, 2), &rows)
          .ok());
  for (int64_t t = 0; t < 2; ++t) {
    for (size_t i = 0; i < 6; ++i) {
      const int64_t position = ids[a.axis[i] * 2 + t];
      AngleRows alone;
      const auto one_from = Build(PlainOf(12, 10000));
      ASSERT_TRUE(Build(PlainOf(12, 30000))
                      ->FillRerotation(*one_from,
                                       Positions::Constant(position, 1), &alone)
                      .ok());
      // From levels in the one, computed in the other.
      EXPECT_NEAR(rows.cos(t)[i], alone.cos(0)[i], UlpF32(1.0)) << t << i;
      EXPECT_NEAR(rows.sin(t)[i], alone.sin(0)[i], UlpF32(1.0)) << t << i;
    }
  }
}

TEST_P(RerotationTest, PairsThatStayAreBitForBitAtRest) {
  Frequencies a = PlainOf(16, 10000);
  Frequencies b = a;
  b.inv_freq[3] *= 0.5;
  const auto from = Build(a), to = Build(b);
  AngleRows rows;
  ASSERT_TRUE(
      to->FillRerotation(*from, Positions::Consecutive(-3, 500), &rows).ok());
  for (int64_t row = 0; row < 500; ++row) {
    EXPECT_EQ(rows.identity(row), row == 3) << row;
    for (int i = 0; i < 8; ++i) {
      if (i == 3) continue;
      EXPECT_EQ(rows.cos(row)[i], 1.0f);
      EXPECT_EQ(rows.sin(row)[i], 0.0f);
    }
  }
  ASSERT_TRUE(
      from->FillRerotation(*from, Positions::Consecutive(-3, 5), &rows).ok());
  for (int64_t row = 0; row < 5; ++row) EXPECT_TRUE(rows.identity(row));
}

TEST_P(RerotationTest, NoAxesAreTheFirstOne) {
  Frequencies a = PlainOf(8, 10000), b = PlainOf(8, 30000);
  b.axis = {0, 0, 0, 0};
  AngleRows rows;
  EXPECT_TRUE(Build(b)
                  ->FillRerotation(*Build(a), Positions::Constant(3, 1), &rows)
                  .ok());
}

TEST_P(RerotationTest, RefusesOtherPairsAxesAndPositions) {
  const Frequencies plain = PlainOf(8, 10000);
  Frequencies axes = plain;
  axes.axis = {0, 0, 1, 0};
  const auto table = Build(plain);
  AngleRows rows;
  ASSERT_TRUE(table->Fill(Positions::Constant(3, 2), &rows).ok());
  const Positions one = Positions::Constant(3, 1);
  constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;
  ExpectError(table->FillRerotation(*Build(PlainOf(6, 10000)), one, &rows),
              kInvalid, "to has 4 pairs: must have those of from, 3");
  ExpectError(table->FillRerotation(*Build(axes), one, &rows), kInvalid,
              "to.axis[2] = 0: must be that of from, 1");
  ExpectError(Build(axes)->FillRerotation(*Build(axes), one, &rows), kInvalid,
              "axis = 1 needs 2");
  const double nan = NAN;
  ExpectError(table->FillRerotation(*table, Positions(&nan, 1), &rows),
              kInvalid, "nan");
  ExpectError(table->FillRerotation(*table, one, nullptr), kInvalid, "null");
  EXPECT_EQ(rows.rows(), 2) << "rows of a call that failed";
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(RerotationTest);

}  // namespace
}  // namespace ropewalk::test
