// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "c_api/same_model.h"

#include <optional>
#include <string>
#include <vector>

#include "c_api/c_model.h"
#include "c_api/same_parameters.h"
#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

using Names = std::vector<std::string>;

Names NamesOf(const char* const* names, int32_t count) {
  EXPECT_EQ(names == nullptr, count == 0);
  return {names, names + count};
}

void Compare(const ropewalk_rotary_layout* got, const RotaryLayout& want) {
  ASSERT_NE(got, nullptr);
  EXPECT_EQ(got->struct_size, sizeof(*got));
  EXPECT_EQ(got->head_dim, want.head_dim);
  EXPECT_EQ(got->rotary_dim, want.rotary_dim);
  EXPECT_EQ(got->pairing, want.pairing == Pairing::kHalf
                              ? ROPEWALK_HALF
                              : ROPEWALK_INTERLEAVED);
  EXPECT_EQ(got->rotary_offset, want.rotary_offset);
  EXPECT_EQ(got->pair_distance, want.pair_distance);
  EXPECT_EQ(got->first_pair, want.first_pair);
  int32_t output = 0;
  if (want.output_pairing == Pairing::kHalf) output = ROPEWALK_HALF;
  if (want.output_pairing == Pairing::kInterleaved) {
    output = ROPEWALK_INTERLEAVED;
  }
  EXPECT_EQ(got->output_pairing, output);
}

void Compare(const ropewalk_query_scale* got, const QueryScale& want) {
  ASSERT_NE(got, nullptr);
  EXPECT_EQ(got->struct_size, sizeof(*got));
  EXPECT_EQ(got->rule, static_cast<int32_t>(want.rule));
  EXPECT_EQ(got->positions, want.positions);
  EXPECT_EQ(got->beta, want.beta);
}

void Compare(const ropewalk_dual_chunk* got,
             const std::optional<DualChunk>& want) {
  ASSERT_EQ(got != nullptr, want.has_value());
  if (got == nullptr) return;
  EXPECT_EQ(got->struct_size, sizeof(*got));
  EXPECT_EQ(got->chunk_size, want->chunk_size);
  EXPECT_EQ(got->local_size, want->local_size);
}

void Compare(const ropewalk_multimodal_rules* got,
             const std::optional<MultimodalRules>& want) {
  ASSERT_EQ(got != nullptr, want.has_value());
  if (got == nullptr) return;
  EXPECT_EQ(got->struct_size, sizeof(*got));
  EXPECT_EQ(got->video_time, static_cast<int32_t>(want->video_time));
  EXPECT_EQ(got->merge_size, want->merge_size);
  EXPECT_EQ(got->tokens_per_second, want->tokens_per_second);
}

// Of ropewalk_layer_rope and ropewalk_vision_rope.
template <class C>
void ExpectSameKeys(const C& got, const std::vector<ConfigKey>& want) {
  Names paths;
  Names values;
  for (const ConfigKey& key : want) {
    paths.push_back(key.path);
    values.push_back(key.value);
  }
  EXPECT_EQ(NamesOf(got.key_paths, got.key_count), paths);
  EXPECT_EQ(NamesOf(got.key_values, got.key_count), values);
}

void ExpectSameGrid(const ropewalk_model* got, const PatchGrid& want) {
  ropewalk_patch_grid grid = ROPEWALK_PATCH_GRID_INIT;
  ASSERT_EQ(ropewalk_model_patch_grid(got, 12, 8, &grid, nullptr), ROPEWALK_OK);
  EXPECT_EQ(grid.struct_size, sizeof(grid));
  EXPECT_EQ(grid.height, 12);
  EXPECT_EQ(grid.width, 8);
  EXPECT_EQ(grid.merge_size, want.merge_size);
  EXPECT_EQ(grid.first, want.first);
  EXPECT_EQ(grid.class_token, static_cast<int32_t>(want.class_token));
}

void ExpectSameVision(const ropewalk_model* got,
                      const std::optional<VisionRope>& want) {
  ropewalk_vision_rope vision = ROPEWALK_VISION_ROPE_INIT;
  const ropewalk_status status = ropewalk_model_vision(got, &vision, nullptr);
  ASSERT_EQ(status, want ? ROPEWALK_OK : ROPEWALK_OUT_OF_RANGE);
  if (!want) return;
  test::ExpectSame(vision, *want);
  ExpectSameGrid(got, want->grid);
}

