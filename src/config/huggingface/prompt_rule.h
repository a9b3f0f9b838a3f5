// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// By which rule the tokens of text and images count.
#pragma once
#include "config/huggingface/model_config.h"

namespace ropewalk::internal {

// Sets prompt_rule and multimodal of a model whose kinds of layers are read;
// vision is its vision_config, or null.
void ReadPromptRule(const ModelConfig& config, const Place* vision,
                    KeyReader* reader, ModelRope* model);

}  // namespace ropewalk::internal
