// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls of every step allocate nothing, and frequencies report that they
// cannot. An executable of its own: it replaces operator new.
#include <cstdint>
#include <new>
#include <vector>

#include "encodings/row_tensors.h"
#include "encodings/sinusoid.h"
#include "gtest/gtest.h"
#include "ropewalk/encodings.h"
#include "support/all_targets.h"
#include "support/operator_new.h"

namespace ropewalk::test {
namespace {

using EncodingsAllocationsTest = AllTargets;

TEST(EncodingsAllocationsOfTheTestTest, AreCounted) {
  const int64_t before = allocations;
  // A call and not a new-expression, which Clang may leave out.
  ::operator delete(::operator new(100));
  EXPECT_EQ(allocations, before + 1);
}

TEST_P(EncodingsAllocationsTest, RowsAreAddedAndMultipliedWithoutAny) {
  constexpr int kWidth = 67;
  const Sinusoid sinusoid = MakeSinusoid(kWidth, Positions::Consecutive(3, 4));
  const Heads table(RowsSpec(DataType::kBF16, 9, kWidth));
  const Heads hidden(RowsSpec(DataType::kF16, 4, kWidth));
  std::vector<float> logits(4 * 9);
  const int32_t ids[] = {8, 0, 3, 3};
  const int64_t before = allocations;
  bool ok = true;
  for (const Parallel& parallel :
       {Parallel::Serial(), Parallel::Share(0, 2), Parallel::Share(1, 2)}) {
    ok = Lookup(TableOf(table), TokenIds(ids, 4), HiddenOf(hidden),
                {2.0f, parallel})
             .ok() &&
         ok;
    ok = AddLearned(TableOf(table), Positions(ids, 4), 0, HiddenOf(hidden),
                    parallel)
             .ok() &&
         ok;
    for (const SinusoidalOrder order : kOrders) {
      ok = AddSinusoidal(sinusoid.rows, HiddenOf(hidden), {order, parallel})
               .ok() &&
           ok;
    }
    ok = TiedLogits(TableOf(table), HiddenOf(hidden), logits.data(), 4 * 9,
                    parallel)
             .ok() &&
         ok;
  }
  const int64_t after = allocations;
  EXPECT_TRUE(ok);
  EXPECT_EQ(after, before);
}

TEST(EncodingsMemoryTest, FrequenciesReportThatThereIsNone) {
  refused_from = 64;
  const auto frequencies = SinusoidalFrequencies(4096);
  refused_from = SIZE_MAX;
  ASSERT_FALSE(frequencies.ok());
  EXPECT_EQ(frequencies.status().code(), StatusCode::kOutOfMemory);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(EncodingsAllocationsTest);

}  // namespace
}  // namespace ropewalk::test
