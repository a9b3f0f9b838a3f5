// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Which tensors share an element, and which only lie between each other.
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/rotate.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

constexpr int kDims = 16;
constexpr int64_t kTokens = 4;
constexpr int64_t kFloats = 4096;

// Views over one buffer, in units of floats.
class OverlapTest : public testing::Test {
 protected:
  OverlapTest()
      : random_(Random::ForTest()),
        memory_({DataType::kF32, 1, 1, 1, kFloats}, &random_),
        step_(MakeStep(kDims, Count(3, kTokens))) {}

  HeadsView At(int64_t first, int64_t heads, int64_t token_stride,
               int64_t head_stride) {
    HeadsView view;
    view.data = memory_.buffer().data() + 4 * first;
    view.tokens = kTokens;
    view.heads = heads;
    view.token_stride = 4 * token_stride;
    view.head_stride = 4 * head_stride;
    return view;
  }

  void ExpectAccepted(const std::vector<HeadsView>& views) {
    const Status status =
        Rotate(step_.rows, FullLayout(kDims, Pairing::kHalf), views.data(),
               static_cast<int>(views.size()), RotateOptions{});
    EXPECT_TRUE(status.ok()) << status.message();
  }

  void ExpectRefused(const std::vector<HeadsView>& views) {
    const std::vector<uint8_t> before = memory_.Bytes();
    const Status status =
        Rotate(step_.rows, FullLayout(kDims, Pairing::kHalf), views.data(),
               static_cast<int>(views.size()), RotateOptions{});
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status.message();
    EXPECT_EQ(memory_.Bytes(), before);
  }

  Status From(const ConstHeadsView& in, const HeadsView& out) {
    return Rotate(step_.rows, FullLayout(kDims, Pairing::kHalf), in, out,
                  RotateOptions{});
  }

  void ExpectAccepted(const ConstHeadsView& in, const HeadsView& out) {
    const Status status = From(in, out);
    EXPECT_TRUE(status.ok()) << status.message();
  }

  void ExpectRefused(const ConstHeadsView& in, const HeadsView& out) {
    const std::vector<uint8_t> before = memory_.Bytes();
    const Status status = From(in, out);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status.message();
    EXPECT_EQ(memory_.Bytes(), before);
  }

  Random random_;
  Heads memory_;
  Step step_;
};

TEST_F(OverlapTest, TensorsSideBySide) {
  ExpectAccepted({At(0, 2, 32, 16), At(128, 2, 32, 16)});
  ExpectAccepted({At(128, 2, 32, 16), At(0, 2, 32, 16)});
}

TEST_F(OverlapTest, PartsOfAFusedProjection) {
  ExpectAccepted({At(0, 4, 128, 16), At(64, 2, 128, 16)});
  ExpectAccepted({At(64, 2, 128, 16), At(0, 4, 128, 16), At(96, 2, 128, 16)});
  // Heads outermost: tokens of Q and K lie between each other.
  ExpectAccepted({At(0, 3, 32, 128), At(16, 3, 32, 128)});
}

TEST_F(OverlapTest, PartsOfAProjectionFusedPerHead) {
  ExpectAccepted({At(0, 3, 144, 48), At(16, 3, 144, 48)});
  ExpectAccepted({At(32, 3, 144, 48), At(16, 3, 144, 48), At(0, 3, 144, 48)});
}

TEST_F(OverlapTest, StridesOfDimsOfSizeOneDoNotMatter) {
  HeadsView one = At(0, 1, 16, 0);
  ExpectAccepted({one});
  one.head_stride = 4;
  one.batch_stride = 4;
  ExpectAccepted({one});
}

TEST_F(OverlapTest, GroupedHeadsOfDifferentCount) {
  // Each group of three Q heads is followed by its K head.
  HeadsView q = At(0, 3, 128, 16);
  HeadsView k = At(48, 1, 128, 16);
  ExpectAccepted({q, k});
  HeadsView q_of_next = At(64, 3, 128, 16);
  ExpectAccepted({q, k, q_of_next});
}

TEST_F(OverlapTest, TensorsThatShareOneElement) {
  ExpectRefused({At(0, 2, 32, 16), At(127, 2, 32, 16)});
  ExpectRefused({At(127, 2, 32, 16), At(0, 2, 32, 16)});
  ExpectRefused({At(0, 4, 128, 16), At(63, 2, 128, 16)});
  ExpectRefused({At(0, 3, 144, 48), At(15, 3, 144, 48)});
  // Around the edge of a token: the end of K is the next token's first of Q.
  ExpectRefused({At(1, 4, 96, 16), At(66, 2, 96, 16)});
}

