// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls on KV caches, on every target: percent_of_bound over as many bytes, and
// of RotateIntoCache also speedup_over_separate, the passes that do the same
// work one by one; all in the same run.
//
//   cache_bench --benchmark_filter='RotateIntoCache.*target:AVX2'
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "bench/bound.h"
#include "bench/cached_keys.h"
#include "bench/pair_benchmark.h"
#include "bench/run_benchmarks.h"
#include "bench/timing.h"
#include "bench/write_step.h"
#include "benchmark/benchmark.h"
#include "ropewalk/target.h"

namespace ropewalk::bench {
namespace {

TimingOptions timing;  // Of every pair; set before the first one.

bool UseTarget(benchmark::State& state, const std::string& target) {
  const Status status = ForceTarget(target);
  if (!status.ok()) state.SkipWithError(status.message());
  return status.ok();
}

// Of a write: against the separate passes, and against the bound.
struct WriteMemo {
  std::optional<PairTiming> separate;
  std::optional<PairTiming> bound;
};

void RunWrite(benchmark::State& state, const WriteShape& shape,
              const std::string& target, WriteMemo* memo) {
  if (!UseTarget(state, target)) return;
  WriteStep step(shape);
  if (step.status().ok()) {
    for (auto _ : state) step.RunFused();
  }
  if (!memo->bound) {
    const auto fused = [&] { step.RunFused(); };
    memo->separate = MeasurePair(
        fused, [&] { step.RunSeparate(); }, timing);
    memo->bound = MeasurePair(
        fused, [&] { step.RunBound(); }, timing);
  }
  if (!step.status().ok()) {
    state.SkipWithError(step.status().message());
    return;
  }
  state.SetLabel(ActiveTarget());
  const int64_t bytes = shape.BytesReadAndWritten();
  state.SetBytesProcessed(state.iterations() * bytes);
  state.counters["fused_us"] = memo->separate->seconds * 1e6;
  state.counters["separate_us"] = memo->separate->bound_seconds * 1e6;
  state.counters["speedup_over_separate"] = memo->separate->ratio;
  state.counters["GB/s"] =
      static_cast<double>(bytes) / memo->bound->seconds * 1e-9;
  state.counters["percent_of_bound"] = memo->bound->ratio * 100;
}

void RegisterWrite(const WriteShape& shape, const std::string& target) {
  const auto memo = std::make_shared<WriteMemo>();
  benchmark::RegisterBenchmark((NameOf(shape) + "/target:" + target).c_str(),
                               [=](benchmark::State& state) {
                                 RunWrite(state, shape, target, memo.get());
                               });
}

void RegisterWrites(const std::string& target) {
  for (const int64_t query_heads : {32, 0}) {
    for (const bool norm : {false, true}) {
      WriteShape shape;
      shape.norm = norm;
      shape.query_heads = query_heads;
      for (const int64_t tokens : {1, 32, 256}) {
        shape.tokens = tokens;
        RegisterWrite(shape, target);
      }
      shape.tokens = 512;
      shape.prefill = true;
      RegisterWrite(shape, target);
    }
  }
}

void RunKeys(benchmark::State& state, const KeysShape& shape,
             const std::string& target, const Memo& memo) {
  if (!UseTarget(state, target)) return;
  WithThreads(shape.threads, [&] {
    CachedKeys keys(shape);
    if (!memo->has_value()) keys.Fill();
    if (keys.status().ok()) {
      for (auto _ : state) keys.Run();
    }
    if (!memo->has_value()) {
      *memo =
          MeasurePair([&] { keys.Run(); }, [&] { keys.RunBound(); }, timing);
    }
    if (!keys.status().ok()) state.SkipWithError(keys.status().message());
  });
  state.SetLabel(ActiveTarget());
  const int64_t bytes = shape.BytesReadAndWritten();
  state.SetBytesProcessed(state.iterations() * bytes);
  state.counters["GB/s"] = static_cast<double>(bytes) / (*memo)->seconds * 1e-9;
  state.counters["percent_of_bound"] = (*memo)->ratio * 100;
}

void RegisterKeys(const KeysShape& shape, const std::string& target) {
  const Memo memo = std::make_shared<std::optional<PairTiming>>();
  auto* const registered = benchmark::RegisterBenchmark(
      (NameOf(shape) + "/target:" + target).c_str(),
      [=](benchmark::State& state) { RunKeys(state, shape, target, memo); });
  // The processor time of one thread says nothing about two.
  if (shape.threads > 1) registered->UseRealTime();
}

// 64 MiB and half a MiB: DRAM, or a large L3, and L2.
void RegisterShifts(const std::string& target) {
  for (const int64_t slots : {256, 32768}) {
    for (const bool row_each : {false, true}) {
      KeysShape shape;
      shape.slots = slots;
      shape.row_each = row_each;
      RegisterKeys(shape, target);
#if ROPEWALK_HAVE_TBB
      shape.threads = 2;
      if (slots > 256) RegisterKeys(shape, target);
#endif
    }
  }
}

void RegisterAll() {
  const TargetNames targets = AvailableTargets();
  for (int i = 0; i < targets.count; ++i) {
    RegisterWrites(targets.names[i]);
    RegisterShifts(targets.names[i]);
    KeysShape shape;
    shape.slots = 4096;
    shape.call = KeysCall::kMove;
    RegisterKeys(shape, targets.names[i]);
    shape.call = KeysCall::kRerotate;
    RegisterKeys(shape, targets.names[i]);
  }
}

}  // namespace
}  // namespace ropewalk::bench

int main(int argc, char** argv) {
  // The largest calls take 10 ms, and some samples of a round must fall between
  // interruptions.
  ropewalk::bench::timing = ropewalk::bench::TimingOf(argc, argv, 200e-3);
  return ropewalk::bench::RunBenchmarks(argc, argv,
                                        ropewalk::bench::RegisterAll);
}
