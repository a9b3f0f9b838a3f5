// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls that read or write a caller's lists, which lie flush against a page
// that must not be touched, on either side.
#include <cstdint>
#include <cstring>
#include <vector>

#include "c_api/c_call.h"
#include "support/guarded_buffer.h"

namespace ropewalk::test {
namespace {

constexpr GuardSide kSides[] = {GuardSide::kBegin, GuardSide::kEnd};
constexpr int64_t kTokens = 5;

// A list that may be read, and not written.
template <class T>
class ReadOnly {
 public:
  ReadOnly(const std::vector<T>& values, GuardSide side)
      : buffer_(values.size() * sizeof(T), side) {
    std::memcpy(buffer_.data(), values.data(), buffer_.size());
    buffer_.MakeReadOnly();
  }
  const T* data() const { return reinterpret_cast<const T*>(buffer_.data()); }

 private:
  GuardedBuffer buffer_;
};

// A list that is written, and nothing beside it.
template <class T>
class Written {
 public:
  Written(int64_t count, GuardSide side)
      : buffer_(static_cast<size_t>(count) * sizeof(T), side) {}
  T* data() { return reinterpret_cast<T*>(buffer_.data()); }
  bool intact() const { return buffer_.CanariesIntact(); }

 private:
  GuardedBuffer buffer_;
};

TEST(CGuardPagesTest, QueryScalesAndDualChunks) {
  for (const GuardSide side : kSides) {
    const ReadOnly<int64_t> ids({3, 0, 9000, 17, 5}, side);
    ropewalk_positions positions = ROPEWALK_POSITIONS_INIT;
    positions.kind = ROPEWALK_POSITIONS_INT64;
    positions.ids = ids.data();
    positions.count = kTokens;
    Written<float> factors(kTokens, side);
    ropewalk_query_scale scale = ROPEWALK_QUERY_SCALE_INIT;
    scale.positions = 8;
    for (scale.rule = 0; scale.rule <= ROPEWALK_MISTRAL3_SCALE; ++scale.rule) {
      EXPECT_EQ(ropewalk_write_query_scale(&positions, &scale, factors.data(),
                                           nullptr),
                ROPEWALK_OK);
      EXPECT_TRUE(factors.intact());
    }
    ropewalk_dual_chunk chunk = ROPEWALK_DUAL_CHUNK_INIT;
    chunk.chunk_size = 16;
    Written<int64_t> key(kTokens, side), inter(kTokens, side);
    ropewalk_dual_chunk_ids out = ROPEWALK_DUAL_CHUNK_IDS_INIT;
    out.key = key.data();
    out.query_inter_critical = inter.data();
    EXPECT_EQ(ropewalk_dual_chunk_positions(&positions, &chunk, &out, nullptr),
              ROPEWALK_OK);
    EXPECT_TRUE(key.intact() && inter.intact());
    EXPECT_EQ(key.data()[4], 5);
  }
}

TEST(CGuardPagesTest, AxesBandsAndLayouts) {
  for (const GuardSide side : kSides) {
    const ReadOnly<int32_t> sections({2, 2, 4}, side);
    Written<uint8_t> axis(8, side);
    for (const int32_t rule : {ROPEWALK_CONTIGUOUS_AXES, ROPEWALK_ERNIE_AXES}) {
      EXPECT_EQ(ropewalk_write_axes(rule, sections.data(), 3, axis.data(), 8,
                                    nullptr),
                ROPEWALK_OK);
      EXPECT_TRUE(axis.intact());
    }
    ropewalk_rope_parameters rope = ROPEWALK_ROPE_PARAMETERS_INIT;
    rope.rotary_dim = 16;
    rope.axis = axis.data();
    rope.axis_count = 8;
    Written<ropewalk_pair_band> bands(8, side);
    const ropewalk_pair_band init = ROPEWALK_PAIR_BAND_INIT;
    for (int i = 0; i < 8; ++i) bands.data()[i] = init;
    EXPECT_EQ(ropewalk_compute_bands(&rope, 4096, 0, nullptr, bands.data(), 8,
                                     nullptr),
              ROPEWALK_OK);
    EXPECT_TRUE(bands.intact());
    Written<ropewalk_rotary_layout> layouts(2, side);
    const ropewalk_rotary_layout layout = ROPEWALK_ROTARY_LAYOUT_INIT;
    layouts.data()[0] = layouts.data()[1] = layout;
    EXPECT_EQ(ropewalk_axial_part_layouts(16, 2, layouts.data(), nullptr),
              ROPEWALK_OK);
    EXPECT_TRUE(layouts.intact());
  }
}

TEST(CGuardPagesTest, ListsOfParameters) {
  for (const GuardSide side : kSides) {
    const ReadOnly<double> values({1, 0.5, 0.25, 0.125}, side);
    const ReadOnly<uint8_t> axis({0, 1, 2, 0}, side);
    ropewalk_double_list list = ROPEWALK_DOUBLE_LIST_INIT;
    list.values = values.data();
    list.count = 4;
    ropewalk_rope_parameters rope = ROPEWALK_ROPE_PARAMETERS_INIT;
    rope.rotary_dim = 8;
    rope.axis = axis.data();
    rope.axis_count = 4;
    rope.scaling = &list;
    for (rope.scheme = ROPEWALK_FREQUENCY_FACTORS;
         rope.scheme <= ROPEWALK_EXPLICIT; rope.scheme += 2) {
      EXPECT_EQ(ropewalk_frequencies_pairs(FrequenciesOf(rope).get()), 4);
    }
    const ReadOnly<float> factors({1, 2, 3, 4}, side);
    ropewalk_ggml_scaling ggml = ROPEWALK_GGML_SCALING_INIT;
    ggml.freq_factors = factors.data();
    ggml.freq_factor_count = 4;
    rope.scheme = ROPEWALK_GGML;
    rope.scaling = &ggml;
    EXPECT_EQ(ropewalk_frequencies_pairs(FrequenciesOf(rope).get()), 4);
  }
}

TEST(CGuardPagesTest, Prompts) {
  for (const GuardSide side : kSides) {
    ropewalk_position_buffer buffer = ROPEWALK_POSITION_BUFFER_INIT;
    const ropewalk_multimodal_rules rules = ROPEWALK_MULTIMODAL_RULES_INIT;
    ropewalk_multimodal_positions* made = nullptr;
    ASSERT_EQ(ropewalk_multimodal_positions_create(&rules, &made, nullptr),
              ROPEWALK_OK);
    const CMultimodal prompt(made);
    ropewalk_vision_span span = ROPEWALK_VISION_SPAN_INIT;
    span.h = span.w = 4;
    Written<int64_t> ids(3 * (kTokens + 4), side);
    buffer.ids = ids.data();
    buffer.capacity = kTokens + 4;
    EXPECT_EQ(ropewalk_append_text(made, kTokens, &buffer, nullptr),
              ROPEWALK_OK);
    EXPECT_EQ(ropewalk_append_vision(made, &span, &buffer, nullptr),
              ROPEWALK_OK);
    EXPECT_EQ(buffer.count, buffer.capacity);
    EXPECT_TRUE(ids.intact());
    ropewalk_patch_grid grid = ROPEWALK_PATCH_GRID_INIT;
    grid.height = grid.width = 2;
    Written<int64_t> grid_ids(2 * 4, side);
    buffer.components = 2;
    buffer.ids = grid_ids.data();
    buffer.capacity = 4;
    buffer.count = 0;
    EXPECT_EQ(ropewalk_append_grid_positions(&grid, &buffer, nullptr),
              ROPEWALK_OK);
    EXPECT_TRUE(grid_ids.intact());
  }
}

TEST(CGuardPagesTest, TablesOfTheHost) {
  ropewalk_rope_parameters rope = ROPEWALK_ROPE_PARAMETERS_INIT;
  rope.rotary_dim = 6;
  const CTable table = TableOf(FrequenciesOf(rope).get());
  for (const GuardSide side : kSides) {
    for (const ropewalk_data_type type :
         {ROPEWALK_F32, ROPEWALK_BF16, ROPEWALK_F16}) {
      const int64_t element = type == ROPEWALK_F32 ? 4 : 2;
      // [4 rows, cos | sin, 3 pairs]
      Written<uint8_t> memory(4 * 2 * 3 * element, side);
      ropewalk_cos_sin view = ROPEWALK_COS_SIN_INIT;
      view.type = type;
      view.cos = memory.data();
      view.sin = memory.data() + 3 * element;
      view.rows = 4;
      view.pairs = 3;
      view.pair_stride = element;
      view.row_stride = 6 * element;
      EXPECT_EQ(ropewalk_angle_table_export(table.get(), 0, 4, &view, nullptr,
                                            nullptr),
                ROPEWALK_OK);
      EXPECT_TRUE(memory.intact());
      const ReadOnly<int32_t> ids({3, 0, 3}, side);
      ropewalk_positions positions = ROPEWALK_POSITIONS_INIT;
      positions.kind = ROPEWALK_POSITIONS_INT32;
      positions.ids = ids.data();
      positions.count = 3;
      const CRows rows = MakeRows();
      EXPECT_EQ(
          ropewalk_angle_rows_gather(rows.get(), &view, &positions, nullptr),
          ROPEWALK_OK);
      EXPECT_EQ(ropewalk_angle_rows_wrap(rows.get(), &view, nullptr),
                ROPEWALK_OK);
      EXPECT_EQ(ropewalk_angle_rows_cos(rows.get(), 0, 0)[0], 1);
      EXPECT_TRUE(memory.intact());
    }
  }
}

}  // namespace
}  // namespace ropewalk::test
