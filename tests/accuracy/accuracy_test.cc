// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the accuracy of every target that this CPU has, prints it, and fails
// where a recorded limit is exceeded.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>

#include "accuracy/measure.h"
#include "accuracy/modes.h"
#include "accuracy/quantities.h"
#include "accuracy/report.h"
#include "golden/golden_file.h"

namespace ropewalk::test {
namespace {

constexpr char kHelp[] =
    "accuracy_test [--samples N] [--seed N] [--json FILE]\n"
    "\n"
    "Errors of tables and rotations against MPFR, by target, type, pairing,\n"
    "positions and scheme. Exits with 1 where a limit of\n"
    "tests/golden/accuracy.json is exceeded, with 2 where it cannot measure.\n"
    "\n"
    "  --samples N  N times as many positions; 1 by default, 100 takes "
    "minutes\n"
    "  --seed N     other positions and inputs\n"
    "  --json FILE  writes every cell\n";

struct Options {
  int samples = 1;
  uint64_t seed = 1;
  std::string json;
  bool help = false;
};

Options Parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--help") {
      options.help = true;
      continue;
    }
    if (i + 1 == argc)
      throw std::runtime_error(name + " has no value\n" + kHelp);
    const std::string value = argv[++i];
    if (name == "--samples") {
      options.samples = std::stoi(value);
    } else if (name == "--seed") {
      options.seed = std::stoull(value);
    } else if (name == "--json") {
      options.json = value;
    } else {
      throw std::runtime_error("unknown option " + name + "\n" + kHelp);
    }
  }
  if (options.samples < 1 || options.samples > 1000000) {
    throw std::runtime_error("--samples must be in [1, 1000000]");
  }
  return options;
}

void Write(const Report& report, const std::string& path) {
  std::ofstream file(path);
  file << ToJson(report).dump(1) << "\n";
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

int Run(const Options& options) {
  const nlohmann::json& limits = GoldenFile("accuracy.json").at("limits");
  Report report = {options.samples,
                   options.seed,
                   MeasureAll(options.samples, options.seed),
                   MeasureModes(options.samples, options.seed),
                   {}};
  report.quantities = QuantitiesOf(report.measured, report.modes);
  Print(report, limits);
  if (!options.json.empty()) Write(report, options.json);
  const auto violations = Violations(report.quantities, limits);
  for (const std::string& line : violations) {
    std::fprintf(stderr, "FAILED %s\n", line.c_str());
  }
  return violations.empty() ? 0 : 1;
}

}  // namespace
}  // namespace ropewalk::test

int main(int argc, char** argv) {
  try {
    const auto options = ropewalk::test::Parse(argc, argv);
    if (!options.help) return ropewalk::test::Run(options);
    std::fputs(ropewalk::test::kHelp, stdout);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "accuracy_test: %s\n", error.what());
    return 2;
  }
}
