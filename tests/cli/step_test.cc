// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the program measures with: numbers everywhere, and both tensors.
#include "cli/step.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/angles.h"
#include "ropewalk/rotate.h"

namespace ropewalk::cli {
namespace {

constexpr int kHeadDim = 8;

HeadsShape Shape(int64_t query_heads, int64_t key_heads) {
  HeadsShape shape;
  shape.layout.head_dim = shape.layout.rotary_dim = kHeadDim;
  shape.query_heads = query_heads;
  shape.key_heads = key_heads;
  return shape;
}

AngleRows Rows(int64_t tokens) {
  RopeParameters parameters;
  parameters.rotary_dim = kHeadDim;
  const auto table = AngleTable::Build(ComputeFrequencies(parameters).value());
  EXPECT_TRUE(table.ok()) << table.status().message();
  AngleRows rows;
  EXPECT_TRUE(
      table.value()->Fill(Positions::Consecutive(1, tokens), &rows).ok());
  return rows;
}

// More memory than has numbers of its own.
TEST(StepTest, HasOrdinaryNumbersToTheEnd) {
  const int64_t tokens = (int64_t{17} << 20) / (kHeadDim * 4);
  for (const DataType type :
       {DataType::kF32, DataType::kBF16, DataType::kF16}) {
    const Step step(Shape(type == DataType::kF32 ? 1 : 2, 0), tokens, type);
    int zeros = 0;
    for (const int64_t token : {int64_t{0}, tokens / 2, tokens - 1}) {
      double elements[kHeadDim];
      step.ReadHead(token, 0, elements);
      for (const double element : elements) {
        EXPECT_LE(std::abs(element), 1);
        zeros += element == 0;
      }
    }
    EXPECT_EQ(zeros, 0);
  }
}

// Queries() and Keys() are what one call of Rotate turns.
TEST(StepTest, ShowsTheTensorsThatItRotates) {
  const AngleRows rows = Rows(3);
  Step one_call(Shape(2, 1), 3, DataType::kF32);
  Step by_views = one_call;
  const Step before = one_call;
  ASSERT_TRUE(one_call.Rotate(rows).ok());
  const RotaryLayout layout = before.shape().layout;
  ASSERT_TRUE(Rotate(rows, layout, {by_views.Queries()}, {}).ok());
  ASSERT_TRUE(Rotate(rows, layout, {by_views.Keys()}, {}).ok());
  for (int64_t token = 0; token < 3; ++token) {
    for (int64_t head = 0; head < 3; ++head) {
      EXPECT_NE(one_call.Bits(token, head, 0), before.Bits(token, head, 0));
      for (int dim = 0; dim < kHeadDim; ++dim) {
        EXPECT_EQ(one_call.Bits(token, head, dim),
                  by_views.Bits(token, head, dim));
      }
    }
  }
}

}  // namespace
}  // namespace ropewalk::cli
