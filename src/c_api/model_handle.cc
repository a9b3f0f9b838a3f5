// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "c_api/model_handle.h"

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "c_api/list.h"
#include "c_api/read_types.h"

namespace ropewalk::internal {
namespace {

// Lists of int are handed out as they are.
static_assert(std::is_same_v<int, int32_t>);

Names NamesOf(const std::vector<std::string>& strings) {
  Names names;
  names.reserve(strings.size());
  for (const std::string& string : strings) names.push_back(string.c_str());
  return names;
}

std::vector<ropewalk_rotary_layout> LayoutsOf(
    const std::vector<RotaryLayout>& layouts) {
  std::vector<ropewalk_rotary_layout> out;
  out.reserve(layouts.size());
  for (const RotaryLayout& layout : layouts) out.push_back(ToC(layout));
  return out;
}

}  // namespace

KeyNames::KeyNames(const std::vector<ConfigKey>& keys) {
  paths.reserve(keys.size());
  values.reserve(keys.size());
  for (const ConfigKey& key : keys) {
    paths.push_back(key.path.c_str());
    values.push_back(key.value.c_str());
  }
}

LayerDescription::LayerDescription(const LayerRope& from)
    : parameters_(from.parameters),
      layout_(ToC(from.layout)),
      key_layout_(ToC(from.key_layout)),
      components_(NamesOf(from.components)),
      keys_(from.keys) {
  value_.uses_rope = from.uses_rope ? 1 : 0;
  value_.layer_type = from.layer_type.c_str();
  value_.parameters = &parameters_.value();
  value_.layout = &layout_;
  value_.key_layout = &key_layout_;
  value_.softmax_multiplier = from.softmax_multiplier;
  value_.original_positions = from.original_positions;
  value_.layers = DataOf(from.layers);
  value_.layer_count = CountOf(from.layers);
  value_.inverse_on_output = from.inverse_on_output ? 1 : 0;
  value_.key_count = CountOf(from.keys);
  value_.key_paths = DataOf(keys_.paths);
  value_.key_values = DataOf(keys_.values);
  SetPositions(from);
}

void LayerDescription::SetPositions(const LayerRope& from) {
  value_.mrope_interleaved = from.mrope_interleaved ? 1 : 0;
  value_.mrope_section = DataOf(from.mrope_section);
  value_.mrope_section_count = CountOf(from.mrope_section);
  value_.component_count = CountOf(components_);
  value_.components = DataOf(components_);
  query_scale_.rule = static_cast<int32_t>(from.query_scale.rule);
  query_scale_.positions = from.query_scale.positions;
  query_scale_.beta = from.query_scale.beta;
  value_.query_scale = &query_scale_;
  if (!from.dual_chunk.has_value()) return;
  dual_chunk_.chunk_size = from.dual_chunk->chunk_size;
  dual_chunk_.local_size = from.dual_chunk->local_size;
  value_.dual_chunk = &dual_chunk_;
}

VisionDescription::VisionDescription(const VisionRope& from)
    : grid_(from.grid),
      frequencies_{from.frequencies},
      layouts_(LayoutsOf(from.layouts)),
      components_(NamesOf(from.components)),
      keys_(from.keys) {
  layout_list_.reserve(layouts_.size());
  for (const auto& layout : layouts_) layout_list_.push_back(&layout);
  value_.scheme = static_cast<int32_t>(from.scheme);
  value_.family = from.family.c_str();
  value_.head_dim = from.head_dim;
  value_.heads = from.heads;
  value_.base = from.base;
  value_.frequencies = &frequencies_;
  value_.layouts = DataOf(layout_list_);
  value_.layout_count = CountOf(layout_list_);
  value_.part_count = CountOf(from.parts);
  value_.parts = DataOf(from.parts);
  value_.component_count = CountOf(components_);
  value_.patch_size = from.patch_size;
  value_.components = DataOf(components_);
  value_.key_count = CountOf(from.keys);
  value_.key_paths = DataOf(keys_.paths);
  value_.key_values = DataOf(keys_.values);
}

ropewalk_patch_grid VisionDescription::Grid(int64_t height,
                                            int64_t width) const noexcept {
  ropewalk_patch_grid out = ROPEWALK_PATCH_GRID_INIT;
  out.class_token = static_cast<int32_t>(grid_.class_token);
  out.height = height;
  out.width = width;
  out.merge_size = grid_.merge_size;
  out.first = grid_.first;
  return out;
}

}  // namespace ropewalk::internal

namespace internal = ropewalk::internal;

ropewalk_model::ropewalk_model(ropewalk::ModelRope read)
    : rope(std::move(read)), warnings(internal::NamesOf(rope.warnings)) {
  for (const auto& layer : rope.layer_types) layers.emplace_back(layer);
  if (rope.vision.has_value()) vision.emplace(*rope.vision);
  info.layer_count = rope.layer_count;
  info.family = rope.family.c_str();
  info.max_positions = rope.max_positions;
  info.layer_type_count = internal::CountOf(rope.layer_types);
  info.prompt_rule = static_cast<int32_t>(rope.prompt_rule);
  info.has_vision = vision.has_value() ? 1 : 0;
  info.warning_count = internal::CountOf(warnings);
  info.warnings = internal::DataOf(warnings);
  if (!rope.multimodal.has_value()) return;
  multimodal.video_time = static_cast<int32_t>(rope.multimodal->video_time);
  multimodal.merge_size = rope.multimodal->merge_size;
  multimodal.tokens_per_second = rope.multimodal->tokens_per_second;
  info.multimodal = &multimodal;
}
