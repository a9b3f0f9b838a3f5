// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/huggingface/model_config.h"

#include <cstdio>
#include <limits>

#include "status/error.h"

namespace ropewalk::internal {
namespace {

constexpr Family kUnknownFamily = {"", Pairing::kHalf};

const JsonValue* FindObject(const JsonValue& parent, const char* name,
                            KeyReader* reader) {
  const JsonValue* found = parent.Find(name);
  if (!found || found->IsNull()) return nullptr;
  if (found->Get<JsonValue::Object>()) return found;
  reader->Reject(StatusCode::kParseError, {{&parent, ""}}, {name},
                 "must be an object");
  return nullptr;
}

// Composite models describe their language model in an object of its own.
Places FindTextModel(const JsonValue& root, KeyReader* reader) {
  Places places;
  const auto add = [&](const JsonValue* object, const std::string& path) {
    if (!object) return;
    if (places.empty()) {
      places.push_back({object, path + "."});
    } else {
      reader->Warn(path + ": not looked at, since " + places[0].prefix + " is");
    }
  };
  for (const char* name : {"text_config", "llm_config", "language_config"}) {
    add(FindObject(root, name, reader), name);
  }
  if (const JsonValue* thinker = FindObject(root, "thinker_config", reader)) {
    add(FindObject(*thinker, "text_config", reader),
        "thinker_config.text_config");
  }
  places.push_back({&root, ""});
  return places;
}

// The first of the names that is present, in the order of the names.
std::optional<int64_t> FirstInteger(const Places& places, const Names& names,
                                    int64_t maximum, KeyReader* reader) {
  for (const char* name : names) {
    const auto value =
        reader->Integer(FirstWith(*reader, places, {name}), {name}, 1, maximum);
    if (value) return value;
  }
  return std::nullopt;
}

// MPT says it in an object of its own.
bool AttentionHasNoRope(const ModelConfig& config, KeyReader* reader) {
  const char* const kName = "attn_config";
  const Places at = FirstWith(*reader, config.places, {kName});
  if (!reader->Has(at, {kName})) return false;
  const JsonValue* attention = FindObject(*at[0].object, kName, reader);
  if (!attention) return false;
  const Places places = {{attention, at[0].prefix + kName + "."}};
  return !reader->Bool(places, {"rope"}).value_or(true) ||
         reader->Bool(places, {"alibi"}).value_or(false);
}

// Hunyuan and small DeepSeek models keep the keys of MLA and do without it.
void ReadUsesMla(ModelConfig* config, KeyReader* reader) {
  config->uses_mla = reader->Bool(config->places, {"use_mla"}).value_or(true);
  if (config->uses_mla) return;
  reader->Ignore(config->places, {"kv_lora_rank", "q_lora_rank", "qk_head_dim",
                                  "qk_nope_head_dim", "qk_rope_head_dim"});
  // DeepSeek-VL2-tiny's and DeepSeek-OCR's code takes LlamaAttention then,
  // which turns halves of the whole head, and knows no softmax multiplier.
  if (config->model_type == "deepseek_v2") config->family = FindFamily("llama");
}

// ChatGLM-6B turns each half of a head, half-paired, by a position of its own;
// later models of that name turn one.
void RejectTwoPositions(const ModelConfig& config, KeyReader* reader) {
  const Names names = {"position_encoding_2d"};
  if (!reader->Bool(config.places, names).value_or(false)) return;
  reader->Reject(StatusCode::kUnsupported, config.places, names,
                 "two streams of positions, one for each half of a head");
}

// Where neither family nor file nor caller says it.
void FailWithoutPairing(const ModelConfig& config, KeyReader* reader) {
  const bool named = !config.model_type.empty();
  reader->Fail(
      Error(named ? StatusCode::kInvalidArgument : StatusCode::kParseError,
            "model_type%s%s: %s; the pairing must be given "
            "(ConfigOptions::pairing)",
            named ? " = " : "", config.model_type.c_str(),
            named ? "not a known family" : "missing"));
}

bool ReadUsesRope(const ModelConfig& config, KeyReader* reader) {
  const Places& places = config.places;
  if (config.family->rule == LayerRule::kNoRope) return false;
  if (reader->Bool(places, {"alibi"}).value_or(false)) return false;
  // Kimi Linear.
  if (reader->Bool(places, {"mla_use_nope"}).value_or(false)) return false;
  if (AttentionHasNoRope(config, reader)) return false;
  return reader->Text(places, {"position_embedding_type"}).value_or("") !=
         "nope";
}

void ReadLayerTypes(ModelConfig* config, KeyReader* reader) {
  const Names names = {"layer_types"};
  auto types = reader->Texts(FirstWith(*reader, config->places, names), names);
  if (!types) return;
  config->layer_types = *std::move(types);
  const size_t entries = config->layer_types.size();
  if (config->layer_count == 0) {
    config->layer_count = static_cast<int>(entries);
  }
  if (HasEntryPerLayer(*config, entries, names[0], reader)) {
    config->layer_types.resize(static_cast<size_t>(config->layer_count));
  }
}

const char* NameOf(Pairing pairing) {
  return pairing == Pairing::kHalf ? "half" : "interleaved";
}

// A caller's pairing wins over a key of the file, and that over the family.
Pairing ReadPairing(const ModelConfig& config, KeyReader* reader) {
  const Names names = {"rope_interleave", "rotary_emb_interleaved"};
  std::optional<Pairing> known;
  if (config.family_is_known) known = config.family->pairing;
  std::string source = "model_type = " + config.model_type;
  if (const auto interleaved = reader->Bool(config.places, names)) {
    known = *interleaved ? Pairing::kInterleaved : Pairing::kHalf;
    source = reader->PathOf(config.places, names);
  }
  const std::optional<Pairing> wanted = config.options.pairing;
  if (wanted && known && *wanted != *known) {
    reader->Warn("pairing: " + std::string(NameOf(*wanted)) +
                 ", as the caller says; " + source + " says " + NameOf(*known));
  }
  if (!wanted && !known) FailWithoutPairing(config, reader);
  return wanted ? *wanted : known.value_or(Pairing::kHalf);
}

}  // namespace

std::string FormatNumber(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.10g", number);
  return text;
}

bool HasEntryPerLayer(const ModelConfig& config, size_t entries,
                      const char* name, KeyReader* reader) {
  if (!reader->ok()) return false;
  if (entries >= static_cast<size_t>(config.layer_count)) return true;
  reader->Fail(Error(StatusCode::kParseError,
                     "%s has %zu entries: must have one for each of %d layers",
                     reader->PathOf(config.places, {name}).c_str(), entries,
                     config.layer_count));
  return false;
}

void WarnAssumed(const ModelConfig& config, const std::string& path,
                 const std::string& value, KeyReader* reader) {
  reader->Warn(path + ": missing, assumed " + value +
               " (model_type = " + config.model_type + ")");
}

ModelConfig ReadModelConfig(const JsonValue& root, const ConfigOptions& options,
                            KeyReader* reader) {
  ModelConfig config;
  config.options = options;
  config.places = FindTextModel(root, reader);
  config.model_type =
      reader
          ->Text(FirstWith(*reader, config.places, {"model_type"}),
                 {"model_type"})
          .value_or("");
  const Family* family = FindFamily(config.model_type);
  config.family_is_known = family != nullptr;
  config.family = family ? family : &kUnknownFamily;
  ReadUsesMla(&config, reader);
  config.layer_count = static_cast<int>(
      FirstInteger(config.places,
                   {"num_hidden_layers", "n_layer", "n_layers", "num_layers"},
                   kMaxLayers, reader)
          .value_or(0));
  config.max_positions =
      FirstInteger(config.places,
                   {"max_position_embeddings", "n_positions", "seq_length",
                    "max_sequence_length"},
                   std::numeric_limits<int64_t>::max(), reader)
          .value_or(0);
  ReadLayerTypes(&config, reader);
  config.uses_rope = ReadUsesRope(config, reader);
  if (config.uses_rope) {
    config.pairing = ReadPairing(config, reader);
    RejectTwoPositions(config, reader);
  }
  return config;
}

}  // namespace ropewalk::internal
