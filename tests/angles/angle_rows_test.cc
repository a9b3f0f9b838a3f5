// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory of AngleRows, and rows from the host's own table.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "angles/table_cases.h"
#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;

// A [cos | sin] table of some rows of 3 pairs, row r holding position r.
struct HostTable {
  static constexpr int kPairs = 3;

  explicit HostTable(int64_t rows) : data(static_cast<size_t>(rows) * 6) {
    const AngleRows filled =
        Filled(*Build(PlainOf(6, 1e4)), Positions::Consecutive(0, rows));
    data = Values(filled);
    view.cos = data.data();
    view.sin = data.data() + kPairs;
    view.rows = rows;
    view.pairs = kPairs;
    view.row_stride = 24;
    view.pair_stride = 4;
  }

  std::vector<float> data;
  ConstCosSinView view;
};

void ExpectWrapError(const ConstCosSinView& view, StatusCode code,
                     const std::string& text) {
  ExpectError(AngleRows::Wrap(view).status(), code, text);
  AngleRows rows;
  ExpectError(rows.Gather(view, Positions::Consecutive(0, view.rows)), code,
              text);
  EXPECT_EQ(rows.rows(), 0);
}

TEST(AngleRowsTest, StartsEmpty) {
  const AngleRows rows;
  EXPECT_EQ(rows.rows(), 0);
  EXPECT_EQ(rows.pairs(), 0);
}

TEST(AngleRowsTest, MovesLeaveNothingBehind) {
  const TablePointer table = Build(PlainOf(16, 1e4));
  AngleRows a = Filled(*table, Positions::Consecutive(0, 3));
  const std::vector<float> values = Values(a);
  AngleRows b = std::move(a);
  EXPECT_EQ(a.rows(), 0);
  EXPECT_EQ(Values(b), values);
  AngleRows c = Filled(*table, Positions::Consecutive(9, 1));
  c = std::move(b);
  EXPECT_EQ(Values(c), values);
  EXPECT_TRUE(c.identity(0));
  c = AngleRows();
  EXPECT_EQ(c.rows(), 0);
  EXPECT_TRUE(table->Fill(Positions::Consecutive(0, 3), &a).ok());
  EXPECT_EQ(Values(a), values);
}

TEST(AngleRowsTest, OwnedRowsAreAligned) {
  const AngleRows rows =
      Filled(*Build(PlainOf(42, 1e4)), Positions::Consecutive(0, 3));
  for (int64_t r = 0; r < 3; ++r) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(rows.cos(r)) % 64, 0u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(rows.sin(r)) % 64, 0u);
  }
}

TEST(AngleRowsTest, ReserveKeepsTheRows) {
  const TablePointer table = Build(PlainOf(16, 1e4));
  AngleRows rows = Filled(*table, Positions::Consecutive(0, 3));
  const std::vector<float> values = Values(rows);
  ASSERT_TRUE(rows.Reserve(100, 40).ok());
  EXPECT_EQ(Values(rows), values);
  EXPECT_TRUE(rows.identity(0));
  EXPECT_FALSE(rows.identity(1));
  const float* before = rows.cos(0);
  ASSERT_TRUE(table->Fill(Positions::Consecutive(3, 97), &rows, 3).ok());
  EXPECT_EQ(rows.cos(0), before) << "memory moved";
  EXPECT_EQ(Values(rows),
            Values(Filled(*table, Positions::Consecutive(0, 100))));
}

TEST(AngleRowsTest, ReserveNamesWhatItRefuses) {
  AngleRows rows;
  ExpectError(rows.Reserve(-1, 4), kInvalid, "rows = -1");
  ExpectError(rows.Reserve(1, -4), kInvalid, "pairs = -4");
  ExpectError(rows.Reserve(INT64_MAX, 4), StatusCode::kOutOfRange,
              "rows = 9223372036854775807");
}

TEST(AngleRowsTest, WrapBorrowsContiguousFloats) {
  const HostTable host(4);
  auto rows = AngleRows::Wrap(host.view);
  ASSERT_TRUE(rows.ok()) << rows.status().message();
  EXPECT_EQ(rows.value().cos(0), host.data.data());
  EXPECT_EQ(Values(rows.value()), host.data);
  EXPECT_TRUE(rows.value().identity(0));
  EXPECT_FALSE(rows.value().identity(1));
}

TEST(AngleRowsTest, WrapFollowsAnyRowStride) {
  const HostTable host(4);
  ConstCosSinView view = host.view;
  view.rows = 2;
  view.row_stride = 48;
  auto rows = AngleRows::Wrap(view);
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows.value().cos(1), host.data.data() + 12);
  view.cos = host.data.data() + 18;
  view.sin = host.data.data() + 21;
  view.row_stride = -24;
  view.rows = 4;
  rows = AngleRows::Wrap(view);
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows.value().cos(3), host.data.data());
  EXPECT_TRUE(rows.value().identity(3));
}

