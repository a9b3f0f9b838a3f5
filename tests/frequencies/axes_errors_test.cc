// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Sections that are refused.
#include <cstdint>
#include <limits>
#include <vector>

#include "frequencies/refusal.h"
#include "gtest/gtest.h"
#include "ropewalk/axes.h"
#include "ropewalk/frequencies.h"

namespace ropewalk::test {
namespace {

using Axes = std::vector<uint8_t>;
using Sections = std::vector<int>;

constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;
constexpr StatusCode kRange = StatusCode::kOutOfRange;
constexpr int kLargest = std::numeric_limits<int>::max();

TEST(AxesErrorsTest, SectionsMustSumToThePairs) {
  const char* const kShort = "sum of sections = 63: must be pairs = 64";
  Refuses(ContiguousAxes({16, 24, 23}, 64), kInvalid, kShort);
  Refuses(InterleavedAxes({24, 20, 19}, 64), kInvalid, kShort);
  Refuses(BalancedAxes({16, 24, 23}, 64), kInvalid, kShort);
  Refuses(ErnieAxes({22, 22, 19}, 64), kInvalid, kShort);
  Refuses(ContiguousAxes({16, 24, 24}, 0), kInvalid,
          "sum of sections = 64: must be pairs = 0");
  Refuses(ContiguousAxes({}, 64), kInvalid,
          "sum of sections = 0: must be pairs = 64");
  // The sum passes an int.
  Refuses(ContiguousAxes({kLargest, kLargest, 66}, 64), kInvalid,
          "sum of sections = 4294967360: must be pairs = 64");
}

TEST(AxesErrorsTest, WrappingSectionsMustNotAllBeZero) {
  const char* const kZero =
      "sum of sections = 0: must be positive for pairs = 64";
  Refuses(GgmlAxes({0, 0, 0, 0}, 64), kInvalid, kZero);
  Refuses(GgmlAxes({}, 64), kInvalid, kZero);
  Refuses(InterleavedAxes({0, 0, 0, 0}, 64, 3), kInvalid, kZero);
  const auto wide = GgmlAxes({kLargest, kLargest, kLargest, kLargest}, 3);
  ASSERT_TRUE(wide.ok());
  EXPECT_EQ(wide.value(), (Axes{0, 0, 0}));
  const auto interleaved = InterleavedAxes({kLargest, kLargest, 1}, 6, 3);
  ASSERT_TRUE(interleaved.ok());
  EXPECT_EQ(interleaved.value(), (Axes{0, 1, 2, 0, 1, 3}));
}

TEST(AxesErrorsTest, SectionsMustNotBeNegative) {
  Refuses(ContiguousAxes({32, -8, 40}, 64), kInvalid,
          "sections[1] = -8: must not be negative");
  Refuses(InterleavedAxes({-1, 32, 33}, 64), kInvalid, "sections[0] = -1");
  Refuses(InterleavedAxes({24, 20, 20, -1}, 64, 3), kInvalid,
          "sections[3] = -1");
  Refuses(GgmlAxes({24, 20, 20, -1}, 64), kInvalid, "sections[3] = -1");
  Refuses(BalancedAxes({65, -1}, 64), kInvalid, "sections[1] = -1");
  Refuses(ErnieAxes({-1, -1, 66}, 64), kInvalid, "sections[0] = -1");
}

TEST(AxesErrorsTest, NumberOfSections) {
  Refuses(ContiguousAxes(Sections(257, 1), 257), kRange,
          "sections has 257 entries: must have at most 256");
  Refuses(InterleavedAxes({32, 32}, 64), kInvalid,
          "sections has 2 entries: must have 3 to 4");
  Refuses(InterleavedAxes({16, 16, 16, 16, 0}, 64, 3), kInvalid,
          "sections has 5 entries");
  Refuses(GgmlAxes({16, 16, 16, 16, 0}, 64), kInvalid,
          "sections has 5 entries: must have 0 to 4");
  Refuses(BalancedAxes({64}, 64), kInvalid, "sections has 1 entries");
  Refuses(BalancedAxes({16, 16, 16, 16}, 64), kInvalid,
          "sections has 4 entries: must have 2 to 3");
  Refuses(ErnieAxes({22, 42}, 64), kInvalid,
          "sections has 2 entries: must have 3");
}

TEST(AxesErrorsTest, NumberOfPairs) {
  Refuses(ContiguousAxes({}, -1), kInvalid, "pairs = -1");
  Refuses(GgmlAxes({1}, -1), kInvalid, "pairs = -1: must not be negative");
  const int most = kMaxRotaryDim / 2;
  Refuses(ContiguousAxes({most + 1}, most + 1), kRange,
          "pairs = 32769: must be at most 32768");
  Refuses(GgmlAxes({1}, kLargest), kRange, "pairs = 2147483647");
  EXPECT_TRUE(ContiguousAxes({most}, most).ok());
  EXPECT_TRUE(BalancedAxes({most / 2, most / 2}, most).ok());
}

TEST(AxesErrorsTest, RulesOfTheirOwn) {
  Refuses(InterleavedAxes({24, 20, 20}, 64, 1), kInvalid, "fallback_axis = 1");
  Refuses(InterleavedAxes({24, 20, 20}, 64, -1), kInvalid,
          "fallback_axis = -1");
  Refuses(InterleavedAxes({24, 20, 20}, 64, 256), kInvalid,
          "fallback_axis = 256");
  Refuses(InterleavedAxes({16, 16, 16, 16}, 64), kInvalid,
          "sections[3] = 16: must be 0");
  Refuses(BalancedAxes({0, 32, 32}, 64), kInvalid,
          "sections[0] = 0: must be positive");
  Refuses(ErnieAxes({24, 20, 20}, 64), kInvalid,
          "sections[1] = 20: must be sections[0] = 24");
}

}  // namespace
}  // namespace ropewalk::test
