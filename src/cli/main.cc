// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The `ropewalk` program: the command line, and the exit codes. 0: fine.
// 1: what was measured breaks a bound. 2: it could not be done.
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <string>

#include "CLI/CLI.hpp"
#include "cli/bench_command.h"
#include "cli/demo.h"
#include "cli/inspect.h"
#include "cli/model_file.h"
#include "cli/models.h"
#include "cli/targets_command.h"
#include "cli/terminal.h"
#include "cli/verify.h"

namespace ropewalk::cli {
namespace {

void AddDemo(CLI::App* app, DemoOptions* options,
             std::function<int()>* command) {
  CLI::App* const demo = app->add_subcommand(
      "demo", "Rotate real models' heads: speed, bound and error");
  std::set<std::string> names;
  for (const Model& model : Models()) names.insert(model.name);
  demo->add_option("--model", options->model, "Only this model")
      ->check(CLI::IsMember(names));
  demo->add_option("--target", options->target,
                   "Only this target (see `ropewalk targets`)");
  demo->add_flag("--quick", options->quick, "Rougher times, the same errors");
  demo->callback([=] { *command = [=] { return RunDemo(*options); }; });
}

// An option that takes one of a few names, each of which stands for a value.
template <class Value>
void AddChoice(CLI::App* command, const std::string& name,
               const std::map<std::string, Value>& values,
               const std::function<void(Value)>& set, const std::string& help) {
  std::set<std::string> names;
  for (const auto& entry : values) names.insert(entry.first);
  command
      ->add_option_function<std::string>(
          name, [=](const std::string& chosen) { set(values.at(chosen)); },
          help)
      ->check(CLI::IsMember(names));
}

// The parser would take a number that is too large for the largest.
std::string CheckCount(const std::string& text) {
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  if (digits && !text.empty() && text.size() <= 18) return "";
  return "must be a number from 0 to 10^18 - 1";
}

// What `inspect` and `verify` are told about the file.
void AddFileOptions(CLI::App* command, FileOptions* options) {
  ConfigOptions* const config = &options->config;
  command->add_option("FILE", options->path, "A config.json or a .gguf")
      ->required();
  command->add_option("--layer-type", options->layer_type,
                      "Only this kind of layer, or the vision encoder");
  AddChoice<Pairing>(
      command, "--pairing",
      {{"half", Pairing::kHalf}, {"interleaved", Pairing::kInterleaved}},
      [=](Pairing pairing) { config->pairing = pairing; },
      "Pairing of the weights, where the family does not fix it");
  command
      ->add_option("--context", config->context_limit,
                   "Context that is served, for LongRoPE")
      ->check(CheckCount);
  AddChoice<LongRopePolicy>(
      command, "--long-rope",
      {{"context", LongRopePolicy::kByContextLimit},
       {"sequence", LongRopePolicy::kBySequenceLength},
       {"short", LongRopePolicy::kForceShort},
       {"long", LongRopePolicy::kForceLong}},
      [=](LongRopePolicy policy) { config->long_rope_policy = policy; },
      "What chooses between LongRoPE's lists");
  command->add_flag("--original-from-max", config->original_from_max_positions,
                    "Take the maximum where the original length is missing");
  command->add_flag("--ggml-parity", config->ggml_parity,
                    "Read GGUF as ggml computes it");
}

void AddInspect(CLI::App* app, InspectOptions* options,
                std::function<int()>* command) {
  CLI::App* const inspect = app->add_subcommand(
      "inspect", "Show what a model's file says about RoPE, and what follows");
  AddFileOptions(inspect, &options->file);
  inspect
      ->add_option("--length", options->length,
                   "Sequence length, for schemes that look at it")
      ->check(CheckCount);
  inspect->add_flag("--json", options->json, "One JSON object");
  inspect->add_option("--plot", options->plot,
                      "Draw wavelengths to a .svg or .png, with gnuplot");
  inspect->footer(
      "JSON: file, family, max_positions, layer_count, sequence_length, "
      "warnings, layer_types[]: layer_type, layers, uses_rope, scheme, base, "
      "layout, key_layout, attention_factor, softmax_multiplier, "
      "length_dependent, original_positions, mrope_section, "
      "mrope_interleaved, checksum, table, float32_table_error, keys, pairs; "
      "null: unknown");
  inspect->callback([=] { *command = [=] { return RunInspect(*options); }; });
}

void AddVerify(CLI::App* app, VerifyOptions* options,
               std::function<int()>* command) {
  CLI::App* const verify = app->add_subcommand(
      "verify", "Compare a model's frequencies and rotations with the oracle");
  AddFileOptions(verify, &options->file);
  verify->add_option("--target", options->target,
                     "Only this target (see `ropewalk targets`)");
  verify->callback([=] { *command = [=] { return RunVerify(*options); }; });
}

void AddBench(CLI::App* app, BenchOptions* options,
              std::function<int()>* command) {
  CLI::App* const bench = app->add_subcommand(
      "bench", "Measure every kernel as percent of its bound, on every target");
  bench->add_option("--target", options->target,
                    "Only this target (see `ropewalk targets`)");
  bench->add_flag("--json", options->json, "One JSON object");
  bench->add_option("--plot", options->plot,
                    "Draw the active target's roofline to a .svg or .png, with "
                    "gnuplot");
  bench->add_flag("--quick", options->quick, "Rougher times");
  bench->footer(
      "JSON: highway, compiler, available_targets, targets, quick, "
      "rotate[]: call (buffer, decode, prefill, threads), target, type, "
      "out_type, pairing, tokens, query_heads, key_heads, head_dim, threads, "
      "bytes_read, bytes_written, flop, seconds, bound_seconds, percent; "
      "fill[]: target, pairs, positions_below, fill_ns, copy_ns, libm_ns, "
      "percent_of_copy, percent_of_libm; mul_add[]: target, gflops");
  bench->callback([=] { *command = [=] { return RunBench(*options); }; });
}

void AddTargets(CLI::App* app, std::function<int()>* command) {
  CLI::App* const targets = app->add_subcommand(
      "targets", "List the instruction sets: compiled in, usable, active");
  targets->callback([=] { *command = RunTargets; });
}

int Main(int argc, const char* const* argv) {
  CLI::App app("Rotary position embeddings for CPUs", "ropewalk");
  app.set_version_flag("--version", ROPEWALK_VERSION_TEXT);
  app.require_subcommand(1);
  BenchOptions bench_options;
  DemoOptions demo_options;
  InspectOptions inspect_options;
  VerifyOptions verify_options;
  std::function<int()> command;
  AddInspect(&app, &inspect_options, &command);
  AddVerify(&app, &verify_options, &command);
  AddDemo(&app, &demo_options, &command);
  AddBench(&app, &bench_options, &command);
  AddTargets(&app, &command);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version arrive here too, as successes.
    return app.exit(error, std::cout, std::cerr) == 0 ? kFine : kFailed;
  }
  const int code = command();
  // A full disk or a closed pipe: what was printed is not what was measured.
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    return Fail("cannot write to standard output");
  }
  return code;
}

}  // namespace
}  // namespace ropewalk::cli

int main(int argc, char** argv) {
  try {
    return ropewalk::cli::Main(argc, argv);
  } catch (const std::exception& error) {
    return ropewalk::cli::Fail(error.what());
  }
}
