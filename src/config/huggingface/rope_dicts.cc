// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/huggingface/rope_dicts.h"

#include <algorithm>
#include <string_view>

#include "status/error.h"

namespace ropewalk::internal {
namespace {

constexpr size_t kMaxLayerTypeName = 64;
constexpr size_t kShown = 40;

std::string PathOf(const Place& dict) {
  return dict.prefix.substr(0, dict.prefix.size() - 1);
}

bool IsLayerType(std::string_view name) {
  constexpr std::string_view kEnd = "_attention";
  return name.size() > kEnd.size() &&
         name.substr(name.size() - kEnd.size()) == kEnd;
}

bool IsNested(const Place& dict) {
  for (const auto& [name, value] : MembersOf(dict)) {
    if (value.Get<JsonValue::Object>() || IsLayerType(name)) return true;
  }
  return false;
}

// DeepSeek-V4 names its dicts by what they are for.
std::string LayerTypeOf(const std::string& name, const ModelConfig& config) {
  if (config.family->rule == LayerRule::kDeepSeekV4) {
    if (name == "main") return "sliding_attention";
    if (name == "compress") return "compressed_attention";
  }
  return name;
}

// The name of the first object that is no layer type's; null if there is none.
const std::string* FindOtherDict(const Place& dict, const ModelConfig& config) {
  for (const auto& [name, value] : MembersOf(dict)) {
    if (!value.Get<JsonValue::Object>() || IsLayerType(name)) continue;
    const auto& types = config.layer_types;
    const bool is_type =
        LayerTypeOf(name, config) != name ||
        std::find(types.begin(), types.end(), name) != types.end();
    if (!is_type) return &name;
  }
  return nullptr;
}

// Keys of a scheme have no meaning beside dicts of layer types: HF reads some
// of them there and ignores others.
void RejectSchemeKeys(const Place& dict, const ModelConfig& config,
                      KeyReader* reader) {
  const std::string* const other = FindOtherDict(dict, config);
  for (const char* name :
       {"type", "rope_type", "rope_theta", "factor", "alpha",
        "partial_rotary_factor", "original_max_position_embeddings",
        "attention_factor", "beta_fast", "beta_slow", "truncate", "mscale",
        "mscale_all_dim", "low_freq_factor", "high_freq_factor", "short_factor",
        "long_factor", "mrope_section"}) {
    if (!reader->Has({dict}, {name})) continue;
    if (other != nullptr) {
      const std::string rule =
          std::string("not understood beside ") + name +
          ": only the name of a layer type may have an object";
      return reader->Reject(StatusCode::kParseError, {dict}, {other->c_str()},
                            rule.c_str());
    }
    reader->Reject(StatusCode::kParseError, {dict}, {name},
                   "must be inside the dict of a layer type");
  }
}

void AddOfLayerType(const Place& dict, const std::string& name,
                    const ModelConfig& config, RopeDicts* dicts,
                    KeyReader* reader) {
  const JsonValue& value = *dict.object->Find(name);
  const std::string layer_type = LayerTypeOf(name, config);
  if (layer_type.size() > kMaxLayerTypeName ||
      dicts->nested.size() >= kMaxLayerKinds) {
    return reader->Fail(
        Error(StatusCode::kParseError,
              "%s = %s: must have at most %zu layer types, of short names",
              PathOf(dict).c_str(), Shown(*dict.object, kShown).c_str(),
              kMaxLayerKinds));
  }
  auto entry =
      std::find_if(dicts->nested.begin(), dicts->nested.end(),
                   [&](const auto& e) { return e.layer_type == layer_type; });
  const bool is_new = entry == dicts->nested.end();
  if (is_new) entry = dicts->nested.insert(entry, {layer_type, {}});
  if (!is_new && entry->dicts.empty() != value.IsNull()) {
    return reader->Fail(
        Error(StatusCode::kParseError,
              "%s%s: null in one of rope_scaling and rope_parameters only",
              dict.prefix.c_str(), name.c_str()));
  }
  if (value.IsNull()) return;
  entry->dicts.push_back({&value, dict.prefix + name + "."});
  dicts->all.push_back(entry->dicts.back());
}

void AddNested(const Place& dict, const ModelConfig& config, RopeDicts* dicts,
               KeyReader* reader) {
  RejectSchemeKeys(dict, config, reader);
  for (const auto& [name, value] : MembersOf(dict)) {
    if (value.Get<JsonValue::Object>() ||
        (value.IsNull() && IsLayerType(name))) {
      AddOfLayerType(dict, name, config, dicts, reader);
      reader->Ignore({dict}, {name.c_str()});
    } else if (IsLayerType(name)) {
      reader->Reject(StatusCode::kParseError, {dict}, {name.c_str()},
                     "must be an object or null");
    }
  }
}

}  // namespace

RopeDicts FindRopeDicts(const ModelConfig& config, KeyReader* reader) {
  RopeDicts dicts;
  Place outer;  // Of the nested dicts, the first.
  for (const Place& place : config.places) {
    for (const char* name : {"rope_scaling", "rope_parameters"}) {
      if (!reader->Has({place}, {name})) continue;
      const JsonValue& value = *place.object->Find(name);
      if (!value.Get<JsonValue::Object>()) {
        reader->Reject(StatusCode::kParseError, {place}, {name},
                       "must be an object or null");
        continue;
      }
      reader->Ignore({place}, {name});
      const Place dict = {&value, place.prefix + name + "."};
      dicts.all.push_back(dict);
      if (IsNested(dict)) {
        if (!outer.object) outer = dict;
        AddNested(dict, config, &dicts, reader);
      } else {
        dicts.flat.push_back(dict);
      }
    }
  }
  if (!dicts.flat.empty() && !dicts.nested.empty()) {
    const Place& flat = dicts.flat[0];
    reader->Fail(Error(
        StatusCode::kParseError,
        "%s = %s is for all layers, but %s = %s is for each layer type: must "
        "agree",
        PathOf(flat).c_str(), Shown(*flat.object, kShown).c_str(),
        PathOf(outer).c_str(), Shown(*outer.object, kShown).c_str()));
  }
  return dicts;
}

}  // namespace ropewalk::internal
