// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The reader of GGUF metadata: architecture, then the main layer, then the
// scaling, then the kinds of layers, each of which gets its scheme.
#include <new>
#include <utility>
#include <variant>

#include "config/finish_layer.h"
#include "config/gguf/architectures.h"
#include "config/gguf/gguf_keys.h"
#include "config/gguf/gguf_layers.h"
#include "config/gguf/gguf_scaling.h"
#include "config/gguf/gguf_sections.h"
#include "config/validate_options.h"
#include "ropewalk/config.h"
#include "status/error.h"

namespace ropewalk {
namespace internal::gguf {
namespace {

Status ValidateArguments(const GgufSource& source,
                         const ConfigOptions& options) {
  if (!source.value) {
    return Error(StatusCode::kInvalidArgument,
                 "source.value = null: must be a function");
  }
  return ValidateConfigOptions(options);
}

// Whether the file or the architecture says that nothing rotates.
bool LacksRope(const Architecture& architecture, int layer_count,
               GgufKeys* keys, std::vector<std::string>* warnings) {
  if (architecture.pairing == ArchitecturePairing::kNoRope) return true;
  if (architecture.Has(kAlibiOf40Layers) && layer_count == 40) {
    warnings->push_back(
        "block_count = 40: taken as the model that uses ALiBi, not RoPE");
    return true;
  }
  if (architecture.Has(kFinetunedIsSwitch) &&
      !keys->Flag("rope.scaling.finetuned").value_or(true)) {
    warnings->push_back(keys->Path("rope.scaling.finetuned") +
                        " = false: for this architecture it means no RoPE");
    return true;
  }
  return false;
}

// Nothing but the size of a head, where the file says it plainly.
LayerRope LayerWithoutRope(GgufKeys* keys) {
  LayerRope layer;
  layer.layer_type = "all";
  const auto key_length = keys->Integer("attention.key_length", 0, INT32_MAX);
  if (key_length) layer.layout.head_dim = static_cast<int>(*key_length);
  layer.key_layout = layer.layout;
  RemoveRope(&layer);
  layer.keys = keys->TakeUsed();
  return layer;
}

// The architecture's, unless the caller says another.
Status SetPairing(const Architecture& architecture,
                  const ConfigOptions& options, LayerRope* layer,
                  std::vector<std::string>* warnings) {
  const bool settled = architecture.pairing != ArchitecturePairing::kUnsettled;
  if (!settled && !options.pairing) {
    return Error(StatusCode::kInvalidArgument,
                 "general.architecture = %s: its pairing is not settled and "
                 "must be given (ConfigOptions::pairing)",
                 std::string(architecture.name.substr(0, 80)).c_str());
  }
  const bool is_half =
      architecture.pairing == ArchitecturePairing::kHalf ||
      (architecture.Has(kMropeIsHalf) && !layer->mrope_section.empty());
  const Pairing known = is_half ? Pairing::kHalf : Pairing::kInterleaved;
  const Pairing pairing = options.pairing.value_or(known);
  if (settled && pairing != known) {
    WarnOnce("options.pairing is not that of " +
                 std::string(architecture.name) + "; it is used",
             warnings);
  }
  layer->layout.pairing = pairing;
  layer->key_layout.pairing = pairing;
  return Status();
}

// Llama 4's is in llama.cpp's code instead of the file.
void SetLlama4Temperature(ModelRope* model) {
  for (LayerRope& layer : model->layer_types) {
    if (layer.uses_rope) continue;
    layer.query_scale = {QueryScaleRule::kLlama4, 8192, 0.1};
    WarnOnce(layer.layer_type +
                 ": query temperature assumed to be 1 + 0.1 ln(floor((position "
                 "+ 1) / 8192) + 1)",
             &model->warnings);
  }
}

// Mistral 3's, in every layer. False where the file says none, or not of what
// length.
bool SetMistral3Temperature(GgufKeys* keys, ModelRope* model) {
  const char* const name = "attention.temperature_scale";
  const auto beta = keys->Number(name, NumberRule::kNotNegative);
  if (!beta || *beta == 0) return false;
  if (!IsQueryBeta(*beta)) {
    keys->Refuse(StatusCode::kInvalidArgument, name, ShortNumber(*beta),
                 kQueryBetaRule);
  }
  const auto length =
      keys->Integer("attention.temperature_length", 1, INT64_MAX);
  for (LayerRope& layer : model->layer_types) {
    const int64_t positions = length.value_or(layer.original_positions);
    if (positions < 1) return false;
    layer.query_scale = {QueryScaleRule::kMistral3, positions, *beta};
  }
  const auto used = keys->TakeUsed();
  for (LayerRope& layer : model->layer_types) {
    layer.keys.insert(layer.keys.end(), used.begin(), used.end());
  }
  return keys->ok();
}

// The keys are none of RoPE's, so no layer lists them.
void WarnOfTemperature(GgufKeys* keys, std::vector<std::string>* warnings) {
  std::string given;
  for (const char* const name :
       {"attention.temperature_scale", "attention.temperature_length"}) {
    const auto value = keys->Number(name, NumberRule::kFinite);
    if (!value || *value == 0) continue;
    if (!given.empty()) given += ", ";
    given += keys->Path(name) + " = " + ShortNumber(*value);
  }
  keys->TakeUsed();
  if (given.empty()) return;
  WarnOnce(given +
               ": a query temperature, which scales queries by their position; "
               "the caller must apply it",
           warnings);
}

void ReadTemperature(const Architecture& architecture, GgufKeys* keys,
                     ModelRope* model) {
  if (architecture.Has(kLlama4Temperature)) SetLlama4Temperature(model);
  if (architecture.Has(kMistral3Temperature) &&
      SetMistral3Temperature(keys, model)) {
    return;
  }
  WarnOfTemperature(keys, &model->warnings);
}

// 0 where the file does not say it.
int64_t OriginalPositions(const GgufScaling& scaling) {
  if (scaling.original_positions != 0) return scaling.original_positions;
  return scaling.DoesNothing() ? scaling.max_positions : 0;
}

Status FinishKind(const Architecture& architecture, const GgufScaling& scaling,
                  const ConfigOptions& options,
                  const std::vector<ConfigKey>& scaling_keys, LayerKind* kind,
                  std::vector<std::string>* warnings) {
  LayerRope* const layer = &kind->rope;
  layer->original_positions = OriginalPositions(scaling);
  layer->inverse_on_output = architecture.Has(kCompressed) && kind->rotates;
  if (!kind->rotates || layer->parameters.rotary_dim == 0) {
    RemoveRope(layer);
    return Status();
  }
  GgufScaling used = scaling;
  if (!kind->scaled) {
    used = GgufScaling();
    used.max_positions = scaling.max_positions;
  } else {
    layer->keys.insert(layer->keys.end(), scaling_keys.begin(),
                       scaling_keys.end());
  }
  ROPEWALK_RETURN_IF_ERROR(
      ApplyScaling(used, architecture, options, layer, warnings));
  if (layer->parameters.rotary_dim == 0) {
    RemoveRope(layer);
    return Status();
  }
  ROPEWALK_RETURN_IF_ERROR(SetAxis(options, layer, warnings));
  ROPEWALK_RETURN_IF_ERROR(FinishLayer(layer, warnings));
  if (std::holds_alternative<GgmlScaling>(layer->parameters.scaling)) {
    layer->softmax_multiplier = SoftmaxMultiplier(used, architecture);
  }
  return Status();
}

Status ReadKinds(const Architecture& architecture, const ConfigOptions& options,
                 GgufKeys* keys, ModelRope* model) {
  LayerRope main = ReadMainLayer(architecture, keys, &model->warnings);
  ReadSections(architecture, options, &main, keys, &model->warnings);
  ROPEWALK_RETURN_IF_ERROR(keys->status());
  ROPEWALK_RETURN_IF_ERROR(
      SetPairing(architecture, options, &main, &model->warnings));
  const auto main_keys = keys->TakeUsed();
  const GgufScaling scaling = ReadScaling(
      architecture, options, model->max_positions, keys, &model->warnings);
  const auto scaling_keys = keys->TakeUsed();
  auto kinds = ReadLayerKinds(architecture, main, model->layer_count,
                              !scaling.DoesNothing(), keys, &model->warnings);
  ROPEWALK_RETURN_IF_ERROR(keys->status());
  for (LayerKind& kind : kinds) {
    std::vector<ConfigKey>& used = kind.rope.keys;
    used.insert(used.begin(), main_keys.begin(), main_keys.end());
    ROPEWALK_RETURN_IF_ERROR(FinishKind(architecture, scaling, options,
                                        scaling_keys, &kind, &model->warnings));
    if (!kind.rope.components.empty()) {
      model->prompt_rule = PromptRule::kTextOnly;
    }
    model->layer_types.push_back(std::move(kind.rope));
  }
  return Status();
}

Result<ModelRope> Read(const GgufSource& source, const ConfigOptions& options) {
  ROPEWALK_RETURN_IF_ERROR(ValidateArguments(source, options));
  GgufKeys keys(source);
  ModelRope model;
  model.family = keys.ReadArchitecture();
  const Architecture architecture = FindArchitecture(model.family);
  model.max_positions =
      keys.Integer("context_length", 0, INT64_MAX).value_or(0);
  model.layer_count =
      static_cast<int>(keys.Integer("block_count", 0, kMaxLayers).value_or(0));
  if (LacksRope(architecture, model.layer_count, &keys, &model.warnings)) {
    model.layer_types.push_back(LayerWithoutRope(&keys));
    ROPEWALK_RETURN_IF_ERROR(keys.status());
    return model;
  }
  if (!source.tensor) {
    model.warnings.push_back(
        "source.tensor = null: assumed that the file has no rope_freqs and no "
        "rope_factors");
  }
  ROPEWALK_RETURN_IF_ERROR(ReadKinds(architecture, options, &keys, &model));
  ReadTemperature(architecture, &keys, &model);
  ROPEWALK_RETURN_IF_ERROR(keys.status());
  return model;
}

}  // namespace
}  // namespace internal::gguf

Result<ModelRope> ReadGgufMetadata(const GgufSource& source,
                                   const ConfigOptions& options) noexcept {
  try {
    return internal::gguf::Read(source, options);
  } catch (const std::bad_alloc&) {
    return internal::Error(StatusCode::kOutOfMemory,
                           "GGUF metadata: out of memory");
  } catch (...) {
    // Such as std::length_error of a string.
    return internal::Error(StatusCode::kParseError, "GGUF metadata: too long");
  }
}

}  // namespace ropewalk
