// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Step-3.5: bases and partial factors as lists with an entry for each layer.
// Layers that are equal in all of it make a kind.
#include <algorithm>

#include "config/huggingface/layer_kinds.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

struct PerLayerLists {
  std::vector<double> bases;     // Empty: one base for all.
  std::vector<double> partials;  // Empty: one factor for all.
  std::vector<std::string> scaled_types;
  bool scales_all = true;
};

std::vector<double> ReadList(const ModelConfig& config, const char* name,
                             KeyReader* reader) {
  if (!reader->IsList(config.places, {name})) return {};
  auto list = reader->Numbers(config.places, {name});
  if (!list || !HasEntryPerLayer(config, list->size(), name, reader)) {
    return {};
  }
  if (std::any_of(list->begin(), list->end(),
                  [](double value) { return !(value > 0); })) {
    reader->Reject(StatusCode::kInvalidArgument, config.places, {name},
                   "entries must be positive");
  }
  return *std::move(list);
}

PerLayerLists ReadLists(const ModelConfig& config, KeyReader* reader) {
  PerLayerLists lists;
  lists.bases = ReadList(config, "rope_theta", reader);
  lists.partials = ReadList(config, "partial_rotary_factors", reader);
  if (const auto types = reader->Texts(config.places, {"yarn_only_types"})) {
    lists.scaled_types = *types;
    lists.scales_all = false;
  }
  return lists;
}

std::optional<double> EntryOf(const std::vector<double>& list, size_t layer) {
  if (list.empty()) return std::nullopt;
  return list[layer];
}

LayerKind KindOfLayer(const ModelConfig& config, const RopeDicts& dicts,
                      const PerLayerLists& lists, size_t layer) {
  LayerKind kind(
      config.layer_types.empty() ? "layers" : config.layer_types[layer],
      dicts.flat);
  kind.default_base = config.family->base;
  kind.base = EntryOf(lists.bases, layer);
  kind.partial = EntryOf(lists.partials, layer);
  const auto& scaled = lists.scaled_types;
  if (!lists.scales_all && std::find(scaled.begin(), scaled.end(),
                                     kind.layer_type) == scaled.end()) {
    kind.scheme_dicts.clear();
  }
  return kind;
}

// Kinds of one type that differ are numbered from the second on.
void NameApart(std::vector<LayerKind>* kinds) {
  if (kinds->size() == 1) {
    (*kinds)[0].layer_type = "all";
    return;
  }
  for (size_t i = kinds->size(); i-- > 1;) {
    const auto end = kinds->begin() + static_cast<std::ptrdiff_t>(i);
    const auto before =
        std::count_if(kinds->begin(), end, [&](const LayerKind& kind) {
          return kind.layer_type == end->layer_type;
        });
    if (before > 0) end->layer_type += "_" + std::to_string(before + 1);
  }
}

}  // namespace

std::vector<LayerKind> ReadPerLayerKinds(const ModelConfig& config,
                                         const RopeDicts& dicts,
                                         KeyReader* reader) {
  std::vector<LayerKind> kinds;
  if (config.layer_count == 0) {
    reader->Fail(Error(StatusCode::kParseError,
                       "num_hidden_layers: missing, required by lists with an "
                       "entry for each layer"));
    return kinds;
  }
  const PerLayerLists lists = ReadLists(config, reader);
  for (int layer = 0; reader->ok() && layer < config.layer_count; ++layer) {
    LayerKind kind =
        KindOfLayer(config, dicts, lists, static_cast<size_t>(layer));
    auto same =
        std::find_if(kinds.begin(), kinds.end(), [&](const LayerKind& k) {
          return k.layer_type == kind.layer_type && k.base == kind.base &&
                 k.partial == kind.partial;
        });
    if (same == kinds.end()) {
      if (kinds.size() >= kMaxLayerKinds) {
        reader->Fail(Error(StatusCode::kParseError,
                           "layers of more than %zu kinds: too many",
                           kMaxLayerKinds));
        break;
      }
      same = kinds.insert(same, std::move(kind));
    }
    same->layers.push_back(layer);
  }
  if (!kinds.empty()) NameApart(&kinds);
  return kinds;
}

}  // namespace ropewalk::internal
