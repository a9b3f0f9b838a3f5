// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads everything about one kind of layer.
#pragma once
#include "config/huggingface/layer_kinds.h"

namespace ropewalk::internal {

void ReadLayer(const ModelConfig& config, const LayerKind& kind,
               KeyReader* reader, LayerRope* layer);

}  // namespace ropewalk::internal
