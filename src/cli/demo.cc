// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/demo.h"

#include <cstdio>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bound.h"
#include "bench/rotate_shape.h"
#include "bench/timing.h"
#include "cli/accuracy.h"
#include "cli/build_info.h"
#include "cli/chosen_targets.h"
#include "cli/demo_cache.h"
#include "cli/models.h"
#include "cli/quick_timing.h"
#include "cli/step.h"
#include "cli/terminal.h"
#include "reference/scaling_oracle.h"
#include "ropewalk/angles.h"
#include "ropewalk/target.h"

namespace ropewalk::cli {
namespace {

struct StepKind {
  const char* name;
  int64_t first_position;
  int64_t tokens;
};

// One token at the end of a context of 131072, and a prompt's first chunk.
constexpr StepKind kDecode = {"decode", 131071, 1};
constexpr StepKind kPrefill = {"prefill", 0, 512};

// A model with its angle table, made as an engine makes it.
struct LoadedModel {
  Model model;
  std::shared_ptr<const AngleTable> table;
};

// Everything that one line of the table needs but the target.
struct Case {
  const LoadedModel& loaded;
  const StepKind& kind;
  const AngleRows& rows;
  // For the clock, which rotates again and again: the same angles without the
  // attention factor, under which the numbers would grow past all bounds.
  const AngleRows& unscaled;
  const ExactRotation& exact;
  DataType type;
};

class Demo {
 public:
  explicit Demo(const DemoOptions& options)
      : targets_(ChosenTargets(options.target)),
        timing_(TimingOf(options.quick, 8e-3)) {
    for (const Model& model : Models()) {
      if (options.model.empty() || options.model == model.name) {
        models_.push_back({model, nullptr});
      }
    }
  }

  Status Run();
  bool broken() const { return broken_; }

 private:
  Status Load();
  Status MeasureModel(const LoadedModel& loaded);
  Status MeasureStep(const LoadedModel& loaded, const StepKind& kind);
  Status MeasureCase(const Case& one, const std::string& target);
  Status PrintFill(const LoadedModel& loaded) const;
  void PrintHead() const;

