// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Files that list base or rotary_dim for every layer (Step-3.5): equal layers
// are one kind.
#include <utility>

#include "config/gguf/gguf_layers.h"
#include "status/error.h"

namespace ropewalk::internal::gguf {
namespace {

// Each kind costs a computation of its frequencies; no model has as many.
constexpr size_t kMaxKinds = 16;

// One entry a layer; empty: not known.
struct PerLayer {
  std::vector<double> bases;
  std::vector<int64_t> rotary_dims;
  std::vector<bool> sliding;

  size_t size() const {
    return bases.empty() ? rotary_dims.size() : bases.size();
  }
};

// False after an error.
bool ReadLists(const Architecture& architecture, int layer_count,
               bool scaling_matters, PerLayer* lists, GgufKeys* keys) {
  lists->bases = keys->Numbers(kBasePerLayer, NumberRule::kPositive)
                     .value_or(lists->bases);
  lists->rotary_dims = keys->Integers(kDimPerLayer, 0, kMaxRotaryDim)
                           .value_or(lists->rotary_dims);
  if (!keys->ok()) return false;
  if (lists->size() == 0) {
    keys->Refuse(StatusCode::kParseError, kBasePerLayer, "0 entries",
                 "must have one a layer");
    return false;
  }
  CheckLength(lists->bases.empty() ? kDimPerLayer : kBasePerLayer,
              lists->size(), layer_count, keys);
  const int count = static_cast<int>(lists->size());
  if (!lists->rotary_dims.empty()) {
    CheckLength(kDimPerLayer, lists->rotary_dims.size(), count, keys);
  }
  lists->sliding = ReadPattern(architecture, count, keys);
  if (!lists->sliding.empty()) return keys->ok();
  if (architecture.Has(kSlidingUnscaled) && scaling_matters) {
    keys->Refuse(StatusCode::kParseError, kPattern, "missing",
                 "must be there: sliding layers are not scaled");
  }
  return keys->ok();
}

LayerKind KindOfLayer(const Architecture& architecture, const LayerRope& main,
                      const PerLayer& lists, size_t i) {
  const bool known = !lists.sliding.empty();
  const bool slides = known && lists.sliding[i];
  LayerKind kind = KindOf(main, !known   ? "group"
                                : slides ? "sliding_attention"
                                         : "full_attention");
  kind.scaled = !(slides && architecture.Has(kSlidingUnscaled));
  if (!lists.bases.empty()) kind.rope.parameters.base = lists.bases[i];
  if (!lists.rotary_dims.empty()) {
    SetRotaryDim(architecture, static_cast<int>(lists.rotary_dims[i]),
                 &kind.rope);
  }
  return kind;
}

// The kind to which a layer belongs, made if it is new; null past kMaxKinds.
// types are the names before they were numbered.
LayerKind* GroupOf(LayerKind layer, std::vector<std::string>* types,
                   std::vector<LayerKind>* kinds) {
  int number = 1;
  for (size_t i = 0; i < kinds->size(); ++i) {
    if ((*types)[i] != layer.rope.layer_type) continue;
    if (Same((*kinds)[i].rope, layer.rope)) return &(*kinds)[i];
    ++number;
  }
  if (kinds->size() == kMaxKinds) return nullptr;
  types->push_back(layer.rope.layer_type);
  if (number > 1) layer.rope.layer_type += "_" + std::to_string(number);
  kinds->push_back(std::move(layer));
  return &kinds->back();
}

}  // namespace

std::vector<LayerKind> ReadLayerGroups(const Architecture& architecture,
                                       const LayerRope& main, int layer_count,
                                       bool scaling_matters, GgufKeys* keys) {
  PerLayer lists;
  if (!ReadLists(architecture, layer_count, scaling_matters, &lists, keys)) {
    return {};
  }
  std::vector<std::string> types;
  std::vector<LayerKind> kinds;
  for (size_t i = 0; i < lists.size(); ++i) {
    LayerKind* const kind =
        GroupOf(KindOfLayer(architecture, main, lists, i), &types, &kinds);
    if (kind == nullptr) {
      keys->Fail(Error(StatusCode::kUnsupported,
                       "layers: must be of at most %zu kinds", kMaxKinds));
      return {};
    }
    kind->rope.layers.push_back(static_cast<int>(i));
  }
  const auto used = keys->TakeUsed();
  for (LayerKind& kind : kinds) kind.rope.keys = used;
  if (kinds.size() == 1) kinds[0].rope.layer_type = "all";
  return kinds;
}

}  // namespace ropewalk::internal::gguf
