// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/chosen_targets.h"

#include <algorithm>
#include <cstddef>

#include "cli/terminal.h"
#include "ropewalk/target.h"

namespace ropewalk::cli {

std::vector<std::string> ChosenTargets(const std::string& name) {
  if (!name.empty()) return {name};
  const TargetNames available = AvailableTargets();
  return {available.names, available.names + available.count};
}

int TargetWidth(const std::vector<std::string>& targets) {
  size_t width = sizeof("AVX3_ZEN4");
  for (const std::string& name : targets) {
    width = std::max(width, name.size() + 1);
  }
  return static_cast<int>(width);
}

int RestoreTarget(const Status& status) {
  const Status restored = ForceTarget("");
  if (!status.ok()) return Fail(status.message());
  return restored.ok() ? kFine : Fail(restored.message());
}

}  // namespace ropewalk::cli
