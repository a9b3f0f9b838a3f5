// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What all layers of a config.json share: where the text model is described,
// its family, its sizes, the pairing.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/huggingface/families.h"
#include "config/huggingface/json_keys.h"

namespace ropewalk::internal {

// A model has a few thousand layers at most; the bound keeps lists of layers
// short, whatever a file says.
inline constexpr int kMaxLayers = 65536;

struct ModelConfig {
  // The text model, then the root, if that is another object.
  Places places;
  std::string model_type;
  // Never null: a family that is not known has no defaults.
  const Family* family = nullptr;
  bool family_is_known = false;
  Pairing pairing = Pairing::kHalf;
  int64_t max_positions = 0;
  int layer_count = 0;
  // HF's name of the type of each layer; empty where the file has no list.
  std::vector<std::string> layer_types;
  // False: keys of latent attention may stand there and mean nothing.
  bool uses_mla = true;
  // False: no layer rotates, and pairing means nothing.
  bool uses_rope = true;
  ConfigOptions options;
};

// Reads it; the object must outlive the result.
ModelConfig ReadModelConfig(const JsonValue& root, const ConfigOptions& options,
                            KeyReader* reader);

// Whether a list has an entry for each layer; fails where it is shorter. More
// entries are those of draft layers past the model's own, and not read.
bool HasEntryPerLayer(const ModelConfig& config, size_t entries,
                      const char* name, KeyReader* reader);

// Says that a value was taken for granted.
void WarnAssumed(const ModelConfig& config, const std::string& path,
                 const std::string& value, KeyReader* reader);

// Whether a model_type is of the family, or a variant of it, that so begins.
inline bool BeginsWith(std::string_view model_type, std::string_view family) {
  return model_type.substr(0, family.size()) == family;
}

// "10000" or "0.25", for messages.
std::string FormatNumber(double number);

}  // namespace ropewalk::internal
