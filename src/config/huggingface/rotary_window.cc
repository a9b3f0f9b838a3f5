// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/huggingface/rotary_window.h"

#include <climits>
#include <optional>

#include "status/error.h"

namespace ropewalk::internal {
namespace {

// The text models of composite files lack what is their class's default. Only
// of LlamaConfig and Qwen2Config, of which such files are known.
std::optional<int> ClassDefault(const ModelConfig& config, const Names& names,
                                int value, KeyReader* reader) {
  const bool is_composite = config.places.size() > 1;
  if (!is_composite ||
      (config.model_type != "llama" && config.model_type != "qwen2")) {
    return std::nullopt;
  }
  WarnAssumed(config, reader->PathOf(config.places, names),
              std::to_string(value), reader);
  return value;
}

int DividedHeadDim(const ModelConfig& config, KeyReader* reader) {
  const Names widths = {"hidden_size", "n_embd", "d_model"};
  const Names heads = {"num_attention_heads", "n_head", "n_heads"};
  const Places width_at = FirstWith(*reader, config.places, widths);
  const Places heads_at = FirstWith(*reader, config.places, heads);
  auto width = reader->Count(width_at, widths);
  auto count = reader->Count(heads_at, heads);
  if (!width) width = ClassDefault(config, widths, 4096, reader);
  if (!count) count = ClassDefault(config, heads, 32, reader);
  if (!width || !count) {
    reader->Reject(StatusCode::kParseError, config.places, {"head_dim"},
                   "missing, and so is hidden_size or num_attention_heads");
    return 1;
  }
  if (*width % *count != 0) {
    reader->Fail(Error(StatusCode::kInvalidArgument,
                       "%s = %d: must be a multiple of %s = %d",
                       reader->PathOf(width_at, widths).c_str(), *width,
                       reader->PathOf(heads_at, heads).c_str(), *count));
  }
  return *width / *count;
}

int ReadHeadDim(const ModelConfig& config, const LayerKind& kind,
                KeyReader* reader) {
  if (!kind.head_dim_names.empty()) {
    const auto own =
        reader->Count(FirstWith(*reader, config.places, kind.head_dim_names),
                      kind.head_dim_names);
    if (own) return *own;
  }
  const Names names = {"head_dim", "kv_channels", "attention_head_dim"};
  const auto given =
      reader->Count(FirstWith(*reader, config.places, names), names);
  if (given) return *given;
  if (config.family->head_dim == 0) return DividedHeadDim(config, reader);
  WarnAssumed(config, reader->PathOf(config.places, names),
              std::to_string(config.family->head_dim), reader);
  return config.family->head_dim;
}

// Places of partial factors; where a dict of one layer type wins, the others
// only count if it says nothing.
Places WindowPlaces(const ModelConfig& config, const LayerKind& kind,
                    const Names& names, const KeyReader& reader) {
  if (kind.dict_wins && reader.Has(kind.dicts, names)) return kind.dicts;
  Places places = kind.dicts;
  places.insert(places.end(), config.places.begin(), config.places.end());
  return places;
}

constexpr const char* kAbsolute[] = {"rotary_dim", "rope_dim"};
constexpr const char* kRelative[] = {"partial_rotary_factor", "rotary_pct",
                                     "rope_pct", "rope_percent",
                                     "rotary_emb_fraction"};

// Several keys may say how much of a head turns; they must agree.
class RotaryDim {
 public:
  void Set(int dim, const std::string& path, KeyReader* reader) {
    if (is_set() && dim != dim_) {
      reader->Fail(Error(StatusCode::kParseError,
                         "%s makes %d rotary dims, but %s makes %d: must agree",
                         path_.c_str(), dim_, path.c_str(), dim));
    }
    dim_ = dim;
    path_ = path;
  }
  bool is_set() const { return !path_.empty(); }
  int dim() const { return dim_; }
  const std::string& path() const { return path_; }

