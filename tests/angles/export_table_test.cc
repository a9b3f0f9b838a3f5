// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Export in every layout and type, and back through Wrap and Gather.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "angles/table_cases.h"
#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "support/all_targets.h"
#include "support/table_layout.h"

namespace ropewalk::test {
namespace {

class ExportTableTest : public AllTargets {};

constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;
constexpr int64_t kRows = 7;
constexpr int64_t kFirst = 1021;  // across the border of a level

constexpr DataType kTypes[] = {DataType::kF32, DataType::kBF16, DataType::kF16};

// A table of its own memory, between canaries. With `gap`, so many elements
// that belong to nobody lie between the rows.
class Host {
 public:
  static constexpr uint8_t kCanary = 0xA5;
  static constexpr int64_t kRedZone = 64;

  Host(TableLayout layout, DataType type, int pairs, int64_t gap) {
    const TableRow row = RowOf(layout, type, pairs);
    view.type = type;
    view.rows = kRows;
    view.pairs = pairs;
    view.pair_stride = row.pair_stride;
    view.copy_offset = row.copy_offset;
    view.row_stride = row.width + gap * ElementSize(type);
    bytes.assign(
        static_cast<size_t>(2 * kRows * view.row_stride + 3 * kRedZone),
        kCanary);
    uint8_t* const first = bytes.data() + kRedZone;
    uint8_t* const second = first + kRows * view.row_stride + kRedZone;
    view.cos = first + row.cos;
    view.sin = (row.two_arrays ? second : first) + row.sin;
  }

  float Element(const void* array, int64_t row, int64_t pair, bool copy) const {
    const uint8_t* at = static_cast<const uint8_t*>(array) +
                        row * view.row_stride + pair * view.pair_stride +
                        (copy ? view.copy_offset : 0);
    if (view.type == DataType::kF32) {
      float value;
      std::memcpy(&value, at, 4);
      return value;
    }
    uint16_t bits;
    std::memcpy(&bits, at, 2);
    return static_cast<float>(view.type == DataType::kBF16
                                  ? reference::FromBF16(bits)
                                  : reference::FromF16(bits));
  }

  // Bytes that no element covers, and that are no longer canaries.
  int64_t Damaged() const {
    std::vector<bool> covered(bytes.size(), false);
    for (const void* array : {view.cos, view.sin}) {
      for (int64_t i = 0; i < kRows * view.pairs * 2; ++i) {
        const int64_t at = static_cast<const uint8_t*>(array) - bytes.data() +
                           i / 2 / view.pairs * view.row_stride +
                           i / 2 % view.pairs * view.pair_stride +
                           (i % 2 == 1 ? view.copy_offset : 0);
        for (int64_t b = 0; b < ElementSize(view.type); ++b) {
          covered[static_cast<size_t>(at + b)] = true;
        }
      }
    }
    int64_t damaged = 0;
    for (size_t i = 0; i < bytes.size(); ++i) {
      damaged += !covered[i] && bytes[i] != kCanary;
    }
    return damaged;
  }

