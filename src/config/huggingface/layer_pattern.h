// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The type of each layer, by a list in the file or by the period in which a
// family's types repeat, a number or a string of letters.
#pragma once
#include <string>
#include <vector>

#include "config/huggingface/layer_kinds.h"

namespace ropewalk::internal {

// [layers]; empty where the file does not say.
using LayerTypes = std::vector<std::string>;

inline constexpr char kFullAttention[] = "full_attention";
inline constexpr char kSlidingAttention[] = "sliding_attention";

// layer_types where the file has it, else every period-th layer has full
// attention and the others sliding: the last of each period, or the first.
enum class FullLayer : uint8_t { kLastOfPeriod, kFirstOfPeriod };
LayerTypes TypesByPeriod(const ModelConfig& config, const Names& period_names,
                         int default_period, FullLayer full, KeyReader* reader);

// Layers that have no attention, and so no kind here.
bool HasNoAttention(const std::string& layer_type);

// Gives each kind its layers; fails for a type of which no kind tells.
void AssignLayers(const LayerTypes& types, std::vector<LayerKind>* kinds,
                  KeyReader* reader);

}  // namespace ropewalk::internal
