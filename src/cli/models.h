// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The models the demo measures: what their config.json says about RoPE.
#pragma once
#include <array>

#include "cli/step.h"
#include "ropewalk/scaling.h"
#include "ropewalk/types.h"

namespace ropewalk::cli {

struct Model {
  const char* name;
  int head_dim;
  Pairing pairing;
  RopeParameters rope;
  int query_heads;
  int key_heads;
};

// YaRN with gpt-oss's "truncate": false.
inline YarnScaling GptOssYarn() {
  YarnScaling yarn;
  yarn.factor = 32;
  yarn.original_positions = 4096;
  yarn.truncate = false;
  return yarn;
}

// One for each way in which models differ: few key heads, another base,
// neighbouring pairs in part of a head, a head that no vector divides, scaled
// frequencies, cos and sin that are multiplied by an attention factor.
inline const std::array<Model, 6>& Models() {
  static const std::array<Model, 6> models = {{
      {"Llama-3-8B", 128, Pairing::kHalf, {128, 5e5, NoScaling{}}, 32, 8},
      {"Llama-3.1-8B",
       128,
       Pairing::kHalf,
       {128, 5e5, Llama3Scaling{8, 1, 4, 8192}},
       32,
       8},
      {"Qwen3-8B", 128, Pairing::kHalf, {128, 1e6, NoScaling{}}, 32, 8},
      {"GLM-4-9B-0414",
       128,
       Pairing::kInterleaved,
       {64, 1e4, NoScaling{}},
       32,
       2},
      {"Phi-2", 80, Pairing::kHalf, {32, 1e4, NoScaling{}}, 32, 32},
      {"gpt-oss-20b", 64, Pairing::kHalf, {64, 150000, GptOssYarn()}, 64, 8},
  }};
  return models;
}

inline HeadsShape ShapeOf(const Model& model) {
  HeadsShape shape;
  shape.layout.head_dim = model.head_dim;
  shape.layout.rotary_dim = model.rope.rotary_dim;
  shape.layout.pairing = model.pairing;
  shape.query_heads = model.query_heads;
  shape.key_heads = model.key_heads;
  return shape;
}

}  // namespace ropewalk::cli