  CosSinView view;
  std::vector<uint8_t> bytes;
};

float Rounded(float value, DataType type) {
  if (type == DataType::kF32) return value;
  return static_cast<float>(
      type == DataType::kBF16
          ? reference::FromBF16(reference::ToBF16(double{value}))
          : reference::FromF16(reference::ToF16(double{value})));
}

void ExpectRowsOf(const AngleRows& rows, const Host& host) {
  for (int64_t r = 0; r < kRows; ++r) {
    for (int i = 0; i < rows.pairs(); ++i) {
      const float cos = Rounded(rows.cos(r)[i], host.view.type);
      const float sin = Rounded(rows.sin(r)[i], host.view.type);
      for (const bool copy : {false, true}) {
        ASSERT_EQ(host.Element(host.view.cos, r, i, copy), cos) << r << i;
        ASSERT_EQ(host.Element(host.view.sin, r, i, copy), sin) << r << i;
      }
    }
  }
}

void ExpectBack(const AngleTable& table, const Host& host) {
  const ConstCosSinView view =
      host.view.AsConst(table.frequencies().attention_factor);
  auto wrapped = AngleRows::Wrap(view);
  ASSERT_TRUE(wrapped.ok()) << wrapped.status().message();
  AngleRows gathered;
  ASSERT_TRUE(gathered.Gather(view, Positions::Consecutive(0, kRows)).ok());
  EXPECT_EQ(Values(wrapped.value()), Values(gathered));
  ExpectRowsOf(gathered, host);
  EXPECT_EQ(gathered.attention_factor(0), 1.25f);
}

TEST_P(ExportTableTest, EveryLayoutAndTypeThereAndBack) {
  for (const int pairs : {1, 5, 32, 300}) {
    Frequencies frequencies = PlainOf(2 * pairs, 1e4);
    frequencies.attention_factor = 1.25;
    const TablePointer table = Build(frequencies);
    const AngleRows rows =
        Filled(*table, Positions::Consecutive(kFirst, kRows));
    for (const TableLayout layout : kTableLayouts) {
      for (const DataType type : kTypes) {
        for (const int64_t gap : {0, 3}) {
          Host host(layout, type, pairs, gap);
          const Status status = table->Export(kFirst, kRows, host.view);
          ASSERT_TRUE(status.ok()) << status.message();
          ExpectRowsOf(rows, host);
          EXPECT_EQ(host.Damaged(), 0);
          ExpectBack(*table, host);
        }
      }
    }
  }
}

TEST_P(ExportTableTest, EverySplitGivesTheSameBytes) {
  const TablePointer table = Build(PlainOf(64, 5e5));
  Host whole(TableLayout::kCosSin, DataType::kF32, 32, 1);
  ASSERT_TRUE(table->Export(-3, kRows, whole.view).ok());
  Host tbb(TableLayout::kCosSin, DataType::kF32, 32, 1);
  ASSERT_TRUE(table->Export(-3, kRows, tbb.view, Parallel::Tbb()).ok());
  EXPECT_EQ(tbb.bytes, whole.bytes);
  for (const int count : {1, 2, 3, 7, 9}) {
    Host shares(TableLayout::kCosSin, DataType::kF32, 32, 1);
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(
          table->Export(-3, kRows, shares.view, Parallel::Share(i, count))
              .ok());
    }
    EXPECT_EQ(shares.bytes, whole.bytes) << count;
  }
}

TEST_P(ExportTableTest, LargeTablesInParallel) {
  const TablePointer table = Build(PlainOf(128, 5e5));
  constexpr int64_t kMany = 4000;
  std::vector<float> data(kMany * 128);
  CosSinView view;
  view.cos = data.data();
  view.sin = data.data() + 64;
  view.rows = kMany;
  view.pairs = 64;
  view.row_stride = 512;
  view.pair_stride = 4;
  ASSERT_TRUE(table->Export(0, kMany, view, Parallel::Tbb()).ok());
  EXPECT_EQ(data, Values(Filled(*table, Positions::Consecutive(0, kMany))));
}

TEST_P(ExportTableTest, AShareWritesItsRowsOnly) {
  const TablePointer table = Build(PlainOf(8, 5e5));
  Host host(TableLayout::kSeparate, DataType::kF32, 4, 0);
  const std::vector<uint8_t> before = host.bytes;
  ASSERT_TRUE(table->Export(0, kRows, host.view, Parallel::Share(6, 7)).ok());
  const size_t untouched =
      static_cast<size_t>(Host::kRedZone + 6 * host.view.row_stride);
  EXPECT_TRUE(std::equal(before.begin(),
                         before.begin() + static_cast<int64_t>(untouched),
                         host.bytes.begin()));
  EXPECT_NE(host.bytes[untouched], Host::kCanary);
}

class ExportErrorsTest : public testing::Test {
 protected:
  void ExpectRefused(const CosSinView& view, StatusCode code,
                     const std::string& text, int64_t first = 0,
                     Parallel parallel = Parallel::Serial()) {
    ExpectError(table_->Export(first, view.rows, view, parallel), code, text);
    EXPECT_EQ(host_.bytes, before_);
  }

  TablePointer table_ = Build(PlainOf(8, 1e4));
  Host host_{TableLayout::kCosSin, DataType::kF32, 4, 0};
  const std::vector<uint8_t> before_ = host_.bytes;
};

TEST_F(ExportErrorsTest, Shapes) {
  const CosSinView good = host_.view;
  ExpectError(table_->Export(0, kRows + 1, good), kInvalid, "out.rows = 7");
  ExpectError(table_->Export(0, -1, good), kInvalid, "count = -1");
  CosSinView bad = good;
  bad.pairs = 5;
  ExpectRefused(bad, kInvalid, "out.pairs = 5");
  bad = good;
  bad.cos = nullptr;
  ExpectRefused(bad, kInvalid, "cos = null");
  bad = good;
  bad.row_stride = 33;
  ExpectRefused(bad, kInvalid, "row_stride = 33");
  ExpectRefused(good, StatusCode::kOutOfRange, "first = 9223372036854775802",
                INT64_MAX - 5, Parallel::Serial());
  ExpectRefused(good, kInvalid, "Share(2, 2)", 0, Parallel::Share(2, 2));
}

TEST_F(ExportErrorsTest, Overlap) {
  const CosSinView good = host_.view;
  CosSinView bad = good;
  bad.row_stride = 12;
  ExpectRefused(bad, kInvalid, "row_stride = 12");
  bad.row_stride = 28;  // cos of a row lies on sin of another
  ExpectRefused(bad, kInvalid, "sin = cos + 16");
  bad = good;
  bad.row_stride = 0;
  ExpectRefused(bad, kInvalid, "row_stride = 0");
  bad = good;
  bad.pair_stride = 0;
  ExpectRefused(bad, kInvalid, "pair_stride = 0");
  bad = good;
  bad.sin = bad.cos;
  ExpectRefused(bad, kInvalid, "sin = cos + 0");
  bad = good;
  bad.copy_offset = 16;  // where sin is
  ExpectRefused(bad, kInvalid, "copy_offset = 16");
  bad.copy_offset = -32;  // where the row before is
  ExpectRefused(bad, kInvalid, "copy_offset = -32");
}

TEST_F(ExportErrorsTest, BackwardRowsAreFine) {
  CosSinView view = host_.view;
  view.cos = static_cast<uint8_t*>(view.cos) + 6 * 32;
  view.sin = static_cast<uint8_t*>(view.sin) + 6 * 32;
  view.row_stride = -32;
  EXPECT_TRUE(table_->Export(0, kRows, view).ok());
  EXPECT_EQ(host_.Damaged(), 0);
  EXPECT_EQ(host_.Element(host_.view.cos, 6, 0, false), 1.0f);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(ExportTableTest);

}  // namespace
}  // namespace ropewalk::test
