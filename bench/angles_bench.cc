// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What rows of angles and a table of them cost, on every target, beside other
// ways in the same run: speedup_over_copy (the same rows out of a dense table
// of 512 MiB), speedup_over_libm (their cos and sin in double), and of a build
// by two threads speedup_over_serial. Takes 1 GiB of memory.
//
//   angles_bench --benchmark_filter='Fill/factored.*target:AVX2'
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/pair_benchmark.h"
#include "bench/run_benchmarks.h"
#include "bench/timing.h"
#include "benchmark/benchmark.h"
#include "ropewalk/angles.h"
#include "ropewalk/target.h"

namespace ropewalk::bench {
namespace {

constexpr int kPairs = 64;
constexpr size_t kRowFloats = 2 * kPairs;
constexpr int64_t kTokens = 512;  // of one step
constexpr int64_t kSteps = 1024;  // different ones: 200 MiB of the table
constexpr int64_t kDenseRows = int64_t{1} << 20;
constexpr int64_t kFactoredRows = 3 * 1024;

TimingOptions timing;  // Of every pair; set before the first one.

enum class Draw { kBelow20, kBelow30, kConsecutive };

const char* NameOf(Draw draw) {
  switch (draw) {
    case Draw::kBelow20:
      return "2^20";
    case Draw::kBelow30:
      return "2^30";
    case Draw::kConsecutive:
      return "consecutive";
  }
  return "";
}

const char* NameOf(TableKind kind) {
  return kind == TableKind::kFactored ? "factored"
         : kind == TableKind::kDense  ? "dense"
                                      : "direct";
}

// kSteps steps of kTokens positions each (SplitMix64, Steele et al. 2014).
std::vector<int64_t> DrawPositions(Draw draw) {
  std::vector<int64_t> positions(kSteps * kTokens);
  uint64_t state = 1;
  for (size_t i = 0; i < positions.size(); ++i) {
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    const int bits = draw == Draw::kBelow30 ? 30 : 20;
    positions[i] = draw == Draw::kConsecutive
                       ? static_cast<int64_t>(i)
                       : static_cast<int64_t>(z >> (64 - bits));
  }
  return positions;
}

Frequencies PlainFrequencies() {
  RopeParameters parameters;
  parameters.rotary_dim = 2 * kPairs;
  return ComputeFrequencies(parameters).value();
}

using Table = Result<std::shared_ptr<const AngleTable>>;

// Built once: a dense table takes seconds.
const Table& TableOf(TableKind kind) {
  static std::vector<std::pair<TableKind, Table>> tables;
  for (const auto& [built, table] : tables) {
    if (built == kind) return table;
  }
  AngleOptions options;
  options.kind = kind;
  options.dense_positions = kind == TableKind::kDense ? kDenseRows : 0;
  tables.emplace_back(kind, AngleTable::Build(PlainFrequencies(), options));
  return tables.back().second;
}

void WriteLibmRow(const Frequencies& frequencies, double position, float* row) {
  for (size_t i = 0; i < kPairs; ++i) {
    const double angle = position * frequencies.inv_freq[i];
    row[i] = static_cast<float>(std::cos(angle));
    row[kPairs + i] = static_cast<float>(std::sin(angle));
  }
}

// The rows of one step after the other, each way.
class Steps {
 public:
  Steps(const AngleTable& table, Draw draw)
      : table_(table), positions_(DrawPositions(draw)) {}

  const Status& status() const { return status_; }

  void RunFill() {
    status_ = table_.Fill(Positions(NextStep(), kTokens), &rows_);
    benchmark::DoNotOptimize(rows_.cos(0));
    benchmark::ClobberMemory();
  }

  // Whatever lies in the table: what counts is where.
  void RunCopy() {
    static const std::vector<float> dense(kDenseRows * kRowFloats, 0.5f);
    float* row = out_.data();
    const int64_t* const step = NextStep();
    for (int64_t t = 0; t < kTokens; ++t, row += kRowFloats) {
      const auto from = static_cast<size_t>(step[t] % kDenseRows);
      std::memcpy(row, dense.data() + from * kRowFloats,
                  kRowFloats * sizeof(float));
    }
    benchmark::DoNotOptimize(out_.data());
    benchmark::ClobberMemory();
  }

  void RunLibm() {
    float* row = out_.data();
    const int64_t* const step = NextStep();
    for (int64_t t = 0; t < kTokens; ++t, row += kRowFloats) {
      WriteLibmRow(table_.frequencies(), static_cast<double>(step[t]), row);
    }
    benchmark::DoNotOptimize(out_.data());
    benchmark::ClobberMemory();
  }

 private:
  const int64_t* NextStep() {
    step_ = (step_ + 1) % kSteps;
    return positions_.data() + step_ * kTokens;
  }

