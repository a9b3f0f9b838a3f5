// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory of rows with heads, and what is refused of them.
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "angles/table_cases.h"
#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;
constexpr int kHeads = 2;
constexpr int kPairs = 3;

// [rows][heads][cos | sin], counted through.
struct CountedTable {
  explicit CountedTable(int64_t rows)
      : data(static_cast<size_t>(rows) * kHeads * 2 * kPairs) {
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i);
    view.cos = data.data();
    view.sin = data.data() + kPairs;
    view.rows = rows;
    view.pairs = kPairs;
    view.heads = kHeads;
    view.pair_stride = 4;
    view.head_stride = 24;
    view.row_stride = 48;
  }

  std::vector<float> data;
  ConstCosSinView view;
};

// In the order of the table's numbers.
std::vector<float> AllValues(const AngleRows& rows) {
  std::vector<float> values;
  for (int64_t r = 0; r < rows.rows(); ++r) {
    for (int h = 0; h < rows.heads(); ++h) {
      values.insert(values.end(), rows.cos(r, h),
                    rows.cos(r, h) + rows.pairs());
      values.insert(values.end(), rows.sin(r, h),
                    rows.sin(r, h) + rows.pairs());
    }
  }
  return values;
}

TEST(RowHeadsMemoryTest, WrapBorrowsThem) {
  const CountedTable host(3);
  auto rows = AngleRows::Wrap(host.view);
  ASSERT_TRUE(rows.ok()) << rows.status().message();
  EXPECT_EQ(rows.value().heads(), kHeads);
  EXPECT_EQ(rows.value().cos(2, 1), host.data.data() + 30);
  EXPECT_EQ(AllValues(rows.value()), host.data);
}

TEST(RowHeadsMemoryTest, HeadsMayShareARow) {
  const CountedTable host(2);
  ConstCosSinView view = host.view;
  view.head_stride = 0;
  auto rows = AngleRows::Wrap(view);
  ASSERT_TRUE(rows.ok()) << rows.status().message();
  EXPECT_EQ(rows.value().cos(1, 0), rows.value().cos(1, 1));
  view.head_stride = -24;
  view.cos = host.data.data() + 6;
  view.sin = host.data.data() + 9;
  rows = AngleRows::Wrap(view);
  ASSERT_TRUE(rows.ok()) << rows.status().message();
  EXPECT_EQ(rows.value().cos(1, 1), host.data.data() + 12);
}

TEST(RowHeadsMemoryTest, ReserveAndMovesKeepThem) {
  const CountedTable host(3);
  AngleRows rows;
  ASSERT_TRUE(rows.Gather(host.view, Positions::Consecutive(0, 3)).ok());
  EXPECT_EQ(AllValues(rows), host.data);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(rows.sin(1, 1)) % 64, 0u);
  ASSERT_TRUE(rows.Reserve(50, 20, kHeads).ok());
  EXPECT_EQ(AllValues(rows), host.data);
  const float* const memory = rows.cos(0);
  AngleRows moved = std::move(rows);
  EXPECT_EQ(rows.heads(), 1);
  EXPECT_EQ(AllValues(moved), host.data);
  auto borrowed = AngleRows::Wrap(host.view);
  ASSERT_TRUE(borrowed.ok());
  ASSERT_TRUE(borrowed.value().Reserve(50, 20, kHeads).ok());
  EXPECT_NE(borrowed.value().cos(0), host.data.data());
  EXPECT_EQ(AllValues(borrowed.value()), host.data);
  // There is room for 50 rows of 20 pairs.
  const CountedTable large(50);
  ASSERT_TRUE(moved.Gather(large.view, Positions::Consecutive(0, 50)).ok());
  EXPECT_EQ(moved.cos(0), memory);
  EXPECT_EQ(AllValues(moved), large.data);
}

