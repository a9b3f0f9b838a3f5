// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Null where a cache, positions or slots must be given, and where null means
// something.
#include "c_api/arguments_case.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

TEST_F(CArgumentsTest, NullIsRefusedByCaches) {
  const auto* const r = a_.rows.get();
  const auto* const t = a_.table.get();
  const auto* const l = &a_.layout;
  const auto* const k = &a_.k_cache;
  const auto* const s = &a_.slots;
  const auto without = [&](auto member, ropewalk_error* e) {
    ropewalk_cache_write changed = a_.write;
    changed.*member = nullptr;
    return ropewalk_rotate_into_cache(r, &changed, s, nullptr, e);
  };
  ROPEWALK_REFUSES("write",
                   ropewalk_rotate_into_cache(r, nullptr, s, nullptr, e));
  ROPEWALK_REFUSES(
      "slots", ropewalk_rotate_into_cache(r, &a_.write, nullptr, nullptr, e));
  ROPEWALK_REFUSES("q_layout", without(&ropewalk_cache_write::q_layout, e));
  ROPEWALK_REFUSES("k_layout", without(&ropewalk_cache_write::k_layout, e));
  ROPEWALK_REFUSES("k_cache", without(&ropewalk_cache_write::k_cache, e));
  ROPEWALK_REFUSES("v_cache", without(&ropewalk_cache_write::v_cache, e));
  // Without rows nothing can turn.
  ROPEWALK_REFUSES(
      "rows", ropewalk_rotate_into_cache(nullptr, &a_.write, s, nullptr, e));
  ROPEWALK_REFUSES("rows", ropewalk_shift_cache(nullptr, l, k, s, nullptr, e));
  ROPEWALK_REFUSES("layout",
                   ropewalk_shift_cache(r, nullptr, k, s, nullptr, e));
  ROPEWALK_REFUSES("k_cache",
                   ropewalk_shift_cache(r, l, nullptr, s, nullptr, e));
  ROPEWALK_REFUSES("slots", ropewalk_shift_cache(r, l, k, nullptr, nullptr, e));
  ROPEWALK_REFUSES("rows", ropewalk_move_cache(nullptr, l, k, s,
                                               &a_.other_slots, nullptr, e));
  ROPEWALK_REFUSES("layout",
                   ropewalk_move_cache(r, nullptr, k, s, s, nullptr, e));
  ROPEWALK_REFUSES("k_cache",
                   ropewalk_move_cache(r, l, nullptr, s, s, nullptr, e));
  ROPEWALK_REFUSES("from",
                   ropewalk_move_cache(r, l, k, nullptr, s, nullptr, e));
  ROPEWALK_REFUSES("to", ropewalk_move_cache(r, l, k, s, nullptr, nullptr, e));
  ROPEWALK_REFUSES("rows", ropewalk_rerotate(nullptr, l, k, s, nullptr, e));
  ROPEWALK_REFUSES("layout", ropewalk_rerotate(r, nullptr, k, s, nullptr, e));
  ROPEWALK_REFUSES("k_cache", ropewalk_rerotate(r, l, nullptr, s, nullptr, e));
  ROPEWALK_REFUSES("slots", ropewalk_rerotate(r, l, k, nullptr, nullptr, e));
  ROPEWALK_REFUSES("from", ropewalk_rerotate_tables(nullptr, t, l, k, s,
                                                    &a_.positions, nullptr, e));
  ROPEWALK_REFUSES("to", ropewalk_rerotate_tables(t, nullptr, l, k, s,
                                                  &a_.positions, nullptr, e));
  ROPEWALK_REFUSES(
      "layout",
      ropewalk_rerotate_tables(t, t, nullptr, k, s, &a_.positions, nullptr, e));
  ROPEWALK_REFUSES(
      "k_cache",
      ropewalk_rerotate_tables(t, t, l, nullptr, s, &a_.positions, nullptr, e));
  ROPEWALK_REFUSES(
      "slots",
      ropewalk_rerotate_tables(t, t, l, k, nullptr, &a_.positions, nullptr, e));
  ROPEWALK_REFUSES("positions", ropewalk_rerotate_tables(t, t, l, k, s, nullptr,
                                                         nullptr, e));
  ROPEWALK_REFUSES("table", ropewalk_can_shift(nullptr, l, k, 1, e));
  ROPEWALK_REFUSES("layout", ropewalk_can_shift(t, nullptr, k, 1, e));
  ROPEWALK_REFUSES("k_cache", ropewalk_can_shift(t, l, nullptr, 1, e));
}

