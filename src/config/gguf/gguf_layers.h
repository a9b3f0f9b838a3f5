// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The kinds of layers that a GGUF file describes, before they get their scheme.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "config/gguf/architectures.h"
#include "config/gguf/gguf_keys.h"
#include "ropewalk/config.h"

namespace ropewalk::internal::gguf {

// A kind of layer, all but its scheme; rope.keys are those that only it uses.
struct LayerKind {
  LayerRope rope;
  bool rotates = true;
  bool scaled = true;  // else it gets no scheme and no tensor
};

// Reads the sizes of a head and of the rotary window, the base; the pairing and
// M-RoPE's sections are left. An error is left in keys.
LayerRope ReadMainLayer(const Architecture& architecture, GgufKeys* keys,
                        std::vector<std::string>* warnings);

// Splits the main layer into the kinds that the file or the architecture
// tells apart; one that is alone is called "all". scaling_matters: whether a
// scaled layer differs from one that is not.
std::vector<LayerKind> ReadLayerKinds(const Architecture& architecture,
                                      const LayerRope& main, int layer_count,
                                      bool scaling_matters, GgufKeys* keys,
                                      std::vector<std::string>* warnings);

// The rest is shared by the files that make kinds.

inline constexpr char kPattern[] = "attention.sliding_window_pattern";
inline constexpr char kBasePerLayer[] = "rope.freq_base_per_layer";
inline constexpr char kDimPerLayer[] = "rope.dimension_count_per_layer";

LayerKind KindOf(const LayerRope& main, const char* name);

// Whether two kinds rotate alike before scaling.
bool Same(const LayerRope& a, const LayerRope& b);

void SetRotaryDim(const Architecture& architecture, int rotary_dim,
                  LayerRope* layer);

// Fails unless the list has block_count entries.
void CheckLength(const char* name, size_t length, int layer_count,
                 GgufKeys* keys);

// Which layers slide; empty where neither file nor architecture says.
std::vector<bool> ReadPattern(const Architecture& architecture, int layer_count,
                              GgufKeys* keys);

// The kinds of a file that has kBasePerLayer or kDimPerLayer.
std::vector<LayerKind> ReadLayerGroups(const Architecture& architecture,
                                       const LayerRope& main, int layer_count,
                                       bool scaling_matters, GgufKeys* keys);

// More layers than any model has; bounds the memory that a file can ask for.
inline constexpr int kMaxLayers = 65536;

}  // namespace ropewalk::internal::gguf
