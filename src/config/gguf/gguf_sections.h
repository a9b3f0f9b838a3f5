// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// M-RoPE in GGUF files: rope.dimension_sections, and which pair follows which
// position component.
#pragma once
#include <string>
#include <vector>

#include "config/gguf/architectures.h"
#include "config/gguf/gguf_keys.h"
#include "ropewalk/config.h"

namespace ropewalk::internal::gguf {

// Sets mrope_section, mrope_interleaved and components of the main layer, whose
// rotary_dim is known. An error is left in keys.
void ReadSections(const Architecture& architecture,
                  const ConfigOptions& options, LayerRope* layer,
                  GgufKeys* keys, std::vector<std::string>* warnings);

// Sets parameters.axis of a kind of layer, which may have another rotary_dim:
// by the model's rule, or by that of ggml if options want it.
Status SetAxis(const ConfigOptions& options, LayerRope* layer,
               std::vector<std::string>* warnings);

}  // namespace ropewalk::internal::gguf
