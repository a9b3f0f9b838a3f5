// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Caches on the host's own threads: writers of their own slots, beside readers
// of other blocks.
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/kv_cache.h"
#include "support/all_targets.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using CacheThreadsTest = AllTargets;

constexpr int kDims = 64;
constexpr int64_t kBlockSize = 8;

// Runs function(index) on so many threads and waits for them.
template <class Function>
void OnThreads(int count, const Function& function) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(function, i);
  for (std::thread& thread : threads) thread.join();
}

// Slots i, i + 4, ... of the first four blocks: neighbours of other writers'.
std::vector<int64_t> SlotsOfWriter(int writer) {
  std::vector<int64_t> slots;
  for (int64_t slot = writer; slot < 4 * kBlockSize; slot += 4) {
    slots.push_back(slot);
  }
  return slots;
}

// The bytes of the last block.
std::vector<uint8_t> ReadBlock(const KvCacheView& view) {
  std::vector<uint8_t> bytes;
  for (int64_t slot = 0; slot < kBlockSize; ++slot) {
    for (int64_t head = 0; head < view.heads; ++head) {
      const uint8_t* data = static_cast<const uint8_t*>(view.data) +
                            4 * view.block_stride + slot * view.slot_stride +
                            head * view.head_stride;
      bytes.insert(bytes.end(), data, data + kDims * SizeOf(view.type));
    }
  }
  return bytes;
}

// What one writer does to its slots: writes, shifts, moves and rotates anew.
void Write(const Heads& k, const Step& step, const AngleTable& from,
           const AngleTable& to, const Cache& cache,
           const std::vector<int64_t>& slots) {
  const RotaryLayout layout = FullLayout(kDims, Pairing::kHalf);
  const ConstHeadsView k_view = k.view();
  CacheWrite write;
  write.k = &k_view;
  write.k_layout = layout;
  write.k_cache = cache.view();
  std::vector<int64_t> reversed(slots.rbegin(), slots.rend());
  const Parallel serial = Parallel::Serial();
  EXPECT_TRUE(
      Succeeds(RotateIntoCache(step.rows, write, SlotsOf(slots), serial)));
  EXPECT_TRUE(Succeeds(
      ShiftCache(step.rows, layout, cache.view(), SlotsOf(slots), serial)));
  EXPECT_TRUE(Succeeds(MoveCache(step.rows, layout, cache.view(),
                                 SlotsOf(slots), SlotsOf(reversed), serial)));
  EXPECT_TRUE(Succeeds(Rerotate(
      from, to, layout, cache.view(), SlotsOf(slots),
      Positions::Consecutive(1, static_cast<int64_t>(slots.size())), serial)));
}

TEST_P(CacheThreadsTest, WritersOfTheirOwnSlotsBesideReadersOfOtherBlocks) {
  Random random = Random::ForTest();
  Frequencies frequencies;
  frequencies.inv_freq = reference::PlainInvFreq(kDims, 10000);
  const auto from = TableOf(frequencies);
  for (double& w : frequencies.inv_freq) w *= 0.3;
  const auto to = TableOf(frequencies);
  for (const DataType type : kAllTypes) {
    const Cache cache({type, 5, kBlockSize, 2, kDims}, &random);
    const std::vector<uint8_t> block = ReadBlock(cache.view());
    const Step step = MakeStep(kDims, Count(40, kBlockSize));
    const Heads k({DataType::kF32, 1, kBlockSize, 2, kDims}, &random);
    const Cache want = cache.Copy();
    for (int writer = 0; writer < 4; ++writer) {
      Write(k, step, *from, *to, want, SlotsOfWriter(writer));
    }
    OnThreads(6, [&](int i) {
      for (int run = 0; run < 10; ++run) {
        if (i < 4) {
          Write(k, step, *from, *to, cache, SlotsOfWriter(i));
        } else {
          EXPECT_EQ(ReadBlock(cache.view()), block);
        }
      }
    });
    EXPECT_TRUE(SameBytes(cache, want));
  }
}

// The shares of one call, each on a thread.
TEST_P(CacheThreadsTest, ThreadsShareOneCall) {
  Random random = Random::ForTest();
  const RotaryLayout layout = FullLayout(kDims, Pairing::kInterleaved);
  for (const DataType type : kAllTypes) {
    const Cache cache({type, 5, kBlockSize, 3, kDims}, &random);
    const Cache serial = cache.Copy();
    const std::vector<int64_t> slots = DrawSlots(30, 40, &random);
    const std::vector<int64_t> to = DrawSlots(30, 40, &random);
    const Step step = MakeStep(kDims, Count(-9, 30));
    const Heads q({type, 1, 30, 6, kDims}, &random);
    const Heads k({type, 1, 30, 3, kDims}, &random);
    const Heads q_serial = q.Copy();
    const ConstHeadsView k_view = k.view();
    const auto calls = [&](const Cache& on, const Heads& queries,
                           const Parallel& parallel, int call) {
      CacheWrite write;
      write.q = queries.view();
      write.k = &k_view;
      write.q_layout = write.k_layout = layout;
      write.k_cache = on.view();
      switch (call) {
        case 0:
          return RotateIntoCache(step.rows, write, SlotsOf(slots), parallel);
        case 1:
          return ShiftCache(step.rows, layout, on.view(), SlotsOf(slots),
                            parallel);
        default:
          return MoveCache(step.rows, layout, on.view(), SlotsOf(slots),
                           SlotsOf(to), parallel);
      }
    };
    for (int call = 0; call < 3; ++call) {
      EXPECT_TRUE(Succeeds(calls(serial, q_serial, Parallel::Serial(), call)));
      OnThreads(5, [&](int i) {
        EXPECT_TRUE(Succeeds(calls(cache, q, Parallel::Share(i, 5), call)));
      });
      EXPECT_TRUE(SameBytes(cache, serial)) << call;
      EXPECT_EQ(q.Bytes(), q_serial.Bytes()) << call;
    }
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(CacheThreadsTest);

}  // namespace
}  // namespace ropewalk::test
