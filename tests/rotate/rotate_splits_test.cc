// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Every way of splitting the work, and of addressing the result, gives the same
// bits.
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/rotate.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

#if ROPEWALK_HAVE_TBB
#include "oneapi/tbb/global_control.h"
#include "oneapi/tbb/task_arena.h"
#endif

namespace ropewalk::test {
namespace {

using RotateSplitsTest = AllTargets;

constexpr Direction kDirections[] = {Direction::kForward, Direction::kInverse,
                                     Direction::kTranspose};

// Q and K of one step, with all that a call needs.
struct Work {
  RotaryLayout layout;
  Direction direction;
  Step step;
  Heads q;
  Heads k;
};

Work MakeWork(DataType type, DimOrder order, int64_t tokens, int64_t q_heads,
              Random* random) {
  RotaryLayout layout =
      FullLayout(64, random->Below(2) ? Pairing::kHalf : Pairing::kInterleaved);
  layout.head_dim = 80;
  layout.rotary_offset = static_cast<int>(random->Below(17));
  const int64_t rows = random->Below(2) ? tokens : 2 * tokens;
  return {layout, kDirections[random->Below(3)],
          MakeStep(64, Count(random->Below(100000), rows), 1.25),
          Heads({type, 2, tokens, q_heads, 80, order, 1}, random),
          Heads({type, 2, tokens, 2, 80, order}, random)};
}

struct Result {
  std::vector<uint8_t> q;
  std::vector<uint8_t> k;
  bool operator==(const Result& other) const {
    return q == other.q && k == other.k;
  }
};

void RotateBoth(const Work& work, const Parallel& parallel, const Heads& q,
                const Heads& k) {
  const RotateOptions options = {work.direction, parallel, HeadTransform{}};
  const Status status =
      Rotate(work.step.rows, work.layout, {q.view(), k.view()}, options);
  EXPECT_TRUE(status.ok()) << status.message();
}

Result RunWhole(const Work& work, const Parallel& parallel) {
  const Heads q = work.q.Copy();
  const Heads k = work.k.Copy();
  RotateBoth(work, parallel, q, k);
  return {q.Bytes(), k.Bytes()};
}

Result RunShares(const Work& work, int count) {
  const Heads q = work.q.Copy();
  const Heads k = work.k.Copy();
  // The order of the host's threads is not known either.
  for (int i = count - 1; i >= 0; --i) {
    RotateBoth(work, Parallel::Share(i, count), q, k);
  }
  return {q.Bytes(), k.Bytes()};
}

TEST_P(RotateSplitsTest, SharesAddUpToTheWhole) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (const DimOrder order :
         {DimOrder::kTokensHeads, DimOrder::kHeadsTokens}) {
      for (const int64_t tokens : {1, 3, 37}) {
        const Work work = MakeWork(type, order, tokens, 3, &random);
        const Result whole = RunWhole(work, Parallel::Serial());
        EXPECT_TRUE(RunWhole(work, Parallel::Tbb()) == whole);
        for (const int count : {1, 2, 3, 4, 5, 6, 7, 8, 9, 64}) {
          EXPECT_TRUE(RunShares(work, count) == whole)
              << NameOf(type) << " in " << count << " shares of " << tokens
              << " tokens";
        }
      }
    }
  }
}

TEST_P(RotateSplitsTest, SharesOfOneTokenAreDisjoint) {
  Random random = Random::ForTest();
  const Work work =
      MakeWork(DataType::kF32, DimOrder::kTokensHeads, 1, 32, &random);
  const std::vector<uint8_t> untouched = work.q.Bytes();
  std::vector<int> writers(untouched.size(), 0);
  for (int i = 0; i < 8; ++i) {
    const Heads q = work.q.Copy();
    const Heads k = work.k.Copy();
    RotateBoth(work, Parallel::Share(i, 8), q, k);
    const std::vector<uint8_t> bytes = q.Bytes();
    for (size_t at = 0; at < bytes.size(); ++at) {
      if (bytes[at] != untouched[at]) ++writers[at];
    }
  }
  for (const int count : writers) ASSERT_LE(count, 1);
}

