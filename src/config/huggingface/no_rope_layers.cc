// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Models in which some layers do not rotate, by a list or an interval.
#include <cstddef>
#include <set>

#include "config/huggingface/layer_kinds.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

// 1: the layer rotates, as Transformers means no_rope_layers. Its default for
// both families that have the list is every fourth layer without.
std::vector<int> ReadRotates(const ModelConfig& config, KeyReader* reader) {
  const Names names = {"no_rope_layers"};
  auto rotates =
      reader->Integers(FirstWith(*reader, config.places, names), names)
          .value_or(std::vector<int>());
  const Names interval_names = {"no_rope_layer_interval"};
  const auto given = reader->Count(config.places, interval_names);
  if (rotates.empty()) {
    if (!given) {
      WarnAssumed(config, reader->PathOf(config.places, interval_names), "4",
                  reader);
    }
    for (int i = 1; i <= config.layer_count; ++i) {
      rotates.push_back(i % given.value_or(4) != 0);
    }
  }
  for (const int flag : rotates) {
    if (flag <= 1) continue;
    reader->Reject(StatusCode::kInvalidArgument, config.places, names,
                   "must hold 0 (no RoPE) and 1 only");
  }
  if (HasEntryPerLayer(config, rotates.size(), names[0], reader) &&
      config.layer_count != 0) {
    rotates.resize(static_cast<size_t>(config.layer_count));
  }
  return rotates;
}

// HF's layer types, where they tell both kinds apart.
void NameByLayerTypes(const std::vector<std::string>& types,
                      const std::vector<int>& rotates, LayerKind* turning,
                      LayerKind* still) {
  std::string names[2];
  for (size_t i = 0; i < types.size() && i < rotates.size(); ++i) {
    std::string& name = names[rotates[i] != 0 ? 1 : 0];
    if (!name.empty() && name != types[i]) return;
    name = types[i];
  }
  if (names[0].empty() || names[1].empty() || names[0] == names[1]) return;
  still->layer_type = names[0];
  turning->layer_type = names[1];
}

}  // namespace

std::vector<LayerKind> ReadNoRopeLayersKinds(const ModelConfig& config,
                                             const RopeDicts& dicts,
                                             KeyReader* reader) {
  const bool chunked = config.family->rule == LayerRule::kChunkedLayers;
  std::vector<LayerKind> kinds = {
      LayerKind(chunked ? "chunked_attention" : "full_attention", dicts.flat),
      LayerKind(chunked ? "full_attention" : "no_rope", {})};
  kinds[0].default_base = config.family->base;
  kinds[1].uses_rope = false;
  const std::vector<int> rotates = ReadRotates(config, reader);
  for (size_t i = 0; i < rotates.size(); ++i) {
    kinds[rotates[i] != 0 ? 0 : 1].layers.push_back(static_cast<int>(i));
  }
  if (rotates.empty()) return kinds;
  for (const size_t other : {size_t{0}, size_t{1}}) {
    if (!kinds[other].layers.empty()) continue;
    kinds.erase(kinds.begin() + static_cast<std::ptrdiff_t>(other));
    kinds[0].layer_type = "all";
    return kinds;
  }
  NameByLayerTypes(config.layer_types, rotates, &kinds[0], &kinds[1]);
  return kinds;
}

std::vector<LayerKind> ReadCrossLayersKinds(const ModelConfig& config,
                                            const RopeDicts& dicts,
                                            KeyReader* reader) {
  std::vector<LayerKind> kinds = {LayerKind("full_attention", dicts.flat),
                                  LayerKind("cross_attention", {})};
  kinds[0].default_base = config.family->base;
  kinds[1].uses_rope = false;
  const Names names = {"cross_attention_layers"};
  const auto given =
      reader->Integers(FirstWith(*reader, config.places, names), names);
  if (!given) {
    reader->Reject(StatusCode::kParseError, config.places, names,
                   "missing; tells which layers do not rotate");
    return kinds;
  }
  const std::set<int> cross(given->begin(), given->end());
  if (!cross.empty() && config.layer_count != 0 &&
      *cross.rbegin() >= config.layer_count) {
    reader->Reject(StatusCode::kInvalidArgument, config.places, names,
                   "must be below num_hidden_layers");
    return kinds;
  }
  for (int i = 0; i < config.layer_count; ++i) {
    kinds[cross.count(i)].layers.push_back(i);
  }
  return kinds;
}

}  // namespace ropewalk::internal
