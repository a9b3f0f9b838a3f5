// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Sixteen threads that build, fill, rotate, write, shift and move side by side
// for some seconds, ROPEWALK_STRESS_SECONDS or 2: each gets the bits that one
// thread alone gets.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/angles.h"
#include "ropewalk/kv_cache.h"
#include "ropewalk/rotate.h"
#include "ropewalk/target.h"
#include "status/error.h"
#include "support/all_targets.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

constexpr int kThreads = 16;
constexpr int kKeys = 5;  // distinct tables
constexpr int kDims = 32;
constexpr int64_t kSlots = 16;
constexpr int64_t kTokens = 6;

std::chrono::seconds Duration() {
  const char* const seconds = std::getenv("ROPEWALK_STRESS_SECONDS");
  return std::chrono::seconds(seconds == nullptr ? 2 : std::atoi(seconds));
}

// One step of an engine by its own table, in a cache of its own.
struct Work {
  Heads q;
  Heads k;
  Cache cache;
};

std::vector<uint8_t> BytesOf(const Work& work) {
  std::vector<uint8_t> bytes = work.q.Bytes();
  const std::vector<uint8_t> cache = work.cache.Bytes();
  bytes.insert(bytes.end(), cache.begin(), cache.end());
  return bytes;
}

Frequencies FrequenciesOf(int key) {
  Frequencies frequencies;
  frequencies.inv_freq = reference::PlainInvFreq(kDims, 1e4 + key);
  return frequencies;
}

// Evicts the first two tokens: the rest turns back by two, and moves down.
Status Evict(const AngleTable& table, const RotaryLayout& layout,
             const KvCacheView& cache) {
  AngleRows rows;
  ROPEWALK_RETURN_IF_ERROR(
      table.FillRotation(Positions::Constant(-2, 1), &rows));
  ROPEWALK_RETURN_IF_ERROR(ShiftCache(
      rows, layout, cache, Slots::Range(2, kTokens - 2), Parallel::Serial()));
  return MoveCache(rows, layout, cache, Slots::Range(2, kTokens - 2),
                   Slots::Range(0, kTokens - 2), Parallel::Serial());
}

Status Serve(AngleCache* angles, int key, const Work& work) {
  const auto table = angles->Get(FrequenciesOf(key), AngleOptions{});
  ROPEWALK_RETURN_IF_ERROR(table.status());
  const auto next = angles->Get(FrequenciesOf(key + 1), AngleOptions{});
  ROPEWALK_RETURN_IF_ERROR(next.status());
  const Positions positions = Positions::Consecutive(1000 + key, kTokens);
  AngleRows rows;
  ROPEWALK_RETURN_IF_ERROR(table.value()->Fill(positions, &rows));
  const ConstHeadsView k = work.k.view();
  CacheWrite write;
  write.q = work.q.view();
  write.k = &k;
  write.q_layout = write.k_layout = FullLayout(kDims, Pairing::kHalf);
  write.k_cache = work.cache.view();
  ROPEWALK_RETURN_IF_ERROR(RotateIntoCache(
      rows, write, Slots::Range(0, kTokens), Parallel::Serial()));
  ROPEWALK_RETURN_IF_ERROR(
      Rotate(rows, write.k_layout, {work.q.view()}, RotateOptions{}));
  ROPEWALK_RETURN_IF_ERROR(
      Evict(*table.value(), write.k_layout, write.k_cache));
  return Rerotate(*table.value(), *next.value(), write.k_layout, write.k_cache,
                  Slots::Range(0, kTokens), positions, Parallel::Serial());
}

Work WorkOf(DataType type, Random* random) {
  return {Heads({type, 1, kTokens, 4, kDims}, random),
          Heads({DataType::kF32, 1, kTokens, 2, kDims}, random),
          Cache({type, 2, kSlots / 2, 2, kDims}, random)};
}

Work CopyOf(const Work& work) {
  return {work.q.Copy(), work.k.Copy(), work.cache.Copy()};
}

// Runs function(thread) on all threads until the time is over; it returns
// whether all was right.
template <class Function>
void Stress(const Function& function) {
  const auto end = std::chrono::steady_clock::now() + Duration();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      // Once at least, however slow.
      do {
        if (!function(i)) ++wrong;
      } while (wrong == 0 && std::chrono::steady_clock::now() < end);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(StressTest, EveryThreadGetsTheBitsOfOne) {
  Random random = Random::ForTest();
  std::vector<Work> works;
  std::vector<std::vector<uint8_t>> want;
  AngleCache alone{AngleCacheOptions{}};
  for (int i = 0; i < kThreads; ++i) {
    works.push_back(WorkOf(kAllTypes[i % 3], &random));
    const Work done = CopyOf(works.back());
    ASSERT_TRUE(Succeeds(Serve(&alone, i % kKeys, done)));
    want.push_back(BytesOf(done));
    ASSERT_NE(want.back(), BytesOf(works.back()));
  }
  // Of all threads, and too small for their tables: they come and go.
  AngleCache shared{AngleCacheOptions{alone.stats().bytes / 3}};
  Stress([&](int i) {
    const size_t at = static_cast<size_t>(i);
    const Work work = CopyOf(works[at]);
    return Serve(&shared, i % kKeys, work).ok() && BytesOf(work) == want[at];
  });
  EXPECT_GT(shared.stats().evictions, 0u);
}

// A call that runs meanwhile may use both targets: any is right within what is
// promised.
TEST(StressTest, ForcingTargetsBesideCalls) {
  Random random = Random::ForTest();
  const std::vector<std::string> targets = TargetsToTest();
  const Step step = MakeStep(kDims, Count(7, kTokens));
  const Heads x({DataType::kF32, 1, kTokens, 4, kDims}, &random);
  Stress([&](int i) {
    if (i % 4 == 0) {
      const std::string& name =
          targets[static_cast<size_t>(i / 4) % targets.size()];
      if (!ForceTarget(name).ok()) return false;
      return ForceTarget("").ok();
    }
    const std::string active = ActiveTarget();
    if (std::find(targets.begin(), targets.end(), active) == targets.end()) {
      return false;
    }
    const Heads out = x.Copy();
    const RotaryLayout layout = FullLayout(kDims, Pairing::kInterleaved);
    return Rotate(step.rows, layout, {out.view()}, RotateOptions{}).ok() &&
           static_cast<bool>(
               IsRotated(step, layout, Direction::kForward, x, out));
  });
  EXPECT_TRUE(ForceTarget("").ok());
}

}  // namespace
}  // namespace ropewalk::test
