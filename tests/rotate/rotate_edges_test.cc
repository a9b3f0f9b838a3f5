// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Arguments at the edge of what is legal: nothing turns, one head, empty
// tensors of any size, many tensors, extreme factors.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/frequencies.h"
#include "ropewalk/rotate.h"
#include "support/all_targets.h"
#include "support/guarded_buffer.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

using RotateEdgesTest = AllTargets;

// Whatever the window says where nothing turns, heads are copied whole.
TEST_P(RotateEdgesTest, NothingTurnsAndHeadsAreCopiedWhole) {
  const Step step = MakeStep(8, {5});
  for (const GuardSide side : {GuardSide::kBegin, GuardSide::kEnd}) {
    for (const int distance : {0, 32, 128, std::numeric_limits<int>::max()}) {
      GuardedBuffer in(64 * 4, side);
      GuardedBuffer out(64 * 4, side);
      for (size_t i = 0; i < in.size(); ++i) {
        in.data()[i] = static_cast<uint8_t>(3 * i + 1);
      }
      RotaryLayout layout;
      layout.head_dim = 64;
      layout.rotary_offset = 40;
      layout.pair_distance = distance;
      // Nor does anything change its place.
      if (side == GuardSide::kEnd)
        layout.output_pairing = Pairing::kInterleaved;
      const Status status = Rotate(
          step.rows, layout, DenseHeads(in.data(), DataType::kF32, 1, 1, 1, 64),
          DenseHeads(out.data(), DataType::kF32, 1, 1, 1, 64), RotateOptions{});
      ASSERT_TRUE(status.ok()) << status.message();
      EXPECT_EQ(std::memcmp(in.data(), out.data(), in.size()), 0) << distance;
      EXPECT_TRUE(out.CanariesIntact());
    }
  }
}

TEST_P(RotateEdgesTest, StridesOfOneStepMayBeAnything) {
  Random random = Random::ForTest();
  const Step step = MakeStep(8, {7});
  const Heads x({DataType::kF32, 1, 1, 1, 8}, &random);
  Heads want = x.Copy();
  ASSERT_TRUE(Rotate(step.rows, FullLayout(8, Pairing::kHalf), {want.view()},
                     RotateOptions{})
                  .ok());
  for (const int64_t stride : {kMin, -kMax / 4 * 4, int64_t{0}, kMax / 4 * 4}) {
    Heads got = x.Copy();
    HeadsView view = got.view();
    view.head_stride = view.token_stride = view.batch_stride = stride;
    const Status status = Rotate(step.rows, FullLayout(8, Pairing::kHalf),
                                 {view}, RotateOptions{});
    ASSERT_TRUE(status.ok()) << stride << ": " << status.message();
    EXPECT_EQ(got.Bytes(), want.Bytes()) << stride;
    // Out of place onto itself, the strides that do not matter differing.
    Heads again = x.Copy();
    HeadsView out = again.view();
    out.batch_stride = 256;
    view.data = out.data;
    ASSERT_TRUE(Rotate(step.rows, FullLayout(8, Pairing::kHalf),
                       ConstHeadsView(view), out, RotateOptions{})
                    .ok());
    EXPECT_EQ(again.Bytes(), want.Bytes()) << stride;
  }
}

// More tensors than a job takes, of all types, some of them empty and then of
// any size.
TEST_P(RotateEdgesTest, ManyTensorsAreRotatedAsEachAlone) {
  Random random = Random::ForTest();
  const Step step = MakeStep(16, {3, 1000});
  const RotaryLayout layout = FullLayout(16, Pairing::kInterleaved);
  std::vector<Heads> alone;
  for (int i = 0; i < 40; ++i) {
    const DataType type = kAllTypes[static_cast<size_t>(i / 11) % 3];
    alone.emplace_back(HeadsSpec{type, 1, 2, 1 + i % 5, 16}, &random);
  }
  HeadsView none;
  none.batch = none.tokens = kMax;
  none.token_stride = none.head_stride = kMin;
  HeadsView tokenless;
  tokenless.heads = kMax;
  for (const int shares : {1, 3, 7}) {
    std::vector<Heads> together;
    std::vector<HeadsView> views;
    for (const Heads& heads : alone) {
      together.push_back(heads.Copy());
      views.push_back(together.back().view());
      views.push_back(none);
      views.push_back(tokenless);
      views.push_back(tokenless);
    }
    for (int share = 0; share < shares; ++share) {
      RotateOptions options;
      options.parallel = Parallel::Share(share, shares);
      const Status status = Rotate(step.rows, layout, views.data(),
                                   static_cast<int>(views.size()), options);
      ASSERT_TRUE(status.ok()) << status.message();
    }
    for (size_t i = 0; i < alone.size(); ++i) {
      Heads want = alone[i].Copy();
      ASSERT_TRUE(
          Rotate(step.rows, layout, {want.view()}, RotateOptions{}).ok());
      EXPECT_EQ(together[i].Bytes(), want.Bytes()) << i << " of " << shares;
    }
  }
}

TEST_P(RotateEdgesTest, InverseUndoesTheLargestAndSmallestFactor) {
  Random random = Random::ForTest();
  for (const double m : {kMinAttentionFactor, kMaxAttentionFactor}) {
    const Step step = MakeStep(32, Count(9, 3), m);
    const Heads x({DataType::kF32, 1, 3, 2, 32}, &random);
    EXPECT_TRUE(RotatesInPlace(step, FullLayout(32, Pairing::kHalf),
                               Direction::kInverse, x))
        << m;
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(RotateEdgesTest);

TEST(DenseHeadsTest, SizesThatDoNotFitAreReportedByTheCall) {
  float x[16] = {};
  const Step step = MakeStep(4, {1});
  for (const HeadsView& view :
       {DenseHeads(x, DataType::kF32, 1, 2, int64_t{1} << 62, 4),
        DenseHeads(x, DataType::kF32, 1, kMax, 2, 4),
        DenseHeads(x, DataType::kF32, 1, 1, -1, 4)}) {
    RotaryLayout layout = FullLayout(4, Pairing::kHalf);
    EXPECT_FALSE(Rotate(step.rows, layout, {view}, RotateOptions{}).ok());
  }
  EXPECT_EQ(DenseHeads(x, 1, 1, 1 << 30).head_stride, int64_t{4} << 30);
}

}  // namespace
}  // namespace ropewalk::test
