// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/huggingface/sections.h"

#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>

#include "config/huggingface/section_rules.h"
#include "ropewalk/axes.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

using Order = SectionOrder;

struct Sections {
  std::vector<int> counts;
  std::string path;
};

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

void CheckSections(const Sections& sections, const SectionRule& rule, int pairs,
                   KeyReader* reader) {
  const std::vector<int>& counts = sections.counts;
  const int64_t sum = std::accumulate(counts.begin(), counts.end(), int64_t{0});
  const bool two = rule.order == Order::kBalanced;
  const size_t least = two ? 2 : 3;
  const size_t most = rule.four_streams ? 4 : 3;
  if (counts.size() >= least && counts.size() <= most && sum == pairs) return;
  const char* const allowed = two                 ? "2 or 3"
                              : rule.four_streams ? "3 or 4"
                                                  : "3 (or a fourth of 0)";
  reader->Fail(Error(StatusCode::kParseError,
                     "%s has %zu entries that sum to %lld: must be %s that sum "
                     "to %d, half of the rotary dims",
                     sections.path.c_str(), counts.size(),
                     static_cast<long long>(sum), allowed, pairs));
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
                                     const Places& places,
                                     const SectionRule& rule, int pairs,
                                     KeyReader* reader) {
  const Names names = {"mrope_section", "xdrope_section"};
  std::optional<Sections> sections;
  if (auto counts = reader->Integers(places, names)) {
    sections = {*std::move(counts), reader->PathOf(places, names)};
  }
  if (rule.order == Order::kErnie && rule.always) {
    AddAllocation(config, pairs, &sections, reader);
  }
  return sections;
}

// Of a file that has none: those of the class if they fit, or an error.
std::optional<Sections> MissingSections(const ModelConfig& config,
                                        const Places& places,
                                        const SectionRule& rule, int pairs,
                                        KeyReader* reader) {
  const bool ernie_in_one_dimension =
      rule.order == Order::kErnie && reader->IsFalse(config.places, "rope_3d");
  if (!reader->ok() || !rule.always || ernie_in_one_dimension) {
    return std::nullopt;
  }
  const std::string path = reader->PathOf(
      places, {rule.four_streams ? "xdrope_section" : "mrope_section"});
  const auto& [t, h, w] = rule.defaults;
  if (t != 0 && t + h + w == pairs) {
    WarnAssumed(config, path,
                "[" + std::to_string(t) + ", " + std::to_string(h) + ", " +
                    std::to_string(w) + "]",
                reader);
    return Sections{{t, h, w}, path};
  }
  reader->Fail(Error(StatusCode::kParseError,
                     "%s: missing, must be there and sum to %d, half of the "
                     "rotary dims (model_type = %s)",
                     path.c_str(), pairs, config.model_type.c_str()));
  return std::nullopt;
}

bool ReadInterleaved(const ModelConfig& config, const Places& places,
                     const SectionRule& rule, KeyReader* reader) {
  const Names names = {"mrope_interleaved"};
  const auto given = reader->Bool(places, names);
  if (rule.order == Order::kByKey || rule.order == Order::kBalanced) {
    return given.value_or(false);
  }
  const bool always = rule.order == Order::kInterleaved;
  if (given && *given != always) {
    reader->Warn(reader->PathOf(places, names) +
                 (*given ? " = true" : " = false") +
                 ": not used, since model_type = " + config.model_type +
                 (always ? " always interleaves" : " has an order of its own"));
  }
  return always;
}

void WarnOfUnknown(const ModelConfig& config, const SectionRule& rule,
                   const Sections& sections, bool interleaved,
                   KeyReader* reader) {
  if (rule.order == Order::kBalanced) {
    if (sections.counts.size() != 2) return;
    return reader->Warn(sections.path +
                        " has 2 entries: which positions they are is not known "
                        "here; named t and h");
  }
  if (FamilyHasSections(config)) return;
  reader->Warn(sections.path + ": not known of model_type = " +
               config.model_type + "; taken as " +
               (rule.order == Order::kErnie ? "Ernie's"
                : interleaved               ? "interleaved"
                                            : "contiguous"));
}

Result<std::vector<uint8_t>> AxesOf(const SectionRule& rule, bool interleaved,
                                    const std::vector<int>& sections,
                                    int pairs) {
  if (rule.order == Order::kErnie) return ErnieAxes(sections, pairs);
  if (!interleaved) return ContiguousAxes(sections, pairs);
  if (rule.order == Order::kBalanced) return BalancedAxes(sections, pairs);
  return InterleavedAxes(sections, pairs);
}

// The rule as it is for this file.
SectionRule RuleOf(const ModelConfig& config, const LayerKind& kind,
                   const Places& places, KeyReader* reader) {
  SectionRule rule = FindSectionRule(config, kind, reader);
  if (rule.order == Order::kByKey) {
    rule.four_streams = reader->Has(places, {"xdrope_section"});
  }
  return rule;
}

std::vector<std::string> ComponentsOf(const SectionRule& rule, size_t count) {
  std::vector<std::string> names = {"t", "h", "w"};
  if (rule.four_streams) names = {"p", "w", "h", "t"};
  names.resize(count);
  return names;
}

}  // namespace

void ReadSections(const ModelConfig& config, const LayerKind& kind,
                  KeyReader* reader, LayerRope* layer) {
  Places places = kind.dicts;
  places.insert(places.end(), config.places.begin(), config.places.end());
  SectionRule rule = RuleOf(config, kind, places, reader);
  const int pairs = layer->layout.rotary_dim / 2;
  auto sections = FindSections(config, places, rule, pairs, reader);
  if (!sections) {
    sections = MissingSections(config, places, rule, pairs, reader);
  }
  if (!sections) return;
  const bool interleaved = ReadInterleaved(config, places, rule, reader);
  if (rule.order == Order::kBalanced && !interleaved) {
    rule.order = Order::kContiguous;
  }
  DropUnusedFourth(pairs, &*sections, reader);
  CheckSections(*sections, rule, pairs, reader);
  WarnOfUnknown(config, rule, *sections, interleaved, reader);
  if (!reader->ok()) return;
  auto axis = AxesOf(rule, interleaved, sections->counts, pairs);
  if (!axis.ok()) {
    // Sections against the rule are the file's fault; a lack of memory is not.
    const StatusCode code = axis.status().code();
    return reader->Fail(
        Error(code == StatusCode::kOutOfMemory ? code : StatusCode::kParseError,
              "%s: %s", sections->path.c_str(), axis.status().message()));
  }
  layer->mrope_section = std::move(sections->counts);
  layer->mrope_interleaved = interleaved;
  layer->parameters.axis = std::move(axis).value();
  layer->components = ComponentsOf(rule, layer->mrope_section.size());
}

}  // namespace ropewalk::internal
