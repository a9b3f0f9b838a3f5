// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The models the demo measures: what their config.json says about RoPE.
#pragma once
#include <array>

#include "ropewalk/types.h"

namespace ropewalk::cli {

struct Model {
  const char* name;
  int head_dim;
  int rotary_dim;
  Pairing pairing;
  double base;  // rope_theta
  int query_heads;
  int key_heads;
};

// One for each way in which models differ: few key heads, another base,
// neighbouring pairs in part of a head, a head that no vector divides.
inline constexpr std::array<Model, 4> kModels = {{
    {"Llama-3-8B", 128, 128, Pairing::kHalf, 5e5, 32, 8},
    {"Qwen3-8B", 128, 128, Pairing::kHalf, 1e6, 32, 8},
    {"GLM-4-9B-0414", 128, 64, Pairing::kInterleaved, 1e4, 32, 2},
    {"Phi-2", 80, 32, Pairing::kHalf, 1e4, 32, 32},
}};

inline RotaryLayout LayoutOf(const Model& model) {
  RotaryLayout layout;
  layout.head_dim = model.head_dim;
  layout.rotary_dim = model.rotary_dim;
  layout.pairing = model.pairing;
  return layout;
}

}  // namespace ropewalk::cli
