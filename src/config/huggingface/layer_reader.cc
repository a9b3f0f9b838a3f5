// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/huggingface/layer_reader.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "config/finish_layer.h"
#include "config/huggingface/rope_scaling.h"
#include "config/huggingface/rotary_window.h"
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

void CheckSections(const LayerRope& layer, const std::string& path,
                   KeyReader* reader) {
  const std::vector<int>& section = layer.mrope_section;
  const int64_t sum =
      std::accumulate(section.begin(), section.end(), int64_t{0});
  const int pairs = layer.layout.rotary_dim / 2;
  if ((section.size() == 3 || section.size() == 4) && sum == pairs) return;
  reader->Fail(Error(StatusCode::kParseError,
                     "%s has %zu entries that sum to %lld: must be 3 or 4 that "
                     "sum to %d, half of the rotary dims",
                     path.c_str(), section.size(), static_cast<long long>(sum),
                     pairs));
}

bool IsErnie(const ModelConfig& config) {
  return config.model_type.rfind("ernie4_5", 0) == 0;
}

// Original files of Ernie 4.5 VL say how many pairs turn by time; height and
// width share the others.
std::optional<std::vector<int>> ReadAllocation(const ModelConfig& config,
                                               const LayerRope& layer,
                                               KeyReader* reader) {
  const Names names = {"freq_allocation"};
  const bool three = reader->Bool(config.places, {"rope_3d"}).value_or(true);
  const int pairs = layer.layout.rotary_dim / 2;
  const auto time = reader->Integer(config.places, names, 0, pairs);
  if (!time || !three) return std::nullopt;
  const int rest = pairs - static_cast<int>(*time);
  if (rest % 2 == 0) {
    return std::vector<int>{rest / 2, rest / 2, static_cast<int>(*time)};
  }
  reader->Reject(StatusCode::kInvalidArgument, config.places, names,
                 "must leave an even number of pairs to height and width");
  return std::nullopt;
}

void ReadSections(const ModelConfig& config, const LayerKind& kind,
                  KeyReader* reader, LayerRope* layer) {
  Places places = kind.dicts;
  places.insert(places.end(), config.places.begin(), config.places.end());
  const Names names = {"mrope_section", "xdrope_section"};
  layer->mrope_interleaved =
      reader->Bool(places, {"mrope_interleaved"}).value_or(false);
  auto section = reader->Integers(places, names);
  std::string path = reader->PathOf(places, names);
  if (IsErnie(config) && config.model_type.find("_vl") != std::string::npos) {
    auto allocated = ReadAllocation(config, *layer, reader);
    if (allocated && section && *allocated != *section) {
      reader->Reject(StatusCode::kParseError, config.places,
                     {"freq_allocation"}, "must agree with mrope_section");
    }
    if (allocated && !section) {
      section = std::move(allocated);
      path = reader->PathOf(config.places, {"freq_allocation"});
    }
  }
  if (!section) return;
  layer->mrope_section = *std::move(section);
  CheckSections(*layer, path, reader);
  if (layer->mrope_section.size() == 4 && layer->mrope_section[3] == 0) {
    layer->mrope_section.pop_back();
  }
  if (IsErnie(config)) {
    reader->Warn(path +
                 ": of height, width and time; the pairs of height and width "
                 "alternate (Ernie 4.5 VL)");
  }
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
  if (!kind.uses_rope) return RemoveRope(layer);
  layer->parameters.base = ReadBase(config, kind, reader);
  ReadScaling(config, kind, scheme_name, reader, layer);
  ReadSections(config, kind, reader, layer);
}

}  // namespace ropewalk::internal