void ExpectSameInfo(const ropewalk_model_info& got, const ModelRope& want) {
  EXPECT_EQ(got.struct_size, sizeof(got));
  EXPECT_EQ(got.layer_count, want.layer_count);
  EXPECT_EQ(got.family, want.family);
  EXPECT_EQ(got.max_positions, want.max_positions);
  EXPECT_EQ(got.layer_type_count,
            static_cast<int32_t>(want.layer_types.size()));
  EXPECT_EQ(got.prompt_rule, static_cast<int32_t>(want.prompt_rule));
  Compare(got.multimodal, want.multimodal);
  EXPECT_EQ(got.has_vision, want.vision.has_value() ? 1 : 0);
  EXPECT_EQ(NamesOf(got.warnings, got.warning_count), want.warnings);
}

}  // namespace

void ExpectSame(const ropewalk_layer_rope& got, const LayerRope& want) {
  EXPECT_EQ(got.struct_size, sizeof(got));
  EXPECT_EQ(got.uses_rope, want.uses_rope ? 1 : 0);
  EXPECT_EQ(got.layer_type, want.layer_type);
  ASSERT_NE(got.parameters, nullptr);
  ExpectSame(*got.parameters, want.parameters);
  Compare(got.layout, want.layout);
  Compare(got.key_layout, want.key_layout);
  EXPECT_EQ(got.softmax_multiplier, want.softmax_multiplier);
  EXPECT_EQ(got.original_positions, want.original_positions);
  EXPECT_EQ(ListOf(got.layers, got.layer_count), want.layers);
  EXPECT_EQ(got.mrope_interleaved, want.mrope_interleaved ? 1 : 0);
  EXPECT_EQ(ListOf(got.mrope_section, got.mrope_section_count),
            want.mrope_section);
  EXPECT_EQ(NamesOf(got.components, got.component_count), want.components);
  Compare(got.query_scale, want.query_scale);
  Compare(got.dual_chunk, want.dual_chunk);
  EXPECT_EQ(got.inverse_on_output, want.inverse_on_output ? 1 : 0);
  ExpectSameKeys(got, want.keys);
}

void ExpectSame(const ropewalk_vision_rope& got, const VisionRope& want) {
  EXPECT_EQ(got.struct_size, sizeof(got));
  EXPECT_EQ(got.scheme, static_cast<int32_t>(want.scheme));
  EXPECT_EQ(got.family, want.family);
  EXPECT_EQ(got.head_dim, want.head_dim);
  EXPECT_EQ(got.heads, want.heads);
  EXPECT_EQ(got.base, want.base);
  ASSERT_NE(got.frequencies, nullptr);
  EXPECT_EQ(ropewalk_frequencies_checksum(got.frequencies),
            Checksum(want.frequencies));
  ASSERT_EQ(got.layout_count, static_cast<int32_t>(want.layouts.size()));
  for (int32_t i = 0; i < got.layout_count; ++i) {
    Compare(got.layouts[i], want.layouts[static_cast<size_t>(i)]);
  }
  EXPECT_EQ(ListOf(got.parts, got.part_count), want.parts);
  EXPECT_EQ(NamesOf(got.components, got.component_count), want.components);
  EXPECT_EQ(got.patch_size, want.patch_size);
  ExpectSameKeys(got, want.keys);
}

void ExpectSame(const ropewalk_model* got, const ModelRope& want) {
  ropewalk_model_info info = ROPEWALK_MODEL_INFO_INIT;
  ASSERT_EQ(ropewalk_model_get_info(got, &info, nullptr), ROPEWALK_OK);
  ExpectSameInfo(info, want);
  for (int32_t i = 0; i < info.layer_type_count; ++i) {
    const LayerRope& layer = want.layer_types.at(static_cast<size_t>(i));
    SCOPED_TRACE(layer.layer_type);
    ropewalk_layer_rope by_index = ROPEWALK_LAYER_ROPE_INIT;
    ropewalk_layer_rope by_name = ROPEWALK_LAYER_ROPE_INIT;
    ASSERT_EQ(ropewalk_model_layer_type(got, i, &by_index, nullptr),
              ROPEWALK_OK);
    ASSERT_EQ(ropewalk_model_find_layer_type(got, layer.layer_type.c_str(),
                                             &by_name, nullptr),
              ROPEWALK_OK);
    ExpectSame(by_index, layer);
    ExpectSame(by_name, layer);
  }
  ExpectSameVision(got, want.vision);
}

}  // namespace ropewalk::test
