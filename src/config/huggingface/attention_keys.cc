// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/huggingface/attention_keys.h"

#include <limits>
#include <optional>

#include "config/finish_layer.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

constexpr int64_t kMostPositions = std::numeric_limits<int64_t>::max();

// A bool, which some files write as a number.
std::optional<bool> ReadSwitch(const Places& places, const char* name,
                               KeyReader* reader) {
  const Places at = FirstWith(*reader, places, {name});
  const JsonValue* value = at[0].object->Find(name);
  if (value == nullptr || !value->IsNumber()) return reader->Bool(at, {name});
  const auto number = reader->Number(at, {name});
  if (!number) return std::nullopt;
  return *number != 0;
}

double CheckedBeta(const Places& places, const Names& names, double beta,
                   KeyReader* reader) {
  if (IsQueryBeta(beta)) return beta;
  reader->Reject(StatusCode::kInvalidArgument, places, names, kQueryBetaRule);
  return 0;
}

// Qwen-1's class has it on.
void ReadLogN(const ModelConfig& config, KeyReader* reader, LayerRope* layer) {
  const Places& places = config.places;
  const auto on = reader->Bool(places, {"use_logn_attn"});
  if (!on) WarnAssumed(config, "use_logn_attn", "true", reader);
  if (!on.value_or(true)) return;
  const Names trained_names = {"seq_length"};
  const auto trained =
      reader->Integer(places, trained_names, 2, kMostPositions);
  if (!trained) {
    return reader->Reject(StatusCode::kParseError, places, trained_names,
                          "missing, required by use_logn_attn");
  }
  layer->query_scale = {QueryScaleRule::kLogN, *trained, 0};
}

// Llama 4 scales the queries of the layers without RoPE. The defaults are
// those of its class.
void ReadTemperature(const ModelConfig& config, KeyReader* reader,
                     LayerRope* layer) {
  const Places& places = config.places;
  const auto on = ReadSwitch(places, "attn_temperature_tuning", reader);
  if (!on) WarnAssumed(config, "attn_temperature_tuning", "true", reader);
  if (!on.value_or(true)) return;
  const Names floor_names = {"floor_scale"};
  const Names scale_names = {"attn_scale"};
  const auto floor_scale =
      reader->Integer(places, floor_names, 1, kMostPositions);
  const auto scale = reader->Number(places, scale_names);
  if (!floor_scale) WarnAssumed(config, "floor_scale", "8192", reader);
  if (!scale) WarnAssumed(config, "attn_scale", "0.1", reader);
  layer->query_scale = {
      QueryScaleRule::kLlama4, floor_scale.value_or(8192),
      CheckedBeta(places, scale_names, scale.value_or(0.1), reader)};
}

void ReadScalingBeta(const ModelConfig& config, const LayerKind& kind,
                     KeyReader* reader, LayerRope* layer) {
  const Names names = {"llama_4_scaling_beta"};
  const auto beta = reader->Number(kind.dicts, names);
  if (!beta || *beta == 0) return;
  const std::string path = reader->PathOf(kind.dicts, names);
  if (layer->original_positions == 0) {
    return reader->Reject(StatusCode::kParseError, kind.dicts, names,
                          "needs original_max_position_embeddings");
  }
  if (config.model_type != "ministral3") {
    reader->Warn(path +
                 ": taken as ministral3 does, which scales the queries of "
                 "every layer");
  }
  layer->query_scale = {QueryScaleRule::kMistral3, layer->original_positions,
                        CheckedBeta(kind.dicts, names, *beta, reader)};
}

void ReadDualChunk(const ModelConfig& config, KeyReader* reader,
                   LayerRope* layer) {
  const char* const kName = "dual_chunk_attention_config";
  const Places at = FirstWith(*reader, config.places, {kName});
  if (!reader->Has(at, {kName})) return;
  const JsonValue* object = at[0].object->Find(kName);
  if (!object->Get<JsonValue::Object>()) {
    return reader->Reject(StatusCode::kParseError, at, {kName},
                          "must be an object");
  }
  const Place place = {object, at[0].prefix + kName + "."};
  const auto size =
      reader->Integer({place}, {"chunk_size"}, 1, int64_t{1} << 62);
  const auto local =
      reader->Integer({place}, {"local_size"}, 0, kMostPositions);
  for (const char* name : {"chunk_size", "local_size"}) {
    if (reader->Has({place}, {name})) continue;
    reader->Reject(StatusCode::kParseError, {place}, {name},
                   "missing, required by dual chunk attention");
  }
  if (!size || !local) return;
  if (*local >= *size) {
    return reader->Reject(StatusCode::kInvalidArgument, {place}, {"local_size"},
                          "must be below chunk_size");
  }
  layer->dual_chunk = DualChunk{*size, *local};
  const Names original_names = {"original_max_position_embeddings"};
  const auto original =
      reader->Integer({place}, original_names, 1, kMostPositions);
  if (original) {
    if (layer->original_positions == 0) layer->original_positions = *original;
    reader->Warn(reader->PathOf({place}, original_names) +
                 ": engines multiply queries by a logarithm of the length past "
                 "it; the caller must apply it");
  }
  for (const std::string& path : reader->Unread(place)) {
    reader->Warn(path + ": not used");
  }
}

}  // namespace

void ReadAttentionKeys(const ModelConfig& config, const LayerKind& kind,
                       KeyReader* reader, LayerRope* layer) {
  const LayerRule rule = config.family->rule;
  ReadScalingBeta(config, kind, reader, layer);
  if (config.model_type == "qwen") ReadLogN(config, reader, layer);
  if (rule == LayerRule::kChunkedLayers && !kind.uses_rope) {
    ReadTemperature(config, reader, layer);
  }
  if (!kind.uses_rope) return;
  ReadDualChunk(config, reader, layer);
  layer->inverse_on_output = rule == LayerRule::kDeepSeekV4;
}

}  // namespace ropewalk::internal
