// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What a family's code does with sections, whatever its files say of it.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "config/huggingface/layer_kinds.h"

namespace ropewalk::internal {

enum class SectionOrder : uint8_t {
  kByKey,  // Contiguous unless mrope_interleaved.
  kContiguous,
  kInterleaved,
  kErnie,
  kBalanced,  // If mrope_interleaved, else contiguous.
};

struct SectionRule {
  std::string_view name;  // What model_type begins with, or a scheme's name.
  SectionOrder order = SectionOrder::kByKey;
  bool always = true;  // There must be sections.
  // Of the configuration class; 0 where the file has to say them.
  std::array<int, 3> defaults = {};
  bool four_streams = false;
};

// By the family, else by the name of the scheme.
SectionRule FindSectionRule(const ModelConfig& config, const LayerKind& kind,
                            KeyReader* reader);

// Whether all models of the family have sections.
bool FamilyHasSections(const ModelConfig& config);

}  // namespace ropewalk::internal
