// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A decode step allocates nothing. An executable of its own: it replaces
// operator new.
#include <cstdint>
#include <new>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/angles.h"
#include "ropewalk/rotate.h"
#include "rotate/host_table.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/operator_new.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using RotateAllocationsTest = AllTargets;

TEST(RotateAllocationsOfTheTestTest, AreCounted) {
  const int64_t before = allocations;
  // A call and not a new-expression, which Clang may leave out.
  ::operator delete(::operator new(100));
  EXPECT_EQ(allocations, before + 1);
}

TEST_P(RotateAllocationsTest, DecodeAllocatesNothing) {
  Random random = Random::ForTest();
  Frequencies frequencies;
  frequencies.inv_freq = reference::PlainInvFreq(128, 500000);
  const auto table = AngleTable::Build(frequencies);
  ASSERT_TRUE(table.ok()) << table.status().message();
  const RotaryLayout layout = FullLayout(128, Pairing::kHalf);
  RotaryLayout changing = layout;
  changing.output_pairing = Pairing::kInterleaved;
  const Heads q({DataType::kBF16, 4, 1, 32, 128}, &random);
  const Heads k({DataType::kBF16, 4, 1, 8, 128}, &random);
  const Heads out({DataType::kF32, 4, 1, 8, 128}, &random);
  AngleRows rows;
  const Parallel ways[] = {Parallel::Serial(), Parallel::Share(0, 2),
                           Parallel::Share(1, 2)};
  // The first step makes room.
  ASSERT_TRUE(table.value()->Fill(Positions::Consecutive(0, 4), &rows).ok());
  const int64_t before = allocations;
  bool ok = true;
  for (int64_t step = 1; step < 200; ++step) {
    const int64_t ids[] = {step, 31 * step, 1000003 * step, 7};
    ok = table.value()->Fill(Positions(ids, 4), &rows).ok() && ok;
    for (const Parallel& parallel : ways) {
      const RotateOptions options = {Direction::kForward, parallel,
                                     HeadTransform{}};
      ok = Rotate(rows, layout, {q.view(), k.view()}, options).ok() && ok;
      ok = Rotate(rows, layout, k.view(), out.view(), options).ok() && ok;
      ok = Rotate(rows, changing, {q.view(), k.view()}, options).ok() && ok;
      ok = Rotate(rows, changing, k.view(), out.view(), options).ok() && ok;
    }
  }
  EXPECT_EQ(allocations, before);
  EXPECT_TRUE(ok);
}

TEST_P(RotateAllocationsTest, RowsWithHeadsAllocateNothing) {
  Random random = Random::ForTest();
  const HostTable table({TableLayout::kCosSin, DataType::kBF16, 9, 64, 8},
                        &random);
  const RotaryLayout layout = FullLayout(128, Pairing::kHalf);
  const Heads q({DataType::kBF16, 1, 2, 32, 128}, &random);
  const Heads k({DataType::kBF16, 1, 2, 8, 128}, &random);
  AngleRows rows;
  ASSERT_TRUE(rows.Reserve(2, 64, 8).ok());
  const int64_t before = allocations;
  bool ok = true;
  for (int64_t step = 0; step < 8; ++step) {
    ok = rows.Gather(table.view(), Positions::Consecutive(step, 2)).ok() && ok;
    ok = Rotate(rows, layout, {q.view(), k.view()}, RotateOptions{}).ok() && ok;
  }
  EXPECT_EQ(allocations, before);
  EXPECT_TRUE(ok);
}

TEST_P(RotateAllocationsTest, FailuresAllocateNothing) {
  Random random = Random::ForTest();
  const Step step = MakeStep(8, {1});
  RotaryLayout layout = FullLayout(8, Pairing::kHalf);
  layout.rotary_dim = 7;
  const Heads x({DataType::kF32, 1, 1, 1, 8}, &random);
  const int64_t before = allocations;
  const Status status = Rotate(step.rows, layout, {x.view()}, RotateOptions{});
  EXPECT_EQ(allocations, before);
  EXPECT_FALSE(status.ok());
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(RotateAllocationsTest);

}  // namespace
}  // namespace ropewalk::test
