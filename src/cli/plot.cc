// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/plot.h"

#include <sys/wait.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cli/terminal.h"

namespace ropewalk::cli {
namespace {

constexpr int kWidth = 900;
constexpr int kPanelHeight = 450;

// gnuplot writes to stdout, and the shell knows the file only as a variable:
// no name can become a command of either. 127 is the shell's own code for what
// it does not find.
constexpr char kCommand[] =
    "command -v gnuplot >/dev/null || exit 127; "
    "exec gnuplot -d >\"$ROPEWALK_PLOT_FILE\"";
constexpr int kNotFound = 127;

bool EndsIn(std::string_view text, std::string_view suffix) {
  return text.size() > suffix.size() &&
         text.substr(text.size() - suffix.size()) == suffix;
}

// A string of gnuplot in single quotes, where only the quote is special, and
// a line must not end.
std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : Printable(text)) {
    quoted += c == '\'' ? "''" : std::string(1, c);
  }
  return quoted + "'";
}

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
std::string Script(const ModelFacts& facts, bool svg) {
  std::string panels;
  size_t count = 0;
  for (const LayerFacts& layer : facts.layers) {
    if (layer.rope.uses_rope && !layer.bands.pairs.empty()) {
      panels += Panel(facts, layer, count++);
    }
  }
  if (count == 0) return "";
  return std::string("set terminal ") + (svg ? "svg" : "pngcairo") + " size " +
         std::to_string(kWidth) + "," +
         std::to_string(kPanelHeight * static_cast<int>(count)) +
         " background '#ffffff'\n"
         "set logscale y\nset format y '10^{%L}'\nset grid\n"
         "set key left top\nset xlabel 'pair'\n"
         "set ylabel 'wavelength, positions'\n"
         "set multiplot layout " +
         std::to_string(count) + ",1\n" + panels + "unset multiplot\n";
}

// Writes to a process that may end first: an error then, not a signal.
class IgnorePipeSignal {
 public:
  IgnorePipeSignal() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~IgnorePipeSignal() { std::signal(SIGPIPE, before_); }

 private:
  void (*before_)(int);
};

// Tells a failure of the shell, which opens the file, from one of gnuplot.
bool CanWrite(const std::string& file) {
  std::FILE* const out = std::fopen(file.c_str(), "ab");
  return out != nullptr && std::fclose(out) == 0;
}

std::string RunGnuplot(const std::string& script, const std::string& file) {
  const IgnorePipeSignal ignore;
  if (setenv("ROPEWALK_PLOT_FILE", file.c_str(), 1) != 0) {
    return "cannot pass the file name on";
  }
  std::FILE* const pipe = popen(kCommand, "w");
  if (pipe == nullptr) return "cannot start a shell";
  const bool written = std::fputs(script.c_str(), pipe) >= 0;
  const int status = pclose(pipe);
  if (status != -1 && WIFEXITED(status)) {
    const int code = WEXITSTATUS(status);
    if (code == kNotFound) {
      return "gnuplot is not installed: install the package gnuplot-nox";
    }
    if (code == 0 && written) return "";
    if (!CanWrite(file)) return "cannot write the file";
    return "gnuplot failed with exit code " + std::to_string(code);
  }
  return "gnuplot was ended by a signal";
}

}  // namespace

bool CanPlotTo(const std::string& file) {
  return EndsIn(file, ".svg") || EndsIn(file, ".png");
}

std::string Plot(const ModelFacts& facts, const std::string& file) {
  const std::string script = Script(facts, EndsIn(file, ".svg"));
  if (script.empty()) return "no layer turns: there is nothing to draw";
  return RunGnuplot(script, file);
}

}  // namespace ropewalk::cli
