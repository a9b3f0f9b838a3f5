// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/huggingface/layer_kinds.h"

#include <set>
#include <utility>

#include "config/huggingface/layer_pattern.h"
#include "config/huggingface/rope_scaling.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

constexpr size_t kShownOfType = 64;

constexpr const char* kFull = kFullAttention;
constexpr const char* kSliding = kSlidingAttention;

std::vector<LayerKind> OneKind(const ModelConfig& config,
                               const RopeDicts& dicts) {
  std::vector<LayerKind> kinds = {LayerKind("all", dicts.flat)};
  kinds[0].uses_rope = config.uses_rope;
  kinds[0].default_base = config.family->base;
  for (size_t i = 0; i < config.layer_types.size(); ++i) {
    if (HasNoAttention(config.layer_types[i])) continue;
    kinds[0].layers.push_back(static_cast<int>(i));
  }
  return kinds;
}

// Of a family of which nothing is known.
void WarnOfOneKind(const ModelConfig& config, KeyReader* reader) {
  constexpr size_t kNamed = 8;
  std::set<std::string> types;
  for (const std::string& type : config.layer_types) {
    if (!HasNoAttention(type)) types.insert(type);
  }
  std::string warning =
      config.model_type.empty()
          ? std::string("model_type: missing")
          : "model_type = " + config.model_type + ": not a known family";
  warning += "; assumed that all layers rotate alike";
  if (types.size() > 1) {
    std::string list;
    size_t count = 0;
    for (const std::string& type : types) {
      if (++count > kNamed) break;
      list += (list.empty() ? "" : ", ") + type.substr(0, kShownOfType);
    }
    if (types.size() > kNamed) list += ", ...";
    warning += ", although layer_types has " + list;
  }
  reader->Warn(warning);
}

bool IsPlain(const RopeDicts& dicts, KeyReader* reader) {
  return ReadSchemeName(dicts.flat, reader) == "default";
}

// Gemma 3 before Transformers 5. The sliding layers' base is the default of
// Gemma3TextConfig.
std::vector<LayerKind> LocalBaseKinds(const ModelConfig& config,
                                      const RopeDicts& dicts,
                                      KeyReader* reader) {
  std::vector<LayerKind> kinds = {LayerKind(kFull, dicts.flat),
                                  LayerKind(kSliding, {})};
  kinds[0].default_base = config.family->base;
  kinds[1].base_names = {"rope_local_base_freq"};
  kinds[1].default_base = 1e4;
  const bool is_3n = config.model_type.rfind("gemma3n", 0) == 0;
  AssignLayers(
      TypesByPeriod(config,
                    {"sliding_window_pattern", "_sliding_window_pattern"},
                    is_3n ? 5 : 6, FullLayer::kLastOfPeriod, reader),
      &kinds, reader);
  return kinds;
}

// The defaults are those of ModernBertConfig; a null local base is the global
// one.
std::vector<LayerKind> ModernBertKinds(const ModelConfig& config,
                                       KeyReader* reader) {
  std::vector<LayerKind> kinds = {LayerKind(kFull, {}),
                                  LayerKind(kSliding, {})};
  kinds[0].base_names = {"global_rope_theta"};
  kinds[0].default_base = 160000;
  kinds[1].base_names = {"local_rope_theta"};
  kinds[1].default_base = 1e4;
  if (reader->IsNull(config.places, "local_rope_theta")) {
    kinds[1].base_names = kinds[0].base_names;
    kinds[1].default_base = kinds[0].default_base;
  }
  AssignLayers(TypesByPeriod(config, {"global_attn_every_n_layers"}, 3,
                             FullLayer::kFirstOfPeriod, reader),
               &kinds, reader);
  return kinds;
}

std::vector<LayerKind> ScaledFullKinds(const ModelConfig& config,
                                       const RopeDicts& dicts,
                                       KeyReader* reader) {
  if (IsPlain(dicts, reader)) return OneKind(config, dicts);
  std::vector<LayerKind> kinds = {LayerKind(kFull, dicts.flat),
                                  LayerKind(kSliding, dicts.flat)};
  kinds[1].scheme_dicts.clear();
  AssignLayers(TypesByPeriod(config, {"sliding_window_pattern"}, 4,
                             FullLayer::kLastOfPeriod, reader),
               &kinds, reader);
  return kinds;
}

std::vector<LayerKind> FullWithoutRopeKinds(const ModelConfig& config,
                                            const RopeDicts& dicts,
                                            KeyReader* reader) {
  // EXAONE without a window has full attention throughout, and rotates.
  if (config.model_type.rfind("exaone", 0) == 0 &&
      reader->IsNull(config.places, "sliding_window")) {
    return OneKind(config, dicts);
  }
  std::vector<LayerKind> kinds = {LayerKind(kFull, {}),
                                  LayerKind(kSliding, dicts.flat)};
  kinds[0].uses_rope = false;
  kinds[1].default_base = config.family->base;
  AssignLayers(
      TypesByPeriod(config,
                    {"sliding_window_pattern", "_sliding_window_pattern"}, 4,
                    FullLayer::kLastOfPeriod, reader),
      &kinds, reader);
  return kinds;
}

