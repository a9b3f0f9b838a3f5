// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/build_info.h"

#include "hwy/highway.h"
#include "ropewalk/target.h"

namespace ropewalk::cli {

std::string HighwayVersion() {
  return std::to_string(HWY_MAJOR) + "." + std::to_string(HWY_MINOR) + "." +
         std::to_string(HWY_PATCH);
}

const char* Compiler() {
#if defined(__clang__)
  return "Clang " __clang_version__;
#elif defined(__GNUC__)
  return "GCC " __VERSION__;
#else
  return "an unknown compiler";
#endif
}

std::string BuildLine() {
  std::string line =
      "Highway " + HighwayVersion() + ", " + Compiler() + "; this CPU has";
  const TargetNames available = AvailableTargets();
  for (int i = 0; i < available.count; ++i) {
    line += std::string(" ") + available.names[i];
  }
  return line;
}

}  // namespace ropewalk::cli
