// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Null where a table, rows, layout or tensor must be given.
#include "c_api/arguments_case.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

TEST_F(CArgumentsTest, NullIsRefusedByTablesAndRows) {
  ropewalk_angle_table* table = nullptr;
  ropewalk_frequencies* frequencies = nullptr;
  ropewalk_angle_cache_stats stats = ROPEWALK_ANGLE_CACHE_STATS_INIT;
  ropewalk_angle_options options = ROPEWALK_ANGLE_OPTIONS_INIT;
  const auto* const t = a_.table.get();
  auto* const r = a_.rows.get();
  const auto* const p = &a_.positions;
  ROPEWALK_REFUSES("frequencies",
                   ropewalk_compute_frequencies(&a_.parameters, 0, nullptr, e));
  ROPEWALK_REFUSES("parameters",
                   ropewalk_compute_frequencies(nullptr, 0, &frequencies, e));
  ROPEWALK_REFUSES("parameters", ropewalk_compute_bands(nullptr, 9, 0, nullptr,
                                                        nullptr, 0, e));
  ROPEWALK_REFUSES("table",
                   ropewalk_angle_table_build(a_.frequencies.get(), nullptr,
                                              nullptr, nullptr, e));
  ROPEWALK_REFUSES("frequencies", ropewalk_angle_table_build(
                                      nullptr, nullptr, nullptr, &table, e));
  ROPEWALK_REFUSES("table", ropewalk_angle_table_fill(nullptr, p, r, 0, e));
  ROPEWALK_REFUSES("positions", ropewalk_angle_table_fill(t, nullptr, r, 0, e));
  ROPEWALK_REFUSES("rows", ropewalk_angle_table_fill(t, p, nullptr, 0, e));
  ROPEWALK_REFUSES("table",
                   ropewalk_angle_table_fill_rotation(nullptr, p, r, 0, e));
  ROPEWALK_REFUSES("deltas",
                   ropewalk_angle_table_fill_rotation(t, nullptr, r, 0, e));
  ROPEWALK_REFUSES("rows",
                   ropewalk_angle_table_fill_rotation(t, p, nullptr, 0, e));
  ROPEWALK_REFUSES("table",
                   ropewalk_angle_table_fill_rerotation(nullptr, t, p, r, e));
  ROPEWALK_REFUSES("from",
                   ropewalk_angle_table_fill_rerotation(t, nullptr, p, r, e));
  ROPEWALK_REFUSES("positions",
                   ropewalk_angle_table_fill_rerotation(t, t, nullptr, r, e));
  ROPEWALK_REFUSES("rows",
                   ropewalk_angle_table_fill_rerotation(t, t, p, nullptr, e));
  ROPEWALK_REFUSES("table", ropewalk_angle_table_export(
                                nullptr, 0, 2, &a_.host_table, nullptr, e));
  ROPEWALK_REFUSES("out",
                   ropewalk_angle_table_export(t, 0, 2, nullptr, nullptr, e));
  ROPEWALK_REFUSES("table",
                   ropewalk_angle_table_frequencies(nullptr, &frequencies, e));
  ROPEWALK_REFUSES("frequencies",
                   ropewalk_angle_table_frequencies(t, nullptr, e));
  ROPEWALK_REFUSES("table",
                   ropewalk_angle_table_get_options(nullptr, &options, e));
  ROPEWALK_REFUSES("options", ropewalk_angle_table_get_options(t, nullptr, e));
  ROPEWALK_REFUSES("cache", ropewalk_angle_cache_create(0, nullptr, e));
  ROPEWALK_REFUSES("cache", ropewalk_angle_cache_get(nullptr, &a_.parameters, 0,
                                                     nullptr, &table, e));
  ROPEWALK_REFUSES(
      "parameters",
      ropewalk_angle_cache_get(a_.cache.get(), nullptr, 0, nullptr, &table, e));
  ROPEWALK_REFUSES("table",
                   ropewalk_angle_cache_get(a_.cache.get(), &a_.parameters, 0,
                                            nullptr, nullptr, e));
  ROPEWALK_REFUSES("cache",
                   ropewalk_angle_cache_get_frequencies(
                       nullptr, a_.frequencies.get(), nullptr, &table, e));
  ROPEWALK_REFUSES("frequencies",
                   ropewalk_angle_cache_get_frequencies(a_.cache.get(), nullptr,
                                                        nullptr, &table, e));
  ROPEWALK_REFUSES(
      "table", ropewalk_angle_cache_get_frequencies(
                   a_.cache.get(), a_.frequencies.get(), nullptr, nullptr, e));
  ROPEWALK_REFUSES("cache", ropewalk_angle_cache_get_stats(nullptr, &stats, e));
  ROPEWALK_REFUSES("stats",
                   ropewalk_angle_cache_get_stats(a_.cache.get(), nullptr, e));
  ROPEWALK_REFUSES("rows", ropewalk_angle_rows_create(nullptr, e));
  ROPEWALK_REFUSES("rows", ropewalk_angle_rows_reserve(nullptr, 1, 1, 1, e));
  ROPEWALK_REFUSES("rows",
                   ropewalk_angle_rows_wrap(nullptr, &a_.host_table, e));
  ROPEWALK_REFUSES("table", ropewalk_angle_rows_wrap(r, nullptr, e));
  ROPEWALK_REFUSES("rows",
                   ropewalk_angle_rows_gather(nullptr, &a_.host_table, p, e));
  ROPEWALK_REFUSES("table", ropewalk_angle_rows_gather(r, nullptr, p, e));
  ROPEWALK_REFUSES("positions",
                   ropewalk_angle_rows_gather(r, &a_.host_table, nullptr, e));
}

