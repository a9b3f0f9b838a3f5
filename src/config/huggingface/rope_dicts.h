// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a config.json keeps what it says of RoPE schemes: rope_scaling or
// rope_parameters, for all layers or one dict for each layer type.
#pragma once
#include <string>
#include <vector>

#include "config/huggingface/model_config.h"

namespace ropewalk::internal {

struct RopeDicts {
  struct OfLayerType {
    std::string layer_type;
    Places dicts;  // Empty: null, these layers have no RoPE.
  };

  // Dicts for all layers; several say the same, or parts of it.
  Places flat;
  std::vector<OfLayerType> nested;
  // Whatever was found, to look for keys that nobody understands.
  Places all;
};

// No model has nearly as many; bounds the work for hostile files.
inline constexpr size_t kMaxLayerKinds = 64;

RopeDicts FindRopeDicts(const ModelConfig& config, KeyReader* reader);

}  // namespace ropewalk::internal