  std::vector<std::string> targets_;
  std::vector<LoadedModel> models_;
  AngleCache cache_{AngleCacheOptions{}};
  bench::TimingOptions timing_;
  bool broken_ = false;
};

Status Demo::Load() {
  for (LoadedModel& loaded : models_) {
    auto table =
        cache_.Get(loaded.model.rope, /*sequence_length=*/0, AngleOptions{});
    if (!table.ok()) return table.status();
    loaded.table = table.value();
  }
  return Status();
}

void Demo::PrintHead() const {
  std::printf(
      "decode: 1 token at position 131071; prefill: 512 tokens from position "
      "0.\nOne thread; Q and K in one call, in place. GB/s: read + written, of "
      "the dims\nthat turn. bound: an XOR over as many bytes, same run, same "
      "target. error:\nworst, against the double oracle; f32 in ulp of the "
      "pair's larger input times the\nattention factor, bf16 in bf16 ulp of "
      "the result, less the float32 share.\n\n%-15s%-8s%-5s%-*s%10s%8s%9s%8s"
      "%7s\n",
      "model", "step", "type", TargetWidth(targets_), "target", "us", "GB/s",
      "% bound", "error", "limit");
}

Status Demo::MeasureCase(const Case& one, const std::string& target) {
  if (Status s = ForceTarget(target); !s.ok()) return s;
  const Step input(ShapeOf(one.loaded.model), one.kind.tokens, one.type);
  Step step = input;
  if (Status s = step.Rotate(one.rows); !s.ok()) return s;
  const Error error = WorstError(input, step, one.exact, target);

  Status status;
  const size_t bytes = step.TurningBytes(one.unscaled);
  const bench::PairTiming time = bench::MeasurePair(
      [&] { status = step.Rotate(one.unscaled); },
      [&] { bench::XorInPlace(step.data(), bytes); }, timing_);
  if (!status.ok()) return status;

  const bool broken = !(error.worst <= error.limit);
  broken_ |= broken;
  std::printf("%-15s%-8s%-5s%-*s%10.3f%8.1f%9.1f %7.3f%7.1f%s\n",
              one.loaded.model.name, one.kind.name, bench::TypeName(one.type),
              TargetWidth(targets_), target.c_str(), time.seconds * 1e6,
              2 * static_cast<double>(bytes) / time.seconds * 1e-9,
              time.ratio * 100, error.worst, error.limit,
              broken ? "  BROKEN" : "");
  std::fflush(stdout);
  return Status();
}

Status Demo::MeasureStep(const LoadedModel& loaded, const StepKind& kind) {
  AngleRows rows;
  AngleRows unscaled;
  std::vector<int64_t> ids(static_cast<size_t>(kind.tokens));
  std::iota(ids.begin(), ids.end(), kind.first_position);
  const Positions positions =
      Positions::Consecutive(kind.first_position, kind.tokens);
  if (Status s = loaded.table->Fill(positions, &rows); !s.ok()) return s;
  Status s = loaded.table->FillRotation(positions, &unscaled);
  if (!s.ok()) return s;
  const ExactRotation exact =
      ComputeExactRotation(reference::SchemeOf(loaded.model.rope, 0),
                           loaded.table->frequencies(), ids);
  for (const DataType type : {DataType::kF32, DataType::kBF16}) {
    for (const std::string& target : targets_) {
      const Case one = {loaded, kind, rows, unscaled, exact, type};
      s = MeasureCase(one, target);
      if (!s.ok()) return s;
    }
  }
  return Status();
}

Status Demo::MeasureModel(const LoadedModel& loaded) {
  // The best target makes the rows, as it would in an engine.
  for (const StepKind* kind : {&kDecode, &kPrefill}) {
    if (Status s = ForceTarget(targets_.front()); !s.ok()) return s;
    if (Status s = MeasureStep(loaded, *kind); !s.ok()) return s;
  }
  return Status();
}

Status Demo::PrintFill(const LoadedModel& loaded) const {
  AngleRows rows;
  const Positions positions =
      Positions::Consecutive(kDecode.first_position, kPrefill.tokens);
  Status status;
  const double seconds = bench::LeastSample(
      [&] { status = loaded.table->Fill(positions, &rows); }, timing_);
  if (!status.ok()) return status;
  std::printf("%-15s%.1f ns a row of %d pairs; table of %zu bytes\n",
              loaded.model.name,
              seconds * 1e9 / static_cast<double>(kPrefill.tokens),
              rows.pairs(), loaded.table->bytes());
  return Status();
}

Status Demo::Run() {
  if (Status s = ForceTarget(targets_.front()); !s.ok()) return s;
  if (Status s = Load(); !s.ok()) return s;
  PrintHead();
  for (const LoadedModel& loaded : models_) {
    if (Status s = MeasureModel(loaded); !s.ok()) return s;
  }
  if (models_.front().model.name == std::string_view(kCacheModel)) {
    const LoadedModel& loaded = models_.front();
    Status s =
        RunCacheDemo(loaded.model, *loaded.table, targets_, timing_, &broken_);
    if (!s.ok()) return s;
  }
  if (Status s = ForceTarget(targets_.front()); !s.ok()) return s;
  std::printf("\nFill, %s, 512 tokens from position 131071:\n", ActiveTarget());
  for (const LoadedModel& loaded : models_) {
    if (Status s = PrintFill(loaded); !s.ok()) return s;
  }
  std::printf("\n%s\n", BuildLine().c_str());
  return Status();
}

}  // namespace

int RunDemo(const DemoOptions& options) {
  Demo demo(options);
  const int code = RestoreTarget(demo.Run());
  return code == kFine && demo.broken() ? FailBroken() : code;
}

}  // namespace ropewalk::cli
