// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The demo's decode loop, and the comparison of what it leaves in the cache.
#include "cli/cached_context.h"

#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "cli/accuracy.h"
#include "gtest/gtest.h"
#include "reference/schemes.h"
#include "ropewalk/angles.h"
#include "support/all_targets.h"

namespace ropewalk::cli {
namespace {

constexpr int kDims = 64;
constexpr int64_t kTokens = 72;  // 4.5 blocks
constexpr int64_t kDropped = 20;

HeadsShape Shape() {
  HeadsShape shape;
  shape.layout.head_dim = shape.layout.rotary_dim = kDims;
  shape.query_heads = 2;
  shape.key_heads = 2;
  return shape;
}

class CachedContextTest : public test::AllTargets {
 protected:
  void SetUp() override {
    AllTargets::SetUp();
    const auto used = ComputeFrequencies({kDims, 1e4, NoScaling{}});
    ASSERT_TRUE(used.ok()) << used.status().message();
    const auto table = AngleTable::Build(used.value());
    ASSERT_TRUE(table.ok()) << table.status().message();
    table_ = table.value();
    ASSERT_TRUE(context_.Decode(*table_).ok());
  }

  ExactRotation Exact(int64_t tokens) const {
    std::vector<int64_t> positions(static_cast<size_t>(tokens));
    std::iota(positions.begin(), positions.end(), 0);
    return ComputeExactRotation(reference::Plain({kDims, 1e4}),
                                table_->frequencies(), positions);
  }

  Error Shift(int64_t delta) {
    AngleRows rows;
    EXPECT_TRUE(
        table_->FillRotation(Positions::Constant(delta, 1), &rows).ok());
    EXPECT_TRUE(context_.Shift(rows, kDropped).ok());
    return WorstShiftError(context_.activations(), kDropped,
                           context_.Read(kDropped), Exact(kTokens - kDropped));
  }

  CachedContext context_{Shape(), kTokens};
  std::shared_ptr<const AngleTable> table_;
};

ROPEWALK_INSTANTIATE_ALL_TARGETS(CachedContextTest);

TEST_P(CachedContextTest, DecodedKeysAreWithinTheirLimit) {
  const Error error = WorstError(context_.activations(), context_.Read(0),
                                 Exact(kTokens), GetParam());
  EXPECT_LE(error.worst, error.limit);
  EXPECT_EQ(error.limit, 0.5);
}

TEST_P(CachedContextTest, ShiftedKeysAreWithinTheirLimit) {
  const Error error = Shift(-kDropped);
  EXPECT_LE(error.worst, error.limit);
  // Two roundings: one alone stays below half an ulp.
  EXPECT_GT(error.worst, 0.5);
}

TEST_P(CachedContextTest, AShiftByAnotherDeltaShows) {
  const Error error = Shift(1 - kDropped);
  EXPECT_GT(error.worst, error.limit);
}

TEST_P(CachedContextTest, AShiftThatIsMissingShows) {
  const Error error =
      WorstShiftError(context_.activations(), kDropped, context_.Read(kDropped),
                      Exact(kTokens - kDropped));
  EXPECT_GT(error.worst, error.limit);
}

}  // namespace
}  // namespace ropewalk::cli
