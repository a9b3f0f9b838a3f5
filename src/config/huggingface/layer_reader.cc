// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/huggingface/layer_reader.h"

#include <limits>

#include "config/finish_layer.h"
#include "config/huggingface/attention_keys.h"
#include "config/huggingface/rope_scaling.h"
#include "config/huggingface/rotary_window.h"
#include "config/huggingface/sections.h"
#include "ropewalk/bands.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

// ChatGLM stretches a fixed base.
double ReadRatioBase(const ModelConfig& config, KeyReader* reader) {
  const Names names = {"rope_ratio"};
  const auto ratio = reader->Positive(config.places, names);
  if (!ratio) {
    WarnAssumed(config, reader->PathOf(config.places, names), "1", reader);
  }
  return config.family->base * ratio.value_or(1);
}

double ReadBase(const ModelConfig& config, const LayerKind& kind,
                KeyReader* reader) {
  if (kind.base) return *kind.base;
  if (config.model_type == "chatglm") return ReadRatioBase(config, reader);
  const Names in_dict = {"rope_theta"};
  const auto own = reader->Positive(kind.dicts, in_dict);
  const auto shared = reader->Positive(config.places, kind.base_names);
  if (own && shared && *own != *shared && !kind.dict_wins) {
    reader->Fail(
        Error(StatusCode::kParseError, "%s = %.17g, but %s = %.17g: must agree",
              reader->PathOf(kind.dicts, in_dict).c_str(), *own,
              reader->PathOf(config.places, kind.base_names).c_str(), *shared));
  }
  if (own) return *own;
  if (shared) return *shared;
  const std::string path = reader->PathOf(config.places, kind.base_names);
  if (kind.default_base == 0) {
    reader->Fail(Error(StatusCode::kParseError,
                       "%s: missing, and no default is known for model_type = "
                       "%s",
                       path.c_str(), config.model_type.c_str()));
    return 1;
  }
  WarnAssumed(config, path, FormatNumber(kind.default_base), reader);
  return kind.default_base;
}

void ReadScaling(const ModelConfig& config, const LayerKind& kind,
                 const std::string& scheme_name, KeyReader* reader,
                 LayerRope* layer) {
  layer->parameters.scaling = ReadScheme(
      {config, kind.scheme_dicts, scheme_name, layer->layout.rotary_dim},
      reader);
  if (auto* proportional =
          std::get_if<ProportionalScaling>(&layer->parameters.scaling)) {
    proportional->head_dim = layer->layout.head_dim;
    if (layer->layout.pairing != Pairing::kHalf) {
      reader->Fail(Error(StatusCode::kInvalidArgument,
                         "pairing = interleaved: proportional needs half"));
    }
  }
  // A length that plain layers do not use still says how they were trained.
  Places places = kind.dicts;
  places.insert(places.end(), config.places.begin(), config.places.end());
  const auto stored =
      reader->Integer(places, {"original_max_position_embeddings"}, 1,
                      std::numeric_limits<int64_t>::max());
  const int64_t used = OriginalPositions(layer->parameters.scaling);
  layer->original_positions = used != 0 ? used : stored.value_or(0);
}

}  // namespace

void ReadLayer(const ModelConfig& config, const LayerKind& kind,
               KeyReader* reader, LayerRope* layer) {
  layer->layer_type = kind.layer_type;
  layer->layers = kind.layers;
  reader->RecordInto(&layer->keys);
  const std::string scheme_name = ReadSchemeName(kind.scheme_dicts, reader);
  ReadWindow(config, kind, scheme_name, reader, layer);
  if (!kind.uses_rope) {
    RemoveRope(layer);
    return ReadAttentionKeys(config, kind, reader, layer);
  }
  layer->parameters.base = ReadBase(config, kind, reader);
  ReadScaling(config, kind, scheme_name, reader, layer);
  ReadSections(config, kind, reader, layer);
  ReadAttentionKeys(config, kind, reader, layer);
}

}  // namespace ropewalk::internal