// Filling borrowed rows must leave the host's table alone.
TEST(AngleRowsTest, FillReplacesBorrowedMemory) {
  const HostTable host(4);
  const std::vector<float> before = host.data;
  const TablePointer table = Build(PlainOf(6, 1e4));
  for (const int64_t first_row : {0, 2, 4}) {
    auto rows = AngleRows::Wrap(host.view);
    ASSERT_TRUE(rows.ok());
    ASSERT_TRUE(table
                    ->Fill(Positions::Consecutive(first_row, 5), &rows.value(),
                           first_row)
                    .ok());
    EXPECT_EQ(host.data, before);
    EXPECT_EQ(Values(rows.value()),
              Values(Filled(*table, Positions::Consecutive(0, first_row + 5))));
  }
  auto rows = AngleRows::Wrap(host.view);
  ASSERT_TRUE(rows.ok());
  ASSERT_TRUE(rows.value().Reserve(9, 3).ok());
  EXPECT_EQ(Values(rows.value()), before);
}

TEST(AngleRowsTest, WrapKeepsTheAttentionFactor) {
  HostTable host(2);
  host.view.attention_factor = 1.5;
  auto rows = AngleRows::Wrap(host.view);
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows.value().attention_factor(1), 1.5f);
  EXPECT_FALSE(rows.value().identity(0));
}

TEST(AngleRowsTest, GatherTakesTheNamedRows) {
  const HostTable host(6);
  const TablePointer table = Build(PlainOf(6, 1e4));
  const std::vector<int32_t> ids = {5, 0, 3, 3};
  const Positions positions(ids.data(), 4);
  AngleRows rows = Filled(*table, Positions::Consecutive(0, 50));
  ASSERT_TRUE(rows.Gather(host.view, positions).ok());
  EXPECT_EQ(Values(rows), Values(Filled(*table, positions)));
  EXPECT_TRUE(rows.identity(1));
  EXPECT_FALSE(rows.identity(0));
}

TEST(AngleRowsTest, GatherRefusesOtherPositions) {
  const HostTable host(6);
  AngleRows rows = Filled(*Build(PlainOf(6, 1e4)), Positions::Constant(1, 2));
  const std::vector<float> before = Values(rows);
  const std::vector<int64_t> ids = {0, 6};
  ExpectError(rows.Gather(host.view, Positions(ids.data(), 2)),
              StatusCode::kOutOfRange, "position[1] = 6");
  ExpectError(rows.Gather(host.view, Positions::Constant(-1, 1)),
              StatusCode::kOutOfRange, "position[0] = -1");
  const std::vector<double> real = {1.0};
  ExpectError(rows.Gather(host.view, Positions(real.data(), 1)), kInvalid,
              "real");
  ExpectError(
      rows.Gather(host.view, Positions::Components(ids.data(), 2, 1, 1)),
      kInvalid, "2 components");
  ExpectError(rows.Gather(host.view, Positions::Constant(1, -1)), kInvalid,
              "count = -1");
  EXPECT_EQ(Values(rows), before);
}

// A row that is not asked for may hold anything.
TEST(AngleRowsTest, GatherLooksAtItsRowsOnly) {
  HostTable host(3);
  host.data[6] = std::nanf("");
  AngleRows rows;
  const std::vector<int64_t> ids = {0, 2};
  EXPECT_TRUE(rows.Gather(host.view, Positions(ids.data(), 2)).ok());
  ExpectError(rows.Gather(host.view, Positions::Constant(1, 1)), kInvalid,
              "cos[1][0] = nan");
}

TEST(AngleRowsTest, WrapNamesWhatItRefuses) {
  HostTable host(4);
  ConstCosSinView bad = host.view;
  bad.cos = nullptr;
  ExpectWrapError(bad, kInvalid, "cos = null");
  bad = host.view;
  bad.sin = nullptr;
  ExpectWrapError(bad, kInvalid, "sin = null");
  bad = host.view;
  bad.sin = reinterpret_cast<const char*>(host.view.sin) + 2;
  ExpectWrapError(bad, kInvalid, "must be aligned");
  bad = host.view;
  bad.type = static_cast<DataType>(3);
  ExpectWrapError(bad, kInvalid, "type = 3");
  bad = host.view;
  bad.pairs = -1;
  ExpectWrapError(bad, kInvalid, "pairs = -1");
  bad = host.view;
  bad.row_stride = 26;
  ExpectWrapError(bad, kInvalid, "row_stride = 26");
  bad = host.view;
  bad.pair_stride = 5;
  ExpectWrapError(bad, kInvalid, "pair_stride = 5");
  bad = host.view;
  bad.copy_offset = 3;
  ExpectWrapError(bad, kInvalid, "copy_offset = 3");
  bad = host.view;
  bad.row_stride = INT64_MIN;
  ExpectWrapError(bad, StatusCode::kOutOfRange, "row_stride = -92233720368547");
  bad = host.view;
  bad.attention_factor = 0;
  ExpectWrapError(bad, kInvalid, "attention_factor = 0");
  bad = host.view;
  bad.rows = -4;
  ExpectError(AngleRows::Wrap(bad).status(), kInvalid, "rows = -4");
}

