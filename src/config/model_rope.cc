// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/config.h"

namespace ropewalk {

const LayerRope* ModelRope::Find(std::string_view layer_type) const noexcept {
  if (layer_types.size() == 1 && layer_types[0].layer_type == "all") {
    return &layer_types[0];
  }
  for (const LayerRope& layer : layer_types) {
    if (layer.layer_type == layer_type) return &layer;
  }
  return nullptr;
}

}  // namespace ropewalk