TEST_F(CArgumentsTest, NullIsRefusedByPositions) {
  ropewalk_multimodal_positions* made = nullptr;
  auto* const m = a_.multimodal.get();
  ROPEWALK_REFUSES("positions", ropewalk_write_query_scale(
                                    nullptr, &a_.query_scale, a_.factors, e));
  ROPEWALK_REFUSES("scale", ropewalk_write_query_scale(&a_.positions, nullptr,
                                                       a_.factors, e));
  ROPEWALK_REFUSES("scale", ropewalk_write_query_scale(
                                &a_.positions, &a_.query_scale, nullptr, e));
  ROPEWALK_REFUSES("positions", ropewalk_dual_chunk_positions(
                                    nullptr, &a_.chunk, &a_.chunk_ids, e));
  ROPEWALK_REFUSES("chunk", ropewalk_dual_chunk_positions(
                                &a_.positions, nullptr, &a_.chunk_ids, e));
  ROPEWALK_REFUSES("ids", ropewalk_dual_chunk_positions(&a_.positions,
                                                        &a_.chunk, nullptr, e));
  ROPEWALK_REFUSES("grid",
                   ropewalk_append_grid_positions(nullptr, &a_.grid_buffer, e));
  ROPEWALK_REFUSES("buffer",
                   ropewalk_append_grid_positions(&a_.grid, nullptr, e));
  ROPEWALK_REFUSES("rules",
                   ropewalk_multimodal_positions_create(nullptr, &made, e));
  ROPEWALK_REFUSES("positions",
                   ropewalk_multimodal_positions_create(&a_.rules, nullptr, e));
  ROPEWALK_REFUSES("from",
                   ropewalk_multimodal_positions_copy(nullptr, &made, e));
  ROPEWALK_REFUSES("positions",
                   ropewalk_multimodal_positions_copy(m, nullptr, e));
  ROPEWALK_REFUSES("positions",
                   ropewalk_append_text(nullptr, 1, &a_.text_buffer, e));
  ROPEWALK_REFUSES("positions", ropewalk_append_vision(nullptr, &a_.span,
                                                       &a_.text_buffer, e));
  ROPEWALK_REFUSES("span",
                   ropewalk_append_vision(m, nullptr, &a_.text_buffer, e));
  ROPEWALK_REFUSES("positions", ropewalk_begin_vision(nullptr, &a_.span, e));
  ROPEWALK_REFUSES("span", ropewalk_begin_vision(m, nullptr, e));
  ROPEWALK_REFUSES("positions",
                   ropewalk_continue_vision(nullptr, 1, &a_.text_buffer, e));
}

