// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rotate() on the host's own threads.
#include <cstdint>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/rotate.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using RotateThreadsTest = AllTargets;

constexpr int64_t kTokens = 12;
constexpr int kDims = 64;

// Runs function(index) on so many threads and waits for them.
template <class Function>
void OnThreads(int count, const Function& function) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(function, i);
  for (std::thread& thread : threads) thread.join();
}

void RotateOnThreads(const Step& step, const RotaryLayout& layout,
                     const Heads& q, const Heads& k, int count) {
  std::vector<char> ok(static_cast<size_t>(count), 0);
  OnThreads(count, [&](int i) {
    const RotateOptions options = {Direction::kForward,
                                   Parallel::Share(i, count), HeadTransform{}};
    ok[static_cast<size_t>(i)] =
        Rotate(step.rows, layout, {q.view(), k.view()}, options).ok();
  });
  for (const char one : ok) EXPECT_TRUE(one);
}

TEST_P(RotateThreadsTest, AHundredRunsGiveTheSameBits) {
  Random random = Random::ForTest();
  const Step step = MakeStep(kDims, Count(100, kTokens));
  for (const DataType type : kAllTypes) {
    RotaryLayout layout = FullLayout(kDims, Pairing::kHalf);
    if (type == DataType::kBF16) layout.output_pairing = Pairing::kInterleaved;
    const Heads q({type, 1, kTokens, 8, kDims}, &random);
    const Heads k({type, 1, kTokens, 2, kDims}, &random);
    const Heads q_serial = q.Copy();
    const Heads k_serial = k.Copy();
    ASSERT_TRUE(Rotate(step.rows, layout, {q_serial.view(), k_serial.view()},
                       RotateOptions{})
                    .ok());
    for (int run = 0; run < 100; ++run) {
      const Heads q_run = q.Copy();
      const Heads k_run = k.Copy();
      RotateOnThreads(step, layout, q_run, k_run, 1 + run % 8);
      ASSERT_EQ(q_run.Bytes(), q_serial.Bytes());
      ASSERT_EQ(k_run.Bytes(), k_serial.Bytes());
    }
  }
}

TEST_P(RotateThreadsTest, SixteenThreadsShareOneCall) {
  Random random = Random::ForTest();
  const Step step = MakeStep(kDims, Count(100, kTokens));
  for (const DataType type : kAllTypes) {
    for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
      const RotaryLayout layout = FullLayout(kDims, pairing);
      const Heads q({type, 1, kTokens, 9, kDims}, &random);
      const Heads k({type, 1, kTokens, 1, kDims}, &random);
      const Heads q_out = q.Copy();
      const Heads k_out = k.Copy();
      RotateOnThreads(step, layout, q_out, k_out, 16);
      EXPECT_TRUE(IsRotated(step, layout, Direction::kForward, q, q_out));
      EXPECT_TRUE(IsRotated(step, layout, Direction::kForward, k, k_out));
    }
  }
}

TEST_P(RotateThreadsTest, ThreadsShareRowsForTheirOwnTensors) {
  Random random = Random::ForTest();
  const Step step = MakeStep(kDims, Count(100, kTokens));
  const RotaryLayout layout = FullLayout(kDims, Pairing::kHalf);
  const Heads x({DataType::kBF16, 1, kTokens, 4, kDims}, &random);
  std::vector<Heads> outs;
  for (int i = 0; i < 16; ++i) outs.emplace_back(HeadsSpec(x.spec()));
  OnThreads(16, [&](int i) {
    const Status status =
        Rotate(step.rows, layout, x.view(), outs[static_cast<size_t>(i)].view(),
               RotateOptions{});
    EXPECT_TRUE(status.ok());
  });
  for (const Heads& out : outs) {
    EXPECT_TRUE(IsRotated(step, layout, Direction::kForward, x, out));
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(RotateThreadsTest);

}  // namespace
}  // namespace ropewalk::test