#if ROPEWALK_HAVE_TBB
TEST_P(RotateSplitsTest, EveryArenaGivesTheSameBits) {
  Random random = Random::ForTest();
  const oneapi::tbb::global_control control(
      oneapi::tbb::global_control::max_allowed_parallelism, 8);
  for (const DataType type : kAllTypes) {
    for (const DimOrder order :
         {DimOrder::kTokensHeads, DimOrder::kHeadsTokens}) {
      const Work work = MakeWork(type, order, 150, 16, &random);
      const Result serial = RunWhole(work, Parallel::Serial());
      for (int threads = 1; threads <= 8; ++threads) {
        oneapi::tbb::task_arena arena(threads);
        const Result result =
            arena.execute([&] { return RunWhole(work, Parallel::Tbb()); });
        EXPECT_TRUE(result == serial)
            << NameOf(type) << " with " << threads << " threads";
      }
    }
  }
}
#endif

TEST_P(RotateSplitsTest, InPlaceAndOutOfPlaceAgree) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (int i = 0; i < 20; ++i) {
      const DimOrder order =
          i % 2 ? DimOrder::kTokensHeads : DimOrder::kHeadsTokens;
      const Work work = MakeWork(type, order, 9, 5, &random);
      Heads in_place = work.q.Copy();
      RotateOptions options;
      options.direction = work.direction;
      ASSERT_TRUE(
          Rotate(work.step.rows, work.layout, {in_place.view()}, options).ok());
      HeadsSpec spec = work.q.spec();
      spec.head_gap = 7;
      spec.order = i % 3 ? DimOrder::kTokensHeads : DimOrder::kHeadsTokens;
      const Heads out(spec);
      ASSERT_TRUE(Rotate(work.step.rows, work.layout, work.q.view(), out.view(),
                         options)
                      .ok());
      EXPECT_EQ(CopyOf(in_place.view(), 80).Bytes(),
                CopyOf(out.view(), 80).Bytes());
    }
  }
}

TEST_P(RotateSplitsTest, TokensAloneAndTogetherAgree) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    const std::vector<int64_t> positions = Count(123456, 2 * 6);
    const Step step = MakeStep(96, positions);
    const RotaryLayout layout = FullLayout(96, Pairing::kHalf);
    const Heads x({type, 2, 6, 4, 96}, &random);
    const Heads together = x.Copy();
    ASSERT_TRUE(
        Rotate(step.rows, layout, {together.view()}, RotateOptions{}).ok());
    Heads alone = x.Copy();
    for (int64_t b = 0; b < 2; ++b) {
      for (int64_t t = 0; t < 6; ++t) {
        HeadsView one = alone.view();
        one.data = alone.Element(b, t, 0, 0);
        one.batch = one.tokens = 1;
        const Step row =
            MakeStep(96, {positions[static_cast<size_t>(b * 6 + t)]});
        ASSERT_TRUE(Rotate(row.rows, layout, {one}, RotateOptions{}).ok());
      }
    }
    EXPECT_EQ(alone.Bytes(), together.Bytes()) << NameOf(type);
  }
}

TEST_P(RotateSplitsTest, AlignmentDoesNotChangeTheBits) {
  Random random = Random::ForTest();
  const Step step = MakeStep(112, Count(777, 3));
  const RotaryLayout layout = FullLayout(112, Pairing::kInterleaved);
  for (const DataType type : kAllTypes) {
    HeadsSpec spec = {type, 1, 3, 2, 112};
    spec.side = GuardSide::kBegin;
    const Heads x(spec, &random);
    const Heads aligned = x.Copy();
    ASSERT_TRUE(
        Rotate(step.rows, layout, {aligned.view()}, RotateOptions{}).ok());
    const std::vector<uint8_t> want = aligned.Bytes();
    for (int64_t shift = 1; shift <= 33; ++shift) {
      spec.shift = shift;
      const Heads shifted(spec);
      ASSERT_TRUE(
          Rotate(step.rows, layout, x.view(), shifted.view(), RotateOptions{})
              .ok());
      EXPECT_EQ(CopyOf(shifted.view(), 112).Bytes(), want) << shift;
    }
  }
}

int64_t ThreadsOfThisProcess() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                       std::filesystem::directory_iterator());
}

TEST_P(RotateSplitsTest, SerialAndShareMakeNoThread) {
  Random random = Random::ForTest();
  const Work work =
      MakeWork(DataType::kF32, DimOrder::kTokensHeads, 200, 16, &random);
  const int64_t before = ThreadsOfThisProcess();
  RunWhole(work, Parallel::Serial());
  EXPECT_EQ(ThreadsOfThisProcess(), before);
  RunShares(work, 8);
  EXPECT_EQ(ThreadsOfThisProcess(), before);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(RotateSplitsTest);

}  // namespace
}  // namespace ropewalk::test
