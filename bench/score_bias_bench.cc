// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What biases of attention scores cost on every target, beside XorInPlace over
// the bytes that they read and write: percent_of_bound. AddShawScores also
// multiplies, 64 dims a distance, and AddShawValues writes little:
// ns_per_row.
//
//   score_bias_bench --benchmark_filter='alibi/f32.*target:AVX2'
#include <cstdint>
#include <cstring>
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
#include "ropewalk/encodings.h"
#include "ropewalk/target.h"

namespace ropewalk::bench {
namespace {

TimingOptions timing;  // Of every pair; set before the first one.

constexpr int kHeadDim = 64;
constexpr int64_t kClip = 16;  // of Shaw et al.

enum class Bias { kAlibi, kT5, kShawScores, kShawValues };

const char* NameOf(Bias bias) {
  const char* const names[] = {"alibi", "t5", "shaw_scores", "shaw_values"};
  return names[static_cast<int>(bias)];
}

// The queries are the last of the keys.
struct ScoresSize {
  const char* name;
  int64_t heads;
  int64_t queries;
  int64_t keys;
};
constexpr ScoresSize kSizes[] = {{"L1", 1, 64, 128},
                                 {"L2", 1, 128, 1024},
                                 {"L2_long_rows", 1, 64, 4096},
                                 {"decode", 32, 1, 1024},
                                 {"DRAM", 32, 2048, 2048}};

struct Case {
  Bias bias;
  DataType type;
  ScoreRange range;
  ScoresSize size;

  int64_t Rows() const { return size.heads * size.queries; }
  int64_t Bytes() const { return Rows() * size.keys * ElementSize(type); }
  // What is read and written again. A causal prompt reaches half its scores.
  int64_t BiasedBytes() const {
    if (range == ScoreRange::kAll) return Bytes();
    const int64_t later = size.queries * (size.queries - 1) / 2;
    return Bytes() - size.heads * later * ElementSize(type);
  }
};

// Kept from benchmark to benchmark: 512 MiB are slow to get. Zeros at first.
unsigned char* Buffer() {
  static Memory memory(512 * kMiB);
  return memory.data();
}

class Tensors {
 public:
  explicit Tensors(const Case& of)
      : case_(of),
        slopes_(static_cast<size_t>(of.size.heads), 0x1p-10f),
        table_(static_cast<size_t>(64 * kHeadDim), 0x1p-10f),
        heads_(static_cast<size_t>(of.Rows() * kHeadDim), 0x1p-10f) {
    // An earlier case may have left another type's numbers.
    std::memset(Buffer(), 0, static_cast<size_t>(of.Bytes()));
    const ScoresSize& size = of.size;
    scores_ =
        DenseScores(Buffer(), of.type, size.heads, size.queries, size.keys);
    head_view_ = DenseHeads(heads_.data(), size.queries, size.heads, kHeadDim);
  }

  const Status& status() const { return status_; }

  void RunBias() {
    const Status status = Run();
    if (!status.ok()) status_ = status;
    benchmark::ClobberMemory();
  }
  // Over the same bytes: of a causal prompt, the first cache lines of each row.
  void RunBound() const {
    if (case_.range == ScoreRange::kAll) {
      XorInPlace(Buffer(), static_cast<size_t>(case_.Bytes()));
      return;
    }
    const int64_t earlier = case_.size.keys - case_.size.queries + 1;
    for (int64_t row = 0; row < case_.Rows(); ++row) {
      const int64_t columns = earlier + row % case_.size.queries;
      const int64_t bytes = columns * ElementSize(case_.type);
      XorInPlace(Buffer() + row * scores_.query_stride,
                 static_cast<size_t>((bytes + 63) / 64 * 64));
    }
  }

 private:
  Status Run() {
    const ShawRule shaw = {kClip, false};
    const EmbeddingTable shaw_table =
        DenseTable(table_.data(), DataType::kF32, 2 * kClip + 1, kHeadDim);
    switch (case_.bias) {
      case Bias::kAlibi:
        return AddAlibi(slopes_.data(), scores_, case_.range);
      case Bias::kT5:
        return AddT5Bias(
            DenseTable(table_.data(), DataType::kF32, 32, case_.size.heads),
            T5Buckets{}, scores_, case_.range);
      case Bias::kShawScores:
        return AddShawScores(shaw_table, shaw, head_view_, 1, scores_,
                             case_.range);
      case Bias::kShawValues:
        return AddShawValues(shaw_table, shaw, scores_, head_view_,
                             case_.range);
    }
    return Status();
  }

  Case case_;
  std::vector<float> slopes_;
  std::vector<float> table_;
  std::vector<float> heads_;
  Scores scores_;
  HeadsView head_view_;
  Status status_;
};

void RunCase(benchmark::State& state, const Case& of, const std::string& target,
             const Memo& memo) {
  if (const Status s = ForceTarget(target); !s.ok()) {
    return state.SkipWithError(s.message());
  }
  Tensors tensors(of);
  for (auto _ : state) tensors.RunBias();
  if (!memo->has_value()) {
    *memo = MeasurePair([&] { tensors.RunBias(); }, [&] { tensors.RunBound(); },
                        timing);
  }
  if (!tensors.status().ok()) {
    return state.SkipWithError(tensors.status().message());
  }
  state.SetLabel(ActiveTarget());
  state.SetBytesProcessed(state.iterations() * 2 * of.BiasedBytes());
  state.counters["percent_of_bound"] = (*memo)->ratio * 100;
  state.counters["ns_per_row"] =
      (*memo)->seconds * 1e9 / static_cast<double>(of.Rows());
}

void Register(const Case& of, const std::string& target) {
  const Memo memo = std::make_shared<std::optional<PairTiming>>();
  const std::string name =
      std::string("BM_ScoreBias/") + NameOf(of.bias) + "/" + TypeName(of.type) +
      (of.range == ScoreRange::kAll ? "/all/" : "/causal/") + of.size.name +
      "/heads:" + std::to_string(of.size.heads) +
      "/queries:" + std::to_string(of.size.queries) +
      "/keys:" + std::to_string(of.size.keys) + "/target:" + target;
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    RunCase(state, of, target, memo);
  });
}

void RegisterAll() {
  const TargetNames targets = AvailableTargets();
  for (int i = 0; i < targets.count; ++i) {
    for (const Bias bias :
         {Bias::kAlibi, Bias::kT5, Bias::kShawScores, Bias::kShawValues}) {
      for (const DataType type :
           {DataType::kF32, DataType::kBF16, DataType::kF16}) {
        for (const ScoresSize& size : kSizes) {
          Register({bias, type, ScoreRange::kAll, size}, targets.names[i]);
          // A bound of many short calls would flatter.
          if (size.queries == 1 || size.keys < 1024) continue;
          Register({bias, type, ScoreRange::kCausal, size}, targets.names[i]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace ropewalk::bench

int main(int argc, char** argv) {
  ropewalk::bench::timing = ropewalk::bench::TimingOf(argc, argv, 10e-3);
  return ropewalk::bench::RunBenchmarks(argc, argv,
                                        ropewalk::bench::RegisterAll);
}
