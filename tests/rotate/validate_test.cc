// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The edges of what is valid: the last layout, size, stride or position that is
// accepted, and the first that is not. rotate_invalid_test.cc has the messages.
#include "rotate/validate.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/rotate.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::internal {
namespace {

using test::Count;
using test::FullLayout;
using test::Heads;
using test::MakeStep;
using test::Step;

bool IsValid(const RotaryLayout& layout) { return ValidateLayout(layout).ok(); }

TEST(ValidateTest, WindowMayEndWithTheHead) {
  for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
    for (const int rotary_dim : {0, 2, 6, 128, 1024}) {
      RotaryLayout layout = FullLayout(rotary_dim + 3, pairing);
      layout.rotary_dim = rotary_dim;
      for (int offset = 0; offset <= 3; ++offset) {
        layout.rotary_offset = offset;
        EXPECT_TRUE(IsValid(layout)) << rotary_dim << " at " << offset;
      }
      layout.rotary_offset = 4;
      EXPECT_FALSE(IsValid(layout)) << rotary_dim;
    }
  }
}

TEST(ValidateTest, DistantMembersMayEndWithTheHead) {
  RotaryLayout layout;
  layout.head_dim = 64;
  layout.rotary_dim = 16;
  for (const int distance : {0, 8, 9, 32, 56}) {
    layout.pair_distance = distance;
    EXPECT_TRUE(IsValid(layout)) << distance;
  }
  for (const int distance : {-1, 1, 7, 57, 64}) {
    layout.pair_distance = distance;
    EXPECT_FALSE(IsValid(layout)) << distance;
  }
  layout.pair_distance = 32;
  layout.rotary_offset = 24;
  EXPECT_TRUE(IsValid(layout));
  layout.rotary_offset = 25;
  EXPECT_FALSE(IsValid(layout));
}

TEST(ValidateTest, LargestIntsDoNotOverflow) {
  constexpr int kMax = std::numeric_limits<int>::max();
  constexpr int kMin = std::numeric_limits<int>::min();
  RotaryLayout layout;
  layout.head_dim = kMax;
  layout.rotary_dim = kMax - 1;
  EXPECT_TRUE(IsValid(layout));
  layout.rotary_offset = 2;
  EXPECT_FALSE(IsValid(layout));
  layout.rotary_offset = kMax;
  layout.pair_distance = kMax;
  EXPECT_FALSE(IsValid(layout));
  int RotaryLayout::*const fields[] = {
      &RotaryLayout::head_dim, &RotaryLayout::rotary_dim,
      &RotaryLayout::rotary_offset, &RotaryLayout::pair_distance,
      &RotaryLayout::first_pair};
  for (const auto field : fields) {
    RotaryLayout broken = FullLayout(8, Pairing::kHalf);
    broken.*field = kMin;
    EXPECT_FALSE(IsValid(broken));
  }
}

TEST(ValidateTest, UnknownPairingsAreInvalid) {
  RotaryLayout layout = FullLayout(8, Pairing::kHalf);
  for (int value = 0; value < 256; ++value) {
    layout.pairing = static_cast<Pairing>(value);
    EXPECT_EQ(IsValid(layout), value < 2);
  }
}

TEST(ValidateTest, LastPairOfTheRowsCanBeUsed) {
  test::Random random = test::Random::ForTest();
  const Step step = MakeStep(64, {9});
  const Heads x({DataType::kF32, 1, 1, 1, 16}, &random);
  RotaryLayout layout = FullLayout(16, Pairing::kHalf);
  layout.first_pair = 24;
  EXPECT_TRUE(Rotate(step.rows, layout, {x.view()}, RotateOptions{}).ok());
  layout.first_pair = 25;
  EXPECT_FALSE(Rotate(step.rows, layout, {x.view()}, RotateOptions{}).ok());
}

TEST(ValidateTest, RowsAreOneATokenOrOneATokenOfTheBatch) {
  test::Random random = test::Random::ForTest();
  const Heads x({DataType::kF32, 3, 4, 1, 8}, &random);
  const RotaryLayout layout = FullLayout(8, Pairing::kHalf);
  for (int64_t rows = 0; rows <= 13; ++rows) {
    const Step step = MakeStep(8, Count(1, rows));
    const Status status =
        Rotate(step.rows, layout, {x.view()}, RotateOptions{});
    EXPECT_EQ(status.ok(), rows == 4 || rows == 12) << rows;
  }
}

TEST(ValidateTest, TensorsMustBeAlignedToTheirElement) {
  test::Random random = test::Random::ForTest();
  const Step step = MakeStep(8, {9});
  const RotaryLayout layout = FullLayout(8, Pairing::kHalf);
  for (const DataType type : test::kAllTypes) {
    Heads memory({type, 1, 1, 1, 64}, &random);
    for (int64_t byte = 0; byte < 16; ++byte) {
      HeadsView view = memory.view();
      view.data = memory.buffer().data() + byte;
      const Status status = Rotate(step.rows, layout, {view}, RotateOptions{});
      EXPECT_EQ(status.ok(), byte % test::SizeOf(type) == 0)
          << test::NameOf(type) << " at byte " << byte;
    }
  }
}

TEST(ValidateTest, TensorsMustEndInTheAddressSpace) {
  test::Random random = test::Random::ForTest();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max() / 4 * 4;
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  const Step step = MakeStep(8, {9, 10});
  const RotaryLayout layout = FullLayout(8, Pairing::kHalf);
  const Heads x({DataType::kF32, 1, 2, 2, 8}, &random);
  const std::vector<uint8_t> before = x.Bytes();
  for (const int64_t stride : {kMax, kMin, kMin + 4, kMin / 2, kMin / 4}) {
    HeadsView view = x.view();
    view.token_stride = stride;
    view.head_stride = stride;
    EXPECT_FALSE(Rotate(step.rows, layout, {view}, RotateOptions{}).ok())
        << stride;
  }
  HeadsView many = x.view();
  many.heads = kMax;
  EXPECT_FALSE(Rotate(step.rows, layout, {many}, RotateOptions{}).ok());
  many.heads = 2;
  many.batch = kMax;
  EXPECT_FALSE(Rotate(step.rows, layout, {many}, RotateOptions{}).ok());
  EXPECT_EQ(x.Bytes(), before);
}

}  // namespace
}  // namespace ropewalk::internal
