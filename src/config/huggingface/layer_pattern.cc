// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/huggingface/layer_pattern.h"

#include <algorithm>

#include "status/error.h"

namespace ropewalk::internal {

namespace {

// EXAONE: "LLLG" repeats over the layers; L is sliding, G full attention.
LayerTypes TypesByLetters(const ModelConfig& config, const Places& places,
                          const Names& names, KeyReader* reader) {
  const std::string letters = reader->Text(places, names).value_or("");
  LayerTypes types;
  if (letters.empty() || letters.find_first_not_of("LG") != std::string::npos) {
    reader->Reject(StatusCode::kParseError, places, names,
                   "must be a number, or a string of L and G");
    return types;
  }
  for (size_t i = 0; i < static_cast<size_t>(config.layer_count); ++i) {
    const bool is_full = letters[i % letters.size()] == 'G';
    types.push_back(is_full ? kFullAttention : kSlidingAttention);
  }
  if (types.back() == kSlidingAttention) {
    reader->Warn(reader->PathOf(places, names) +
                 ": its last layer is taken as sliding_attention, as the "
                 "string says; EXAONE's own code makes it full_attention");
  }
  return types;
}

}  // namespace

LayerTypes TypesByPeriod(const ModelConfig& config, const Names& period_names,
                         int default_period, FullLayer full,
                         KeyReader* reader) {
  if (!config.layer_types.empty() || config.layer_count == 0) {
    return config.layer_types;
  }
  const Places places = FirstWith(*reader, config.places, period_names);
  if (reader->IsText(places, period_names)) {
    return TypesByLetters(config, places, period_names, reader);
  }
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
    types.push_back(is_full ? kFullAttention : kSlidingAttention);
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
