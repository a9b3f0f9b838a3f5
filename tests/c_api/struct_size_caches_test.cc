// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Structs of other versions in the calls of caches and positions, and those
// that calls write.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "c_api/struct_size_case.h"
#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

TEST_F(StructSizeTest, OfCaches) {
  Arguments& a = good_;
  const auto write = [&](const ropewalk_cache_write* given,
                         const ropewalk_slots* slots, ropewalk_error* error) {
    return ropewalk_rotate_into_cache(a.rows.get(), given, slots, nullptr,
                                      error);
  };
  ExpectRead<ropewalk_cache_write>(
      "write", a.write,
      [&](auto* given, auto* error) { return write(given, &a.slots, error); });
  ExpectRead<ropewalk_slots>("slots", a.slots, [&](auto* given, auto* error) {
    return write(&a.write, given, error);
  });
  const auto expect = [&](const char* name, const auto& good, auto member) {
    using T = std::decay_t<decltype(good)>;
    ExpectRead<T>(name, good, [&](const T* given, ropewalk_error* error) {
      ropewalk_cache_write changed = a.write;
      changed.*member = given;
      return write(&changed, &a.slots, error);
    });
  };
  expect("q", a.heads[0], &ropewalk_cache_write::q);
  expect("q_layout", a.layout, &ropewalk_cache_write::q_layout);
  expect("q_transform", a.transform, &ropewalk_cache_write::q_transform);
  expect("k", a.const_heads, &ropewalk_cache_write::k);
  expect("k_layout", a.layout, &ropewalk_cache_write::k_layout);
  expect("k_transform", a.transform, &ropewalk_cache_write::k_transform);
  expect("k_cache", a.k_cache, &ropewalk_cache_write::k_cache);
  expect("v", a.const_values, &ropewalk_cache_write::v);
  expect("v_cache", a.v_cache, &ropewalk_cache_write::v_cache);
  ExpectRead<ropewalk_slots>("from", a.slots, [&](auto* given, auto* error) {
    return ropewalk_move_cache(a.rows.get(), &a.layout, &a.k_cache, given,
                               &a.other_slots, nullptr, error);
  });
  ExpectRead<ropewalk_slots>(
      "to", a.other_slots, [&](auto* given, auto* error) {
        return ropewalk_move_cache(a.rows.get(), &a.layout, &a.k_cache,
                                   &a.slots, given, nullptr, error);
      });
  ExpectRead<ropewalk_kv_cache>(
      "k_cache", a.k_cache, [&](auto* given, auto* error) {
        return ropewalk_shift_cache(a.rows.get(), &a.layout, given, &a.slots,
                                    nullptr, error);
      });
  ExpectReadInPlace<ropewalk_kv_cache>(
      "nhd", a.k_cache, [](auto* given, auto* error) {
        return ropewalk_nhd_cache(given, error);
      });
  ExpectReadInPlace<ropewalk_kv_cache>(
      "hnd", a.k_cache, [](auto* given, auto* error) {
        return ropewalk_hnd_cache(given, error);
      });
}

TEST_F(StructSizeTest, OfPositions) {
  Arguments& a = good_;
  ExpectRead<ropewalk_query_scale>("scale", a.query_scale,
                                   [&](auto* given, auto* error) {
                                     return ropewalk_write_query_scale(
                                         &a.positions, given, a.factors, error);
                                   });
  ExpectRead<ropewalk_dual_chunk>(
      "chunk", a.chunk, [&](auto* given, auto* error) {
        return ropewalk_dual_chunk_positions(&a.positions, given, &a.chunk_ids,
                                             error);
      });
  ExpectRead<ropewalk_dual_chunk_ids>(
      "ids", a.chunk_ids, [&](auto* given, auto* error) {
        return ropewalk_dual_chunk_positions(&a.positions, &a.chunk, given,
                                             error);
      });
  ExpectRead<ropewalk_patch_grid>(
      "grid", a.grid, [&](auto* given, auto* error) {
        return ropewalk_append_grid_positions(given, &a.grid_buffer, error);
      });
  ExpectReadInPlace<ropewalk_position_buffer>(
      "buffer", a.grid_buffer, [&](auto* given, auto* error) {
        return ropewalk_append_grid_positions(&a.grid, given, error);
      });
  ExpectReadInPlace<ropewalk_position_buffer>(
      "buffer", a.text_buffer, [&](auto* given, auto* error) {
        return ropewalk_append_text(a.multimodal.get(), 1, given, error);
      });
  ExpectRead<ropewalk_multimodal_rules>(
      "rules", a.rules, [&](auto* given, auto* error) {
        ropewalk_multimodal_positions* made = nullptr;
        const ropewalk_status code =
            ropewalk_multimodal_positions_create(given, &made, error);
        EXPECT_EQ(made != nullptr, code == ROPEWALK_OK);
        ropewalk_multimodal_positions_destroy(made);
        return code;
      });
  ExpectRead<ropewalk_vision_span>(
      "span", a.span, [&](auto* given, auto* error) {
        return ropewalk_append_vision(a.multimodal.get(), given, &a.text_buffer,
                                      error);
      });
}