  const AngleTable& table_;
  std::vector<int64_t> positions_;
  std::vector<float> out_ = std::vector<float>(kTokens * kRowFloats);
  AngleRows rows_;
  int64_t step_ = 0;
  Status status_;
};

struct FillMemo {
  std::optional<PairTiming> copy;
  std::optional<PairTiming> libm;
};

void MeasureFill(Steps* steps, FillMemo* memo) {
  const auto fill = [&] { steps->RunFill(); };
  memo->copy = MeasurePair(
      fill, [&] { steps->RunCopy(); }, timing);
  memo->libm = MeasurePair(
      fill, [&] { steps->RunLibm(); }, timing);
}

void RunFill(benchmark::State& state, TableKind kind, Draw draw,
             const std::string& target, FillMemo* memo) {
  if (const Status s = ForceTarget(target); !s.ok()) {
    return state.SkipWithError(s.message());
  }
  const Table& table = TableOf(kind);
  if (!table.ok()) return state.SkipWithError(table.status().message());
  Steps steps(*table.value(), draw);
  for (auto _ : state) steps.RunFill();
  if (steps.status().ok() && !memo->copy) MeasureFill(&steps, memo);
  if (!steps.status().ok()) {
    return state.SkipWithError(steps.status().message());
  }
  constexpr double kNanoseconds = 1e9 / kTokens;
  state.SetLabel(ActiveTarget());
  state.SetItemsProcessed(state.iterations() * kTokens);
  state.SetBytesProcessed(state.iterations() * kTokens *
                          static_cast<int64_t>(kRowFloats * sizeof(float)));
  state.counters["ns_per_row"] = memo->copy->seconds * kNanoseconds;
  state.counters["speedup_over_copy"] = memo->copy->ratio;
  state.counters["speedup_over_libm"] = memo->libm->ratio;
}

void RegisterFill(TableKind kind, Draw draw, const std::string& target) {
  const auto memo = std::make_shared<FillMemo>();
  const std::string name = std::string("BM_Fill/") + NameOf(kind) +
                           "/positions:" + NameOf(draw) +
                           "/pairs:64/target:" + target;
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    RunFill(state, kind, draw, target, memo.get());
  });
}

void Build(Parallel parallel, Status* status) {
  const auto table =
      AngleTable::Build(PlainFrequencies(), AngleOptions{}, parallel);
  if (!table.ok()) *status = table.status();
}

PairTiming MeasureBuild(int threads, Status* status) {
  if (threads > 1) {
    return MeasurePair([=] { Build(Parallel::Tbb(), status); },
                       [=] { Build(Parallel::Serial(), status); }, timing);
  }
  std::vector<float> row(kRowFloats);
  return MeasurePair([=] { Build(Parallel::Serial(), status); },
                     [&] {
                       const Frequencies frequencies = PlainFrequencies();
                       for (int64_t i = 0; i < kFactoredRows; ++i) {
                         WriteLibmRow(frequencies, static_cast<double>(i),
                                      row.data());
                         benchmark::DoNotOptimize(row.data());
                         benchmark::ClobberMemory();
                       }
                     },
                     timing);
}

void RunBuild(benchmark::State& state, int threads, const std::string& target,
              const Memo& memo) {
  Status status = ForceTarget(target);
  WithThreads(threads, [&] {
    const Parallel parallel =
        threads > 1 ? Parallel::Tbb() : Parallel::Serial();
    for (auto _ : state) Build(parallel, &status);
    if (!memo->has_value()) *memo = MeasureBuild(threads, &status);
  });
  if (!status.ok()) return state.SkipWithError(status.message());
  state.SetLabel(ActiveTarget());
  state.counters[threads > 1 ? "speedup_over_serial" : "speedup_over_libm"] =
      (*memo)->ratio;
}

void RegisterBuild(int threads, const std::string& target) {
  const Memo memo = std::make_shared<std::optional<PairTiming>>();
  const std::string name =
      std::string("BM_Build/factored/pairs:64") +
      (threads > 1 ? "/threads:" + std::to_string(threads) : "") +
      "/target:" + target;
  auto* const registered = benchmark::RegisterBenchmark(
      name.c_str(),
      [=](benchmark::State& state) { RunBuild(state, threads, target, memo); });
  // The processor time of one thread says nothing about two.
  if (threads > 1) registered->UseRealTime();
}

void RegisterAll() {
  const TargetNames targets = AvailableTargets();
  for (int i = 0; i < targets.count; ++i) {
    const std::string target = targets.names[i];
    for (const TableKind kind :
         {TableKind::kFactored, TableKind::kDense, TableKind::kDirect}) {
      for (const Draw draw :
           {Draw::kBelow20, Draw::kBelow30, Draw::kConsecutive}) {
        // Beyond a dense table it is the direct row that would be measured.
        if (kind == TableKind::kDense && draw == Draw::kBelow30) continue;
        RegisterFill(kind, draw, target);
      }
    }
    RegisterBuild(1, target);
#if ROPEWALK_HAVE_TBB
    RegisterBuild(2, target);
#endif
  }
}

}  // namespace
}  // namespace ropewalk::bench

int main(int argc, char** argv) {
  // A step of libm takes a millisecond, and a table 16.
  ropewalk::bench::timing = ropewalk::bench::TimingOf(argc, argv, 50e-3);
  return ropewalk::bench::RunBenchmarks(argc, argv,
                                        ropewalk::bench::RegisterAll);
}
