// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What a config.json says of an attention that its RoPE does not: factors of
// queries by their position, positions by chunk, an output that turns back.
#pragma once
#include "config/huggingface/layer_kinds.h"

namespace ropewalk::internal {

// Sets query_scale, dual_chunk and inverse_on_output of a kind of layer that is
// read otherwise, and original_positions where only dual chunk attention says
// them.
void ReadAttentionKeys(const ModelConfig& config, const LayerKind& kind,
                       KeyReader* reader, LayerRope* layer);

}  // namespace ropewalk::internal