TEST_F(CArgumentsTest, NullMeansWhatIsDocumented) {
  // Options, parallel: the defaults.
  ropewalk_angle_table* table = nullptr;
  EXPECT_EQ(ropewalk_angle_table_build(a_.frequencies.get(), nullptr, nullptr,
                                       &table, nullptr),
            ROPEWALK_OK);
  ropewalk_angle_options options = ROPEWALK_ANGLE_OPTIONS_INIT;
  EXPECT_EQ(ropewalk_angle_table_get_options(table, &options, nullptr),
            ROPEWALK_OK);
  EXPECT_EQ(options.kind, ROPEWALK_FACTORED_TABLE);
  ropewalk_angle_table_destroy(table);
  // Options of a rotation: forward, without a transform.
  Arguments other;
  other.rotate_options.parallel = nullptr;
  other.rotate_options.transform = nullptr;
  EXPECT_EQ(
      ropewalk_rotate(a_.rows.get(), &a_.layout, a_.heads, 2, nullptr, nullptr),
      ROPEWALK_OK);
  EXPECT_EQ(ropewalk_rotate(other.rows.get(), &other.layout, other.heads, 2,
                            &other.rotate_options, nullptr),
            ROPEWALK_OK);
  EXPECT_EQ(a_.Memory(), other.Memory());
  // A norm: none.
  a_.transform.norm = nullptr;
  a_.transform.scale = 2;
  other.norm.size = 0;
  other.transform.scale = 2;
  other.rotate_options.transform = &other.transform;
  EXPECT_EQ(ropewalk_rotate(a_.rows.get(), &a_.layout, a_.heads, 2,
                            &a_.rotate_options, nullptr),
            ROPEWALK_OK);
  EXPECT_EQ(ropewalk_rotate(other.rows.get(), &other.layout, other.heads, 2,
                            &other.rotate_options, nullptr),
            ROPEWALK_OK);
  EXPECT_EQ(a_.Memory(), other.Memory());
  // Sections, tensors, axes: a list without entries.
  EXPECT_EQ(ropewalk_write_axes(0, nullptr, 0, nullptr, 0, nullptr),
            ROPEWALK_OK);
  EXPECT_EQ(
      ropewalk_rotate(a_.rows.get(), &a_.layout, nullptr, 0, nullptr, nullptr),
      ROPEWALK_OK);
}

TEST(CNullTest, AccessorsAnswerForNull) {
  EXPECT_EQ(ropewalk_frequencies_pairs(nullptr), 0);
  EXPECT_EQ(ropewalk_frequencies_inv_freq(nullptr), nullptr);
  EXPECT_EQ(ropewalk_frequencies_axis(nullptr), nullptr);
  EXPECT_EQ(ropewalk_frequencies_attention_factor(nullptr), 1);
  EXPECT_EQ(ropewalk_frequencies_softmax_multiplier(nullptr), 1);
  EXPECT_EQ(ropewalk_frequencies_length_dependent(nullptr), 0);
  EXPECT_EQ(ropewalk_frequencies_checksum(nullptr), 0u);
  EXPECT_EQ(ropewalk_original_positions(nullptr), 0);
  EXPECT_EQ(ropewalk_angle_rows_count(nullptr), 0);
  EXPECT_EQ(ropewalk_angle_rows_pairs(nullptr), 0);
  EXPECT_EQ(ropewalk_angle_rows_heads(nullptr), 0);
  EXPECT_EQ(ropewalk_angle_rows_cos(nullptr, 0, 0), nullptr);
  EXPECT_EQ(ropewalk_angle_rows_sin(nullptr, 0, 0), nullptr);
  EXPECT_EQ(ropewalk_angle_rows_identity(nullptr, 0, 0), 0);
  EXPECT_EQ(ropewalk_angle_rows_attention_factor(nullptr, 0), 1);
  EXPECT_EQ(ropewalk_angle_table_bytes(nullptr), 0u);
  EXPECT_EQ(ropewalk_vision_tokens_left(nullptr), 0);
  EXPECT_EQ(ropewalk_multimodal_tokens(nullptr), 0);
  EXPECT_EQ(ropewalk_multimodal_next_position(nullptr), 0);
  EXPECT_EQ(ropewalk_multimodal_decode_delta(nullptr), 0);
  ropewalk_frequencies_destroy(nullptr);
  ropewalk_angle_rows_destroy(nullptr);
  ropewalk_angle_table_destroy(nullptr);
  ropewalk_angle_cache_destroy(nullptr);
  ropewalk_multimodal_positions_destroy(nullptr);
}

}  // namespace
}  // namespace ropewalk::test
