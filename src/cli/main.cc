// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The `ropewalk` program: the command line, and the exit codes. 0: fine.
// 1: what was measured breaks a bound. 2: it could not be done.
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <set>
#include <string>

#include "CLI/CLI.hpp"
#include "cli/demo.h"
#include "cli/models.h"
#include "cli/targets_command.h"

namespace ropewalk::cli {
namespace {

void AddDemo(CLI::App* app, DemoOptions* options,
             std::function<int()>* command) {
  CLI::App* const demo = app->add_subcommand(
      "demo", "Rotate real models' heads: speed, bound and error");
  std::set<std::string> names;
  for (const Model& model : kModels) names.insert(model.name);
  demo->add_option("--model", options->model, "Only this model")
      ->check(CLI::IsMember(names));
  demo->add_option("--target", options->target,
                   "Only this target (see `ropewalk targets`)");
  demo->add_flag("--quick", options->quick, "Rougher times, the same errors");
  demo->callback([=] { *command = [=] { return RunDemo(*options); }; });
}

void AddTargets(CLI::App* app, std::function<int()>* command) {
  CLI::App* const targets = app->add_subcommand(
      "targets", "List the instruction sets: compiled in, usable, active");
  targets->callback([=] { *command = RunTargets; });
}

int Main(int argc, const char* const* argv) {
  CLI::App app("Rotary position embeddings for CPUs", "ropewalk");
  app.set_version_flag("--version", ROPEWALK_VERSION);
  app.require_subcommand(1);
  DemoOptions demo_options;
  std::function<int()> command;
  AddDemo(&app, &demo_options, &command);
  AddTargets(&app, &command);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version arrive here too, as successes.
    return app.exit(error, std::cout, std::cerr) == 0 ? 0 : 2;
  }
  const int code = command();
  // A full disk or a closed pipe: what was printed is not what was measured.
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    std::fprintf(stderr, "ropewalk: cannot write to standard output\n");
    return 2;
  }
  return code;
}

}  // namespace
}  // namespace ropewalk::cli

int main(int argc, char** argv) {
  try {
    return ropewalk::cli::Main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ropewalk: %s\n", error.what());
    return 2;
  }
}
