// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/inspect.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "cli/gnuplot.h"
#include "cli/plot_bands.h"
#include "cli/terminal.h"
#include "ropewalk/angles.h"

namespace ropewalk::cli {
namespace {

// |fl(fl(p) fl(w)) - p w|: p w is high + low without an error, and a float
// next to high differs from it by a double.
double AngleError(int64_t position, double inv_freq) {
  const float rounded =
      static_cast<float>(position) * static_cast<float>(inv_freq);
  const auto p = static_cast<double>(position);
  const double high = p * inv_freq;
  const double low = std::fma(p, inv_freq, -high);
  return std::abs((static_cast<double>(rounded) - high) - low);
}

Float32Error WorstFloat32Error(const std::vector<double>& inv_freq,
                               int64_t position) {
  Float32Error worst = {position, 0, 0, 0};
  for (size_t i = 0; i < inv_freq.size(); ++i) {
    const double radians = AngleError(position, inv_freq[i]);
    if (radians <= worst.radians) continue;
    worst.pair = static_cast<int>(i);
    worst.radians = radians;
  }
  worst.bf16_ulps = std::ldexp(worst.radians, 8);
  return worst;
}

bool IsScaled(const Bands& bands) {
  return std::any_of(
      bands.pairs.begin(), bands.pairs.end(),
      [](const PairBand& pair) { return pair.band != Band::kExtrapolated; });
}

// The original context is that of the layer, or of its scheme; and what is not
// scaled was trained on all it takes.
Status AddBands(int64_t max_positions, int64_t length, LayerFacts* facts) {
  const RopeParameters& parameters = facts->rope.parameters;
  int64_t* const original = &facts->original_positions;
  *original = facts->rope.original_positions > 0
                  ? facts->rope.original_positions
                  : OriginalPositions(parameters.scaling);
  // 1 position tells all but the rotations.
  auto bands =
      ComputeBands(parameters, std::max<int64_t>(*original, 1), length);
  if (bands.ok() && *original <= 0 && max_positions > 0 &&
      !IsScaled(bands.value())) {
    *original = max_positions;
    bands = ComputeBands(parameters, max_positions, length);
  }
  if (!bands.ok()) return bands.status();
  facts->bands = std::move(bands).value();
  return Status();
}

// More dims than any model turns: a table of them takes seconds to build.
constexpr int kMostDimsToBuild = 4096;

Status AddTable(int64_t max_positions, LayerFacts* facts) {
  if (facts->rope.parameters.rotary_dim <= kMostDimsToBuild) {
    const auto table = AngleTable::Build(facts->frequencies);
    if (!table.ok()) return table.status();
    facts->factored_bytes = table.value()->bytes();
  }
  if (max_positions <= 0) return Status();
  const std::vector<double>& inv_freq = facts->frequencies.inv_freq;
  facts->dense_bytes = static_cast<double>(max_positions) *
                       static_cast<double>(inv_freq.size()) * 2 * sizeof(float);
  facts->float32_error = WorstFloat32Error(inv_freq, max_positions - 1);
  return Status();
}

Result<LayerFacts> FactsOf(const LayerRope& layer, int64_t max_positions,
                           int64_t length) {
  LayerFacts facts;
  facts.rope = layer;
  auto frequencies = ComputeFrequencies(layer.parameters, length);
  if (!frequencies.ok()) return frequencies.status();
  facts.frequencies = std::move(frequencies).value();
  facts.checksum = Checksum(facts.frequencies);
  if (!layer.uses_rope) return facts;
  if (Status s = AddBands(max_positions, length, &facts); !s.ok()) return s;
  if (Status s = AddTable(max_positions, &facts); !s.ok()) return s;
  return facts;
}

}  // namespace

Result<ModelFacts> CollectFacts(const InspectOptions& options) {
  auto model = ReadModelFile(options.file);
  if (!model.ok()) return model.status();
  ModelFacts facts;
  facts.path = options.file.path;
  facts.sequence_length = options.length;
  facts.model = std::move(model).value();
  for (const LayerRope& layer : facts.model.layer_types) {
    auto one = FactsOf(layer, facts.model.max_positions, options.length);
    if (!one.ok()) return one.status();
    facts.layers.push_back(std::move(one).value());
  }
  return facts;
}

int RunInspect(const InspectOptions& options) {
  // Before the file is read, so that a wrong name costs nothing.
  if (!options.plot.empty() && !CanPlotTo(options.plot)) {
    return Fail("--plot " + options.plot + ": must end in .svg or .png");
  }
  const auto facts = CollectFacts(options);
  if (!facts.ok()) {
    return FailToRead(options.file, facts.status());
  }
  if (!options.plot.empty()) {
    const std::string error = PlotBands(facts.value(), options.plot);
    if (!error.empty()) return Fail("--plot " + options.plot + ": " + error);
  }
  const std::string text =
      options.json ? FactsAsJson(facts.value()) : FactsAsText(facts.value());
  std::fputs(text.c_str(), stdout);
  return kFine;
}

}  // namespace ropewalk::cli