TEST(AngleRowsTest, WrapNamesTheBadElement) {
  HostTable host(4);
  host.data[6 * 2 + 1] = INFINITY;
  ExpectWrapError(host.view, kInvalid, "cos[2][1] = inf: must be finite");
  host = HostTable(4);
  host.view.cos = host.data.data();
  host.view.sin = host.data.data() + 3;
  host.data[6 * 3 + 5] = std::nanf("");
  ExpectWrapError(host.view, kInvalid, "sin[3][2] = nan: must be finite");
  host.data[6 * 3 + 5] = 0.25f;
  // The "copy" of cos would be sin.
  host.view.copy_offset = 12;
  ExpectWrapError(host.view, kInvalid, "copy of cos[0][0] = 0: must equal");
}

TEST(AngleRowsTest, WrapOfNothing) {
  for (const int pairs : {0, 4}) {
    ConstCosSinView view;
    view.pairs = pairs;
    const auto rows = AngleRows::Wrap(view);
    ASSERT_TRUE(rows.ok()) << rows.status().message();
    EXPECT_EQ(rows.value().rows(), 0);
    EXPECT_EQ(rows.value().pairs(), pairs);
  }
  ConstCosSinView view;
  view.rows = 3;
  const auto rows = AngleRows::Wrap(view);
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows.value().rows(), 3);
  EXPECT_TRUE(rows.value().identity(2));
}

TEST(AngleRowsTest, TablesWithinTheRowsThemselvesAreRefused) {
  AngleRows rows =
      Filled(*Build(PlainOf(6, 1e4)), Positions::Consecutive(0, 3));
  const std::vector<float> values = Values(rows);
  ConstCosSinView view;
  view.cos = rows.cos(0);
  view.sin = rows.sin(0);
  view.rows = 3;
  view.pairs = 3;
  view.row_stride = reinterpret_cast<const char*>(rows.cos(1)) -
                    reinterpret_cast<const char*>(rows.cos(0));
  view.pair_stride = 4;
  const std::vector<int32_t> ids = {2, 1, 0};
  ExpectError(rows.Gather(view, Positions(ids.data(), 3)), kInvalid,
              "must not lie in the memory");
  // Its last row alone.
  const std::vector<float> host(3, 0.5f);
  view.cos = view.sin = host.data();
  view.rows = 2;
  view.row_stride = reinterpret_cast<intptr_t>(rows.cos(0)) -
                    reinterpret_cast<intptr_t>(host.data());
  ExpectError(rows.Gather(view, Positions(ids.data(), 3)), kInvalid,
              "must not lie in the memory");
  EXPECT_EQ(Values(rows), values);
}

TEST(AngleRowsTest, GatherLooksNoMoreAtWhatTheRowsShowed) {
  auto shown = std::make_unique<HostTable>(4);
  auto rows = AngleRows::Wrap(shown->view);
  ASSERT_TRUE(rows.ok());
  shown.reset();
  const HostTable host(4);
  ASSERT_TRUE(
      rows.value().Gather(host.view, Positions::Consecutive(0, 4)).ok());
  EXPECT_EQ(Values(rows.value()), host.data);
}

// A stride that was forgotten would make all rows, or all pairs, the first.
TEST(AngleRowsTest, StridesOfZeroAreRefused) {
  for (const bool row : {false, true}) {
    HostTable host(2);
    (row ? host.view.row_stride : host.view.pair_stride) = 0;
    EXPECT_EQ(AngleRows::Wrap(host.view).status().code(),
              StatusCode::kInvalidArgument);
    AngleRows rows;
    EXPECT_EQ(rows.Gather(host.view, Positions::Consecutive(0, 2)).code(),
              StatusCode::kInvalidArgument);
    // One row and one pair have no stride.
    host.view.rows = row ? 1 : 2;
    host.view.pairs = row ? 2 : 1;
    EXPECT_TRUE(AngleRows::Wrap(host.view).ok());
  }
}

// Counts that no memory holds fail at once, and so do rows without pairs.
TEST(AngleRowsTest, HugeCountsReturn) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  HostTable host(2);
  AngleRows rows;
  EXPECT_FALSE(rows.Gather(host.view, Positions::Constant(0, kMax)).ok());
  host.view.rows = kMax;
  host.view.row_stride = 0;
  EXPECT_FALSE(AngleRows::Wrap(host.view).ok());
  ConstCosSinView none;
  none.rows = kMax;
  EXPECT_FALSE(AngleRows::Wrap(none).ok());
}

}  // namespace
}  // namespace ropewalk::test
