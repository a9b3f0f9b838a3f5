// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What benchmarks of a call against another one share: how long they measure,
// memory, and two threads.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "bench/bound.h"
#include "bench/timing.h"

#if ROPEWALK_HAVE_TBB
#include "oneapi/tbb/parallel_for.h"
#include "oneapi/tbb/task_arena.h"
#endif

namespace ropewalk::bench {

constexpr int64_t kKiB = 1024;
constexpr int64_t kMiB = 1024 * kKiB;

// Memory of whole cache lines.
class Memory {
 public:
  explicit Memory(int64_t bytes)
      : lines_(static_cast<size_t>((bytes + 63) / 64)) {}

  unsigned char* data() {
    return reinterpret_cast<unsigned char*>(lines_.data());
  }

 private:
  struct Line {
    alignas(64) unsigned char bytes[64];
  };

  std::vector<Line> lines_;
};

// Of one benchmark: Google Benchmark calls its function several times with
// growing numbers of iterations, but the pair is measured once.
using Memo = std::shared_ptr<std::optional<PairTiming>>;

// A run that only looks whether everything works need not measure well. Long
// calls want long rounds.
inline TimingOptions TimingOf(int argc, char** argv,
                              double round_seconds = 2e-3) {
  constexpr std::string_view kMinTime = "--benchmark_min_time=";
  TimingOptions timing;
  timing.round_seconds = round_seconds;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.substr(0, kMinTime.size()) != kMinTime) continue;
    if (std::atof(argv[i] + kMinTime.size()) >= 0.01) continue;
    timing.rounds = 1;
    timing.round_seconds = 2e-3;
  }
  return timing;
}

// Runs a function with so many threads at its disposal.
template <class Function>
void WithThreads(int threads, const Function& function) {
#if ROPEWALK_HAVE_TBB
  if (threads > 1) {
    oneapi::tbb::task_arena arena(threads);
    arena.execute(function);
    return;
  }
#endif
  static_cast<void>(threads);
  function();
}

// function(first, bytes) of equal parts, by so many threads.
template <class Function>
void PartsByThreads(int threads, int64_t bytes, const Function& function) {
#if ROPEWALK_HAVE_TBB
  if (threads > 1) {
    // Four parts a thread, as the library makes.
    const int64_t parts = 4 * threads;
    const int64_t each = bytes / parts;
    oneapi::tbb::parallel_for(int64_t{0}, parts, [=](int64_t part) {
      function(part * each, static_cast<size_t>(each));
    });
    return;
  }
#endif
  static_cast<void>(threads);
  function(int64_t{0}, static_cast<size_t>(bytes));
}

// XorInPlace by so many threads.
inline void XorByThreads(int threads, unsigned char* data, int64_t bytes) {
  PartsByThreads(threads, bytes, [=](int64_t first, size_t part) {
    XorInPlace(data + first, part);
  });
}

}  // namespace ropewalk::bench
