// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/gguf/gguf_layers.h"

#include <utility>

#include "config/gguf/gguf_scaling.h"
#include "status/error.h"

namespace ropewalk::internal::gguf {
namespace {

// Every 4th layer is full where an architecture has sliding layers by rule:
// Cohere 2, EXAONE 4, Llama 4 and SmolLM 3.
constexpr int kPeriod = 4;

// Which layers slide, by a period whose last (or first) layer is full.
std::vector<bool> Periodic(int layer_count, int64_t period, bool full_first) {
  std::vector<bool> sliding;
  for (int64_t i = 0; i < layer_count; ++i) {
    sliding.push_back(period == 0 ||
                      i % period != (full_first ? 0 : period - 1));
  }
  return sliding;
}

void AddKeys(const std::vector<ConfigKey>& keys, LayerRope* layer) {
  layer->keys.insert(layer->keys.end(), keys.begin(), keys.end());
}

// Gives both kinds their layers, and drops one that has none.
std::vector<LayerKind> Distribute(const std::vector<bool>& sliding,
                                  LayerKind full, LayerKind slides) {
  for (size_t i = 0; i < sliding.size(); ++i) {
    (sliding[i] ? slides : full).rope.layers.push_back(static_cast<int>(i));
  }
  std::vector<LayerKind> kinds;
  const bool known = !sliding.empty();
  if (!known || !full.rope.layers.empty()) kinds.push_back(std::move(full));
  if (!known || !slides.rope.layers.empty()) kinds.push_back(std::move(slides));
  if (kinds.size() == 1) kinds[0].rope.layer_type = "all";
  return kinds;
}

bool HasSlidingLayers(const Architecture& architecture, GgufKeys* keys) {
  const bool must_be_given = architecture.Has(kSlidingIfGiven);
  if (!must_be_given && !architecture.Has(kSlidingUnlessZero)) return true;
  const auto window = keys->Integer("attention.sliding_window", 0, INT64_MAX);
  return window ? *window != 0 : !must_be_given;
}

double SlidingBase(const Architecture& architecture, double full_base,
                   GgufKeys* keys, std::vector<std::string>* warnings) {
  const auto base = keys->Number("rope.freq_base_swa", NumberRule::kPositive);
  if (base) return *base;
  if (!architecture.Has(kSlidingBase10000)) return full_base;
  WarnOnce(keys->Path("rope.freq_base_swa") +
               ": assumed to be 10000, and sliding layers to be unscaled",
           warnings);
  return 10000;
}

// The sliding kind, from the keys *_swa.
LayerKind ReadSlidingKind(const Architecture& architecture,
                          const LayerRope& main, GgufKeys* keys,
                          std::vector<std::string>* warnings) {
  LayerKind kind =
      KindOf(main, architecture.Has(kChunked) ? "chunked_attention"
                                              : "sliding_attention");
  LayerRope& rope = kind.rope;
  kind.scaled = !architecture.Has(kSlidingUnscaled);
  rope.parameters.base =
      SlidingBase(architecture, main.parameters.base, keys, warnings);
  const auto head_dim = keys->Integer("attention.key_length_swa", 1, INT32_MAX);
  if (head_dim) {
    rope.layout.head_dim = static_cast<int>(*head_dim);
    rope.key_layout.head_dim = static_cast<int>(*head_dim);
  }
  int rotary_dim = main.parameters.rotary_dim;
  const auto given =
      keys->Integer("rope.dimension_count_swa", 0, kMaxRotaryDim);
  if (given) {
    rotary_dim = static_cast<int>(*given);
  } else if (head_dim && !keys->Has("rope.dimension_count")) {
    rotary_dim = rope.layout.head_dim;
  }
  if (architecture.Has(kTwoDimensions) && !given) {
    keys->Refuse(StatusCode::kParseError, kDimPerLayer, "missing",
                 "must be there, or rope.dimension_count_swa");
  }
  SetRotaryDim(architecture, rotary_dim, &rope);
  rope.keys = keys->TakeUsed();
  return kind;
}

// As ReadPattern; or by the period that llama.cpp has in code.
std::vector<bool> SlidingPattern(const Architecture& architecture,
                                 int layer_count, GgufKeys* keys,
                                 std::vector<std::string>* warnings) {
  const auto pattern = ReadPattern(architecture, layer_count, keys);
  const int period = architecture.sliding_period;
  if (!pattern.empty() || layer_count == 0 || period == 0) return pattern;
  const bool full_first = architecture.Has(kFullLayerFirst);
  WarnOnce(keys->Path(kPattern) + ": assumed to be " + std::to_string(period) +
               (full_first ? ": the first" : ": the last") +
               " of so many layers is full",
           warnings);
  return Periodic(layer_count, period, full_first);
}

std::vector<LayerKind> SlidingKinds(const Architecture& architecture,
                                    const LayerRope& main, int layer_count,
                                    bool scaling_matters, GgufKeys* keys,
                                    std::vector<std::string>* warnings) {
  LayerKind all = KindOf(main, "all");
  if (!HasSlidingLayers(architecture, keys)) {
    all.rope.keys = keys->TakeUsed();
    return {std::move(all)};
  }
  LayerKind full = KindOf(main, "full_attention");
  full.rotates = !architecture.Has(kFullWithoutRope);
  full.rope.keys = keys->TakeUsed();
  LayerKind sliding = ReadSlidingKind(architecture, main, keys, warnings);
  AddKeys(full.rope.keys, &sliding.rope);
  if (full.rotates && Same(full.rope, sliding.rope) &&
      (sliding.scaled || !scaling_matters)) {
    all.rope.keys = std::move(sliding.rope.keys);
    return {std::move(all)};
  }
  const auto pattern =
      SlidingPattern(architecture, layer_count, keys, warnings);
  const auto pattern_keys = keys->TakeUsed();
  AddKeys(pattern_keys, &full.rope);
  AddKeys(pattern_keys, &sliding.rope);
  return Distribute(pattern, std::move(full), std::move(sliding));
}

std::vector<LayerKind> KindsWithFourth(const LayerRope& main, int layer_count) {
  LayerKind full = KindOf(main, "full_attention");
  LayerKind still = KindOf(main, "no_rope");
  still.rotates = false;
  return Distribute(Periodic(layer_count, kPeriod, false), std::move(still),
                    std::move(full));
}

// DeepSeek V4: only the compressed layers are scaled.
std::vector<LayerKind> CompressedKinds(const LayerRope& main, GgufKeys* keys) {
  const char* const kName = "attention.compress_rope_freq_base";
  LayerKind sliding = KindOf(main, "sliding_attention");
  sliding.scaled = false;
  LayerKind compressed = KindOf(main, "compressed_attention");
  const auto base = keys->Number(kName, NumberRule::kPositive);
  if (!base) {
    keys->Refuse(StatusCode::kParseError, kName, "missing",
                 "must be there for this architecture");
    return {};
  }
  compressed.rope.parameters.base = *base;
  compressed.rope.keys = keys->TakeUsed();
  return {std::move(sliding), std::move(compressed)};
}

}  // namespace

void SetRotaryDim(const Architecture& architecture, int rotary_dim,
                  LayerRope* layer) {
  layer->parameters.rotary_dim = rotary_dim;
  for (RotaryLayout* layout : {&layer->layout, &layer->key_layout}) {
    layout->rotary_dim = rotary_dim;
    layout->rotary_offset =
        architecture.Has(kWindowAtEnd) ? layout->head_dim - rotary_dim : 0;
  }
}

LayerKind KindOf(const LayerRope& main, const char* name) {
  LayerKind kind;
  kind.rope = main;
  kind.rope.layer_type = name;
  return kind;
}

void CheckLength(const char* name, size_t length, int layer_count,
                 GgufKeys* keys) {
  const bool fits = layer_count == 0
                        ? length <= size_t{kMaxLayers}
                        : length == static_cast<size_t>(layer_count);
  if (fits) return;
  keys->Refuse(StatusCode::kParseError, name,
               std::to_string(length) + " entries",
               layer_count == 0
                   ? "must have at most " + std::to_string(kMaxLayers)
                   : "must have block_count = " + std::to_string(layer_count));
}

std::vector<bool> ReadPattern(const Architecture& architecture, int layer_count,
                              GgufKeys* keys) {
  if (keys->IsList(kPattern)) {
    const auto list = keys->Integers(kPattern, 0, INT32_MAX);
    if (!list) return {};
    CheckLength(kPattern, list->size(), layer_count, keys);
    std::vector<bool> sliding;
    for (const int64_t entry : *list) sliding.push_back(entry != 0);
    return sliding;
  }
  const auto period = keys->Integer(kPattern, 0, INT32_MAX);
  if (period) {
    return Periodic(layer_count, *period, architecture.Has(kFullLayerFirst));
  }
  if (!architecture.Has(kFullWithoutRope)) return {};
  return Periodic(layer_count, kPeriod, false);
}

bool Same(const LayerRope& a, const LayerRope& b) {
  return a.parameters.base == b.parameters.base &&
         a.parameters.rotary_dim == b.parameters.rotary_dim &&
         a.layout.head_dim == b.layout.head_dim &&
         a.key_layout.head_dim == b.key_layout.head_dim;
}

std::vector<LayerKind> ReadLayerKinds(const Architecture& architecture,
                                      const LayerRope& main, int layer_count,
                                      bool scaling_matters, GgufKeys* keys,
                                      std::vector<std::string>* warnings) {
  if (architecture.Has(kCompressed)) return CompressedKinds(main, keys);
  if (keys->Has(kBasePerLayer) || keys->Has(kDimPerLayer)) {
    return ReadLayerGroups(architecture, main, layer_count, scaling_matters,
                           keys);
  }
  if (architecture.Has(kFourthWithoutRope)) {
    return KindsWithFourth(main, layer_count);
  }
  if (architecture.Has(kUnknownNoRope)) {
    WarnOnce(std::string(architecture.name) +
                 ": some layers may not rotate; the file does not say which",
             warnings);
  }
  return SlidingKinds(architecture, main, layer_count, scaling_matters, keys,
                      warnings);
}

}  // namespace ropewalk::internal::gguf
