// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_command.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/bound.h"
#include "cli/bench_results.h"
#include "cli/bench_text.h"
#include "cli/chosen_targets.h"
#include "cli/fill_timing.h"
#include "cli/gnuplot.h"
#include "cli/quick_timing.h"
#include "cli/roofline.h"
#include "cli/rotation.h"
#include "cli/terminal.h"
#include "ropewalk/angles.h"
#include "ropewalk/target.h"

namespace ropewalk::cli {
namespace {

// Less with many targets: all of it should take less than a minute.
double RoundSeconds(size_t targets) {
  return std::min(25e-3, 125e-3 / static_cast<double>(targets));
}

std::vector<bench::Shape> BufferShapes(DataType type, Pairing pairing) {
  std::vector<bench::Shape> shapes;
  for (const int64_t bytes : kBufferBytes) {
    bench::Shape shape;
    shape.type = type;
    shape.pairing = pairing;
    shape.tokens = bytes / (shape.Heads() * shape.HeadBytes());
    shapes.push_back(shape);
  }
  return shapes;
}

class Bench {
 public:
  explicit Bench(const BenchOptions& options)
      : text_(options.json, TargetWidth(ChosenTargets(options.target))) {
    results_.quick = options.quick;
    results_.targets = ChosenTargets(options.target);
    timing_ = TimingOf(options.quick, RoundSeconds(results_.targets.size()));
  }

  Status Run();
  const BenchResults& results() const { return results_; }

 private:
  Status BuildTable();
  Status MeasureBuffers(DataType type, Pairing pairing);
  Status MeasureCalls();
  Status MeasureCall(RotateCall call, const bench::Shape& shape);
  Status Measure(RotateCall call, const bench::Shape& shape,
                 const std::string& target, Rotation* rotation);
  Status MeasureFill();
  Status MeasureMulAdd();

  BenchText text_;
  bench::TimingOptions timing_;
  std::shared_ptr<const AngleTable> table_;
  BenchResults results_;
};

Status Bench::BuildTable() {
  RopeParameters parameters;
  parameters.rotary_dim = bench::Shape().rotary_dim;
  auto frequencies = ComputeFrequencies(parameters);
  if (!frequencies.ok()) return frequencies.status();
  auto table = AngleTable::Build(std::move(frequencies).value());
  if (!table.ok()) return table.status();
  table_ = std::move(table).value();
  return Status();
}

Status Bench::Measure(RotateCall call, const bench::Shape& shape,
                      const std::string& target, Rotation* rotation) {
  if (Status s = ForceTarget(target); !s.ok()) return s;
  const auto time = rotation->Measure(timing_);
  if (!time.ok()) return time.status();
  results_.rotations.push_back({call, shape, target, time.value()});
  return Status();
}

Status Bench::MeasureBuffers(DataType type, Pairing pairing) {
  const std::vector<bench::Shape> shapes = BufferShapes(type, pairing);
  std::vector<Rotation> rotations;
  for (const bench::Shape& shape : shapes) {
    rotations.emplace_back(shape, *table_);
  }
  for (const std::string& target : results_.targets) {
    for (size_t i = 0; i < shapes.size(); ++i) {
      Status s = Measure(RotateCall::kBuffer, shapes[i], target, &rotations[i]);
      if (!s.ok()) return s;
    }
    text_.BufferRow(&results_.rotations.back() - (shapes.size() - 1));
  }
  return Status();
}

Status Bench::MeasureCall(RotateCall call, const bench::Shape& shape) {
  Rotation rotation(shape, *table_);
  for (const std::string& target : results_.targets) {
    Status s = Measure(call, shape, target, &rotation);
    if (!s.ok()) return s;
    text_.CallRow(results_.rotations.back());
  }
  return Status();
}

Status Bench::MeasureCalls() {
  text_.CallHead();
  for (const DataType type : {DataType::kF32, DataType::kBF16}) {
    bench::Shape shape;
    shape.type = type;
    shape.key_heads = 8;
    Status s = MeasureCall(RotateCall::kDecode, shape);
    if (!s.ok()) return s;
  }
  bench::Shape prefill;
  prefill.key_heads = 8;
  prefill.tokens = 512;
  prefill.to_bf16 = true;
  Status s = MeasureCall(RotateCall::kPrefill, prefill);
  for (const DataType type : {DataType::kF32, DataType::kBF16}) {
    if (!s.ok() || !HasThreads()) break;
    bench::Shape shape = BufferShapes(type, Pairing::kHalf)[2];
    shape.threads = 2;
    s = MeasureCall(RotateCall::kThreads, shape);
  }
  return s;
}

Status Bench::MeasureFill() {
  text_.FillHead();
  FillTiming fill(*table_);
  for (const std::string& target : results_.targets) {
    FillResult result;
    result.target = target;
    Status s = ForceTarget(target);
    if (s.ok()) s = fill.Measure(timing_, &result);
    if (!s.ok()) return s;
    results_.fills.push_back(result);
    text_.FillRow(result);
  }
  return Status();
}

Status Bench::MeasureMulAdd() {
  text_.MulAddHead();
  constexpr int64_t kRounds = 10000;  // 20 us and more.
  for (const std::string& target : results_.targets) {
    if (Status s = ForceTarget(target); !s.ok()) return s;
    int64_t flop = 0;
    const auto run = [&] { flop = bench::MulAddInRegisters(kRounds); };
    double seconds = bench::LeastSample(run, timing_);
    const double end = bench::Now() + timing_.rounds * timing_.round_seconds;
    while (bench::Now() < end) {
      seconds = std::min(seconds, bench::LeastSample(run, timing_));
    }
    results_.mul_adds.push_back(
        {target, static_cast<double>(flop) / seconds * 1e-9});
    text_.MulAddRow(results_.mul_adds.back());
  }
  return Status();
}

Status Bench::Run() {
  if (Status s = ForceTarget(results_.targets.front()); !s.ok()) return s;
  if (Status s = BuildTable(); !s.ok()) return s;
  text_.BufferHead();
  for (const DataType type :
       {DataType::kF32, DataType::kBF16, DataType::kF16}) {
    for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
      if (Status s = MeasureBuffers(type, pairing); !s.ok()) return s;
    }
  }
  if (Status s = MeasureCalls(); !s.ok()) return s;
  if (Status s = MeasureFill(); !s.ok()) return s;
  if (Status s = MeasureMulAdd(); !s.ok()) return s;
  text_.End();
  return Status();
}

}  // namespace

int RunBench(const BenchOptions& options) {
  const std::string plotted =
      options.target.empty() ? ActiveTarget() : options.target;
  // Before anything is measured, so that a mistake costs nothing.
  if (Status s = ForceTarget(plotted); !s.ok()) return Fail(s.message());
  const auto fail_to_plot = [&](const std::string& error) {
    return Fail("--plot " + options.plot + ": " + error);
  };
  if (!options.plot.empty()) {
    const std::string error = CheckPlot(options.plot);
    if (!error.empty()) return fail_to_plot(error);
  }
  Bench bench(options);
  const int code = RestoreTarget(bench.Run());
  if (code != kFine) return code;
  if (options.json) {
    std::fputs(ResultsAsJson(bench.results()).c_str(), stdout);
  }
  if (options.plot.empty()) return kFine;
  const std::string error =
      PlotRoofline(RooflineOf(bench.results(), plotted), options.plot);
  return error.empty() ? kFine : fail_to_plot(error);
}

}  // namespace ropewalk::cli
