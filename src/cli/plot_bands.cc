// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/plot_bands.h"

#include <cmath>

#include "cli/gnuplot.h"
#include "cli/terminal.h"

namespace ropewalk::cli {
namespace {

constexpr int kWidth = 900;
constexpr int kPanelHeight = 450;

std::string DataBlock(const LayerFacts& facts, size_t panel) {
  std::string block = "$pairs" + std::to_string(panel) + " << EOD\n";
  for (size_t i = 0; i < facts.bands.pairs.size(); ++i) {
    const PairBand& pair = facts.bands.pairs[i];
    // A pair that never turns has no place on a logarithmic scale.
    if (!std::isfinite(pair.wavelength)) continue;
    block += std::to_string(i) + " " + Number(pair.plain_wavelength) + " " +
             Number(pair.wavelength) + "\n";
  }
  return block + "EOD\n";
}

// A horizontal line, as one more thing to plot.
std::string LineAt(int64_t positions, const char* name, const char* style) {
  if (positions <= 0) return "";
  return ", " + std::to_string(positions) + ".0 with lines " + style +
         " title '" + name + ", " + std::to_string(positions) + "'";
}

std::string Panel(const ModelFacts& facts, const LayerFacts& layer,
                  size_t panel) {
  const std::string block = "$pairs" + std::to_string(panel);
  std::string script = DataBlock(layer, panel);
  script += "set title " +
            Quoted(facts.model.family + ", " + layer.rope.layer_type + ": " +
                   SchemeName(layer.rope.parameters.scaling)) +
            " noenhanced\n";
  script += "plot " + block +
            " using 1:2 with lines lw 2 dt 2 lc rgb '#777777' title 'plain', " +
            block +
            " using 1:3 with points pt 7 ps 0.5 lc rgb '#0072b2' "
            "title 'scaled'";
  const int64_t max = facts.model.max_positions;
  script += LineAt(layer.original_positions, "original context",
                   "lw 1.5 lc rgb '#009e73'");
  if (max != layer.original_positions) {
    script += LineAt(max, "extended context", "lw 1.5 lc rgb '#d55e00'");
  }
  return script + "\n";
}

// Empty where nothing turns.
std::string Script(const ModelFacts& facts, const std::string& file) {
  std::string panels;
  size_t count = 0;
  for (const LayerFacts& layer : facts.layers) {
    if (layer.rope.uses_rope && !layer.bands.pairs.empty()) {
      panels += Panel(facts, layer, count++);
    }
  }
  if (count == 0) return "";
  return SetTerminal(file, kWidth, kPanelHeight * static_cast<int>(count)) +
         "set logscale y\nset format y '10^{%L}'\nset grid\n"
         "set key left top\nset xlabel 'pair'\n"
         "set ylabel 'wavelength, positions'\n"
         "set multiplot layout " +
         std::to_string(count) + ",1\n" + panels + "unset multiplot\n";
}

}  // namespace

std::string PlotBands(const ModelFacts& facts, const std::string& file) {
  const std::string script = Script(facts, file);
  if (script.empty()) return "no layer turns: there is nothing to draw";
  return RunGnuplot(script, file);
}

}  // namespace ropewalk::cli