TEST_F(StructSizeTest, OfResults) {
  Arguments& a = good_;
  const ropewalk_angle_cache_stats stats = ROPEWALK_ANGLE_CACHE_STATS_INIT;
  ExpectWritten<ropewalk_angle_cache_stats>(
      "stats", stats, [&](auto* out, auto* error) {
        return ropewalk_angle_cache_get_stats(a.cache.get(), out, error);
      });
  const ropewalk_angle_options options = ROPEWALK_ANGLE_OPTIONS_INIT;
  ExpectWritten<ropewalk_angle_options>(
      "options", options, [&](auto* out, auto* error) {
        return ropewalk_angle_table_get_options(a.table.get(), out, error);
      });
  const ropewalk_bands bands = ROPEWALK_BANDS_INIT;
  ExpectWritten<ropewalk_bands>("bands", bands, [&](auto* out, auto* error) {
    return ropewalk_compute_bands(&a.parameters, 99, 0, out, nullptr, 0, error);
  });
  ropewalk_rope_parameters one_pair = a.parameters;
  one_pair.rotary_dim = 2;
  const ropewalk_pair_band pair = ROPEWALK_PAIR_BAND_INIT;
  ExpectWritten<ropewalk_pair_band>("pair", pair, [&](auto* out, auto* error) {
    return ropewalk_compute_bands(&one_pair, 99, 0, nullptr, out, 1, error);
  });
  const ropewalk_rotary_layout layout = ROPEWALK_ROTARY_LAYOUT_INIT;
  ExpectWritten<ropewalk_rotary_layout>(
      "layout", layout, [&](auto* out, auto* error) {
        return ropewalk_axial_layout(16, 2, ROPEWALK_HALF, out, error);
      });
  ExpectWritten<ropewalk_rotary_layout>(
      "layouts", layout, [&](auto* out, auto* error) {
        return ropewalk_axial_part_layouts(16, 1, out, error);
      });
}

TEST_F(StructSizeTest, OfArraysOfResults) {
  const ropewalk_rotary_layout init = ROPEWALK_ROTARY_LAYOUT_INIT;
  ropewalk_rotary_layout want[3] = {init, init, init};
  ASSERT_EQ(ropewalk_axial_part_layouts(24, 3, want, nullptr), ROPEWALK_OK);
  const ropewalk_rotary_layout empty[3] = {init, init, init};
  Resized<ropewalk_rotary_layout> newer(empty, 3, sizeof(init) + kTail);
  ASSERT_EQ(ropewalk_axial_part_layouts(24, 3, newer.get(), nullptr),
            ROPEWALK_OK);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(Same(newer.Get(i), want[i]));
  }
  const ropewalk_pair_band band = ROPEWALK_PAIR_BAND_INIT;
  const ropewalk_pair_band bands[4] = {band, band, band, band};
  ropewalk_pair_band want_bands[4] = {band, band, band, band};
  Resized<ropewalk_pair_band> newer_bands(bands, 4, sizeof(band) + 8);
  ASSERT_EQ(ropewalk_compute_bands(&good_.parameters, 99, 0, nullptr,
                                   want_bands, 4, nullptr),
            ROPEWALK_OK);
  ASSERT_EQ(ropewalk_compute_bands(&good_.parameters, 99, 0, nullptr,
                                   newer_bands.get(), 4, nullptr),
            ROPEWALK_OK);
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(Same(newer_bands.Get(i), want_bands[i]));
  }
}

}  // namespace
}  // namespace ropewalk::test
