// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// How a range of work is split.
#include "parallel/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#if ROPEWALK_HAVE_TBB
#include "oneapi/tbb/global_control.h"
#include "oneapi/tbb/parallel_for.h"
#include "oneapi/tbb/task_arena.h"
#include "oneapi/tbb/task_group.h"
#endif

namespace ropewalk::internal {
namespace {

using Ranges = std::vector<std::pair<int64_t, int64_t>>;

Ranges RangesOf(const Parallel& parallel, int64_t count, int64_t grain) {
  Ranges ranges;
  ParallelFor(parallel, count, grain, [&](int64_t begin, int64_t end) {
    ranges.emplace_back(begin, end);
  });
  return ranges;
}

TEST(ParallelForTest, SerialIsOneCall) {
  EXPECT_EQ(RangesOf(Parallel::Serial(), 10, 1), (Ranges{{0, 10}}));
  EXPECT_EQ(RangesOf(Parallel::Serial(), 10, 100), (Ranges{{0, 10}}));
}

TEST(ParallelForTest, NoWorkIsNoCall) {
  for (const Parallel& parallel :
       {Parallel::Serial(), Parallel::Tbb(), Parallel::Share(0, 3)}) {
    EXPECT_TRUE(RangesOf(parallel, 0, 1).empty());
  }
  EXPECT_TRUE(RangesOf(Parallel::Share(7, 8), 3, 1).empty());
}

TEST(ParallelForTest, SharesAreAPartitionIntoEvenParts) {
  for (const int64_t count : {0, 1, 2, 7, 64, 1000, 1001}) {
    for (const int shares : {1, 2, 3, 7, 8, 9, 64, 1001}) {
      int64_t next = 0;
      int64_t least = count;
      int64_t most = 0;
      for (int i = 0; i < shares; ++i) {
        const Ranges ranges = RangesOf(Parallel::Share(i, shares), count, 16);
        ASSERT_LE(ranges.size(), 1u);
        int64_t size = 0;
        if (!ranges.empty()) {
          ASSERT_EQ(ranges[0].first, next);
          ASSERT_GT(ranges[0].second, next);
          size = ranges[0].second - next;
          next = ranges[0].second;
        }
        least = std::min(least, size);
        most = std::max(most, size);
      }
      EXPECT_EQ(next, count) << shares << " shares";
      EXPECT_LE(most - least, 1);
    }
  }
}

TEST(ParallelForTest, SharesOfHugeRangesDoNotOverflow) {
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  constexpr int kShares = std::numeric_limits<int>::max();
  const Ranges first = RangesOf(Parallel::Share(0, kShares), kHuge, 1);
  const Ranges last = RangesOf(Parallel::Share(kShares - 1, kShares), kHuge, 1);
  ASSERT_EQ(first.size(), 1u);
  ASSERT_EQ(last.size(), 1u);
  EXPECT_EQ(first[0].first, 0);
  EXPECT_EQ(last[0].second, kHuge);
}

TEST(ParallelForTest, ShareRunsOnTheCallingThread) {
  std::thread::id id;
  ParallelFor(Parallel::Share(0, 2), 10, 1,
              [&](int64_t, int64_t) { id = std::this_thread::get_id(); });
  EXPECT_EQ(id, std::this_thread::get_id());
}

// How often each item was done, with ranges of at least `grain`.
std::vector<int> TimesDone(int64_t count, int64_t grain) {
  std::vector<std::atomic<int>> times(static_cast<size_t>(count));
  ParallelFor(Parallel::Tbb(), count, grain, [&](int64_t begin, int64_t end) {
    EXPECT_GE(begin, 0);
    EXPECT_LT(begin, end);
    EXPECT_LE(end, count);
    EXPECT_TRUE(end == count || end - begin >= grain);
    for (int64_t i = begin; i < end; ++i) ++times[static_cast<size_t>(i)];
  });
  return {times.begin(), times.end()};
}

TEST(ParallelForTest, TbbDoesEachItemOnce) {
  for (const int64_t count : {1, 2, 15, 16, 17, 1000, 100003}) {
    for (const int64_t grain : {1, 2, 16, 1000}) {
      EXPECT_EQ(TimesDone(count, grain),
                std::vector<int>(static_cast<size_t>(count), 1))
          << count << " items, grain " << grain;
    }
  }
}

#if ROPEWALK_HAVE_TBB
TEST(ParallelForTest, TbbDoesEachItemOnceInAnyArena) {
  const oneapi::tbb::global_control control(
      oneapi::tbb::global_control::max_allowed_parallelism, 8);
  for (int threads = 1; threads <= 8; ++threads) {
    oneapi::tbb::task_arena arena(threads);
    arena.execute(
        [] { EXPECT_EQ(TimesDone(10007, 3), std::vector<int>(10007, 1)); });
  }
}
#endif

TEST(ParallelForTest, BadSharesAreNamed) {
  const std::pair<int, int> bad[] = {{-1, 4}, {4, 4}, {0, 0}, {0, -3}, {9, 2}};
  for (const auto& [index, count] : bad) {
    const Status status = ValidateParallel(Parallel::Share(index, count));
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    const std::string message = status.message();
    EXPECT_NE(message.find(std::to_string(index)), std::string::npos)
        << message;
    EXPECT_NE(message.find(std::to_string(count)), std::string::npos)
        << message;
  }
  EXPECT_TRUE(ValidateParallel(Parallel::Serial()).ok());
  EXPECT_TRUE(ValidateParallel(Parallel::Tbb()).ok());
  EXPECT_TRUE(ValidateParallel(Parallel::Share(3, 4)).ok());
}

#if ROPEWALK_HAVE_TBB
// oneTBB skips the tasks of a cancelled group without a word.
TEST(ParallelForTest, TbbDoesAllWorkInsideACancelledGroup) {
  oneapi::tbb::task_arena arena(4);
  std::atomic<int64_t> done{0};
  arena.execute([&] {
    oneapi::tbb::task_group_context context;
    oneapi::tbb::task_group group(context);
    group.run_and_wait([&] {
      context.cancel_group_execution();
      ParallelFor(Parallel::Tbb(), 1000, 1,
                  [&](int64_t begin, int64_t end) { done += end - begin; });
    });
  });
  EXPECT_EQ(done, 1000);
}

// A thread that waits for its parts must not begin a task of the host's.
TEST(ParallelForTest, TbbKeepsTheHostsTasksOut) {
  oneapi::tbb::global_control threads(
      oneapi::tbb::global_control::max_allowed_parallelism, 4);
  oneapi::tbb::task_arena arena(4);
  static thread_local bool inside;
  std::atomic<int> entered{0};
  arena.execute([&] {
    oneapi::tbb::parallel_for(0, 400, [&](int) {
      if (inside) ++entered;
      inside = true;
      std::atomic<int64_t> sum{0};
      ParallelFor(Parallel::Tbb(), 64, 1, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end * 2000; ++i) {
          sum.fetch_add(i, std::memory_order_relaxed);
        }
      });
      inside = false;
    });
  });
  EXPECT_EQ(entered, 0);
}
#endif

}  // namespace
}  // namespace ropewalk::internal
