// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/huggingface/layer_pattern.h"

#include <algorithm>

#include "status/error.h"

namespace ropewalk::internal {

LayerTypes TypesByPeriod(const ModelConfig& config, const Names& period_names,
                         int default_period, FullLayer full,
                         KeyReader* reader) {
  if (!config.layer_types.empty() || config.layer_count == 0) {
    return config.layer_types;
  }
  const Places places = FirstWith(*reader, config.places, period_names);
  const auto given = reader->Count(places, period_names);
  if (!given) {
    WarnAssumed(config, reader->PathOf(config.places, period_names),
                std::to_string(default_period), reader);
  }
  const int period = given.value_or(default_period);
  const int offset = full == FullLayer::kLastOfPeriod ? 1 : 0;
  LayerTypes types;
  for (int i = 0; i < config.layer_count; ++i) {
    const bool is_full = (i + offset) % period == 0;
    types.push_back(is_full ? "full_attention" : "sliding_attention");
  }
  return types;
}

bool HasNoAttention(const std::string& layer_type) {
  return layer_type == "linear_attention" || layer_type == "mamba" ||
         layer_type == "recurrent" || layer_type == "conv";
}

void AssignLayers(const LayerTypes& types, std::vector<LayerKind>* kinds,
                  KeyReader* reader) {
  for (size_t i = 0; i < types.size(); ++i) {
    const auto kind = std::find_if(
        kinds->begin(), kinds->end(),
        [&](const LayerKind& k) { return k.layer_type == types[i]; });
    if (kind != kinds->end()) {
      kind->layers.push_back(static_cast<int>(i));
    } else if (!HasNoAttention(types[i])) {
      return reader->Fail(
          Error(StatusCode::kParseError,
                "layer_types[%zu] = %s: nothing is said of its RoPE", i,
                types[i].c_str()));
    }
  }
}

}  // namespace ropewalk::internal
