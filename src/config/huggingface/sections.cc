// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/huggingface/sections.h"

#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>

#include "ropewalk/axes.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

struct Sections {
  std::vector<int> counts;
  std::string path;
};

bool IsErnie(const ModelConfig& config) {
  return config.model_type.rfind("ernie4_5", 0) == 0;
}

// Named by its scheme in vLLM's rope parameters, or by its model.
bool IsOpenPangu(const ModelConfig& config, const LayerKind& kind,
                 KeyReader* reader) {
  if (config.model_type.rfind("openpangu", 0) == 0) return true;
  for (const char* name : {"rope_type", "type"}) {
    if (reader->IsText(kind.scheme_dicts, {name}) &&
        reader->Text(kind.scheme_dicts, {name}) == "openpangu") {
      return true;
    }
  }
  return false;
}

// A fourth entry that no pair is left for is not looked at by the models'
// code, and goes.
void DropUnusedFourth(int pairs, Sections* sections, KeyReader* reader) {
  std::vector<int>& counts = sections->counts;
  if (counts.size() != 4) return;
  const int64_t three =
      std::accumulate(counts.begin(), counts.end() - 1, int64_t{0});
  if (three != pairs) return;
  if (counts[3] != 0) {
    reader->Warn(sections->path + "[3] = " + std::to_string(counts[3]) +
                 ": not used, since the others have all pairs");
  }
  counts.pop_back();
}

void CheckSections(const Sections& sections, int pairs, KeyReader* reader) {
  const std::vector<int>& counts = sections.counts;
  const int64_t sum = std::accumulate(counts.begin(), counts.end(), int64_t{0});
  if ((counts.size() == 3 || counts.size() == 4) && sum == pairs) return;
  reader->Fail(Error(StatusCode::kParseError,
                     "%s has %zu entries that sum to %lld: must be 3 or 4 that "
                     "sum to %d, half of the rotary dims",
                     sections.path.c_str(), counts.size(),
                     static_cast<long long>(sum), pairs));
}

// Original files of Ernie 4.5 VL say how many pairs turn by time; height and
// width share the others.
std::optional<std::vector<int>> ReadAllocation(const ModelConfig& config,
                                               int pairs, KeyReader* reader) {
  const Names names = {"freq_allocation"};
  const bool three = reader->Bool(config.places, {"rope_3d"}).value_or(true);
  const auto time = reader->Integer(config.places, names, 0, pairs);
  if (!time || !three) return std::nullopt;
  const int rest = pairs - static_cast<int>(*time);
  if (rest % 2 == 0) {
    return std::vector<int>{rest / 2, rest / 2, static_cast<int>(*time)};
  }
  reader->Reject(StatusCode::kInvalidArgument, config.places, names,
                 "must leave an even number of pairs to height and width");
  return std::nullopt;
}

void AddAllocation(const ModelConfig& config, int pairs,
                   std::optional<Sections>* sections, KeyReader* reader) {
  auto allocated = ReadAllocation(config, pairs, reader);
  if (!allocated) return;
  const Names names = {"freq_allocation"};
  if (*sections && (*sections)->counts != *allocated) {
    reader->Reject(StatusCode::kParseError, config.places, names,
                   "must agree with mrope_section");
  }
  if (*sections) return;
  *sections = {*std::move(allocated), reader->PathOf(config.places, names)};
}

std::optional<Sections> FindSections(const ModelConfig& config,
                                     const Places& places, int pairs,
                                     KeyReader* reader) {
  const Names names = {"mrope_section", "xdrope_section"};
  std::optional<Sections> sections;
  if (auto counts = reader->Integers(places, names)) {
    sections = {*std::move(counts), reader->PathOf(places, names)};
  }
  if (IsErnie(config) && config.model_type.find("_vl") != std::string::npos) {
    AddAllocation(config, pairs, &sections, reader);
  }
  return sections;
}

Result<std::vector<uint8_t>> AxesOf(const ModelConfig& config,
                                    const LayerKind& kind,
                                    const LayerRope& layer, KeyReader* reader) {
  const std::vector<int>& sections = layer.mrope_section;
  const int pairs = layer.layout.rotary_dim / 2;
  if (IsErnie(config)) return ErnieAxes(sections, pairs);
  if (!layer.mrope_interleaved) return ContiguousAxes(sections, pairs);
  if (IsOpenPangu(config, kind, reader)) return BalancedAxes(sections, pairs);
  return InterleavedAxes(sections, pairs);
}

}  // namespace

void ReadSections(const ModelConfig& config, const LayerKind& kind,
                  KeyReader* reader, LayerRope* layer) {
  Places places = kind.dicts;
  places.insert(places.end(), config.places.begin(), config.places.end());
  layer->mrope_interleaved =
      reader->Bool(places, {"mrope_interleaved"}).value_or(false);
  const int pairs = layer->layout.rotary_dim / 2;
  auto sections = FindSections(config, places, pairs, reader);
  if (!sections) return;
  const bool is_xdrope = reader->Has(places, {"xdrope_section"});
  DropUnusedFourth(pairs, &*sections, reader);
  CheckSections(*sections, pairs, reader);
  if (!reader->ok()) return;
  layer->mrope_section = sections->counts;
  auto axis = AxesOf(config, kind, *layer, reader);
  if (!axis.ok()) {
    return reader->Fail(Error(StatusCode::kParseError, "%s: %s",
                              sections->path.c_str(), axis.status().message()));
  }
  layer->parameters.axis = std::move(axis).value();
  layer->components = is_xdrope ? std::vector<std::string>{"p", "w", "h", "t"}
                                : std::vector<std::string>{"t", "h", "w", "e"};
  layer->components.resize(sections->counts.size());
}

}  // namespace ropewalk::internal
