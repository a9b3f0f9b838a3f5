// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Models whose tokens have several positions: how many pairs each has, and
// which pairs by the rule of the model's family.
#pragma once
#include "config/huggingface/layer_kinds.h"

namespace ropewalk::internal {

// Sets mrope_section, mrope_interleaved, components and parameters.axis of a
// kind of layer whose window is known; nothing where the file has no sections
// and the family need not have any.
void ReadSections(const ModelConfig& config, const LayerKind& kind,
                  KeyReader* reader, LayerRope* layer);

}  // namespace ropewalk::internal