TEST_F(OverlapTest, ATensorGivenTwice) {
  const HeadsView q = At(0, 2, 32, 16);
  ExpectRefused({q, q});
  ExpectRefused({q, At(128, 2, 32, 16), q});
}

TEST_F(OverlapTest, HeadsOfOneTensorThatOverlap) {
  ExpectRefused({At(0, 2, 0, 16)});
  ExpectRefused({At(0, 2, 64, 0)});
  ExpectRefused({At(0, 2, 64, 15)});
  ExpectRefused({At(0, 2, 31, 16)});
  ExpectRefused({At(0, 2, 16, 16)});
  ExpectRefused({At(1024, 2, -64, -12)});
  HeadsView batch = At(0, 2, 32, 16);
  batch.batch = 2;
  batch.batch_stride = 0;
  ExpectRefused({batch});
  batch.batch_stride = 4 * 96;
  ExpectRefused({batch});
  batch.batch_stride = 4 * 128;
  ExpectAccepted({batch});
}

// The slices of a fused buffer whose sequences are padded by no whole token.
TEST_F(OverlapTest, FusedSlicesOfPaddedSequences) {
  HeadsView q = At(0, 2, 64, 16);
  HeadsView k = At(32, 2, 64, 16);
  q.tokens = k.tokens = 2;
  q.batch = k.batch = 2;
  q.batch_stride = k.batch_stride = 4 * (2 * 64 + 16);
  ExpectAccepted({q, k});
  // One element further, the last slice of a token meets the next token.
  k = At(33, 2, 64, 16);
  k.tokens = k.batch = 2;
  k.batch_stride = q.batch_stride;
  ExpectRefused({q, k});
}

TEST_F(OverlapTest, OutMayEqualInExactly) {
  const HeadsView in = At(256, 2, 32, 16);
  ExpectAccepted(in, in);
}

TEST_F(OverlapTest, OutBesideIn) {
  ExpectAccepted(At(0, 2, 32, 16), At(128, 2, 32, 16));
  ExpectAccepted(At(0, 2, 64, 16), At(32, 2, 64, 16));
}

TEST_F(OverlapTest, OutOverlapsIn) {
  const HeadsView in = At(256, 2, 32, 16);
  ExpectRefused(in, At(260, 2, 32, 16));
  ExpectRefused(in, At(252, 2, 32, 16));
  ExpectRefused(in, At(383, 2, 32, 16));
  // The same elements by other strides, or as another type.
  ExpectRefused(in, At(256, 2, 16, 64));
  HeadsView other = in;
  other.type = DataType::kBF16;
  ExpectRefused(in, other);
  // A broadcast input under one of its outputs.
  ConstHeadsView broadcast = At(256, 2, 0, 0);
  ExpectRefused(broadcast, in);
}

TEST_F(OverlapTest, OutThatOverlapsItself) {
  ExpectRefused(At(0, 2, 32, 16), At(512, 2, 0, 16));
  ExpectRefused(At(0, 2, 32, 16), At(512, 2, 32, 8));
}

TEST_F(OverlapTest, InMayOverlapItself) {
  ExpectAccepted(At(0, 2, 0, 0), At(512, 2, 32, 16));
  ExpectAccepted(At(0, 2, 8, 4), At(512, 2, 32, 16));
}

// Forwards and backwards steps that together reach past 2^63 bytes.
TEST_F(OverlapTest, TensorsOfHalfTheAddressSpace) {
  HeadsView huge = At(1024, 2, 0, -256);
  huge.batch = 2;
  huge.tokens = 2;
  huge.batch_stride = 4 * 1024;
  huge.token_stride = std::numeric_limits<int64_t>::max() / 4 * 4 - 8192;
  ExpectRefused({huge, huge});
}

TEST_F(OverlapTest, WhatHasNoElementsOverlapsNothing) {
  HeadsView q = At(0, 2, 32, 16);
  HeadsView none = q;
  none.heads = 0;
  ExpectAccepted({q, none, none});
}

}  // namespace
}  // namespace ropewalk::test
