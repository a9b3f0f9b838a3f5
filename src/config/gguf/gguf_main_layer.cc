// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Sizes, window and base of a model's main kind of layer.
#include <algorithm>

#include "config/gguf/gguf_layers.h"
#include "config/gguf/gguf_scaling.h"
#include "status/error.h"

namespace ropewalk::internal::gguf {
namespace {

// Of embedding_length over the heads of the first layer that has any.
int DerivedHeadDim(GgufKeys* keys) {
  const auto width = keys->Integer("embedding_length", 1, INT32_MAX);
  const auto heads = keys->Integers("attention.head_count", 0, INT32_MAX);
  if (!keys->ok()) return 1;
  if (!width || !heads) {
    keys->Refuse(StatusCode::kParseError,
                 width ? "attention.head_count" : "embedding_length", "missing",
                 "must be there where attention.key_length is not");
    return 1;
  }
  const auto first = std::find_if(heads->begin(), heads->end(),
                                  [](int64_t count) { return count > 0; });
  const int64_t count = first == heads->end() ? 0 : *first;
  if (count == 0 || *width % count != 0) {
    keys->Refuse(StatusCode::kInvalidArgument, "attention.head_count",
                 std::to_string(count),
                 "must divide embedding_length = " + std::to_string(*width));
    return 1;
  }
  return static_cast<int>(*width / count);
}

int ReadKeyLength(GgufKeys* keys) {
  const auto length = keys->Integer("attention.key_length", 1, INT32_MAX);
  return length ? static_cast<int>(*length) : DerivedHeadDim(keys);
}

int ReadRotaryDim(bool window_at_end, int key_length, GgufKeys* keys) {
  const auto rotary_dim =
      keys->Integer("rope.dimension_count", 0, kMaxRotaryDim);
  if (rotary_dim) return static_cast<int>(*rotary_dim);
  if (window_at_end) {
    keys->Refuse(StatusCode::kParseError, "rope.dimension_count", "missing",
                 "must be there: these heads do not rotate as a whole");
  }
  return key_length;
}

// MLA: a query head is its nope dims, then the rotary ones; a key is cached as
// the latent and the rotary dims, if key_length says so.
void SetWindowAtEnd(int key_length, LayerRope* layer, GgufKeys* keys) {
  const auto query = keys->Integer("attention.key_length_mla", 1, INT32_MAX);
  const auto latent = keys->Integer("attention.kv_lora_rank", 0, INT32_MAX);
  const int rotary_dim = layer->layout.rotary_dim;
  layer->layout.head_dim = query ? static_cast<int>(*query) : key_length;
  layer->layout.rotary_offset = layer->layout.head_dim - rotary_dim;
  layer->key_layout = layer->layout;
  if (!latent || *latent == 0) return;
  if (*latent + rotary_dim == key_length) {
    layer->key_layout.head_dim = key_length;
    layer->key_layout.rotary_offset = static_cast<int>(*latent);
  } else if (query && *query != key_length) {
    keys->Refuse(StatusCode::kInvalidArgument, "attention.key_length",
                 std::to_string(key_length),
                 "must be kv_lora_rank + rope.dimension_count = " +
                     std::to_string(*latent + rotary_dim) +
                     ", or key_length_mla");
  }
}

double ReadBase(GgufKeys* keys, std::vector<std::string>* warnings) {
  const auto base = keys->Number("rope.freq_base", NumberRule::kPositive);
  if (base) return *base;
  WarnOnce(keys->Path("rope.freq_base") + ": assumed to be 10000", warnings);
  return 10000;
}

}  // namespace

LayerRope ReadMainLayer(const Architecture& architecture, GgufKeys* keys,
                        std::vector<std::string>* warnings) {
  LayerRope layer;
  const int key_length = ReadKeyLength(keys);
  const bool at_end = architecture.Has(kWindowAtEnd);
  layer.parameters.rotary_dim = ReadRotaryDim(at_end, key_length, keys);
  layer.parameters.base = ReadBase(keys, warnings);
  layer.layout.head_dim = key_length;
  layer.layout.rotary_dim = layer.parameters.rotary_dim;
  layer.key_layout = layer.layout;
  if (at_end) SetWindowAtEnd(key_length, &layer, keys);
  return layer;
}

}  // namespace ropewalk::internal::gguf
