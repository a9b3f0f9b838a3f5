// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What must hold of every model that a reader accepts, whatever its input.
#pragma once
#include <cmath>

#include "ropewalk/config.h"
#include "ropewalk/scaling.h"

namespace ropewalk::fuzz {

inline void Require(bool holds) {
  if (!holds) __builtin_trap();
}

inline void CheckLayout(const LayerRope& layer, const RotaryLayout& layout) {
  Require(layout.rotary_dim == layer.parameters.rotary_dim);
  Require(layout.rotary_offset >= 0);
  if (!layer.uses_rope) {
    Require(layout.rotary_dim == 0);
    return;
  }
  const int pairs = layout.rotary_dim / 2;
  const int distance = layout.pair_distance == 0 ? pairs : layout.pair_distance;
  Require(pairs > 0 && distance >= pairs);
  // Any order of subtraction stays inside int.
  Require(layout.rotary_offset <= layout.head_dim - pairs - distance);
}

inline void CheckModel(const Result<ModelRope>& model) {
  if (!model.ok()) {
    Require(model.status().message()[0] != '\0');
    return;
  }
  Require(!model.value().layer_types.empty());
  for (const LayerRope& layer : model.value().layer_types) {
    CheckLayout(layer, layer.layout);
    CheckLayout(layer, layer.key_layout);
    Require(std::isfinite(layer.softmax_multiplier));
    const auto frequencies = ComputeFrequencies(layer.parameters);
    Require(frequencies.ok());
    Require(std::isfinite(frequencies.value().attention_factor));
    for (const double inv_freq : frequencies.value().inv_freq) {
      Require(std::isfinite(inv_freq));
    }
  }
}

}  // namespace ropewalk::fuzz
