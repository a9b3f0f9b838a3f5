// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What is added to hidden states, and the logits of tied embeddings, on every
// target. percent_of_bound comes from the same run: the bytes a second that are
// read and written, angles and table included, of those of an XOR in place over
// as much memory; for lookups of a copy, for logits of a sum over the table.
//
//   encodings_bench --benchmark_filter='TiedLogits.*target:AVX2'
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/bound.h"
#include "bench/pair_benchmark.h"
#include "bench/rotate_shape.h"
#include "bench/run_benchmarks.h"
#include "bench/timing.h"
#include "benchmark/benchmark.h"
#include "ropewalk/angles.h"
#include "ropewalk/encodings.h"
#include "ropewalk/target.h"

namespace ropewalk::bench {
namespace {

TimingOptions timing;  // Of every pair; set before the first one.

// What one benchmark adds to, or multiplies.
struct Rows {
  DataType type;
  int64_t tokens;
  int64_t width;
  SinusoidalOrder order = SinusoidalOrder::kInterleaved;

  int64_t Bytes() const { return tokens * width * ElementSize(type); }
  std::string Name() const {
    return std::string("/") + TypeName(type) +
           "/tokens:" + std::to_string(tokens) +
           "/width:" + std::to_string(width);
  }
};

// A call and its bound, in as much memory, and the bytes that each reads and
// writes.
struct Pair {
  std::function<Status()> call;
  std::function<void()> bound;
  int64_t bytes;
  int64_t bound_bytes;
};

void RunPair(benchmark::State& state, const Pair& pair, const Memo& memo) {
  Status status = pair.call();
  for (auto _ : state) {
    if (const Status s = pair.call(); !s.ok()) status = s;
  }
  if (status.ok() && !memo->has_value()) {
    *memo = MeasurePair([&] { status = pair.call(); }, pair.bound, timing);
  }
  if (!status.ok()) return state.SkipWithError(status.message());
  state.SetLabel(ActiveTarget());
  state.SetBytesProcessed(state.iterations() * pair.bytes);
  state.counters["percent_of_bound"] = (*memo)->ratio * 100 *
                                       static_cast<double>(pair.bytes) /
                                       static_cast<double>(pair.bound_bytes);
}

// Small numbers, so that nothing becomes Inf however often it is added.
void Zero(Memory* memory, int64_t bytes) {
  std::memset(memory->data(), 0, static_cast<size_t>(bytes));
}

Status FillAngles(int width, int64_t tokens, AngleRows* angles) {
  const auto frequencies = SinusoidalFrequencies(width);
  if (!frequencies.ok()) return frequencies.status();
  AngleOptions options;
  options.kind = TableKind::kDirect;
  const auto table = AngleTable::Build(frequencies.value(), options);
  if (!table.ok()) return table.status();
  return table.value()->Fill(Positions::Consecutive(0, tokens), angles);
}

void RunSinusoidal(benchmark::State& state, const Rows& rows,
                   const std::string& target, const Memo& memo) {
  if (const Status s = ForceTarget(target); !s.ok()) {
    return state.SkipWithError(s.message());
  }
  AngleRows angles;
  const Status filled =
      FillAngles(static_cast<int>(rows.width), rows.tokens, &angles);
  if (!filled.ok()) return state.SkipWithError(filled.message());
  const int64_t angle_bytes = rows.tokens * rows.width * 4;
  const int64_t all = rows.Bytes() + angle_bytes;
  Memory memory(all);
  Zero(&memory, all);
  const HiddenStates hidden =
      DenseHidden(memory.data(), rows.type, rows.tokens, rows.width);
  const SinusoidalOptions options = {rows.order, Parallel::Serial()};
  RunPair(state,
          {[&] { return AddSinusoidal(angles, hidden, options); },
           [&] { XorInPlace(memory.data(), static_cast<size_t>(all)); },
           2 * rows.Bytes() + angle_bytes, 2 * all},
          memo);
}

// Positions of the table one after the other.
void RunLearned(benchmark::State& state, const Rows& rows,
                const std::string& target, const Memo& memo) {
  if (const Status s = ForceTarget(target); !s.ok()) {
    return state.SkipWithError(s.message());
  }
  Memory memory(2 * rows.Bytes());
  Zero(&memory, 2 * rows.Bytes());
  const EmbeddingTable table = DenseTable(memory.data() + rows.Bytes(),
                                          rows.type, rows.tokens, rows.width);
  const HiddenStates hidden =
      DenseHidden(memory.data(), rows.type, rows.tokens, rows.width);
  RunPair(state,
          {[&] {
             return AddLearned(table, Positions::Consecutive(0, rows.tokens), 0,
                               hidden);
           },
           [&] {
             XorInPlace(memory.data(), static_cast<size_t>(2 * rows.Bytes()));
           },
           3 * rows.Bytes(), 4 * rows.Bytes()},
          memo);
}

// Rows of the table in an order that nothing foresees.
void RunLookup(benchmark::State& state, const Rows& rows,
               const std::string& target, const Memo& memo) {
  if (const Status s = ForceTarget(target); !s.ok()) {
    return state.SkipWithError(s.message());
  }
  Memory memory(rows.Bytes()), table_memory(rows.Bytes());
  Zero(&memory, rows.Bytes());
  Zero(&table_memory, rows.Bytes());
  const EmbeddingTable table =
      DenseTable(table_memory.data(), rows.type, rows.tokens, rows.width);
  const HiddenStates out =
      DenseHidden(memory.data(), rows.type, rows.tokens, rows.width);
  std::vector<int32_t> ids;
  for (int64_t i = 0; i < rows.tokens; ++i) {
    ids.push_back(static_cast<int32_t>(i * 7919 % rows.tokens));
  }
  LookupOptions options;
  options.multiplier = 55.5f;  // of Gemma's width 3072, in bf16
  RunPair(state,
          {[&] {
             return Lookup(table, TokenIds(ids.data(), rows.tokens), out,
                           options);
           },
           [&] {
             CopyBytes(memory.data(), table_memory.data(),
                       static_cast<size_t>(rows.Bytes()));
           },
           2 * rows.Bytes(), 2 * rows.Bytes()},
          memo);
}

struct LogitsShape {
  DataType type;
  int64_t vocabulary;
  int64_t width;
  int64_t tokens;
  int threads;