TEST(RowHeadsMemoryTest, IdentityIsOfARowAndAHead) {
  CountedTable host(2);
  float* const one = host.data.data() + 6;  // row 0, head 1
  for (int i = 0; i < kPairs; ++i) {
    one[i] = 1;
    one[kPairs + i] = 0;
  }
  AngleRows gathered;
  ASSERT_TRUE(gathered.Gather(host.view, Positions::Consecutive(0, 2)).ok());
  auto wrapped = AngleRows::Wrap(host.view);
  ASSERT_TRUE(wrapped.ok());
  ASSERT_TRUE(gathered.Reserve(900, kPairs).ok());
  for (const AngleRows* rows : {&gathered, &wrapped.value()}) {
    for (int64_t r = 0; r < 2; ++r) {
      for (int h = 0; h < kHeads; ++h) {
        EXPECT_EQ(rows->identity(r, h), r == 0 && h == 1);
      }
    }
  }
}

// Rows of an AngleTable have one head, and none are kept before them.
TEST(RowHeadsMemoryTest, FillMakesRowsOfOneHead) {
  const CountedTable host(3);
  const TablePointer table = Build(PlainOf(2 * kPairs, 1e4));
  AngleRows rows;
  ASSERT_TRUE(rows.Gather(host.view, Positions::Consecutive(0, 3)).ok());
  ExpectError(table->Fill(Positions::Consecutive(5, 2), &rows, 1), kInvalid,
              "rows->heads() = 2: must be 1 to keep rows before row 1");
  EXPECT_EQ(AllValues(rows), host.data);
  ASSERT_TRUE(table->Fill(Positions::Consecutive(5, 2), &rows).ok());
  EXPECT_EQ(rows.heads(), 1);
  EXPECT_EQ(Values(rows), Values(Filled(*table, Positions::Consecutive(5, 2))));
}

void ExpectRefused(const ConstCosSinView& view, StatusCode code,
                   const std::string& text) {
  ExpectError(AngleRows::Wrap(view).status(), code, text);
  AngleRows rows;
  ExpectError(rows.Gather(view, Positions::Consecutive(0, view.rows)), code,
              text);
}

TEST(RowHeadsMemoryTest, TheViewsRules) {
  CountedTable host(3);
  ConstCosSinView bad = host.view;
  bad.heads = 0;
  ExpectRefused(bad, kInvalid, "heads = 0: must be at least 1");
  bad = host.view;
  bad.head_stride = 26;
  ExpectRefused(bad, kInvalid, "head_stride = 26: must be a multiple");
  bad.head_stride = INT64_MIN;
  ExpectRefused(bad, StatusCode::kOutOfRange, "head_stride = -92233720368547");
  host.data[12 + 6 + 3 + 2] = std::nanf("");
  ExpectRefused(host.view, kInvalid, "sin[1][1][2] = nan: must be finite");
  host.data[12 + 6 + 3 + 2] = 0.5f;
  bad = host.view;
  bad.copy_offset = 12;
  ExpectRefused(bad, kInvalid, "copy of cos[0][0][0] = 3: must equal");
  bad = host.view;
  bad.heads = 1;
  bad.head_stride = INT64_MIN;  // not looked at
  EXPECT_TRUE(AngleRows::Wrap(bad).ok());
  AngleRows rows;
  ExpectError(rows.Reserve(1, 1, 0), kInvalid, "heads = 0");
  ExpectError(rows.Reserve(INT64_MAX / 64, 0, 1 << 30), StatusCode::kOutOfRange,
              "of 1073741824 heads");
}

TEST(RowHeadsMemoryTest, ExportWritesOneHead) {
  const TablePointer table = Build(PlainOf(2 * kPairs, 1e4));
  std::vector<float> data(kPairs * 2 * kHeads);
  CosSinView out;
  out.cos = data.data();
  out.sin = data.data() + kPairs;
  out.rows = 1;
  out.pairs = kPairs;
  out.row_stride = 24;
  out.pair_stride = 4;
  out.heads = kHeads;
  out.head_stride = 24;
  ExpectError(table->Export(0, 1, out), kInvalid, "out.heads = 2: must be 1");
  EXPECT_EQ(out.AsConst(1).heads, kHeads);
  EXPECT_EQ(out.AsConst(1).head_stride, 24);
}

}  // namespace
}  // namespace ropewalk::test
