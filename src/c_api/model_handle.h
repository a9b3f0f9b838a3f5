// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What a ropewalk_model is: a ModelRope and all that its C structs point to,
// made when it is read. Nothing changes later, so threads need no lock.
#pragma once
#include <deque>
#include <optional>
#include <vector>

#include "c_api/handles.h"
#include "c_api/write_scaling.h"
#include "ropewalk/c/model.h"
#include "ropewalk/config.h"

namespace ropewalk::internal {

// Strings whose characters are elsewhere.
using Names = std::vector<const char*>;

struct KeyNames {
  explicit KeyNames(const std::vector<ConfigKey>& keys);

  Names paths;
  Names values;
};

// A kind of layer. Points into itself and into the LayerRope it was made from.
class LayerDescription {
 public:
  explicit LayerDescription(const LayerRope& from);
  LayerDescription(const LayerDescription&) = delete;
  LayerDescription& operator=(const LayerDescription&) = delete;

  const ropewalk_layer_rope& value() const noexcept { return value_; }

 private:
  void SetPositions(const LayerRope& from);

  WrittenParameters parameters_;
  ropewalk_rotary_layout layout_;
  ropewalk_rotary_layout key_layout_;
  ropewalk_query_scale query_scale_ = ROPEWALK_QUERY_SCALE_INIT;
  ropewalk_dual_chunk dual_chunk_ = ROPEWALK_DUAL_CHUNK_INIT;
  Names components_;
  KeyNames keys_;
  ropewalk_layer_rope value_ = ROPEWALK_LAYER_ROPE_INIT;
};

// A vision encoder, in the same way.
class VisionDescription {
 public:
  explicit VisionDescription(const VisionRope& from);
  VisionDescription(const VisionDescription&) = delete;
  VisionDescription& operator=(const VisionDescription&) = delete;

  const ropewalk_vision_rope& value() const noexcept { return value_; }
  ropewalk_patch_grid Grid(int64_t height, int64_t width) const noexcept;

 private:
  PatchGrid grid_;
  ropewalk_frequencies frequencies_;
  std::vector<ropewalk_rotary_layout> layouts_;
  std::vector<const ropewalk_rotary_layout*> layout_list_;
  Names components_;
  KeyNames keys_;
  ropewalk_vision_rope value_ = ROPEWALK_VISION_ROPE_INIT;
};

}  // namespace ropewalk::internal

// Made by a reader and then only read.
struct ropewalk_model {
  explicit ropewalk_model(ropewalk::ModelRope read);
  ropewalk_model(const ropewalk_model&) = delete;
  ropewalk_model& operator=(const ropewalk_model&) = delete;

  const ropewalk::ModelRope rope;
  // A deque, which moves no element.
  std::deque<ropewalk::internal::LayerDescription> layers;
  std::optional<ropewalk::internal::VisionDescription> vision;
  ropewalk::internal::Names warnings;
  ropewalk_multimodal_rules multimodal = ROPEWALK_MULTIMODAL_RULES_INIT;
  ropewalk_model_info info = ROPEWALK_MODEL_INFO_INIT;
};
