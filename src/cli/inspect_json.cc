// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The facts of `ropewalk inspect --json`.
#include <cinttypes>
#include <cstdio>
#include <optional>
#include <variant>

#include "cli/inspect.h"
#include "cli/pairing_name.h"
#include "cli/position_names.h"
#include "cli/scheme_parameters.h"
#include "nlohmann/json.hpp"

namespace ropewalk::cli {
namespace {

// Keys in the order in which they are set.
using Json = nlohmann::ordered_json;

// Null where nobody says.
Json Count(int64_t count) { return count > 0 ? Json(count) : Json(nullptr); }

Json SchemeAsJson(const Scaling& scaling) {
  Json scheme;
  scheme["name"] = SchemeName(scaling);
  for (const SchemeParameter& parameter : ParametersOf(scaling)) {
    std::visit([&](const auto& value) { scheme[parameter.name] = value; },
               parameter.value);
  }
  return scheme;
}

Json LayoutAsJson(const RotaryLayout& layout) {
  Json json;
  json["head_dim"] = layout.head_dim;
  json["rotary_dim"] = layout.rotary_dim;
  json["rotary_offset"] = layout.rotary_offset;
  json["pairing"] = PairingName(layout.pairing);
  json["pair_distance"] = layout.pairing == Pairing::kInterleaved ? 1
                          : layout.pair_distance != 0 ? layout.pair_distance
                                                      : layout.rotary_dim / 2;
  return json;
}

Json KeysAsJson(const std::vector<ConfigKey>& keys) {
  Json json = Json::array();
  for (const ConfigKey& key : keys) {
    json.push_back({{"path", key.path}, {"value", key.value}});
  }
  return json;
}

Json PairsAsJson(const LayerFacts& facts) {
  Json json = Json::array();
  for (const PairBand& pair : facts.bands.pairs) {
    Json one;
    one["pair"] = json.size();
    one["inv_freq"] = pair.inv_freq;
    one["wavelength"] = pair.wavelength;
    one["plain_wavelength"] = pair.plain_wavelength;
    one["rotations"] =
        facts.original_positions > 0 ? Json(pair.rotations) : Json(nullptr);
    one["band"] = BandName(pair.band);
    json.push_back(one);
  }
  return json;
}

// A whole number where it is one that every reader of JSON keeps.
Json Bytes(double bytes) {
  return bytes < 0x1p53 ? Json(static_cast<uint64_t>(bytes)) : Json(bytes);
}

Json TableAsJson(const LayerFacts& facts) {
  Json json;
  json["factored_bytes"] =
      facts.factored_bytes ? Json(*facts.factored_bytes) : Json(nullptr);
  json["dense_bytes"] =
      facts.dense_bytes ? Bytes(*facts.dense_bytes) : Json(nullptr);
  return json;
}

Json Float32ErrorAsJson(const LayerFacts& facts) {
  if (!facts.float32_error) return nullptr;
  const Float32Error& error = *facts.float32_error;
  Json json;
  json["position"] = error.position;
  json["pair"] = error.pair;
  json["radians"] = error.radians;
  json["bf16_ulp"] = error.bf16_ulps;
  return json;
}

std::string ChecksumText(uint64_t checksum) {
  char text[17];
  std::snprintf(text, sizeof(text), "%016" PRIx64, checksum);
  return text;
}

Json QueryScaleAsJson(const QueryScale& scale) {
  if (scale.rule == QueryScaleRule::kNone) return nullptr;
  Json json;
  json["rule"] = RuleName(scale.rule);
  json["positions"] = scale.positions;
  json["beta"] = scale.beta;
  return json;
}

Json DualChunkAsJson(const std::optional<DualChunk>& chunk) {
  if (!chunk) return nullptr;
  Json json;
  json["chunk_size"] = chunk->chunk_size;
  json["local_size"] = chunk->local_size;
  return json;
}

Json PromptAsJson(const ModelRope& model) {
  Json json;
  json["rule"] = RuleName(model.prompt_rule);
  if (!model.multimodal) return json;
  json["video_time"] = TimeName(model.multimodal->video_time);
  json["merge_size"] = model.multimodal->merge_size;
  if (model.multimodal->video_time == VideoTime::kSeconds) {
    json["tokens_per_second"] = model.multimodal->tokens_per_second;
  }
  return json;
}

Json GridAsJson(const PatchGrid& grid) {
  Json json;
  json["merge_size"] = grid.merge_size;
  json["first"] = grid.first;
  json["class_token"] = PlaceName(grid.class_token);
  return json;
}

Json VisionAsJson(const std::optional<VisionRope>& vision) {
  if (!vision) return nullptr;
  Json json;
  json["family"] = vision->family;
  json["scheme"] = SchemeName(vision->scheme);
  json["head_dim"] = vision->head_dim;
  json["heads"] = Count(vision->heads);
  json["base"] = vision->base;
  json["parts"] = vision->parts;
  json["layouts"] = Json::array();
  for (const RotaryLayout& layout : vision->layouts) {
    json["layouts"].push_back(LayoutAsJson(layout));
    json["layouts"].back()["first_pair"] = layout.first_pair;
  }
  json["components"] = vision->components;
  json["axis"] = vision->frequencies.axis;
  json["inv_freq"] = vision->frequencies.inv_freq;
  json["grid"] = GridAsJson(vision->grid);
  json["patch_size"] = Count(vision->patch_size);
  json["checksum"] = ChecksumText(Checksum(vision->frequencies));
  json["keys"] = KeysAsJson(vision->keys);
  return json;
}

Json LayerAsJson(const LayerFacts& facts) {
  const LayerRope& rope = facts.rope;
  Json json;
  json["layer_type"] = rope.layer_type;
  json["layers"] = rope.layers;
  json["uses_rope"] = rope.uses_rope;
  json["scheme"] = SchemeAsJson(rope.parameters.scaling);
  json["base"] = rope.parameters.base;
  json["layout"] = LayoutAsJson(rope.layout);
  json["key_layout"] = LayoutAsJson(rope.key_layout);
  json["attention_factor"] = facts.frequencies.attention_factor;
  json["softmax_multiplier"] = facts.rope.softmax_multiplier;
  json["length_dependent"] = facts.frequencies.length_dependent;
  json["original_positions"] = Count(facts.original_positions);
  json["mrope_section"] = rope.mrope_section;
  json["mrope_interleaved"] = rope.mrope_interleaved;
  json["components"] = rope.components;
  json["axis"] = rope.parameters.axis;
  json["query_scale"] = QueryScaleAsJson(rope.query_scale);
  json["dual_chunk"] = DualChunkAsJson(rope.dual_chunk);
  json["inverse_on_output"] = rope.inverse_on_output;
  json["checksum"] = ChecksumText(facts.checksum);
  json["table"] = TableAsJson(facts);
  json["float32_table_error"] = Float32ErrorAsJson(facts);
  json["keys"] = KeysAsJson(rope.keys);
  json["pairs"] = PairsAsJson(facts);
  return json;
}

}  // namespace

std::string FactsAsJson(const ModelFacts& facts) {
  Json json;
  json["file"] = facts.path;
  json["family"] = facts.model.family;
  json["max_positions"] = Count(facts.model.max_positions);
  json["layer_count"] = Count(facts.model.layer_count);
  json["sequence_length"] = facts.sequence_length;
  json["prompt"] = PromptAsJson(facts.model);
  json["warnings"] = facts.model.warnings;
  json["layer_types"] = Json::array();
  for (const LayerFacts& layer : facts.layers) {
    json["layer_types"].push_back(LayerAsJson(layer));
  }
  json["vision"] = VisionAsJson(facts.model.vision);
  // Paths and GGUF strings need not be UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ropewalk::cli
