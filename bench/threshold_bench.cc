// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Where Parallel::Tbb() begins to pay on this machine, what tiles of other
// sizes would give, and what it costs where another thread reads the heads than
// turned them: to check the constants of src/rotate/make_job.cc. Prints tables;
// two cores that are not otherwise busy are needed for them to mean anything.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bound.h"
#include "bench/pair_benchmark.h"
#include "bench/run_benchmarks.h"
#include "bench/timing.h"
#include "bench/turned_heads.h"
#include "bench/two_threads.h"
#include "ropewalk/angle_rows.h"
#include "ropewalk/parallel.h"
#include "ropewalk/target.h"
#include "ropewalk/types.h"

namespace ropewalk::bench {
namespace {

constexpr double kPays = 1.05;  // Less may be noise.

#if ROPEWALK_HAVE_TBB
constexpr bool kHaveTbb = true;
#else
constexpr bool kHaveTbb = false;
#endif

TimingOptions timing;

std::string SizeName(int64_t bytes) {
  return bytes >= kMiB ? std::to_string(bytes / kMiB) + " MiB"
                       : std::to_string(bytes / kKiB) + " KiB";
}

// How many times as fast as the other.
template <class Call, class Other>
double Speedup(const Call& call, const Other& other) {
  return MeasurePair(call, other, timing).ratio;
}

// --- Threads ---

// In the order of the columns of PrintThreads.
struct ThreadsRow {
  int64_t bytes;
  double one_us;
  double own;
  std::vector<double> tbb;  // Tbb(), then tasks of kTasks.
};

constexpr int kTasks[] = {2, 4, 8, 16};

ThreadsRow MeasureThreads(DataType type, int64_t bytes) {
  TurnedHeads heads(type, bytes, /*heads_first=*/false);
  const auto one = [&] { heads.Turn(Parallel::Serial()); };
  ThreadsRow row{bytes, 0, 0, {}};
  {
    TwoThreads threads;
    const PairTiming pair = MeasurePair(
        [&] { threads.Run([&](int i) { heads.Turn(Parallel::Share(i, 2)); }); },
        one, timing);
    row.own = pair.ratio;
    row.one_us = pair.bound_seconds * 1e6;
  }
#if ROPEWALK_HAVE_TBB
  WithThreads(2, [&] {
    row.tbb.push_back(Speedup([&] { heads.Turn(Parallel::Tbb()); }, one));
    for (const int tasks : kTasks) {
      row.tbb.push_back(Speedup(
          [&] {
            oneapi::tbb::parallel_for(0, tasks, [&](int i) {
              heads.Turn(Parallel::Share(i, tasks));
            });
          },
          one));
    }
  });
#endif
  return row;
}

// The least size from which on it always pays, or 0. `speedup_of` takes a row.
template <class SpeedupOf>
int64_t PaysFrom(const std::vector<ThreadsRow>& rows,
                 const SpeedupOf& speedup_of) {
  int64_t bytes = 0;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    if (speedup_of(*row) < kPays) break;
    bytes = row->bytes;
  }
  return bytes;
}

void PrintPaysFrom(const char* what, int64_t bytes, int64_t tasks) {
  if (bytes == 0) {
    std::printf("  %s: does not pay here\n", what);
    return;
  }
  std::printf("  %s: pays from %s on", what, SizeName(bytes).c_str());
  if (tasks > 0) {
    std::printf(", %s read and written a task (kMinTaskBytes)",
                SizeName(2 * bytes / tasks).c_str());
  }
  std::printf("\n");
}

void PrintThreads(DataType type) {
  std::printf("\n%s in place, 32 heads x 128: one thread's time over two's\n",
              TypeName(type));
  std::printf("%8s %10s %6s", "buffer", "one, us", "own");
  if (kHaveTbb) {
    std::printf(" %7s", "Tbb()");
    for (const int tasks : kTasks) std::printf("  tasks:%-2d", tasks);
  }
  std::printf("\n");
  std::vector<ThreadsRow> rows;
  for (int64_t bytes = 64 * kKiB; bytes <= 16 * kMiB; bytes *= 2) {
    const ThreadsRow row = MeasureThreads(type, bytes);
    std::printf("%8s %10.2f %6.2f", SizeName(bytes).c_str(), row.one_us,
                row.own);
    for (const double speedup : row.tbb) std::printf(" %8.2f", speedup);
    std::printf("\n");
    std::fflush(stdout);
    rows.push_back(row);
  }
  PrintPaysFrom("a pool of one's own",
                PaysFrom(rows, [](const ThreadsRow& row) { return row.own; }),
                0);
  if (!kHaveTbb) return;
  PrintPaysFrom("Tbb() as it is",
                PaysFrom(rows, [](const auto& row) { return row.tbb[0]; }), 0);
  PrintPaysFrom("two tasks of oneTBB",
                PaysFrom(rows, [](const auto& row) { return row.tbb[1]; }), 2);
}

// --- Tiles ---

void PrintTiles(DataType type) {
  std::printf(
      "\n%s in place, [32 heads, tokens, 128]: one call's time over that of "
      "tiles of so many tokens\n(all heads of a tile in a call; h: a call "
      "for each head, of which 16h shows the cost)\n",
      TypeName(type));
  struct Variant {
    int64_t tile;
    bool call_each_head;
  };
  constexpr Variant kVariants[] = {{4, false}, {8, false}, {16, false},
                                   {16, true}, {32, true}, {64, true},
                                   {128, true}};
  std::printf("%8s", "buffer");
  for (const Variant& v : kVariants) {
    std::printf(" %5d%c", static_cast<int>(v.tile),
                v.call_each_head ? 'h' : ' ');
  }
  std::printf("\n");
  for (const int64_t bytes : {1 * kMiB, 8 * kMiB, 64 * kMiB}) {
    TurnedHeads heads(type, bytes, /*heads_first=*/true);
    std::printf("%8s", SizeName(bytes).c_str());
    for (const Variant& v : kVariants) {
      const std::vector<AngleRows> tiles = heads.RowsOfTiles(v.tile);
      std::printf(" %6.2f",
                  Speedup([&] { heads.TurnTiles(tiles, v.call_each_head); },
                          [&] { heads.Turn(Parallel::Serial()); }));
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

// --- Readers ---

// Reads a half as attention does, with the widest loads of the target.
void ReadHalf(const unsigned char* data, int64_t bytes, int half) {
  constexpr int64_t kPage = 4096;
  thread_local unsigned char page[kPage];
  const int64_t end = bytes / 2 * (half + 1);
  for (int64_t at = bytes / 2 * half; at < end; at += kPage) {
    CopyBytes(page, data + at, static_cast<size_t>(std::min(kPage, end - at)));
  }
}

void PrintReaders(DataType type) {
  std::printf(
      "\n%s: two threads turn half of the heads each, then read a half each\n"
      "%8s %12s %14s %16s\n",
      TypeName(type), "buffer", "own half, us", "other's / own",
      "one turns / own");
  TwoThreads threads;
  for (int64_t bytes = 16 * kKiB; bytes <= 4 * kMiB; bytes *= 4) {
    TurnedHeads heads(type, bytes, /*heads_first=*/false);
    const auto turn = [&] {
      threads.Run([&](int i) { heads.Turn(Parallel::Share(i, 2)); });
    };
    const auto read = [&](int other) {
      threads.Run([&, other](int i) {
        ReadHalf(heads.data(), heads.bytes(), i ^ other);
      });
    };
    const auto own = [&] {
      turn();
      read(0);
    };
    const PairTiming crossed = MeasurePair(
        own,
        [&] {
          turn();
          read(1);
        },
        timing);
    const double serial = Speedup(own, [&] {
      heads.Turn(Parallel::Serial());
      read(0);
    });
    std::printf("%8s %12.2f %14.2f %16.2f\n", SizeName(bytes).c_str(),
                crossed.seconds * 1e6, crossed.ratio, serial);
    std::fflush(stdout);
  }
}

// Two threads that get one core are never faster than one.
void WarnOfLoad() {
  double load = 0;
  if (getloadavg(&load, 1) == 1 && load > 0.5) {
    std::printf("load average %.1f: expect two threads to do badly\n", load);
  }
}

void PrintAll() {
  std::printf("%s, %s\n", CpuModel().c_str(), ActiveTarget());
  WarnOfLoad();
  for (const DataType type : {DataType::kF32, DataType::kBF16}) {
    PrintThreads(type);
  }
  for (const DataType type : {DataType::kF32, DataType::kBF16}) {
    PrintTiles(type);
  }
  for (const DataType type : {DataType::kF32, DataType::kBF16}) {
    PrintReaders(type);
  }
}

}  // namespace
}  // namespace ropewalk::bench

// Takes --benchmark_min_time as the other programs do, for a smoke run.
int main(int argc, char** argv) {
  using ropewalk::bench::timing;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.substr(0, 21) == "--benchmark_min_time=") continue;
    std::fprintf(stderr, "usage: %s [--benchmark_min_time=SECONDS]\n", argv[0]);
    return 2;
  }
  timing = ropewalk::bench::TimingOf(argc, argv, 30e-3);
  // What a call leaves in the other core's caches should count in one call of
  // many, and some samples fall between interruptions.
  timing.sample_seconds = 200e-6;
  ropewalk::bench::PrintAll();
  return 0;
}
