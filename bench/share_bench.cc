// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What Parallel::Share() costs in an OpenMP team that is busy: every member's
// share of one Rotate or RotateIntoCache (f32, 32 + 8 heads), beside a serial
// call of every member on its own part. speedup_over_own_calls is of the
// slowest member of each, from the same run: 1 costs no more. ns_of_all is one
// thread's time for the whole.
//
//   share_bench --benchmark_filter='tokens:1/.*target:AVX2'
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "bench/pair_benchmark.h"
#include "bench/run_benchmarks.h"
#include "bench/team_step.h"
#include "bench/timing.h"
#include "benchmark/benchmark.h"
#include "ropewalk/target.h"

namespace ropewalk::bench {
namespace {

TimingOptions timing;  // Of every pair; set before the first one.

struct Case {
  TeamCall call;
  int64_t tokens;
  int members;
};

std::string NameOf(const Case& c, const std::string& target) {
  return std::string("BM_Share/") +
         (c.call == TeamCall::kRotate ? "rotate" : "rotate_into_cache") +
         "/f32/tokens:" + std::to_string(c.tokens) +
         "/heads:40/head_dim:128/members:" + std::to_string(c.members) +
         "/target:" + target;
}

void RunShare(benchmark::State& state, const Case& c, const std::string& target,
              const Memo& memo) {
  if (!ForceTarget(target.c_str()).ok()) {
    return state.SkipWithError("target");
  }
  TeamStep step(c.call, c.tokens, c.members);
  for (auto _ : state) step.TurnShare(0);
  if (!memo->has_value()) *memo = MeasureShares(&step, c.members, timing);
  const double of_all = LeastSample([&] { step.TurnAll(); }, timing);
  state.SetLabel(ActiveTarget());
  state.counters["ns_of_share"] = (*memo)->seconds * 1e9;
  state.counters["ns_of_own_call"] = (*memo)->bound_seconds * 1e9;
  state.counters["ns_of_all"] = of_all * 1e9;
  state.counters["speedup_over_own_calls"] = (*memo)->ratio;
}

void RegisterAll() {
  const TargetNames targets = AvailableTargets();
  for (int i = 0; i < targets.count; ++i) {
    const std::string target = targets.names[i];
    for (const TeamCall call :
         {TeamCall::kRotate, TeamCall::kRotateIntoCache}) {
      for (const int64_t tokens : {1, 512}) {
        for (const int members : {2, 4, 8}) {
          const Case c = {call, tokens, members};
          const Memo memo = std::make_shared<std::optional<PairTiming>>();
          benchmark::RegisterBenchmark(NameOf(c, target).c_str(),
                                       [=](benchmark::State& state) {
                                         RunShare(state, c, target, memo);
                                       });
        }
      }
    }
  }
}

}  // namespace
}  // namespace ropewalk::bench

int main(int argc, char** argv) {
  // A call takes up to 2 ms.
  ropewalk::bench::timing = ropewalk::bench::TimingOf(argc, argv, 50e-3);
  return ropewalk::bench::RunBenchmarks(argc, argv,
                                        ropewalk::bench::RegisterAll);
}