TEST_F(CArgumentsTest, NullIsRefusedByAxesAndEncoders) {
  const int32_t sections[] = {1, 1, 2};
  const uint8_t components[] = {0, 1};
  uint8_t axis[4];
  ropewalk_frequencies* made = nullptr;
  ropewalk_rotary_layout layout = ROPEWALK_ROTARY_LAYOUT_INIT;
  ROPEWALK_REFUSES("sections", ropewalk_write_axes(0, nullptr, 3, axis, 4, e));
  ROPEWALK_REFUSES("sections",
                   ropewalk_write_axes(0, sections, -1, axis, 4, e));
  ROPEWALK_REFUSES("axis", ropewalk_write_axes(0, sections, 3, nullptr, 4, e));
  ROPEWALK_REFUSES("components",
                   ropewalk_axial_frequencies(16, nullptr, 2, 1e4, &made, e));
  ROPEWALK_REFUSES("frequencies", ropewalk_axial_frequencies(16, components, 2,
                                                             1e4, nullptr, e));
  ROPEWALK_REFUSES("frequencies",
                   ropewalk_chatglm_frequencies(16, 1e4, nullptr, e));
  ROPEWALK_REFUSES("frequencies",
                   ropewalk_pixtral_frequencies(16, 1e4, nullptr, e));
  ROPEWALK_REFUSES("sections", ropewalk_ggml_vision_frequencies(8, nullptr, 4,
                                                                1e4, &made, e));
  ROPEWALK_REFUSES("frequencies", ropewalk_ggml_vision_frequencies(
                                      8, sections, 3, 1e4, nullptr, e));
  ROPEWALK_REFUSES("layout", ropewalk_axial_layout(16, 2, 0, nullptr, e));
  ROPEWALK_REFUSES("layouts", ropewalk_axial_part_layouts(16, 2, nullptr, e));
  ROPEWALK_REFUSES("name", ropewalk_force_target(nullptr, e));
  ExpectEnum("rule", 6, [&](int32_t value, auto* e) {
    return ropewalk_write_axes(value, sections, 3, axis, 4, e);
  });
  ExpectEnum("pairing", 3, false, [&](int32_t value, auto* e) {
    return ropewalk_axial_layout(16, 2, value, &layout, e);
  });
}

TEST_F(CArgumentsTest, NullIsRefusedByRotations) {
  const auto* const r = a_.rows.get();
  const auto* const l = &a_.layout;
  ROPEWALK_REFUSES("rows",
                   ropewalk_rotate(nullptr, l, a_.heads, 2, nullptr, e));
  ROPEWALK_REFUSES("layout",
                   ropewalk_rotate(r, nullptr, a_.heads, 2, nullptr, e));
  ROPEWALK_REFUSES("tensors", ropewalk_rotate(r, l, nullptr, 2, nullptr, e));
  ROPEWALK_REFUSES("tensors", ropewalk_rotate(r, l, nullptr, 3, nullptr, e));
  ROPEWALK_REFUSES("tensors", ropewalk_rotate(r, l, nullptr, 9, nullptr, e));
  ROPEWALK_REFUSES("rows", ropewalk_rotate_to(nullptr, l, &a_.const_heads,
                                              a_.heads, nullptr, e));
  ROPEWALK_REFUSES("layout", ropewalk_rotate_to(r, nullptr, &a_.const_heads,
                                                a_.heads, nullptr, e));
  ROPEWALK_REFUSES("in",
                   ropewalk_rotate_to(r, l, nullptr, a_.heads, nullptr, e));
  ROPEWALK_REFUSES(
      "out", ropewalk_rotate_to(r, l, &a_.const_heads, nullptr, nullptr, e));
  ROPEWALK_REFUSES("projection", ropewalk_permute_pairing(
                                     nullptr, l, ROPEWALK_HALF, nullptr, e));
  ROPEWALK_REFUSES(
      "layout", ropewalk_permute_pairing(&a_.projection, nullptr, ROPEWALK_HALF,
                                         nullptr, e));
  ROPEWALK_REFUSES("heads", ropewalk_dense_heads(nullptr, 8, e));
  ROPEWALK_REFUSES("heads", ropewalk_dense_const_heads(nullptr, 8, e));
  ROPEWALK_REFUSES("cache", ropewalk_nhd_cache(nullptr, e));
  ROPEWALK_REFUSES("cache", ropewalk_hnd_cache(nullptr, e));
}

}  // namespace
}  // namespace ropewalk::test
