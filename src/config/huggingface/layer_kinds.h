// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Which kinds of layers a config.json describes, which layers are of which
// kind, and where the values of each kind stand.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/huggingface/model_config.h"
#include "config/huggingface/rope_dicts.h"

namespace ropewalk::internal {

struct LayerKind {
  LayerKind(std::string type, Places of_kind)
      : layer_type(std::move(type)),
        scheme_dicts(of_kind),
        dicts(std::move(of_kind)) {}

  std::string layer_type;
  std::vector<int> layers;
  bool uses_rope = true;
  // The dicts that hold its scheme, and those that hold its other values.
  Places scheme_dicts;
  Places dicts;
  // Keys beside the dicts that give its base; and the family's default.
  Names base_names = {"rope_theta", "rotary_emb_base"};
  double default_base = 0;
  // Names of head_dim that this kind alone has.
  Names head_dim_names;
  // The dict of one layer type comes before keys that speak of all layers.
  bool dict_wins = false;
  // From lists with an entry for each layer.
  std::optional<double> base;
  std::optional<double> partial;
};

std::vector<LayerKind> ReadLayerKinds(const ModelConfig& config,
                                      const RopeDicts& dicts,
                                      KeyReader* reader);

// Of a model whose rope_theta or partial_rotary_factors is a list.
std::vector<LayerKind> ReadPerLayerKinds(const ModelConfig& config,
                                         const RopeDicts& dicts,
                                         KeyReader* reader);

// Of a family whose no_rope_layers say which layers do not rotate.
std::vector<LayerKind> ReadNoRopeLayersKinds(const ModelConfig& config,
                                             const RopeDicts& dicts,
                                             KeyReader* reader);

// Of a family whose cross_attention_layers do not rotate.
std::vector<LayerKind> ReadCrossLayersKinds(const ModelConfig& config,
                                            const RopeDicts& dicts,
                                            KeyReader* reader);

}  // namespace ropewalk::internal
