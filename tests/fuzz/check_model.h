// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What must hold of every model that a reader accepts, whatever its input.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fuzz/require.h"
#include "ropewalk/config.h"
#include "ropewalk/scaling.h"

namespace ropewalk::fuzz {

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

inline bool Fits(const RotaryLayout& layout, int head_dim, size_t pairs) {
  const int half = layout.rotary_dim / 2;
  const int distance = layout.pair_distance == 0 ? half : layout.pair_distance;
  return layout.head_dim == head_dim && half > 0 && distance >= half &&
         layout.rotary_offset >= 0 &&
         layout.rotary_offset <= head_dim - half - distance &&
         static_cast<size_t>(layout.first_pair + half) <= pairs;
}

inline void CheckAxis(const std::vector<uint8_t>& axis, size_t pairs,
                      size_t components) {
  Require(axis.empty() || axis.size() == pairs);
  for (const uint8_t component : axis) Require(component < components);
}

// What is said of positions goes into the calls that take it.
inline void CheckPositions(const LayerRope& layer) {
  CheckAxis(layer.parameters.axis,
            static_cast<size_t>(layer.parameters.rotary_dim) / 2,
            layer.components.size());
  const int64_t position = 1000000;
  const Positions positions(&position, 1);
  float factor = 0;
  Require(WriteQueryScale(positions, layer.query_scale, &factor).ok());
  Require(std::isfinite(factor));
  if (layer.dual_chunk) {
    Require(DualChunkPositions(positions, *layer.dual_chunk, {}).ok());
  }
}

inline void CheckVision(const VisionRope& vision) {
  const size_t pairs = vision.frequencies.inv_freq.size();
  Require(!vision.layouts.empty());
  for (const RotaryLayout& layout : vision.layouts) {
    Require(Fits(layout, vision.head_dim, pairs));
  }
  Require(vision.frequencies.axis.size() == pairs);
  CheckAxis(vision.frequencies.axis, pairs, vision.components.size());
  Require(vision.grid.merge_size >= 1);
}

inline void CheckMultimodal(const ModelRope& model) {
  Require(model.multimodal.has_value() ==
          (model.prompt_rule == PromptRule::kMultimodal));
  if (!model.multimodal) return;
  MultimodalPositions positions(*model.multimodal);
  // A grid of one token, if that is within int64.
  const int64_t size = model.multimodal->merge_size;
  Require(positions.AppendVision({1, size, size}, nullptr).ok());
}

inline void CheckModel(const Result<ModelRope>& model) {
  if (!model.ok()) {
    Require(model.status().message()[0] != '\0');
    return;
  }
  Require(!model.value().layer_types.empty());
  if (model.value().vision) CheckVision(*model.value().vision);
  CheckMultimodal(model.value());
  for (const LayerRope& layer : model.value().layer_types) {
    CheckLayout(layer, layer.layout);
    CheckLayout(layer, layer.key_layout);
    CheckPositions(layer);
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