// MiMo-V2: keys that begin with swa_ are those of the sliding layers.
std::vector<LayerKind> SwaKinds(const ModelConfig& config,
                                const RopeDicts& dicts, KeyReader* reader) {
  std::vector<LayerKind> kinds = {LayerKind(kFull, dicts.flat),
                                  LayerKind(kSliding, {})};
  kinds[1].base_names = {"swa_rope_theta"};
  kinds[1].head_dim_names = {"swa_head_dim"};
  if (!IsPlain(dicts, reader)) {
    reader->Warn(
        "swa_rope_theta: assumed that sliding_attention is not scaled");
  }
  LayerTypes types = config.layer_types;
  const Names names = {"hybrid_layer_pattern"};
  const auto pattern =
      reader->Integers(FirstWith(*reader, config.places, names), names);
  if (pattern && types.empty() &&
      HasEntryPerLayer(config, pattern->size(), names[0], reader)) {
    for (int i = 0; i < config.layer_count; ++i) {
      const int sliding = (*pattern)[static_cast<size_t>(i)];
      types.push_back(sliding != 0 ? kSliding : kFull);
    }
  }
  AssignLayers(types, &kinds, reader);
  return kinds;
}

// Layers that compress keys have a base and YaRN of their own, whatever their
// type is called; the others are plain.
std::vector<LayerKind> DeepSeekV4Kinds(const ModelConfig& config,
                                       const RopeDicts& dicts,
                                       KeyReader* reader) {
  const char* const kCompressed = "compressed_attention";
  std::vector<LayerKind> kinds = {LayerKind(kSliding, dicts.flat),
                                  LayerKind(kCompressed, dicts.flat)};
  kinds[0].scheme_dicts.clear();
  kinds[0].default_base = config.family->base;
  kinds[1].dicts.clear();
  kinds[1].base_names = {"compress_rope_theta"};
  kinds[1].default_base = 160000;
  LayerTypes types = config.layer_types;
  for (std::string& type : types) {
    if (type != kSliding) type = kCompressed;
  }
  const Names names = {"compress_ratios"};
  const auto ratios =
      reader->Integers(FirstWith(*reader, config.places, names), names);
  if (ratios && types.empty() &&
      HasEntryPerLayer(config, ratios->size(), names[0], reader)) {
    for (int i = 0; i < config.layer_count; ++i) {
      const int ratio = (*ratios)[static_cast<size_t>(i)];
      types.push_back(ratio == 0 ? kSliding : kCompressed);
    }
  }
  AssignLayers(types, &kinds, reader);
  return kinds;
}

std::vector<LayerKind> NestedKinds(const ModelConfig& config,
                                   const RopeDicts& dicts, KeyReader* reader) {
  std::vector<LayerKind> kinds;
  for (const RopeDicts::OfLayerType& entry : dicts.nested) {
    LayerKind kind(entry.layer_type, entry.dicts);
    kind.uses_rope = !entry.dicts.empty();
    const bool full = entry.layer_type == kFull;
    kind.dict_wins = !full;
    if (full) kind.head_dim_names = {"global_head_dim"};
    kind.default_base = config.family->base;
    if (config.family->rule == LayerRule::kLocalBase && !full) {
      kind.base_names = {"rope_local_base_freq"};
      kind.default_base = 1e4;
      kind.dict_wins = false;
    }
    kinds.push_back(std::move(kind));
  }
  LayerTypes types = config.layer_types;
  if (config.family->rule == LayerRule::kDeepSeekV4) {
    for (std::string& type : types) {
      if (type != kSliding) type = "compressed_attention";
    }
  } else if (config.family->rule == LayerRule::kLocalBase) {
    const Names names = {"sliding_window_pattern", "_sliding_window_pattern"};
    if (reader->Has(config.places, names)) {
      types = TypesByPeriod(config, names, 1, FullLayer::kLastOfPeriod, reader);
    }
  }
  AssignLayers(types, &kinds, reader);
  return kinds;
}

}  // namespace

std::vector<LayerKind> ReadLayerKinds(const ModelConfig& config,
                                      const RopeDicts& dicts,
                                      KeyReader* reader) {
  if (!config.uses_rope) return OneKind(config, dicts);
  if (!dicts.nested.empty()) return NestedKinds(config, dicts, reader);
  if (reader->IsList(config.places, {"rope_theta"}) ||
      reader->Has(config.places, {"partial_rotary_factors"})) {
    return ReadPerLayerKinds(config, dicts, reader);
  }
  if (reader->Has(config.places, {"swa_rope_theta"})) {
    return SwaKinds(config, dicts, reader);
  }
  switch (config.family->rule) {
    case LayerRule::kLocalBase:
      return LocalBaseKinds(config, dicts, reader);
    case LayerRule::kGemma4:
      reader->Reject(StatusCode::kParseError, config.places,
                     {"rope_parameters"},
                     "must have a dict for each layer type");
      return {};
    case LayerRule::kModernBert:
      return ModernBertKinds(config, reader);
    case LayerRule::kScaledFull:
      return ScaledFullKinds(config, dicts, reader);
    case LayerRule::kFullWithoutRope:
      return FullWithoutRopeKinds(config, dicts, reader);
    case LayerRule::kDeepSeekV4:
      return DeepSeekV4Kinds(config, dicts, reader);
    case LayerRule::kCrossLayers:
      return ReadCrossLayersKinds(config, dicts, reader);
    case LayerRule::kNoRopeLayers:
    case LayerRule::kChunkedLayers:
      return ReadNoRopeLayersKinds(config, dicts, reader);
    case LayerRule::kOneKind:
    case LayerRule::kNoRope:
      break;
  }
  if (reader->Has(config.places, {"rope_local_base_freq"})) {
    return LocalBaseKinds(config, dicts, reader);
  }
  if (reader->Has(config.places, {"no_rope_layers"})) {
    return ReadNoRopeLayersKinds(config, dicts, reader);
  }
  if (!config.family_is_known) WarnOfOneKind(config, reader);
  return OneKind(config, dicts);
}

}  // namespace ropewalk::internal
