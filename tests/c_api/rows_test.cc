// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of the host's own tables, and tables exported for hosts: C gives the
// bits of C++.
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "c_api/c_call.h"
#include "gtest/gtest.h"
#include "ropewalk/angles.h"
#include "rotate/host_table.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/table_layout.h"

namespace ropewalk::test {
namespace {

using CRowsTest = AllTargets;

TEST_P(CRowsTest, WrapAndGatherGiveTheBitsOfCpp) {
  Random random = Random::ForTest();
  for (const TableLayout layout : kTableLayouts) {
    for (const DataType type : kAllTypes) {
      for (const int heads : {1, 3}) {
        SCOPED_TRACE(NameOf(layout));
        const HostTable table({layout, type, 7, 5, heads, heads == 3}, &random);
        ConstCosSinView view = table.view();
        view.attention_factor = 1.5;
        const ropewalk_cos_sin c_view = ToC(view);
        const CRows rows = MakeRows();
        ropewalk_error error = UsedError();
        ropewalk_status code =
            ropewalk_angle_rows_wrap(rows.get(), &c_view, &error);
        const auto want = AngleRows::Wrap(view);
        EXPECT_TRUE(Alike(code, error, want.status()));
        EXPECT_TRUE(SameRows(rows.get(), want.value()));

        const int32_t ids[] = {6, 0, 3, 3};
        ropewalk_positions positions = ROPEWALK_POSITIONS_INIT;
        positions.kind = ROPEWALK_POSITIONS_INT32;
        positions.ids = ids;
        positions.count = 4;
        AngleRows gathered;
        code =
            ropewalk_angle_rows_gather(rows.get(), &c_view, &positions, &error);
        EXPECT_TRUE(
            Alike(code, error, gathered.Gather(view, Positions(ids, 4))));
        EXPECT_TRUE(SameRows(rows.get(), gathered));
      }
    }
  }
}

std::vector<ConstCosSinView> RefusedViews(const ConstCosSinView& good) {
  std::vector<ConstCosSinView> views(8, good);
  views[0].cos = nullptr;
  views[1].rows = -1;
  views[2].pairs = -1;
  views[3].row_stride = 3;
  views[4].attention_factor = 0;
  views[5].heads = 0;
  views[6].copy_offset = 1;
  views[7].attention_factor = std::numeric_limits<double>::quiet_NaN();
  return views;
}

TEST_P(CRowsTest, ErrorsComeThroughAndKeepTheRows) {
  Random random = Random::ForTest();
  const HostTable table({TableLayout::kCosSin, DataType::kF32, 7, 5, 1},
                        &random);
  const ropewalk_cos_sin good = ToC(table.view());
  const CRows rows = MakeRows();
  AngleRows want = AngleRows::Wrap(table.view()).value();
  ropewalk_error error = UsedError();
  ASSERT_EQ(ropewalk_angle_rows_wrap(rows.get(), &good, &error), ROPEWALK_OK);
  ropewalk_positions positions = ROPEWALK_POSITIONS_INIT;
  positions.kind = ROPEWALK_POSITIONS_CONSECUTIVE;
  positions.count = 2;
  for (const ConstCosSinView& view : RefusedViews(table.view())) {
    const ropewalk_cos_sin c_view = ToC(view);
    ropewalk_status code =
        ropewalk_angle_rows_wrap(rows.get(), &c_view, &error);
    EXPECT_TRUE(Alike(code, error, AngleRows::Wrap(view).status()));
    EXPECT_NE(code, ROPEWALK_OK);
    EXPECT_TRUE(SameRows(rows.get(), want));
    code = ropewalk_angle_rows_gather(rows.get(), &c_view, &positions, &error);
    EXPECT_TRUE(
        Alike(code, error, want.Gather(view, Positions::Consecutive(0, 2))));
    EXPECT_TRUE(SameRows(rows.get(), want));
  }
  positions.first = 6;
  const ropewalk_status code =
      ropewalk_angle_rows_gather(rows.get(), &good, &positions, &error);
  EXPECT_TRUE(Alike(code, error,
                    want.Gather(table.view(), Positions::Consecutive(6, 2))));
  EXPECT_EQ(code, ROPEWALK_OUT_OF_RANGE);
}

TEST_P(CRowsTest, ExportGivesTheBitsOfCpp) {
  RopeParameters parameters;
  parameters.rotary_dim = 24;
  YarnScaling yarn;
  yarn.factor = 4;
  yarn.original_positions = 4096;
  parameters.scaling = yarn;
  const CFrequencies frequencies =
      FrequenciesOf(CParameters(parameters).value());
  const CTable table = TableOf(frequencies.get());
  const auto cc_table =
      AngleTable::Build(ComputeFrequencies(parameters).value()).value();
  for (const DataType type : kAllTypes) {
    for (const int64_t first : {0, -5, 1 << 30}) {
      CosSinView view;
      view.type = type;
      view.rows = 9;
      view.pairs = 12;
      view.pair_stride = SizeOf(type);
      view.row_stride = 24 * SizeOf(type);
      std::vector<uint8_t> got(9 * 24 * 4, 0xEE);
      std::vector<uint8_t> want = got;
      view.cos = want.data();
      view.sin = want.data() + 12 * SizeOf(type);
      ropewalk_cos_sin c_view = ToC(view.AsConst(1));
      c_view.cos = got.data();
      c_view.sin = got.data() + 12 * SizeOf(type);
      ropewalk_error error = UsedError();
      for (const Parallel& parallel :
           {Parallel::Share(1, 2), Parallel::Share(0, 2), Parallel::Tbb()}) {
        const ropewalk_parallel c_parallel = ToC(parallel);
        const ropewalk_status code = ropewalk_angle_table_export(
            table.get(), first, 9, &c_view, &c_parallel, &error);
        EXPECT_TRUE(
            Alike(code, error, cc_table->Export(first, 9, view, parallel)));
        EXPECT_EQ(got, want);
      }
      const ropewalk_status code = ropewalk_angle_table_export(
          table.get(), first, 8, &c_view, nullptr, &error);
      EXPECT_TRUE(Alike(code, error, cc_table->Export(first, 8, view)));
      EXPECT_NE(code, ROPEWALK_OK);
    }
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(CRowsTest);

TEST(CRowsAccessorsTest, RowsAndHeadsThatAreNotThere) {
  Random random = Random::ForTest();
  HostTable table({TableLayout::kCosSin, DataType::kF32, 2, 5, 3}, &random);
  table.MakeIdentity(1, 2);
  const ropewalk_cos_sin view = ToC(table.view());
  const CRows rows = MakeRows();
  ASSERT_EQ(ropewalk_angle_rows_wrap(rows.get(), &view, nullptr), ROPEWALK_OK);
  EXPECT_EQ(ropewalk_angle_rows_identity(rows.get(), 1, 2), 1);
  EXPECT_EQ(ropewalk_angle_rows_identity(rows.get(), 1, 1), 0);
  const std::pair<int64_t, int32_t> missing[] = {
      {-1, 0}, {2, 0}, {0, -1}, {0, 3}, {INT64_MIN, 0}, {INT64_MAX, INT32_MAX}};
  for (const auto& [row, head] : missing) {
    EXPECT_EQ(ropewalk_angle_rows_cos(rows.get(), row, head), nullptr);
    EXPECT_EQ(ropewalk_angle_rows_sin(rows.get(), row, head), nullptr);
    EXPECT_EQ(ropewalk_angle_rows_identity(rows.get(), row, head), 0);
  }
  EXPECT_EQ(ropewalk_angle_rows_attention_factor(rows.get(), 2), 1);
  EXPECT_EQ(ropewalk_angle_rows_attention_factor(rows.get(), -1), 1);
}

TEST(CRowsAccessorsTest, ReserveReportsTheErrorsOfCpp) {
  const CRows rows = MakeRows();
  AngleRows want;
  const struct {
    int64_t count;
    int32_t pairs;
    int32_t heads;
  } sizes[] = {{4, 8, 2}, {-1, 8, 1}, {4, -8, 1}, {4, 8, 0}, {INT64_MAX, 8, 1}};
  for (const auto& size : sizes) {
    ropewalk_error error = UsedError();
    const ropewalk_status code = ropewalk_angle_rows_reserve(
        rows.get(), size.count, size.pairs, size.heads, &error);
    EXPECT_TRUE(
        Alike(code, error, want.Reserve(size.count, size.pairs, size.heads)));
    EXPECT_EQ(ropewalk_angle_rows_count(rows.get()), 0);
  }
}

}  // namespace
}  // namespace ropewalk::test
