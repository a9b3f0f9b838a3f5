// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Every way of splitting the work gives the same bits, and no share touches
// what is another's.
#include <cstdint>
#include <vector>

#include "encodings/bias_calls.h"
#include "encodings/score_tensor.h"
#include "gtest/gtest.h"
#include "support/all_targets.h"

#if ROPEWALK_HAVE_TBB
#include "oneapi/tbb/global_control.h"
#include "oneapi/tbb/task_arena.h"
#endif

namespace ropewalk::test {
namespace {

using ScoreSplitsTest = AllTargets;

// The tensors are made from the same random numbers each time.
BiasArguments Arguments(DataType type, const ScoresShape& shape) {
  Random random = Random::ForTest();
  return BiasArguments(type, shape, &random);
}

std::vector<uint8_t> Whole(BiasCall call, DataType type,
                           const ScoresShape& shape, Parallel parallel) {
  const BiasArguments arguments = Arguments(type, shape);
  EXPECT_TRUE(IsOk(arguments.Run(call, parallel)));
  return arguments.Bytes();
}

TEST_P(ScoreSplitsTest, SharesAddUpToTheWhole) {
  for (const BiasCall call : kBiasCalls) {
    for (const DataType type : kAllTypes) {
      for (const ScoresShape& shape :
           {ScoresShape{1, 1, 50}, ScoresShape{3, 1, 70},
            ScoresShape{2, 9, 33}}) {
        const std::vector<uint8_t> whole =
            Whole(call, type, shape, Parallel::Serial());
        EXPECT_NE(whole, Arguments(type, shape).Bytes());
        for (const int count : {1, 2, 3, 5, 7, 64}) {
          const BiasArguments shared = Arguments(type, shape);
          // The order of the host's threads is not known either.
          for (int i = count - 1; i >= 0; --i) {
            ASSERT_TRUE(IsOk(shared.Run(call, Parallel::Share(i, count))));
          }
          EXPECT_EQ(shared.Bytes(), whole)
              << static_cast<int>(call) << " in " << count << " shares";
        }
      }
    }
  }
}

TEST_P(ScoreSplitsTest, SharesAreDisjoint) {
  for (const BiasCall call : kBiasCalls) {
    const ScoresShape shape = {4, 6, 40};
    const std::vector<uint8_t> untouched =
        Arguments(DataType::kF32, shape).Bytes();
    std::vector<int> writers(untouched.size(), 0);
    for (int i = 0; i < 5; ++i) {
      const BiasArguments shared = Arguments(DataType::kF32, shape);
      ASSERT_TRUE(IsOk(shared.Run(call, Parallel::Share(i, 5))));
      const std::vector<uint8_t> bytes = shared.Bytes();
      for (size_t at = 0; at < bytes.size(); ++at) {
        if (bytes[at] != untouched[at]) ++writers[at];
      }
    }
    for (const int count : writers) ASSERT_LE(count, 1);
  }
}

#if ROPEWALK_HAVE_TBB
// Enough for several tasks.
TEST_P(ScoreSplitsTest, EveryArenaGivesTheSameBits) {
  const oneapi::tbb::global_control control(
      oneapi::tbb::global_control::max_allowed_parallelism, 4);
  const ScoresShape shape = {8, 64, 600};
  for (const BiasCall call : kBiasCalls) {
    const std::vector<uint8_t> serial =
        Whole(call, DataType::kF32, shape, Parallel::Serial());
    for (const int threads : {1, 2, 4}) {
      oneapi::tbb::task_arena arena(threads);
      const std::vector<uint8_t> bytes = arena.execute(
          [&] { return Whole(call, DataType::kF32, shape, Parallel::Tbb()); });
      EXPECT_EQ(bytes, serial) << static_cast<int>(call) << ", " << threads;
    }
  }
}
#endif

TEST_P(ScoreSplitsTest, NothingReadIsWritten) {
  for (const BiasCall call : kBiasCalls) {
    BiasArguments arguments = Arguments(DataType::kF32, {2, 3, 70});
    arguments.t5.buffer().MakeReadOnly();
    arguments.shaw.buffer().MakeReadOnly();
    if (call == BiasCall::kShawValues) {
      arguments.scores.buffer().MakeReadOnly();
    } else {
      arguments.heads.buffer().MakeReadOnly();
    }
    EXPECT_TRUE(IsOk(arguments.Run(call)));
    EXPECT_TRUE(arguments.scores.buffer().CanariesIntact());
    EXPECT_TRUE(arguments.heads.buffer().CanariesIntact());
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(ScoreSplitsTest);

}  // namespace
}  // namespace ropewalk::test
