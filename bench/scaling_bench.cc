// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// How cost grows: Rotate() by tokens and by heads, in ns_per_head, which stays
// where it is as long as the bound's does; Rotate() and Fill() by the size of
// positions, Fill() in ns_per_row. On the active target; bench/plot draws it.
#include <cstdint>
#include <memory>
#include <string>

#include "bench/bound.h"
#include "bench/pair_benchmark.h"
#include "bench/rotate_shape.h"
#include "bench/run_benchmarks.h"
#include "bench/timing.h"
#include "benchmark/benchmark.h"
#include "ropewalk/angles.h"
#include "ropewalk/rotate.h"
#include "ropewalk/target.h"

namespace ropewalk::bench {
namespace {

constexpr int64_t kMostTokens = 65536;
constexpr int kTokens = 512;     // Where something else is varied.
constexpr int kHeadTokens = 64;  // By heads: 128 of them stay in an L3.
constexpr int kHeads = 8;

TimingOptions timing;  // Of every pair; set before the first one.

// Kept from benchmark to benchmark: 256 MiB are slow to get. Zeros stay zeros,
// and cost what other numbers do.
unsigned char* Buffer() {
  static Memory memory(kMostTokens * kHeads * 128 * 4);
  return memory.data();
}

Result<std::shared_ptr<const AngleTable>> PlainTable() {
  static AngleCache cache{AngleCacheOptions{}};
  RopeParameters parameters;
  parameters.rotary_dim = 128;
  return cache.Get(parameters, /*sequence_length=*/0, AngleOptions{});
}

// Heads that turn to consecutive positions.
class Step {
 public:
  Step(const Shape& shape, int64_t first_position)
      : positions_(Positions::Consecutive(first_position, shape.tokens)),
        bytes_(shape.BytesRead()) {
    layout_.head_dim = shape.head_dim;
    layout_.rotary_dim = shape.rotary_dim;
    heads_ = ViewOf(shape, Buffer(), shape.query_heads);
    auto table = PlainTable();
    status_ = table.status();
    if (!table.ok()) return;
    table_ = table.value();
    RunFill();
  }

  // Of the last call that was made.
  const Status& status() const { return status_; }

  void RunFill() { status_ = table_->Fill(positions_, &rows_); }
  void RunRotate() {
    status_ = Rotate(rows_, layout_, {heads_}, RotateOptions{});
  }
  void RunBound() const { XorInPlace(Buffer(), static_cast<size_t>(bytes_)); }

 private:
  Positions positions_;
  int64_t bytes_;
  RotaryLayout layout_;
  HeadsView heads_;
  std::shared_ptr<const AngleTable> table_;
  AngleRows rows_;
  Status status_;
};

void RunRotate(benchmark::State& state, const Shape& shape,
               int64_t first_position, const Memo& memo) {
  Step step(shape, first_position);
  if (step.status().ok()) {
    for (auto _ : state) step.RunRotate();
  }
  if (step.status().ok() && !memo->has_value()) {
    *memo = MeasurePair([&] { step.RunRotate(); }, [&] { step.RunBound(); },
                        timing);
  }
  if (!step.status().ok()) return state.SkipWithError(step.status().message());
  const double to_heads =
      1e9 / static_cast<double>(shape.tokens * shape.Heads());
  state.SetBytesProcessed(state.iterations() *
                          (shape.BytesRead() + shape.BytesWritten()));
  state.counters["ns_per_head"] = (*memo)->seconds * to_heads;
  state.counters["bound_ns_per_head"] = (*memo)->bound_seconds * to_heads;
  state.counters["percent_of_bound"] = (*memo)->ratio * 100;
}

void RunFill(benchmark::State& state, int64_t first_position) {
  Shape shape;
  shape.tokens = kTokens;
  Step step(shape, first_position);
  if (step.status().ok()) {
    for (auto _ : state) step.RunFill();
  }
  if (!step.status().ok()) return state.SkipWithError(step.status().message());
  const double seconds = LeastSample([&] { step.RunFill(); }, timing);
  state.SetItemsProcessed(state.iterations() * kTokens);
  state.counters["ns_per_row"] = seconds * 1e9 / kTokens;
}

// 512 rows below 2^30 are the last that a table of three levels makes.
struct Position {
  int64_t first;
  const char* name;
};
constexpr Position kPositions[] = {{0, "0"},
                                   {int64_t{1} << 10, "2^10"},
                                   {int64_t{1} << 20, "2^20"},
                                   {(int64_t{1} << 30) - kTokens, "2^30-512"},
                                   {int64_t{1} << 30, "2^30"}};

void RegisterRotate(const std::string& name, const Shape& shape,
                    int64_t first_position) {
  const Memo memo = std::make_shared<std::optional<PairTiming>>();
  const std::string full = name + "/" + TypeName(shape.type) +
                           "/tokens:" + std::to_string(shape.tokens) +
                           "/heads:" + std::to_string(shape.Heads()) +
                           "/head_dim:128/target:" + ActiveTarget();
  benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State& state) {
    RunRotate(state, shape, first_position, memo);
  });
}

void RegisterType(DataType type) {
  Shape shape;
  shape.type = type;
  shape.query_heads = kHeads;
  for (shape.tokens = 64; shape.tokens <= kMostTokens; shape.tokens *= 2) {
    RegisterRotate("BM_RotateByTokens", shape, 1);
  }
  shape.tokens = kHeadTokens;
  for (shape.query_heads = 1; shape.query_heads <= 128;
       shape.query_heads *= 2) {
    RegisterRotate("BM_RotateByHeads", shape, 1);
  }
  shape.tokens = kTokens;
  shape.query_heads = kHeads;
  for (const Position& position : kPositions) {
    RegisterRotate(std::string("BM_RotateByPosition/position:") + position.name,
                   shape, position.first);
  }
}

void RegisterAll() {
  RegisterType(DataType::kF32);
  RegisterType(DataType::kBF16);
  for (const Position& position : kPositions) {
    const std::string name = std::string("BM_FillByPosition/position:") +
                             position.name +
                             "/pairs:64/target:" + ActiveTarget();
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
      RunFill(state, position.first);
    });
  }
}

}  // namespace
}  // namespace ropewalk::bench

int main(int argc, char** argv) {
  // The largest calls take 10 ms.
  ropewalk::bench::timing = ropewalk::bench::TimingOf(argc, argv, 50e-3);
  return ropewalk::bench::RunBenchmarks(argc, argv,
                                        ropewalk::bench::RegisterAll);
}
