// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/targets_command.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "ropewalk/target.h"

namespace ropewalk::cli {
namespace {

void PrintNames(const char* what, const TargetNames& targets) {
  std::printf("%s", what);
  for (int i = 0; i < targets.count; ++i) std::printf(" %s", targets.names[i]);
  std::printf("\n");
}

}  // namespace

int RunTargets() {
  const char* const active = ActiveTarget();
  PrintNames("compiled in: ", CompiledTargets());
  PrintNames("this CPU has:", AvailableTargets());
  std::printf("active:       %s\n", active);
  const char* const wanted = std::getenv("ROPEWALK_TARGET");
  if (wanted != nullptr && std::string_view(wanted) != active) {
    std::printf("ROPEWALK_TARGET=%s is ignored: this CPU has no such target\n",
                wanted);
  }
  return 0;
}

}  // namespace ropewalk::cli
