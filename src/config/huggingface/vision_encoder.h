// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// vision_config: the encoder's RoPE, and how images count in a prompt.
#pragma once
#include "config/huggingface/model_config.h"

namespace ropewalk::internal {

// Sets vision, prompt_rule and multimodal of a model whose kinds of layers are
// read. What is not known for sure is a warning, and left out.
void ReadVision(const ModelConfig& config, KeyReader* reader, ModelRope* model);

}  // namespace ropewalk::internal
