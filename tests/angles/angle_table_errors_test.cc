// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What Build and Fill refuse, by name and value, without touching the rows.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "angles/table_cases.h"
#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;
constexpr StatusCode kRange = StatusCode::kOutOfRange;

void ExpectBuildError(const Frequencies& frequencies,
                      const AngleOptions& options, StatusCode code,
                      const std::string& text) {
  ExpectError(AngleTable::Build(frequencies, options).status(), code, text);
}

TEST(AngleTableErrorsTest, BuildNamesTheOption) {
  const Frequencies plain = PlainOf(64, 1e4);
  AngleOptions options;
  options.mode = static_cast<AngleMode>(9);
  ExpectBuildError(plain, options, kInvalid, "mode = 9");
  options = AngleOptions{};
  options.mode = AngleMode::kFloat32Recurrence;
  ExpectBuildError(plain, options, StatusCode::kUnsupported,
                   "mode = kFloat32Recurrence");
  options = OptionsOf(static_cast<TableKind>(7));
  ExpectBuildError(plain, options, kInvalid, "kind = 7");
  options = AngleOptions{};
  options.round_to = static_cast<DataType>(5);
  ExpectBuildError(plain, options, kInvalid, "round_to = 5");
  options = OptionsOf(TableKind::kFactored);
  options.mode = AngleMode::kFloat32;
  ExpectBuildError(plain, options, kInvalid, "kind = kFactored");
  ExpectBuildError(plain, OptionsOf(TableKind::kDense), kInvalid,
                   "dense_positions = 0");
  ExpectBuildError(plain, OptionsOf(TableKind::kAuto, -1), kInvalid,
                   "dense_positions = -1");
  ExpectBuildError(plain, OptionsOf(TableKind::kDense, INT64_MAX / 256 + 1),
                   kRange, "dense_positions = 36028797018963968");
}

TEST(AngleTableErrorsTest, BuildNamesTheFrequency) {
  Frequencies bad = PlainOf(64, 1e4);
  bad.inv_freq[3] = std::numeric_limits<double>::infinity();
  ExpectBuildError(bad, AngleOptions{}, kInvalid,
                   "inv_freq[3] = inf: must be finite");
  bad = PlainOf(64, 1e4);
  bad.axis = {0, 1};
  ExpectBuildError(bad, AngleOptions{}, kInvalid, "axis has 2 entries");
  bad = PlainOf(64, 1e4);
  bad.attention_factor = -2;
  ExpectBuildError(bad, AngleOptions{}, kInvalid, "attention_factor = -2");
}

TEST(AngleTableErrorsTest, ATableIsBuiltWhole) {
  ExpectError(
      AngleTable::Build(PlainOf(64, 1e4), AngleOptions{}, Parallel::Share(1, 2))
          .status(),
      kInvalid, "Share(1, 2)");
}

TEST(AngleTableErrorsTest, KindIsResolved) {
  Frequencies plain = PlainOf(8, 1e4);
  EXPECT_EQ(Build(plain)->options().kind, TableKind::kFactored);
  EXPECT_EQ(
      Build(plain, OptionsOf(TableKind::kAuto, 77))->options().dense_positions,
      0);
  plain.length_dependent = true;
  EXPECT_EQ(Build(plain)->options().kind, TableKind::kDirect);
  EXPECT_EQ(Build(plain, OptionsOf(TableKind::kFactored))->options().kind,
            TableKind::kFactored);
}

class FillErrorsTest : public testing::Test {
 protected:
  FillErrorsTest() : table_(Build(PlainOf(16, 1e4))) {
    EXPECT_TRUE(table_->Fill(Positions::Consecutive(5, 3), &rows_).ok());
    before_ = Values(rows_);
  }

  void ExpectRefused(const Positions& positions, StatusCode code,
                     const std::string& text, int64_t first_row = 0) {
    ExpectError(table_->Fill(positions, &rows_, first_row), code, text);
    ExpectError(table_->FillRotation(positions, &rows_, first_row), code, text);
    EXPECT_EQ(rows_.rows(), 3);
    EXPECT_EQ(Values(rows_), before_);
  }

  TablePointer table_;
  AngleRows rows_;
  std::vector<float> before_;
};

TEST_F(FillErrorsTest, Shapes) {
  const int64_t* none = nullptr;
  const int64_t id = 1;
  ExpectRefused(Positions(none, 2), kInvalid, "ids = null");
  ExpectRefused(Positions(&id, -1), kInvalid, "count = -1");
  ExpectRefused(Positions::Constant(0, -3), kInvalid, "count = -3");
  ExpectRefused(Positions::Components(&id, 0, 1, 0), kInvalid,
                "components = 0");
  ExpectRefused(Positions::Components(&id, 2, 1, INT64_MIN), kRange,
                "component_stride = -9223372036854775808");
  ExpectRefused(Positions::Components(&id, 1, 3, 0, INT64_MIN), kRange,
                "token_stride = -9223372036854775808");
  ExpectRefused(Positions::Components(&id, 1, 3, 0, INT64_MAX / 16), kRange,
                "token_stride = 576460752303423487");
  ExpectRefused(Positions::Consecutive(0, 1, 0), kInvalid, "components = 0");
  ExpectRefused(Positions::Consecutive(&id, 1, 1, -1), kInvalid,
                "components = -1");
  ExpectRefused(Positions::Constant(0, 1, 0), kInvalid, "components = 0");
  ExpectRefused(Positions::Components(&id, 3, 1, INT64_MAX / 2), kRange,
                "component_stride = 4611686018427387903");
  ExpectRefused(Positions::Consecutive(none, 2, 3), kInvalid,
                "first_of_sequence = null");
  ExpectRefused(Positions::Consecutive(&id, -2, 3), kInvalid, "sequences = -2");
  ExpectRefused(Positions::Consecutive(&id, 1, -4), kInvalid,
                "count_each = -4");
  ExpectRefused(Positions::Consecutive(&id, INT64_MAX, 2), kRange,
                "9223372036854775807 * 2");
}

