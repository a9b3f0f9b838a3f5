// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Biases allocate nothing, nor do their refusals.
#include "encodings/bias_calls.h"
#include "gtest/gtest.h"
#include "support/all_targets.h"
#include "support/operator_new.h"

namespace ropewalk::test {
namespace {

using ScoreAllocationsTest = AllTargets;

TEST_P(ScoreAllocationsTest, CallsAllocateNothing) {
  Random random = Random::ForTest();
  const BiasArguments good(DataType::kBF16, {3, 4, 700}, &random);
  BiasArguments bad(DataType::kF32, {3, 4, 70}, &random);
  bad.view.keys = -1;
  const int64_t before = allocations;
  // A call and not a new-expression, which Clang may leave out.
  ::operator delete(::operator new(100));
  ASSERT_EQ(allocations, before + 1);
  bool ok = true;
  for (const BiasCall call : kBiasCalls) {
    ok = good.Run(call).ok() && ok;
    ok = good.Run(call, Parallel::Share(1, 3)).ok() && ok;
    ok = !bad.Run(call).ok() && ok;
  }
  EXPECT_EQ(allocations, before + 1);
  EXPECT_TRUE(ok);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(ScoreAllocationsTest);

}  // namespace
}  // namespace ropewalk::test
