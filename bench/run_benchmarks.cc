// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/run_benchmarks.h"

#include <fstream>

#include "benchmark/benchmark.h"
#include "cli/build_info.h"

namespace ropewalk::bench {
namespace {

// The value of the first such line of /proc/cpuinfo, or "".
std::string CpuInfo(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos || line.compare(0, key.size(), key) != 0) {
      continue;
    }
    // Tabs stand between key and colon.
    if (line.find_first_not_of(" \t", key.size()) != colon) continue;
    const size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

}  // namespace

std::string CpuModel() {
  const std::string name = CpuInfo("model name");
  if (name.empty()) return "unknown";
  return name + " (family " + CpuInfo("cpu family") + ", model " +
         CpuInfo("model") + ")";
}

int RunBenchmarks(int argc, char** argv, void (*register_all)()) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::AddCustomContext("cpu_model", CpuModel());
  benchmark::AddCustomContext("highway", cli::HighwayVersion());
  benchmark::AddCustomContext("compiler", cli::Compiler());
  register_all();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace ropewalk::bench