 private:
  int dim_ = 0;
  std::string path_;
};

void CheckRotaryDim(int rotary_dim, int head_dim, const std::string& path,
                    KeyReader* reader) {
  if (rotary_dim > 0 && rotary_dim % 2 == 0 && rotary_dim <= head_dim) return;
  reader->Fail(Error(StatusCode::kInvalidArgument,
                     "%s makes %d rotary dims of head_dim = %d: must be even, "
                     "positive and at most head_dim",
                     path.c_str(), rotary_dim, head_dim));
}

// As HF: the product is cut, not rounded.
int Part(int head_dim, double factor) {
  return static_cast<int>(static_cast<double>(head_dim) * factor);
}

bool IsPart(double factor, const std::string& path, KeyReader* reader) {
  if (factor > 0 && factor <= 1) return true;
  reader->Fail(Error(StatusCode::kInvalidArgument,
                     "%s = %g: must be above 0 and at most 1", path.c_str(),
                     factor));
  return false;
}

// Proportional scaling leaves the dims where they are and counts live pairs.
int DimsOf(double factor, int head_dim, bool proportional) {
  const int part = Part(head_dim, factor);
  return proportional ? part / 2 * 2 : part;
}

// Where no key says it.
int FamilyRotaryDim(const ModelConfig& config, const LayerKind& kind,
                    int head_dim, bool proportional, KeyReader* reader) {
  const double factor = proportional ? 1 : config.family->partial;
  // ChatGLM has no such key: its code halves.
  if ((proportional || factor != 1) && config.model_type != "chatglm") {
    WarnAssumed(config, reader->PathOf(kind.dicts, {"partial_rotary_factor"}),
                FormatNumber(factor), reader);
  }
  const int rotary_dim = DimsOf(factor, head_dim, proportional);
  CheckRotaryDim(rotary_dim, head_dim, factor == 1 ? "head_dim" : "the family",
                 reader);
  return rotary_dim;
}

int ReadRotaryDim(const ModelConfig& config, const LayerKind& kind,
                  int head_dim, bool proportional, KeyReader* reader) {
  RotaryDim rotary;
  const auto set_part = [&](double factor, const std::string& path) {
    if (!IsPart(factor, path, reader)) return;
    rotary.Set(DimsOf(factor, head_dim, proportional), path, reader);
  };
  if (kind.partial) set_part(*kind.partial, "partial_rotary_factors");
  for (const char* name : kAbsolute) {
    const Places places = WindowPlaces(config, kind, {name}, *reader);
    if (const auto dim = reader->Count(places, {name})) {
      rotary.Set(*dim, reader->PathOf(places, {name}), reader);
    }
  }
  for (const char* name : kRelative) {
    const Places places = WindowPlaces(config, kind, {name}, *reader);
    if (const auto factor = reader->Number(places, {name})) {
      set_part(*factor, reader->PathOf(places, {name}));
    }
  }
  if (!rotary.is_set()) {
    return FamilyRotaryDim(config, kind, head_dim, proportional, reader);
  }
  CheckRotaryDim(rotary.dim(), head_dim, rotary.path(), reader);
  return rotary.dim();
}

// Multi-head latent attention: dims without RoPE, then those with it; a key is
// cached as the latent and one rotary part for all heads.
void ReadLatentWindow(const ModelConfig& config, int rotary_dim,
                      KeyReader* reader, LayerRope* layer) {
  const Places& places = config.places;
  const Names nope_names = {"qk_nope_head_dim"};
  const Names head_names = {"head_dim"};
  const auto head_dim =
      reader->Count(FirstWith(*reader, places, head_names), head_names);
  const auto nope = reader->Integer(FirstWith(*reader, places, nope_names),
                                    nope_names, 0, INT_MAX / 2);
  const bool v4 = config.family->rule == LayerRule::kDeepSeekV4;
  if (rotary_dim > INT_MAX / 4 || (!nope && !(v4 && head_dim))) {
    return reader->Reject(StatusCode::kParseError, places,
                          {v4 ? "head_dim" : "qk_nope_head_dim"},
                          "missing, or qk_rope_head_dim is too large");
  }
  const int whole = nope ? static_cast<int>(*nope) + rotary_dim : *head_dim;
  if (head_dim && *head_dim != whole && *head_dim != rotary_dim) {
    return reader->Reject(StatusCode::kParseError, places, head_names,
                          "must be qk_rope_head_dim, or that plus "
                          "qk_nope_head_dim");
  }
  CheckRotaryDim(rotary_dim, whole,
                 reader->PathOf(places, {"qk_rope_head_dim"}), reader);
  layer->layout.head_dim = whole;
  layer->layout.rotary_offset = whole - rotary_dim;
  const Names rank_names = {"kv_lora_rank"};
  const auto rank = reader->Integer(FirstWith(*reader, places, rank_names),
                                    rank_names, 1, INT_MAX / 2);
  layer->key_layout = layer->layout;
  if (rank) {
    layer->key_layout.head_dim = static_cast<int>(*rank) + rotary_dim;
    layer->key_layout.rotary_offset = static_cast<int>(*rank);
  }
}

// Of MLA models the factor speaks of the rotary part or of the whole head.
void CheckLatentPartial(const ModelConfig& config, const LayerKind& kind,
                        const LayerRope& layer, KeyReader* reader) {
  const Names names = {"partial_rotary_factor"};
  const Places places = WindowPlaces(config, kind, names, *reader);
  const auto factor = reader->Number(places, names);
  if (!factor || *factor == 1) return;
  const std::string path = reader->PathOf(places, names);
  if (!IsPart(*factor, path, reader)) return;
  if (Part(layer.layout.head_dim, *factor) == layer.layout.rotary_dim) return;
  reader->Reject(StatusCode::kParseError, places, names,
                 "must agree with qk_rope_head_dim");
}

}  // namespace

void ReadWindow(const ModelConfig& config, const LayerKind& kind,
                const std::string& scheme_name, KeyReader* reader,
                LayerRope* layer) {
  layer->layout.pairing = config.pairing;
  layer->key_layout.pairing = config.pairing;
  const Names latent = {"qk_rope_head_dim"};
  std::optional<int> latent_dim;
  if (config.uses_mla) {
    latent_dim =
        reader->Count(FirstWith(*reader, config.places, latent), latent);
  }
  if (latent_dim) {
    layer->layout.rotary_dim = *latent_dim;
    ReadLatentWindow(config, *latent_dim, reader, layer);
    CheckLatentPartial(config, kind, *layer, reader);
  } else {
    const bool proportional = scheme_name == "proportional";
    const int head_dim = ReadHeadDim(config, kind, reader);
    layer->layout.head_dim = head_dim;
    if (kind.uses_rope) {
      layer->layout.rotary_dim =
          ReadRotaryDim(config, kind, head_dim, proportional, reader);
    }
    if (proportional) layer->layout.pair_distance = head_dim / 2;
    layer->key_layout = layer->layout;
  }
  layer->parameters.rotary_dim = layer->layout.rotary_dim;
}

}  // namespace ropewalk::internal
