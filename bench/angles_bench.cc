// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What a row of angles costs, beside copying it from a dense table of 512 MiB
// and beside libm. Label: the active target.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "ropewalk/angles.h"
#include "ropewalk/target.h"

namespace {

namespace rw = ropewalk;

constexpr int kPairs = 64;
constexpr int64_t kTokens = 512;  // of one step
constexpr int64_t kSteps = 1024;  // different ones: 200 MiB of the table
constexpr int64_t kDenseRows = int64_t{1} << 20;

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

rw::Frequencies PlainFrequencies() {
  rw::RopeParameters parameters;
  parameters.rotary_dim = 2 * kPairs;
  return rw::ComputeFrequencies(parameters).value();
}

void Report(benchmark::State& state) {
  state.SetLabel(rw::ActiveTarget());
  state.SetItemsProcessed(state.iterations() * kTokens);
  state.SetBytesProcessed(state.iterations() * kTokens * 2 * kPairs *
                          static_cast<int64_t>(sizeof(float)));
}

void Fill(benchmark::State& state, rw::TableKind kind, Draw draw) {
  rw::AngleOptions options;
  options.kind = kind;
  options.dense_positions = kind == rw::TableKind::kDense ? kDenseRows : 0;
  const auto table = rw::AngleTable::Build(PlainFrequencies(), options);
  if (!table.ok()) return state.SkipWithError(table.status().message());
  const std::vector<int64_t> positions = DrawPositions(draw);
  rw::AngleRows rows;
  int64_t step = 0;
  for (auto _ : state) {
    const rw::Status status = table.value()->Fill(
        rw::Positions(positions.data() + step * kTokens, kTokens), &rows);
    if (!status.ok()) return state.SkipWithError(status.message());
    benchmark::DoNotOptimize(rows.cos(0));
    benchmark::ClobberMemory();
    step = (step + 1) % kSteps;
  }
  Report(state);
}

// The yardstick: memcpy of random rows of 2^20 * 512 bytes.
void CopyDenseRows(benchmark::State& state) {
  constexpr size_t kRowFloats = 2 * kPairs;
  const std::vector<float> table(kDenseRows * kRowFloats, 0.5f);
  const std::vector<int64_t> positions = DrawPositions(Draw::kBelow20);
  std::vector<float> rows(kTokens * kRowFloats);
  int64_t step = 0;
  for (auto _ : state) {
    for (int64_t t = 0; t < kTokens; ++t) {
      const int64_t position =
          positions[static_cast<size_t>(step * kTokens + t)];
      std::memcpy(rows.data() + static_cast<size_t>(t) * kRowFloats,
                  table.data() + static_cast<size_t>(position) * kRowFloats,
                  kRowFloats * sizeof(float));
    }
    benchmark::DoNotOptimize(rows.data());
    benchmark::ClobberMemory();
    step = (step + 1) % kSteps;
  }
  Report(state);
}

void LibmRows(benchmark::State& state) {
  const rw::Frequencies frequencies = PlainFrequencies();
  const std::vector<int64_t> positions = DrawPositions(Draw::kBelow20);
  std::vector<float> rows(kTokens * 2 * kPairs);
  int64_t step = 0;
  for (auto _ : state) {
    float* row = rows.data();
    for (int64_t t = 0; t < kTokens; ++t, row += 2 * kPairs) {
      const double position = static_cast<double>(
          positions[static_cast<size_t>(step * kTokens + t)]);
      for (size_t i = 0; i < kPairs; ++i) {
        const double angle = position * frequencies.inv_freq[i];
        row[i] = static_cast<float>(std::cos(angle));
        row[kPairs + i] = static_cast<float>(std::sin(angle));
      }
    }
    benchmark::DoNotOptimize(rows.data());
    benchmark::ClobberMemory();
    step = (step + 1) % kSteps;
  }
  Report(state);
}

void BuildTable(benchmark::State& state, rw::Parallel parallel) {
  const rw::Frequencies frequencies = PlainFrequencies();
  for (auto _ : state) {
    const auto table =
        rw::AngleTable::Build(frequencies, rw::AngleOptions{}, parallel);
    benchmark::DoNotOptimize(table.ok());
  }
  state.SetLabel(rw::ActiveTarget());
}

void RegisterFill(const char* kind_name, rw::TableKind kind) {
  for (const Draw draw : {Draw::kBelow20, Draw::kBelow30, Draw::kConsecutive}) {
    // Beyond a dense table it is the direct row that would be measured.
    if (kind == rw::TableKind::kDense && draw == Draw::kBelow30) continue;
    const std::string name = std::string("BM_Fill/") + kind_name +
                             "/positions:" + NameOf(draw) + "/pairs:64";
    benchmark::RegisterBenchmark(name.c_str(), Fill, kind, draw);
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  RegisterFill("factored", rw::TableKind::kFactored);
  RegisterFill("dense", rw::TableKind::kDense);
  RegisterFill("direct", rw::TableKind::kDirect);
  benchmark::RegisterBenchmark("BM_Fill/copy/positions:2^20/pairs:64",
                               CopyDenseRows);
  benchmark::RegisterBenchmark("BM_Fill/libm/positions:2^20/pairs:64",
                               LibmRows);
  benchmark::RegisterBenchmark("BM_Build/serial/pairs:64", BuildTable,
                               rw::Parallel::Serial());
  benchmark::RegisterBenchmark("BM_Build/tbb/pairs:64", BuildTable,
                               rw::Parallel::Tbb())
      ->UseRealTime();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
