// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/gnuplot.h"

#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "cli/terminal.h"

namespace ropewalk::cli {
namespace {

// gnuplot writes to stdout, and the shell knows the file only as a variable:
// no name can become a command of either. 127 is the shell's own code for what
// it does not find.
constexpr char kFind[] = "command -v gnuplot >/dev/null || exit 127";
constexpr char kRun[] =
    "command -v gnuplot >/dev/null || exit 127; "
    "exec gnuplot -d >\"$ROPEWALK_PLOT_FILE\"";
constexpr int kNotFound = 127;
constexpr char kNotInstalled[] =
    "gnuplot is not installed: install the package gnuplot-nox";
constexpr char kCannotWrite[] = "cannot write the file";

bool EndsIn(std::string_view text, std::string_view suffix) {
  return text.size() > suffix.size() &&
         text.substr(text.size() - suffix.size()) == suffix;
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

}  // namespace

bool CanPlotTo(const std::string& file) {
  return EndsIn(file, ".svg") || EndsIn(file, ".png");
}

// In single quotes only the quote is special, and a line must not end.
std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : Printable(text)) {
    quoted += c == '\'' ? "''" : std::string(1, c);
  }
  return quoted + "'";
}

std::string SetTerminal(const std::string& file, int width, int height) {
  return std::string("set terminal ") +
         (EndsIn(file, ".svg") ? "svg" : "pngcairo") + " size " +
         std::to_string(width) + "," + std::to_string(height) +
         " background '#ffffff'\n";
}

std::string CheckPlot(const std::string& file) {
  if (!CanPlotTo(file)) return "must end in .svg or .png";
  const int status = std::system(kFind);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound) {
    return kNotInstalled;
  }
  return CanWrite(file) ? "" : kCannotWrite;
}

std::string RunGnuplot(const std::string& script, const std::string& file) {
  const IgnorePipeSignal ignore;
  if (setenv("ROPEWALK_PLOT_FILE", file.c_str(), 1) != 0) {
    return "cannot pass the file name on";
  }
  std::FILE* const pipe = popen(kRun, "w");
  if (pipe == nullptr) return "cannot start a shell";
  const bool written = std::fputs(script.c_str(), pipe) >= 0;
  const int status = pclose(pipe);
  if (status != -1 && WIFEXITED(status)) {
    const int code = WEXITSTATUS(status);
    if (code == kNotFound) return kNotInstalled;
    if (code == 0 && written) return "";
    if (!CanWrite(file)) return kCannotWrite;
    return "gnuplot failed with exit code " + std::to_string(code);
  }
  return "gnuplot was ended by a signal";
}

}  // namespace ropewalk::cli
