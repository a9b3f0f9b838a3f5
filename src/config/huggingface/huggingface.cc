// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The reader of config.json: what the model is, which kinds of layers it has,
// each kind, and what was left over.
#include <new>
#include <utility>

#include "config/finish_layer.h"
#include "config/huggingface/layer_reader.h"
#include "config/huggingface/vision_encoder.h"
#include "config/validate_options.h"
#include "ropewalk/config.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

bool LooksLikeRope(const std::string& path) {
  const std::string key = path.substr(path.rfind('.') + 1);
  return key.find("rope") != std::string::npos ||
         key.find("rotary") != std::string::npos;
}

void WarnOfUnused(const std::vector<std::string>& paths, KeyReader* reader) {
  if (paths.empty()) return;
  constexpr size_t kNamed = 16;
  std::string list;
  for (size_t i = 0; i < paths.size() && i < kNamed; ++i) {
    list += (list.empty() ? "" : ", ") + paths[i];
  }
  if (paths.size() > kNamed) {
    list += " and " + std::to_string(paths.size() - kNamed) + " more";
  }
  reader->Warn(list + ": not used");
}

void WarnOfLeftovers(const ModelConfig& config, const RopeDicts& dicts,
                     KeyReader* reader) {
  // Qwen 2.5's false and ChatGLM's true change nothing.
  if (reader->IsFalse(config.places, "use_mrope")) {
    reader->Ignore(config.places, {"use_mrope"});
  }
  // GPT-J says that it rotates, by a key that nothing reads.
  if (config.model_type == "gptj") reader->Ignore(config.places, {"rotary"});
  if (config.model_type == "chatglm") {
    reader->Ignore(config.places, {"original_rope"});
  }
  std::vector<std::string> unused;
  for (const Place& dict : dicts.all) {
    for (std::string& path : reader->Unread(dict)) {
      unused.push_back(std::move(path));
    }
  }
  for (const Place& place : config.places) {
    for (std::string& path : reader->Unread(place)) {
      if (LooksLikeRope(path)) unused.push_back(std::move(path));
    }
  }
  WarnOfUnused(unused, reader);
}

// A class's own scheme counts where its file says none, but an older file that
// says none may mean none.
void WarnOfClassScheme(const ModelConfig& config, const RopeDicts& dicts,
                       KeyReader* reader) {
  const char* const scheme = config.family->class_scheme;
  if (scheme == nullptr || !dicts.all.empty()) return;
  reader->Warn("rope_parameters: missing, and the scheme of its class (" +
               std::string(scheme) +
               ") is not assumed: must be given if the model was trained with "
               "it (model_type = " +
               config.model_type + ")");
}

Status ReadModel(const JsonValue& root, const ConfigOptions& options,
                 ModelRope* model) {
  KeyReader reader(&model->warnings);
  std::vector<ConfigKey> shared_keys;
  reader.RecordInto(&shared_keys);
  const ModelConfig config = ReadModelConfig(root, options, &reader);
  const RopeDicts dicts = FindRopeDicts(config, &reader);
  WarnOfClassScheme(config, dicts, &reader);
  const std::vector<LayerKind> kinds = ReadLayerKinds(config, dicts, &reader);
  model->family = config.model_type;
  model->max_positions = config.max_positions;
  model->layer_count = config.layer_count;
  for (const LayerKind& kind : kinds) {
    LayerRope layer;
    layer.keys = shared_keys;
    ReadLayer(config, kind, &reader, &layer);
    ROPEWALK_RETURN_IF_ERROR(reader.status());
    if (layer.uses_rope) {
      ROPEWALK_RETURN_IF_ERROR(FinishLayer(&layer, &model->warnings));
    }
    model->layer_types.push_back(std::move(layer));
  }
  ReadVision(config, &reader, model);
  if (config.uses_rope) WarnOfLeftovers(config, dicts, &reader);
  return reader.status();
}

Result<ModelRope> Parse(std::string_view text, const ConfigOptions& options) {
  ROPEWALK_RETURN_IF_ERROR(ValidateConfigOptions(options));
  JsonValue root;
  ROPEWALK_RETURN_IF_ERROR(ParseJsonObject(text, &root));
  ModelRope model;
  ROPEWALK_RETURN_IF_ERROR(ReadModel(root, options, &model));
  return model;
}

}  // namespace
}  // namespace internal

Result<ModelRope> ParseHuggingFaceConfig(
    std::string_view text, const ConfigOptions& options) noexcept {
  try {
    return internal::Parse(text, options);
  } catch (const std::bad_alloc&) {
    return internal::Error(StatusCode::kOutOfMemory,
                           "config of %zu bytes: out of memory", text.size());
  } catch (...) {
    return internal::Error(StatusCode::kParseError, "config: cannot be read");
  }
}

}  // namespace ropewalk
