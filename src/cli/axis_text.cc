// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/axis_text.h"

#include <algorithm>
#include <cstddef>

namespace ropewalk::cli {
namespace {

constexpr size_t kMostTurns = 4;  // Of components that take turns.
constexpr size_t kMostRuns = 8;

// Pairs [first, first + length), in which every component comes again after
// `turns` pairs.
struct Run {
  size_t first;
  size_t length;
  size_t turns;
};

size_t LengthOf(const std::vector<uint8_t>& axis, size_t first, size_t turns) {
  size_t end = std::min(first + turns, axis.size());
  while (end < axis.size() && axis[end] == axis[end - turns]) ++end;
  return end - first;
}

Run LongestRun(const std::vector<uint8_t>& axis, size_t first) {
  Run longest = {first, LengthOf(axis, first, 1), 1};
  for (size_t turns = 2; turns <= kMostTurns; ++turns) {
    const size_t length = LengthOf(axis, first, turns);
    // Once around is no turn.
    if (length < 2 * turns || length <= longest.length) continue;
    longest = {first, length, turns};
  }
  return longest;
}

std::string NameOf(uint8_t component, const std::vector<std::string>& names) {
  return component < names.size() ? names[component]
                                  : std::to_string(int{component});
}

std::string NamesOf(const std::vector<uint8_t>& axis, size_t first,
                    size_t count, const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = first; i < first + count; ++i) {
    text += (i == first ? "" : " ") + NameOf(axis[i], names);
  }
  return text;
}

}  // namespace

std::string AxisText(const std::vector<uint8_t>& axis,
                     const std::vector<std::string>& names) {
  std::string text;
  size_t runs = 0;
  for (size_t first = 0; first < axis.size(); ++runs) {
    if (runs == kMostRuns) return NamesOf(axis, 0, axis.size(), names);
    const Run run = LongestRun(axis, first);
    const size_t last = first + run.length - 1;
    text += (runs == 0 ? "" : ", ") + NamesOf(axis, first, run.turns, names) +
            (run.turns > 1 ? " in turn " : " ") + std::to_string(first);
    if (last > first) text += "-" + std::to_string(last);
    first = last + 1;
  }
  return text;
}

}  // namespace ropewalk::cli