TEST_F(FillErrorsTest, Values) {
  const std::vector<double> nan = {1.0, std::nan("")};
  ExpectRefused(Positions(nan.data(), 2), kInvalid,
                "position[1] of component 0 = nan: must be finite");
  const std::vector<double> infinite = {-INFINITY};
  ExpectRefused(Positions(infinite.data(), 1), kInvalid, "= -inf");
  const std::vector<double> large = {0x1p63, -0x1.0000000000001p63};
  ExpectRefused(Positions(large.data(), 2), kRange,
                "position[1] of component 0 = -9.22337e+18");
  ExpectRefused(Positions::Consecutive(INT64_MAX - 1, 3), kRange,
                "first = 9223372036854775806");
  const std::vector<int64_t> firsts = {0, INT64_MAX};
  ExpectRefused(Positions::Consecutive(firsts.data(), 2, 2), kRange,
                "first_of_sequence[1] = 9223372036854775807");
}

TEST_F(FillErrorsTest, Rows) {
  const Positions one = Positions::Constant(1, 1);
  ExpectError(table_->Fill(one, nullptr), kInvalid, "rows = null");
  ExpectRefused(one, kInvalid, "first_row = -1", -1);
  ExpectRefused(one, kInvalid, "first_row = 4", 4);
  ExpectRefused(Positions::Constant(1, INT64_MAX), kRange,
                "first_row + count = 1 + 9223372036854775807", 1);
  ExpectRefused(Positions::Constant(1, INT64_MAX / 8), kRange,
                "rows = 1152921504606846975");
  const TablePointer wider = Build(PlainOf(32, 1e4));
  ExpectError(wider->Fill(one, &rows_, 1), kInvalid, "rows->pairs() = 8");
  EXPECT_EQ(Values(rows_), before_);
  EXPECT_TRUE(wider->Fill(one, &rows_).ok());
  EXPECT_EQ(rows_.pairs(), 16);
}

TEST_F(FillErrorsTest, TooFewComponents) {
  Frequencies frequencies = PlainOf(16, 1e4);
  frequencies.axis = {0, 0, 0, 1, 1, 2, 2, 2};
  table_ = Build(frequencies);
  const std::vector<int64_t> ids = {1, 2};
  ExpectRefused(Positions(ids.data(), 2), kInvalid,
                "positions of 1 components: axis = 2 needs 3");
  ExpectRefused(Positions::Components(ids.data(), 2, 1, 1), kInvalid,
                "positions of 2 components");
}

TEST_F(FillErrorsTest, NoPositionsAreNoError) {
  const int64_t* none = nullptr;
  EXPECT_TRUE(table_->Fill(Positions(none, 0), &rows_, 2).ok());
  EXPECT_EQ(rows_.rows(), 2);
  EXPECT_TRUE(table_->Fill(Positions::Consecutive(none, 0, 5), &rows_).ok());
  EXPECT_EQ(rows_.rows(), 0);
}

// Tables are sized by the number of pairs, never by a number of positions.
TEST(AngleTableMemoryTest, IsWhatTheKindNeeds) {
  const size_t factored = Build(PlainOf(128, 5e5))->bytes();
  EXPECT_LE(static_cast<double>(factored), 3.1 * 0x1p20);
  EXPECT_EQ(
      Build(PlainOf(128, 5e5), OptionsOf(TableKind::kAuto, 10485760))->bytes(),
      factored);
  const size_t dense =
      Build(PlainOf(128, 5e5), OptionsOf(TableKind::kDense, 131072))->bytes();
  EXPECT_GE(dense, size_t{64} << 20);
  EXPECT_LE(dense, (size_t{64} << 20) + 4096);
  EXPECT_LE(Build(PlainOf(128, 5e5), OptionsOf(TableKind::kDirect))->bytes(),
            size_t{4096});
}

TEST(AngleTableErrorsTest, RoundingThatWouldOverflow) {
  Frequencies frequencies = PlainOf(8, 1e4);
  frequencies.attention_factor = 65505;
  AngleOptions options;
  options.round_to = DataType::kF16;
  ExpectBuildError(frequencies, options, StatusCode::kOutOfRange,
                   "attention_factor = 65505");
  const TablePointer table = Build(frequencies);
  std::vector<uint16_t> out(8, 0x1234);
  CosSinView view;
  view.cos = out.data();
  view.sin = out.data() + 4;
  view.type = DataType::kF16;
  view.rows = 1;
  view.pairs = 4;
  view.row_stride = 16;
  view.pair_stride = 2;
  ExpectError(table->Export(0, 1, view), StatusCode::kOutOfRange,
              "attention_factor = 65505");
  EXPECT_EQ(out, std::vector<uint16_t>(8, 0x1234));
}

TEST(AngleTableErrorsTest, TablesWithoutPairsReturnAtOnce) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  AngleOptions options;
  options.kind = TableKind::kDense;
  options.dense_positions = kMax;
  const auto table = AngleTable::Build(Frequencies{}, options);
  ASSERT_TRUE(table.ok()) << table.status().message();
  CosSinView view;
  view.rows = kMax;
  EXPECT_TRUE(table.value()->Export(0, kMax, view).ok());
}

}  // namespace
}  // namespace ropewalk::test
