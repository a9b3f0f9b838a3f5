// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes and shifts allocate nothing; moves and re-rotations allocate before
// they write. An executable of its own: it replaces operator new.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/kv_cache.h"
#include "support/all_targets.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/operator_new.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using CacheAllocationsTest = AllTargets;

constexpr Parallel kWays[] = {Parallel::Serial(), Parallel::Share(0, 2),
                              Parallel::Share(1, 2)};

// Refuses allocations of so many bytes while it lives.
struct Refusal {
  explicit Refusal(size_t bytes) { refused_from = bytes; }
  ~Refusal() { refused_from = SIZE_MAX; }
};

TEST(CacheAllocationsOfTheTestTest, AreCounted) {
  const int64_t before = allocations;
  // A call and not a new-expression, which Clang may leave out.
  ::operator delete(::operator new(100));
  EXPECT_EQ(allocations, before + 1);
}

TEST_P(CacheAllocationsTest, WritesAndShiftsAllocateNothing) {
  Random random = Random::ForTest();
  const HeadsSpec spec = {DataType::kBF16, 4, 16, 8, 128};
  const Cache k_cache(spec, &random);
  const Cache v_cache(spec, &random);
  const Heads q({DataType::kBF16, 4, 1, 32, 128}, &random);
  const Heads k({DataType::kF32, 4, 1, 8, 128}, &random);
  const Heads v({DataType::kBF16, 4, 1, 8, 128}, &random);
  const ConstHeadsView k_view = k.view();
  const ConstHeadsView v_view = v.view();
  CacheWrite write;
  write.q = q.view();
  write.q_layout = write.k_layout = FullLayout(128, Pairing::kHalf);
  write.k = &k_view;
  write.v = &v_view;
  write.k_cache = k_cache.view();
  write.v_cache = v_cache.view();
  write.k_transform.norm.size = 128;
  write.q_transform.scale = 0.5f;
  const Step step = MakeStep(128, {5, 6, 7, 8});
  const int64_t slots[] = {63, -1, 0, 17};
  const int64_t before = allocations;
  bool ok = true;
  for (int run = 0; run < 20; ++run) {
    for (const Parallel& parallel : kWays) {
      ok &= RotateIntoCache(step.rows, write, Slots(slots, 4), parallel).ok();
      ok &= ShiftCache(step.rows, write.k_layout, write.k_cache,
                       Slots(slots, 4), parallel)
                .ok();
    }
  }
  EXPECT_EQ(allocations, before);
  EXPECT_TRUE(ok);
}

TEST_P(CacheAllocationsTest, FailuresAllocateNothing) {
  Random random = Random::ForTest();
  const Cache cache({DataType::kBF16, 1, 4, 1, 16}, &random);
  const Heads k({DataType::kBF16, 1, 1, 1, 16}, &random);
  const ConstHeadsView k_view = k.view();
  CacheWrite write;
  write.k = &k_view;
  write.k_layout = FullLayout(16, Pairing::kHalf);
  write.k_cache = cache.view();
  const Step step = MakeStep(16, {5});
  const int64_t slot = 4;
  const Slots outside(&slot, 1);
  const Parallel serial = Parallel::Serial();
  const int64_t before = allocations;
  const bool written = RotateIntoCache(step.rows, write, outside, serial).ok();
  const bool shifted =
      ShiftCache(step.rows, write.k_layout, cache.view(), outside, serial).ok();
  const bool moved = MoveCache(step.rows, write.k_layout, cache.view(), outside,
                               outside, serial)
                         .ok();
  EXPECT_EQ(allocations, before);
  EXPECT_FALSE(written || shifted || moved);
}

// Each refusal of an allocation is reported, and comes before a write. The
// sizes that are refused fall until not a single byte is left.
TEST_P(CacheAllocationsTest, OutOfMemoryLeavesEveryByte) {
  Random random = Random::ForTest();
  const Cache cache({DataType::kF32, 1, 64, 2, 16}, &random);
  const RotaryLayout layout = FullLayout(16, Pairing::kHalf);
  const Step step = MakeStep(16, {5});
  const std::vector<int64_t> from = DrawSlots(64, 64, &random);
  Frequencies frequencies;
  frequencies.inv_freq = reference::PlainInvFreq(16, 10000);
  const auto table = TableOf(frequencies);
  for (double& w : frequencies.inv_freq) w *= 0.5;
  const auto other = TableOf(frequencies);
  const auto move = [&](const Cache& copy) {
    return MoveCache(step.rows, layout, copy.view(), SlotsOf(from),
                     Slots::Range(0, 64), Parallel::Serial());
  };
  const auto rerotate = [&](const Cache& copy) {
    return Rerotate(*table, *other, layout, copy.view(), SlotsOf(from),
                    Positions::Consecutive(1, 64), Parallel::Serial());
  };
  int refused[2] = {};
  for (size_t bytes = 65536; bytes > 0; bytes = bytes * 3 / 4) {
    for (int call = 0; call < 2; ++call) {
      const Cache copy = cache.Copy();
      Status status;
      {
        const Refusal refusal(bytes);
        status = call == 0 ? move(copy) : rerotate(copy);
      }
      if (status.ok()) continue;
      ++refused[call];
      EXPECT_EQ(status.code(), StatusCode::kOutOfMemory) << status.message();
      EXPECT_TRUE(SameBytes(copy, cache)) << "after " << bytes;
    }
  }
  EXPECT_GT(refused[0], 2);
  EXPECT_GT(refused[1], 2);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(CacheAllocationsTest);

}  // namespace
}  // namespace ropewalk::test
