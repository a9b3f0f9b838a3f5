// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Sizes of a head and where in it the rotary dims are.
#pragma once
#include <string>

#include "config/huggingface/layer_kinds.h"

namespace ropewalk::internal {

// Sets layout, key_layout and parameters.rotary_dim of a kind of layer.
void ReadWindow(const ModelConfig& config, const LayerKind& kind,
                const std::string& scheme_name, KeyReader* reader,
                LayerRope* layer);

}  // namespace ropewalk::internal
