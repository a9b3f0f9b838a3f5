// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the model_type of a config.json fixes without saying so in the file:
// the facts of the modelling code and of the configuration class.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "ropewalk/types.h"

namespace ropewalk::internal {

// How a family's layers differ from one another where the file has no dict for
// each of its layer types.
enum class LayerRule : uint8_t {
  kOneKind,
  kNoRope,           // Learned positions or ALiBi.
  kLocalBase,        // Gemma 3: a base and no scaling for sliding layers.
  kGemma4,           // Says it in dicts always.
  kModernBert,       // global_rope_theta, local_rope_theta.
  kScaledFull,       // OLMo 3: the scheme counts for full attention only.
  kFullWithoutRope,  // Cohere 2, EXAONE 4: full attention does not rotate.
  kNoRopeLayers,     // SmolLM3: no_rope_layers.
  kChunkedLayers,    // Llama 4: the same, and chunks where layers rotate.
  kCrossLayers,      // Mllama: layers that attend to an image do not rotate.
  kDeepSeekV4,       // A base and YaRN of their own for compressed layers.
};

// What the softmax scale of a family has to do with YaRN's mscale_all_dim.
enum class YarnSoftmax : uint8_t {
  kUnknown,  // A warning says so.
  kNone,
  kDeepSeek,  // g(factor, mscale_all_dim)^2.
  kUnscaled,  // DeepSeek-V4: neither that nor an attention_factor.
};

// The fields of the configuration class are its defaults; 0 where the file has
// to say it.
struct Family {
  const char* model_type;
  Pairing pairing;
  double base = 0;
  double partial = 1;
  int head_dim = 0;
  LayerRule rule = LayerRule::kOneKind;
  YarnSoftmax softmax = YarnSoftmax::kUnknown;
  // The scheme that the class has where a file says none; never assumed.
  const char* class_scheme = nullptr;
};

// Null for a family that is not known.
const Family* FindFamily(std::string_view model_type);

}  // namespace ropewalk::internal
