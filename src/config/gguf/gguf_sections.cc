// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/gguf/gguf_sections.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "config/gguf/gguf_scaling.h"
#include "ropewalk/axes.h"
#include "status/error.h"

namespace ropewalk::internal::gguf {
namespace {

constexpr char kSections[] = "rope.dimension_sections";
// ggml's streams, of which the last is extra.
constexpr size_t kStreams = 4;

int64_t SumOf(const std::vector<int>& sections) {
  return std::accumulate(sections.begin(), sections.end(), int64_t{0});
}

// Four counts; trailing zeros mean fewer components. Empty without them.
std::vector<int> ReadCounts(const Architecture& architecture, GgufKeys* keys) {
  const auto given = keys->Integers(kSections, 0, kMaxRotaryDim);
  if (!given && architecture.Has(kMropeRequired)) {
    keys->Refuse(StatusCode::kParseError, kSections, "missing",
                 "must be there for this architecture");
  }
  if (!given) return {};
  if (given->size() > kStreams) {
    keys->Refuse(StatusCode::kParseError, kSections,
                 std::to_string(given->size()) + " entries",
                 "must have at most 4");
    return {};
  }
  std::vector<int> counts(given->begin(), given->end());
  while (!counts.empty() && counts.back() == 0) counts.pop_back();
  if (counts.empty() && architecture.Has(kMropeRequired)) {
    keys->Refuse(StatusCode::kParseError, kSections,
                 given->empty() ? "[]" : "all 0",
                 "must have a section above 0 for this architecture");
  }
  return counts;
}

// The models' code has no fourth component, where ggml goes on to it.
void DropUnusedFourth(int pairs, std::vector<int>* counts, GgufKeys* keys,
                      std::vector<std::string>* warnings) {
  if (counts->size() != kStreams) return;
  if (SumOf(*counts) - counts->back() != pairs) return;
  WarnOnce(keys->Path(kSections) + "[3] = " + std::to_string(counts->back()) +
               ": not used, since the others have all pairs",
           warnings);
  counts->pop_back();
}

// The models of the architectures that are known have three components.
void CheckCounts(const std::vector<int>& counts, bool is_known, int pairs,
                 GgufKeys* keys) {
  if (SumOf(counts) != pairs) {
    keys->Refuse(StatusCode::kParseError, kSections,
                 "sum " + std::to_string(SumOf(counts)),
                 "must sum to the number of pairs, " + std::to_string(pairs));
  }
  if (is_known && counts.size() == kStreams) {
    keys->Refuse(StatusCode::kParseError, kSections,
                 "fourth " + std::to_string(counts.back()),
                 "must be 0: the model has three position components");
  }
}

// ggml takes the pairs that interleaved sections leave over as a fourth
// component.
void WarnOfFourth(const std::vector<uint8_t>& axis,
                  std::vector<std::string>* warnings) {
  const auto extra = std::find(axis.begin(), axis.end(), 3);
  if (extra == axis.end()) return;
  WarnOnce("rope.dimension_sections: ggml turns pair " +
               std::to_string(extra - axis.begin()) +
               " and others by a fourth position component",
           warnings);
}

Result<std::vector<uint8_t>> AxisOf(const LayerRope& layer, bool as_ggml) {
  const int pairs = layer.parameters.rotary_dim / 2;
  std::vector<int> sections = layer.mrope_section;
  if (layer.mrope_interleaved) {
    sections.resize(std::max(sections.size(), kStreams - 1));
    return InterleavedAxes(sections, pairs, as_ggml ? 3 : 0);
  }
  return as_ggml ? GgmlAxes(sections, pairs) : ContiguousAxes(sections, pairs);
}

}  // namespace

void ReadSections(const Architecture& architecture,
                  const ConfigOptions& options, LayerRope* layer,
                  GgufKeys* keys, std::vector<std::string>* warnings) {
  std::vector<int> counts = ReadCounts(architecture, keys);
  if (counts.empty()) return;
  const int pairs = layer->parameters.rotary_dim / 2;
  const bool is_known =
      architecture.Has(kMropeRequired) || architecture.Has(kMropeIsHalf);
  if (!options.ggml_parity) {
    DropUnusedFourth(pairs, &counts, keys, warnings);
    CheckCounts(counts, is_known, pairs, keys);
  }
  if (!is_known) {
    WarnOnce(keys->Path(kSections) +
                 ": not known of this architecture; taken as contiguous",
             warnings);
  }
  layer->mrope_interleaved = architecture.Has(kMropeInterleaved);
  layer->components = {"t", "h", "w", "e"};
  if (!options.ggml_parity && counts.size() < kStreams) {
    layer->components.pop_back();
  }
  layer->mrope_section = std::move(counts);
}

Status SetAxis(const ConfigOptions& options, LayerRope* layer,
               std::vector<std::string>* warnings) {
  if (layer->mrope_section.empty()) return Status();
  const int pairs = layer->parameters.rotary_dim / 2;
  const bool as_ggml = options.ggml_parity;
  if (!as_ggml && SumOf(layer->mrope_section) != pairs) {
    return Error(
        StatusCode::kUnsupported,
        "%s: rope.dimension_sections: must sum to rotary_dim / 2 = %d in "
        "every kind of layer",
        layer->layer_type.c_str(), pairs);
  }
  auto axis = AxisOf(*layer, as_ggml);
  if (!axis.ok()) {
    return Error(axis.status().code(), "%s: rope.dimension_sections: %s",
                 layer->layer_type.c_str(), axis.status().message());
  }
  layer->parameters.axis = std::move(axis).value();
  if (as_ggml && layer->mrope_interleaved) {
    WarnOfFourth(layer->parameters.axis, warnings);
  }
  return Status();
}

}  // namespace ropewalk::internal::gguf
