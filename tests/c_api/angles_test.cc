// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables, rows and the cache of angles: C gives the bits of C++.
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "c_api/c_call.h"
#include "gtest/gtest.h"
#include "ropewalk/angles.h"
#include "support/all_targets.h"

namespace ropewalk::test {
namespace {

class CAnglesTest : public AllTargets {
 protected:
  // Both tables of parameters and options.
  struct Tables {
    CFrequencies frequencies;
    CTable c;
    std::shared_ptr<const AngleTable> cc;
  };
  static Tables TablesOf(const RopeParameters& parameters,
                         const AngleOptions& options) {
    Tables tables;
    tables.frequencies = FrequenciesOf(CParameters(parameters).value());
    const ropewalk_angle_options c_options = ToC(options);
    tables.c = TableOf(tables.frequencies.get(), &c_options);
    tables.cc =
        AngleTable::Build(ComputeFrequencies(parameters).value(), options)
            .value();
    return tables;
  }
};

RopeParameters Parameters(int rotary_dim, const Scaling& scaling) {
  RopeParameters parameters;
  parameters.rotary_dim = rotary_dim;
  parameters.scaling = scaling;
  return parameters;
}

YarnScaling YarnOf(double factor) {
  YarnScaling yarn;
  yarn.factor = factor;
  yarn.original_positions = 4096;
  return yarn;
}

// Pairs of 3 components.
RopeParameters AxesParameters() {
  RopeParameters parameters = Parameters(12, NoScaling{});
  parameters.axis = {0, 1, 2, 2, 1, 0};
  return parameters;
}

constexpr int64_t kIds64[] = {0,     1,  -7, 131071, int64_t{1} << 31,
                              77777, 12, 3,  9,      1000003};
constexpr int32_t kIds32[] = {5, -1, 0, 2147483647, 400, 8, 70000, 6, 1, 2, 30};
constexpr double kReals[] = {0.5, -2.25, 0, 1e6, 3, 7.75, 100.125, 1, 2, 9};

struct PositionsCase {
  ropewalk_positions c;
  Positions cc;
};

ropewalk_positions PositionsOf(int32_t kind, const void* ids, int64_t count,
                               int32_t components) {
  ropewalk_positions positions = ROPEWALK_POSITIONS_INIT;
  positions.kind = kind;
  positions.ids = ids;
  positions.count = count;
  positions.components = components;
  return positions;
}

// Every kind; those of ids with their strides.
std::vector<PositionsCase> AllPositions(int components) {
  std::vector<PositionsCase> all = {
      {PositionsOf(ROPEWALK_POSITIONS_INT32, kIds32, 3, components),
       Positions::Components(kIds32, components, 3, 2, 3)},
      {PositionsOf(ROPEWALK_POSITIONS_INT64, kIds64, 4, components),
       Positions::Components(kIds64, components, 4, 3, 1)},
      {PositionsOf(ROPEWALK_POSITIONS_DOUBLE, kReals + 9, 3, components),
       Positions::Components(kReals + 9, components, 3, -3, -1)},
      {PositionsOf(ROPEWALK_POSITIONS_CONSECUTIVE, nullptr, 5, components),
       Positions::Consecutive(-3, 5, components)},
      {PositionsOf(ROPEWALK_POSITIONS_CONSECUTIVE_EACH, kIds64, 2, components),
       Positions::Consecutive(kIds64, 2, 3, components)},
      {PositionsOf(ROPEWALK_POSITIONS_CONSTANT, nullptr, 2, components),
       Positions::Constant(41, 2, components)},
  };
  all[0].c.component_stride = 2;
  all[0].c.token_stride = 3;
  all[1].c.component_stride = 3;
  all[2].c.component_stride = -3;
  all[2].c.token_stride = -1;
  all[3].c.first = -3;
  all[4].c.count_each = 3;
  all[5].c.first = 41;
  return all;
}

std::vector<PositionsCase> RefusedPositions() {
  const static double kNan[] = {std::numeric_limits<double>::quiet_NaN()};
  std::vector<PositionsCase> all = {
      {PositionsOf(ROPEWALK_POSITIONS_INT32, nullptr, 1, 1),
       Positions(static_cast<const int32_t*>(nullptr), 1)},
      {PositionsOf(ROPEWALK_POSITIONS_INT64, kIds64, -1, 1),
       Positions(kIds64, -1)},
      {PositionsOf(ROPEWALK_POSITIONS_DOUBLE, kNan, 1, 1), Positions(kNan, 1)},
      {PositionsOf(ROPEWALK_POSITIONS_CONSECUTIVE, nullptr, 1, 0),
       Positions::Consecutive(0, 1, 0)},
      {PositionsOf(ROPEWALK_POSITIONS_CONSECUTIVE, nullptr, 2, 1),
       Positions::Consecutive(INT64_MAX, 2)},
      {PositionsOf(ROPEWALK_POSITIONS_CONSECUTIVE_EACH, kIds64, 1, 1),
       Positions::Consecutive(kIds64, 1, -1)},
      {PositionsOf(ROPEWALK_POSITIONS_CONSTANT, nullptr, INT64_MAX, 1),
       Positions::Constant(0, INT64_MAX)},
  };
  all[4].c.first = INT64_MAX;
  all[5].c.count_each = -1;
  return all;
}

std::vector<AngleOptions> EveryOptions() {
  return {{AngleMode::kExact, TableKind::kAuto, 0, DataType::kF32},
          {AngleMode::kExact, TableKind::kFactored, 0, DataType::kBF16},
          {AngleMode::kExact, TableKind::kDense, 9, DataType::kF16},
          {AngleMode::kExact, TableKind::kDirect, 0, DataType::kF32},
          {AngleMode::kFloat32, TableKind::kAuto, 0, DataType::kF32},
          {AngleMode::kFloat32, TableKind::kDense, 20, DataType::kBF16}};
}

TEST_P(CAnglesTest, FillGivesTheBitsOfCpp) {
  for (const int components : {1, 3}) {
    for (const AngleOptions& options : EveryOptions()) {
      const Tables tables = TablesOf(
          components == 3 ? AxesParameters()
                          : Parameters(24, Llama3Scaling{8, 1, 4, 8192}),
          options);
      for (const PositionsCase& positions : AllPositions(components)) {
        CRows rows = MakeRows();
        AngleRows cc_rows;
        ropewalk_error error = UsedError();
        ropewalk_status code = ropewalk_angle_table_fill(
            tables.c.get(), &positions.c, rows.get(), 0, &error);
        EXPECT_TRUE(
            Alike(code, error, tables.cc->Fill(positions.cc, &cc_rows)));
        EXPECT_TRUE(SameRows(rows.get(), cc_rows));
        EXPECT_GT(cc_rows.rows(), 0);
        code = ropewalk_angle_table_fill_rotation(tables.c.get(), &positions.c,
                                                  rows.get(), 1, &error);
        EXPECT_TRUE(Alike(code, error,
                          tables.cc->FillRotation(positions.cc, &cc_rows, 1)));
        EXPECT_TRUE(SameRows(rows.get(), cc_rows));
      }
    }
  }
}

TEST_P(CAnglesTest, TheRecurrenceOfGgmlGivesTheBitsOfCpp) {
  GgmlScaling ggml;
  ggml.n_ctx_orig = 4096;
  ggml.freq_scale = 0.25f;
  ggml.ext_factor = 1;
  AngleOptions options;
  options.mode = AngleMode::kFloat32Recurrence;
  const Tables tables = TablesOf(Parameters(64, ggml), options);
  const PositionsCase positions = AllPositions(1)[1];
  CRows rows = MakeRows();
  AngleRows cc_rows;
  EXPECT_EQ(ropewalk_angle_table_fill(tables.c.get(), &positions.c, rows.get(),
                                      0, nullptr),
            ROPEWALK_OK);
  ASSERT_TRUE(tables.cc->Fill(positions.cc, &cc_rows).ok());
  EXPECT_TRUE(SameRows(rows.get(), cc_rows));
}

TEST_P(CAnglesTest, FillErrorsComeThroughAndKeepTheRows) {
  const Tables tables = TablesOf(AxesParameters(), AngleOptions{});
  const Tables plain = TablesOf(Parameters(24, NoScaling{}), AngleOptions{});
  CRows rows = MakeRows();
  AngleRows cc_rows;
  const PositionsCase good = AllPositions(3)[3];
  ropewalk_error error = UsedError();
  ASSERT_EQ(
      ropewalk_angle_table_fill(tables.c.get(), &good.c, rows.get(), 0, &error),
      ROPEWALK_OK);
  ASSERT_TRUE(tables.cc->Fill(good.cc, &cc_rows).ok());
  const auto expect = [&](const Tables& from, const PositionsCase& positions,
                          int64_t first_row) {
    ropewalk_status code = ropewalk_angle_table_fill(
        from.c.get(), &positions.c, rows.get(), first_row, &error);
    const Status want = from.cc->Fill(positions.cc, &cc_rows, first_row);
    EXPECT_FALSE(want.ok());
    EXPECT_TRUE(Alike(code, error, want));
    code = ropewalk_angle_table_fill_rotation(from.c.get(), &positions.c,
                                              rows.get(), first_row, &error);
    EXPECT_TRUE(Alike(
        code, error, from.cc->FillRotation(positions.cc, &cc_rows, first_row)));
    EXPECT_TRUE(SameRows(rows.get(), cc_rows));
  };
  for (const PositionsCase& positions : RefusedPositions()) {
    expect(plain, positions, 0);
  }
  expect(tables, AllPositions(1)[3], 0);  // too few components
  expect(tables, good, 6);
  expect(tables, good, -1);
  expect(plain, AllPositions(1)[3], 1);  // other pairs than the rows kept
}

TEST_P(CAnglesTest, RerotationGivesTheBitsOfCpp) {
  const YarnScaling yarn = YarnOf(4);
  const Tables from = TablesOf(Parameters(32, NoScaling{}), AngleOptions{});
  const Tables to = TablesOf(Parameters(32, yarn), AngleOptions{});
  const Tables other = TablesOf(Parameters(30, yarn), AngleOptions{});
  CRows rows = MakeRows();
  AngleRows cc_rows;
  ropewalk_error error = UsedError();
  for (const PositionsCase& positions : AllPositions(1)) {
    ropewalk_status code = ropewalk_angle_table_fill_rerotation(
        to.c.get(), from.c.get(), &positions.c, rows.get(), &error);
    EXPECT_TRUE(Alike(code, error,
                      to.cc->FillRerotation(*from.cc, positions.cc, &cc_rows)));
    EXPECT_TRUE(SameRows(rows.get(), cc_rows));
    code = ropewalk_angle_table_fill_rerotation(
        to.c.get(), other.c.get(), &positions.c, rows.get(), &error);
    EXPECT_TRUE(Alike(
        code, error, to.cc->FillRerotation(*other.cc, positions.cc, &cc_rows)));
    EXPECT_EQ(code, ROPEWALK_INVALID_ARGUMENT);
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(CAnglesTest);

TEST(CAngleTableTest, BuildErrorsComeThrough) {
  const CFrequencies frequencies =
      FrequenciesOf(CParameters(Parameters(8, NoScaling{})).value());
  const Frequencies cc_frequencies =
      ComputeFrequencies(Parameters(8, NoScaling{})).value();
  const std::vector<AngleOptions> refused = {
      {static_cast<AngleMode>(3), TableKind::kAuto, 0, DataType::kF32},
      {AngleMode::kExact, static_cast<TableKind>(200), 0, DataType::kF32},
      {AngleMode::kFloat32, TableKind::kFactored, 0, DataType::kF32},
      {AngleMode::kExact, TableKind::kDense, 0, DataType::kF32},
      {AngleMode::kExact, TableKind::kDense, INT64_MAX, DataType::kF32},
      {AngleMode::kFloat32Recurrence, TableKind::kAuto, 0, DataType::kF32}};
  for (const AngleOptions& options : refused) {
    const ropewalk_angle_options c_options = ToC(options);
    ropewalk_error error = UsedError();
    auto* table = reinterpret_cast<ropewalk_angle_table*>(&error);
    const ropewalk_status code = ropewalk_angle_table_build(
        frequencies.get(), &c_options, nullptr, &table, &error);
    const Status want = AngleTable::Build(cc_frequencies, options).status();
    EXPECT_FALSE(want.ok());
    EXPECT_TRUE(Alike(code, error, want));
    EXPECT_EQ(table, nullptr);
  }
  ropewalk_parallel share = ToC(Parallel::Share(0, 2));
  ropewalk_error error = UsedError();
  ropewalk_angle_table* table = nullptr;
  const ropewalk_status code = ropewalk_angle_table_build(
      frequencies.get(), nullptr, &share, &table, &error);
  EXPECT_TRUE(Alike(
      code, error,
      AngleTable::Build(cc_frequencies, AngleOptions{}, Parallel::Share(0, 2))
          .status()));
  EXPECT_EQ(code, ROPEWALK_INVALID_ARGUMENT);
}

TEST(CAngleTableTest, TellsWhatItIs) {
  for (const AngleOptions& options : EveryOptions()) {
    const RopeParameters parameters = Parameters(16, YarnOf(4));
    const CFrequencies frequencies =
        FrequenciesOf(CParameters(parameters).value());
    const ropewalk_angle_options c_options = ToC(options);
    const CTable table = TableOf(frequencies.get(), &c_options);
    const auto want =
        AngleTable::Build(ComputeFrequencies(parameters).value(), options);
    EXPECT_EQ(ropewalk_angle_table_bytes(table.get()), want.value()->bytes());
    ropewalk_angle_options got = ROPEWALK_ANGLE_OPTIONS_INIT;
    EXPECT_EQ(ropewalk_angle_table_get_options(table.get(), &got, nullptr),
              ROPEWALK_OK);
    const ropewalk_angle_options resolved = ToC(want.value()->options());
    EXPECT_EQ(got.struct_size, sizeof(got));
    EXPECT_EQ(got.mode, resolved.mode);
    EXPECT_EQ(got.kind, resolved.kind);
    EXPECT_EQ(got.dense_positions, resolved.dense_positions);
    EXPECT_EQ(got.round_to, resolved.round_to);
    ropewalk_frequencies* copy = nullptr;
    EXPECT_EQ(ropewalk_angle_table_frequencies(table.get(), &copy, nullptr),
              ROPEWALK_OK);
    EXPECT_TRUE(SameFrequencies(copy, want.value()->frequencies()));
    ropewalk_frequencies_destroy(copy);
  }
}

TEST(CAngleCacheTest, SharesTablesAndCountsAsCpp) {
  const RopeParameters parameters = Parameters(16, DynamicNtkScaling{2, 2048});
  const CParameters c_parameters(parameters);
  ropewalk_error error = UsedError();
  ropewalk_angle_cache* made = nullptr;
  ASSERT_EQ(ropewalk_angle_cache_create(1 << 20, &made, &error), ROPEWALK_OK);
  CAngleCache cache(made);
  AngleCache cc_cache(AngleCacheOptions{1 << 20});
  const auto get = [&](int64_t length) {
    ropewalk_angle_table* table = nullptr;
    const ropewalk_status code = ropewalk_angle_cache_get(
        cache.get(), &c_parameters.value(), length, nullptr, &table, &error);
    const auto want = cc_cache.Get(parameters, length, AngleOptions{});
    EXPECT_TRUE(Alike(code, error, want.status()));
    EXPECT_EQ(table != nullptr, want.ok());
    if (want.ok()) {
      EXPECT_EQ(ropewalk_angle_table_bytes(table), want.value()->bytes());
    }
    return CTable(table);
  };
  const CTable held = get(3000);
  for (const int64_t length : {3000, 0, 5000, 3000, -1}) get(length);
  const CFrequencies frequencies = FrequenciesOf(c_parameters.value(), 3000);
  ropewalk_angle_table* again = nullptr;
  EXPECT_EQ(ropewalk_angle_cache_get_frequencies(cache.get(), frequencies.get(),
                                                 nullptr, &again, &error),
            ROPEWALK_OK);
  EXPECT_TRUE(
      cc_cache.Get(ComputeFrequencies(parameters, 3000).value(), AngleOptions{})
          .ok());
  ropewalk_angle_cache_stats stats = ROPEWALK_ANGLE_CACHE_STATS_INIT;
  ASSERT_EQ(ropewalk_angle_cache_get_stats(cache.get(), &stats, &error),
            ROPEWALK_OK);
  const AngleCacheStats want = cc_cache.stats();
  // C++'s held table died with its call: those of C are alive in the cache too.
  EXPECT_EQ(stats.hits, want.hits);
  EXPECT_EQ(stats.misses, want.misses);
  EXPECT_EQ(stats.hits, 3u);
  EXPECT_EQ(stats.misses, 3u);
  EXPECT_EQ(stats.trig_evaluations, want.trig_evaluations);
  EXPECT_GE(stats.bytes, stats.tables * ropewalk_angle_table_bytes(again));
  // Tables that are held live on without the cache.
  cache.reset();
  const ropewalk_positions one =
      PositionsOf(ROPEWALK_POSITIONS_INT64, kIds64, 3, 1);
  const CRows rows = MakeRows();
  EXPECT_EQ(ropewalk_angle_table_fill(again, &one, rows.get(), 0, &error),
            ROPEWALK_OK);
  ropewalk_angle_table_destroy(again);
}

}  // namespace
}  // namespace ropewalk::test
