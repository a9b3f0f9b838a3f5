// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What positions of three components cost beside those of one, on every target:
// Fill, Rotate, and steps of one layer and of 28. A step has 32 heads of Q and
// 8 of K in bf16, and a component differs from the others in every token.
// speedup_over_one_axis comes from the same run: 1 is no slower.
//
//   axes_bench --benchmark_filter='step/contiguous.*target:AVX2'
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/pair_benchmark.h"
#include "bench/rotate_shape.h"
#include "bench/run_benchmarks.h"
#include "bench/timing.h"
#include "benchmark/benchmark.h"
#include "ropewalk/angles.h"
#include "ropewalk/axes.h"
#include "ropewalk/rotate.h"
#include "ropewalk/target.h"

namespace ropewalk::bench {
namespace {

constexpr int kPairs = 64;
constexpr int kComponents = 3;
constexpr int64_t kFirst = 1000;  // of the image's positions
constexpr int64_t kColumns = 24;  // of the image
constexpr int kLayers = 28;       // of Qwen2-VL-7B

TimingOptions timing;  // Of every pair; set before the first one.

// Sections of Qwen2-VL and of Qwen3-VL.
enum class Map { kContiguous, kInterleaved };

const char* NameOf(Map map) {
  return map == Map::kContiguous ? "contiguous" : "interleaved";
}

// How often a step fills and rotates.
struct Work {
  const char* name;
  int fills;
  int layers;
};
constexpr Work kWorks[] = {{"fill", 1, 0},
                           {"rotate", 0, 1},
                           {"step", 1, 1},
                           {"steps_of_28_layers", 1, kLayers}};

using Table = Result<std::shared_ptr<const AngleTable>>;

Table BuildTable(std::vector<uint8_t> axis) {
  RopeParameters parameters;
  parameters.rotary_dim = 2 * kPairs;
  parameters.base = 1e6;
  parameters.axis = std::move(axis);
  const auto frequencies = ComputeFrequencies(parameters);
  if (!frequencies.ok()) return frequencies.status();
  return AngleTable::Build(frequencies.value());
}

std::vector<uint8_t> AxesOf(Map map) {
  const auto axes = map == Map::kContiguous
                        ? ContiguousAxes({16, 24, 24}, kPairs)
                        : InterleavedAxes({24, 20, 20}, kPairs);
  return axes.ok() ? axes.value() : std::vector<uint8_t>();
}

// The positions of an image's patches: [time, row, column][tokens].
std::vector<int64_t> ImagePositions(int64_t tokens) {
  std::vector<int64_t> ids;
  for (int64_t t = 0; t < tokens; ++t) ids.push_back(kFirst);
  for (int64_t t = 0; t < tokens; ++t) ids.push_back(kFirst + 1 + t / kColumns);
  for (int64_t t = 0; t < tokens; ++t) ids.push_back(kFirst + 2 + t % kColumns);
  return ids;
}

// The same tensors, turned by rows of their own.
class Step {
 public:
  Step(const AngleTable& table, const Positions& positions, const Shape& shape,
       unsigned char* data)
      : table_(table), positions_(positions) {
    layout_.head_dim = layout_.rotary_dim = 2 * kPairs;
    q_ = ViewOf(shape, data, shape.query_heads);
    k_ = ViewOf(shape, data + q_.batch_stride, shape.key_heads);
    status_ = table_.Fill(positions_, &rows_);
  }

  const Status& status() const { return status_; }

  void Run(const Work& work) {
    Status status;
    if (work.fills > 0) status = table_.Fill(positions_, &rows_);
    for (int i = 0; i < work.layers && status.ok(); ++i) {
      status = Rotate(rows_, layout_, {q_, k_}, RotateOptions{});
    }
    if (!status.ok()) status_ = status;
    benchmark::DoNotOptimize(rows_.cos(0));
    benchmark::ClobberMemory();
  }

 private:
  const AngleTable& table_;
  Positions positions_;
  AngleRows rows_;
  RotaryLayout layout_;
  HeadsView q_, k_;
  Status status_;
};

void RunAxes(benchmark::State& state, const Work& work, Map map, int64_t tokens,
             const std::string& target, const Memo& memo) {
  if (const Status s = ForceTarget(target); !s.ok()) {
    return state.SkipWithError(s.message());
  }
  static const Table tables[] = {BuildTable(AxesOf(Map::kContiguous)),
                                 BuildTable(AxesOf(Map::kInterleaved)),
                                 BuildTable({})};
  for (const Table& table : tables) {
    if (!table.ok()) return state.SkipWithError(table.status().message());
  }
  Shape shape;
  shape.type = DataType::kBF16;
  shape.tokens = tokens;
  shape.key_heads = 8;
  Memory memory(shape.tokens * shape.Heads() * shape.HeadBytes());
  std::memset(memory.data(), 0x3f,
              static_cast<size_t>(tokens * shape.Heads() * shape.HeadBytes()));
  const std::vector<int64_t> ids = ImagePositions(tokens);
  Step axes(*tables[static_cast<int>(map)].value(),
            Positions::Components(ids.data(), kComponents, tokens, tokens),
            shape, memory.data());
  Step one(*tables[2].value(), Positions::Consecutive(kFirst, tokens), shape,
           memory.data());
  for (auto _ : state) axes.Run(work);
  if (!memo->has_value()) {
    *memo =
        MeasurePair([&] { axes.Run(work); }, [&] { one.Run(work); }, timing);
  }
  for (const Step* step : {&axes, &one}) {
    if (!step->status().ok()) {
      return state.SkipWithError(step->status().message());
    }
  }
  state.SetLabel(ActiveTarget());
  state.SetItemsProcessed(state.iterations() * tokens);
  state.counters["ns_per_token"] =
      (*memo)->seconds * 1e9 / static_cast<double>(tokens);
  state.counters["speedup_over_one_axis"] = (*memo)->ratio;
}

void RegisterAll() {
  const TargetNames targets = AvailableTargets();
  for (int i = 0; i < targets.count; ++i) {
    const std::string target = targets.names[i];
    for (const Work& work : kWorks) {
      for (const Map map : {Map::kContiguous, Map::kInterleaved}) {
        for (const int64_t tokens : {64, 512}) {
          const Memo memo = std::make_shared<std::optional<PairTiming>>();
          const std::string name = std::string("BM_Axes/") + work.name + "/" +
                                   NameOf(map) +
                                   "/tokens:" + std::to_string(tokens) +
                                   "/heads:40/head_dim:128/target:" + target;
          benchmark::RegisterBenchmark(
              name.c_str(), [=](benchmark::State& state) {
                RunAxes(state, work, map, tokens, target, memo);
              });
        }
      }
    }
  }
}

}  // namespace
}  // namespace ropewalk::bench

int main(int argc, char** argv) {
  // 28 layers of 512 tokens take milliseconds.
  ropewalk::bench::timing = ropewalk::bench::TimingOf(argc, argv, 30e-3);
  return ropewalk::bench::RunBenchmarks(argc, argv,
                                        ropewalk::bench::RegisterAll);
}