  std::string Name() const {
    return std::string("/") + TypeName(type) +
           "/vocabulary:" + std::to_string(vocabulary) +
           "/width:" + std::to_string(width) +
           "/tokens:" + std::to_string(tokens) +
           (threads > 1 ? "/threads:" + std::to_string(threads) : "");
  }
};

void SumByThreads(int threads, const unsigned char* data, int64_t bytes) {
  PartsByThreads(threads, bytes, [=](int64_t first, size_t part) {
    benchmark::DoNotOptimize(SumBytes(data + first, part));
  });
}

void RunLogits(benchmark::State& state, const LogitsShape& shape,
               const std::string& target, const Memo& memo) {
  if (const Status s = ForceTarget(target); !s.ok()) {
    return state.SkipWithError(s.message());
  }
  const int64_t bytes =
      shape.vocabulary * shape.width * ElementSize(shape.type);
  Memory memory(bytes);
  Zero(&memory, bytes);
  const EmbeddingTable table =
      DenseTable(memory.data(), shape.type, shape.vocabulary, shape.width);
  std::vector<float> hidden(static_cast<size_t>(shape.tokens * shape.width));
  std::vector<float> logits(
      static_cast<size_t>(shape.tokens * shape.vocabulary));
  const HiddenStates states =
      DenseHidden(hidden.data(), DataType::kF32, shape.tokens, shape.width);
  const Parallel parallel =
      shape.threads > 1 ? Parallel::Tbb() : Parallel::Serial();
  WithThreads(shape.threads, [&] {
    RunPair(state,
            {[&] {
               return TiedLogits(table, states, logits.data(),
                                 4 * shape.vocabulary, parallel);
             },
             [&] { SumByThreads(shape.threads, memory.data(), bytes); }, bytes,
             bytes},
            memo);
  });
}

template <class Shape>
void Register(const char* name, const Shape& shape, const std::string& target,
              void (*run)(benchmark::State&, const Shape&, const std::string&,
                          const Memo&)) {
  const Memo memo = std::make_shared<std::optional<PairTiming>>();
  const std::string full = name + shape.Name() + "/target:" + target;
  benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State& state) {
    run(state, shape, target, memo);
  })->UseRealTime();
}

// L1 or L2, L2, L3 and DRAM of most CPUs.
constexpr int64_t kShapes[][2] = {
    {64, 128}, {64, 1024}, {512, 1024}, {16384, 1024}};

void RegisterRows(DataType type, const std::string& target) {
  for (const auto& [tokens, width] : kShapes) {
    const Rows rows = {type, tokens, width};
    Rows halves = rows;
    halves.order = SinusoidalOrder::kSinCos;
    Register("BM_AddSinusoidal/interleaved", rows, target, RunSinusoidal);
    Register("BM_AddSinusoidal/sin_cos", halves, target, RunSinusoidal);
    Register("BM_AddLearned", rows, target, RunLearned);
    Register("BM_Lookup", rows, target, RunLookup);
  }
}

void RegisterLogits(const std::string& target) {
  constexpr auto kBF16 = DataType::kBF16;
  const LogitsShape shapes[] = {{kBF16, 256, 1024, 1, 1},
                                {kBF16, 4096, 4096, 1, 1},
                                {kBF16, 32000, 4096, 1, 1},
                                {kBF16, 32000, 4096, 1, 2},
                                // Llama 3 8B's, 1 GiB.
                                {kBF16, 128256, 4096, 1, 2},
                                {DataType::kF32, 32000, 2048, 1, 2},
                                {DataType::kF16, 32000, 4096, 1, 2}};
  for (const LogitsShape& shape : shapes) {
    Register("BM_TiedLogits", shape, target, RunLogits);
  }
}

void RegisterAll() {
  const TargetNames targets = AvailableTargets();
  for (int i = 0; i < targets.count; ++i) {
    for (const DataType type :
         {DataType::kF32, DataType::kBF16, DataType::kF16}) {
      RegisterRows(type, targets.names[i]);
    }
    RegisterLogits(targets.names[i]);
  }
}

}  // namespace
}  // namespace ropewalk::bench

int main(int argc, char** argv) {
  ropewalk::bench::timing = ropewalk::bench::TimingOf(argc, argv, 10e-3);
  return ropewalk::bench::RunBenchmarks(argc, argv,
                                        ropewalk::bench::RegisterAll);
}
