// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rotate() on the ways hosts lay out Q, K and V, and on tables which end where
// memory ends.
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/angle_rows.h"
#include "ropewalk/rotate.h"
#include "support/all_targets.h"
#include "support/guarded_buffer.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using RotateLayoutsTest = AllTargets;

constexpr Pairing kPairings[] = {Pairing::kHalf, Pairing::kInterleaved};

testing::AssertionResult Succeeds(const Status& status) {
  if (status.ok()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << status.message();
}

TEST_P(RotateLayoutsTest, RowsOfTheBatchOrSharedByIt) {
  Random random = Random::ForTest();
  const Step shared = MakeStep(48, Count(70, 5));
  const Step own =
      MakeStep(48, {9, 8, 7, 6, 5, 40, 41, 42, 43, 44, 1, 2, 3, 4, 100000});
  for (const DimOrder order :
       {DimOrder::kTokensHeads, DimOrder::kHeadsTokens}) {
    for (const DataType type : kAllTypes) {
      const Heads x({type, 3, 5, 4, 64, order, 0, 0}, &random);
      RotaryLayout layout = FullLayout(48, Pairing::kHalf);
      layout.head_dim = 64;
      EXPECT_TRUE(RotatesInPlace(shared, layout, Direction::kForward, x));
      EXPECT_TRUE(RotatesInPlace(own, layout, Direction::kForward, x));
      Heads out({type, 3, 5, 4, 64,
                 order == DimOrder::kTokensHeads ? DimOrder::kHeadsTokens
                                                 : DimOrder::kTokensHeads,
                 3, 1},
                &random);
      EXPECT_TRUE(RotatesOutOfPlace(own, layout, Direction::kForward, x, &out));
    }
  }
}

TEST_P(RotateLayoutsTest, ManyTokensInEitherOrder) {
  Random random = Random::ForTest();
  const Step step = MakeStep(64, Count(3, 701));
  for (const DimOrder order :
       {DimOrder::kTokensHeads, DimOrder::kHeadsTokens}) {
    for (const Pairing pairing : kPairings) {
      const Heads x({DataType::kBF16, 1, 701, 3, 64, order}, &random);
      EXPECT_TRUE(RotatesInPlace(step, FullLayout(64, pairing),
                                 Direction::kForward, x));
    }
  }
}

// More than 1 MiB, past which later tokens are fetched meanwhile.
TEST_P(RotateLayoutsTest, ManyTokensWithAnotherOutputPairing) {
  Random random = Random::ForTest();
  const Step step = MakeStep(64, Count(3, 701));
  for (const DimOrder order :
       {DimOrder::kTokensHeads, DimOrder::kHeadsTokens}) {
    for (int i = 0; i < 2; ++i) {
      RotaryLayout layout = FullLayout(64, kPairings[i]);
      layout.output_pairing = kPairings[1 - i];
      const Heads x({DataType::kF32, 1, 701, 7, 64, order}, &random);
      EXPECT_TRUE(RotatesInPlace(step, layout, Direction::kForward, x));
    }
  }
}

// The parts of [tokens, 8 Q + 2 K + 2 V heads, dims].
TEST_P(RotateLayoutsTest, PartsOfAFusedProjection) {
  Random random = Random::ForTest();
  const Step step = MakeStep(80, Count(500, 7));
  const RotaryLayout layout = FullLayout(80, Pairing::kHalf);
  for (const DataType type : kAllTypes) {
    Heads qkv({type, 1, 7, 12, 80}, &random);
    const HeadsView q = Slice(qkv.view(), 0, 8);
    const HeadsView k = Slice(qkv.view(), 8, 2);
    const HeadsView v = Slice(qkv.view(), 10, 2);
    const Heads q0 = CopyOf(q, 80);
    const Heads k0 = CopyOf(k, 80);
    const Heads v0 = CopyOf(v, 80);
    ASSERT_TRUE(Succeeds(Rotate(step.rows, layout, {q, k}, RotateOptions{})));
    EXPECT_TRUE(
        IsRotated(step, layout, Direction::kForward, q0, CopyOf(q, 80)));
    EXPECT_TRUE(
        IsRotated(step, layout, Direction::kForward, k0, CopyOf(k, 80)));
    EXPECT_EQ(v0.Bytes(), CopyOf(v, 80).Bytes());
  }
}

// [tokens, heads, 3, dims]: each head has its own Q, K and V side by side.
TEST_P(RotateLayoutsTest, PartsOfAProjectionFusedPerHead) {
  Random random = Random::ForTest();
  const Step step = MakeStep(24, Count(2000, 4));
  RotaryLayout layout = FullLayout(96, Pairing::kHalf);
  layout.rotary_dim = 24;
  for (const DataType type : kAllTypes) {
    Heads qkv({type, 1, 4, 3 * 5, 96}, &random);
    HeadsView parts[3];
    for (int i = 0; i < 3; ++i) {
      parts[i] = Slice(qkv.view(), i, 5);
      parts[i].head_stride *= 3;
    }
    const Heads q0 = CopyOf(parts[0], 96);
    const Heads k0 = CopyOf(parts[1], 96);
    const Heads v0 = CopyOf(parts[2], 96);
    ASSERT_TRUE(Succeeds(
        Rotate(step.rows, layout, {parts[0], parts[1]}, RotateOptions{})));
    EXPECT_TRUE(
        IsRotated(step, layout, Direction::kForward, q0, CopyOf(parts[0], 96)));
    EXPECT_TRUE(
        IsRotated(step, layout, Direction::kForward, k0, CopyOf(parts[1], 96)));
    EXPECT_EQ(v0.Bytes(), CopyOf(parts[2], 96).Bytes());
  }
}

// The rotary part of 64 Q heads, and of the one K head which they share, with
// the strides of the tensors in which they lie.
TEST_P(RotateLayoutsTest, RotaryTailsOfLatentAttention) {
  Random random = Random::ForTest();
  const Step step = MakeStep(64, Count(8000, 8));
  const RotaryLayout layout = FullLayout(64, Pairing::kInterleaved);
  for (const DataType type : kAllTypes) {
    Heads q_tensor({type, 1, 8, 64, 64, DimOrder::kTokensHeads, 192}, &random);
    Heads k_tensor({type, 1, 8, 1, 64, DimOrder::kTokensHeads, 0, 2560},
                   &random);
    const HeadsView& q = q_tensor.view();
    const HeadsView& k = k_tensor.view();
    ASSERT_EQ(q.token_stride, 16384 * SizeOf(type));
    ASSERT_EQ(k.token_stride, 2624 * SizeOf(type));
    const Heads q0 = q_tensor.Copy();
    const Heads k0 = k_tensor.Copy();
    ASSERT_TRUE(Succeeds(Rotate(step.rows, layout, {q, k}, RotateOptions{})));
    EXPECT_TRUE(IsRotated(step, layout, Direction::kForward, q0, q_tensor));
    EXPECT_TRUE(IsRotated(step, layout, Direction::kForward, k0, k_tensor));
    EXPECT_EQ(q0.GapBytes(), q_tensor.GapBytes());
    EXPECT_EQ(k0.GapBytes(), k_tensor.GapBytes());
    EXPECT_TRUE(q_tensor.buffer().CanariesIntact());
    EXPECT_TRUE(k_tensor.buffer().CanariesIntact());
  }
  RotaryLayout whole = layout;
  whole.head_dim = 576;
  whole.rotary_offset = 512;
  const Heads k({DataType::kBF16, 1, 8, 1, 576}, &random);
  EXPECT_TRUE(RotatesInPlace(step, whole, Direction::kForward, k));
}

TEST_P(RotateLayoutsTest, NegativeStrides) {
  Random random = Random::ForTest();
  const Step step = MakeStep(40, Count(60, 6));
  const RotaryLayout layout = FullLayout(40, Pairing::kHalf);
  Heads x({DataType::kF32, 1, 6, 3, 40}, &random);
  HeadsView backwards = x.view();
  backwards.data = x.Element(0, 5, 2, 0);
  backwards.token_stride = -backwards.token_stride;
  backwards.head_stride = -backwards.head_stride;
  const Heads before = CopyOf(backwards, 40);
  ASSERT_TRUE(
      Succeeds(Rotate(step.rows, layout, {backwards}, RotateOptions{})));
  EXPECT_TRUE(IsRotated(step, layout, Direction::kForward, before,
                        CopyOf(backwards, 40)));
}

TEST_P(RotateLayoutsTest, ZeroStridesBroadcastAnInput) {
  Random random = Random::ForTest();
  const Step step = MakeStep(64, Count(11, 6));
  const RotaryLayout layout = FullLayout(64, Pairing::kInterleaved);
  Heads x({DataType::kF16, 1, 1, 1, 64}, &random);
  HeadsView everywhere = x.view();
  everywhere.batch = 2;
  everywhere.tokens = 3;
  everywhere.heads = 4;
  everywhere.batch_stride = everywhere.token_stride = everywhere.head_stride =
      0;
  Heads out({DataType::kF32, 2, 3, 4, 64}, &random);
  ASSERT_TRUE(Succeeds(
      Rotate(step.rows, layout, everywhere, out.view(), RotateOptions{})));
  EXPECT_TRUE(IsRotated(step, layout, Direction::kForward,
                        CopyOf(everywhere, 64), out));
}

TEST_P(RotateLayoutsTest, OutMayBeIn) {
  Random random = Random::ForTest();
  const Step step = MakeStep(64, Count(11, 6));
  for (const int head_dim : {64, 80, 112}) {
    for (const DataType type : kAllTypes) {
      for (const Pairing pairing : kPairings) {
        RotaryLayout layout = FullLayout(64, pairing);
        layout.head_dim = head_dim;
        const Heads x({type, 1, 6, 4, head_dim, DimOrder::kHeadsTokens, 5},
                      &random);
        Heads y = x.Copy();
        ASSERT_TRUE(Succeeds(
            Rotate(step.rows, layout, y.view(), y.view(), RotateOptions{})));
        EXPECT_TRUE(IsRotated(step, layout, Direction::kForward, x, y));
        EXPECT_EQ(x.GapBytes(), y.GapBytes());
      }
    }
  }
}

TEST_P(RotateLayoutsTest, StridesPastTwoToThe31Elements) {
  Random random = Random::ForTest();
  constexpr int64_t kStride = ((int64_t{1} << 30) + 64) * 4;  // bytes
  constexpr size_t kMapped = 2 * kStride + 2 * 64 * 4;
  void* memory = mmap(nullptr, kMapped, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const Step step = MakeStep(64, Count(20, 3));
  const Heads x({DataType::kF32, 1, 3, 2, 64}, &random);
  HeadsView far = x.view();
  far.data = memory;
  far.token_stride = kStride;
  for (int64_t t = 0; t < 3; ++t) {
    std::memcpy(static_cast<uint8_t*>(memory) + t * kStride,
                x.Element(0, t, 0, 0), 2 * 64 * 4);
  }
  const RotaryLayout layout = FullLayout(64, Pairing::kHalf);
  EXPECT_TRUE(Succeeds(Rotate(step.rows, layout, {far}, RotateOptions{})));
  EXPECT_TRUE(IsRotated(step, layout, Direction::kForward, x, CopyOf(far, 64)));
  munmap(memory, kMapped);
}

// The host's own tables, [cos | sin] rows and separate ones, in memory that
// ends with the last row and may only be read.
class BorrowedTable {
 public:
  BorrowedTable(const Step& step, bool separate, GuardSide side)
      : cos_(Bytes(step, separate ? 1 : 2), side),
        sin_(Bytes(step, separate ? 1 : 0), side) {
    const int64_t row_bytes = step.pairs() * 4;
    view_.cos = cos_.data();
    view_.sin = separate ? sin_.data() : cos_.data() + row_bytes;
    view_.rows = step.rows.rows();
    view_.pairs = step.pairs();
    view_.row_stride = separate ? row_bytes : 2 * row_bytes;
    view_.pair_stride = 4;
    uint8_t* sin = separate ? sin_.data() : cos_.data() + row_bytes;
    for (int64_t row = 0; row < view_.rows; ++row) {
      for (int64_t pair = 0; pair < step.pairs(); ++pair) {
        const reference::CosSin& angle = step.Row(row)[pair];
        const int64_t at = row * view_.row_stride + pair * 4;
        StoreElement(DataType::kF32, angle.cos, cos_.data() + at);
        StoreElement(DataType::kF32, angle.sin, sin + at);
      }
    }
    cos_.MakeReadOnly();
    sin_.MakeReadOnly();
  }

  const ConstCosSinView& view() const { return view_; }

 private:
  static size_t Bytes(const Step& step, int copies) {
    return static_cast<size_t>(step.rows.rows() * step.pairs() * 4 * copies);
  }

  GuardedBuffer cos_;
  GuardedBuffer sin_;
  ConstCosSinView view_;
};

TEST_P(RotateLayoutsTest, RowsAreReadNoFurtherThanTheirPairs) {
  Random random = Random::ForTest();
  for (const int rotary_dim :
       {2, 6, 10, 18, 24, 36, 48, 64, 80, 96, 112, 128, 192, 576}) {
    for (const bool separate : {false, true}) {
      Step step = MakeStep(rotary_dim, Count(131070, 2));
      const GuardSide side =
          random.Below(4) ? GuardSide::kEnd : GuardSide::kBegin;
      const BorrowedTable table(step, separate, side);
      auto rows = AngleRows::Wrap(table.view());
      ASSERT_TRUE(Succeeds(rows.status()));
      step.rows = std::move(rows).value();
      ASSERT_EQ(static_cast<const void*>(step.rows.cos(0)), table.view().cos)
          << "not borrowed";
      for (const DataType type : kAllTypes) {
        for (const Pairing pairing : kPairings) {
          RotaryLayout layout = FullLayout(rotary_dim, pairing);
          layout.head_dim =
              rotary_dim == 64
                  ? 128
                  : rotary_dim + static_cast<int>(random.Below(70));
          const Heads x({type, 1, 2, 3, layout.head_dim}, &random);
          EXPECT_TRUE(RotatesInPlace(step, layout, Direction::kForward, x));
          const DataType out_type = kAllTypes[random.Below(3)];
          Heads out({out_type, 1, 2, 3, layout.head_dim}, &random);
          EXPECT_TRUE(
              RotatesOutOfPlace(step, layout, Direction::kForward, x, &out));
        }
      }
    }
  }
}

// Two layers' layouts over the same rows, in turn.
TEST_P(RotateLayoutsTest, RowsServeBothPairings) {
  Random random = Random::ForTest();
  const Step step = MakeStep(64, Count(4095, 3));
  for (int i = 0; i < 4; ++i) {
    const Heads x({DataType::kF32, 1, 3, 2, 64}, &random);
    EXPECT_TRUE(RotatesInPlace(step, FullLayout(64, kPairings[i % 2]),
                               Direction::kForward, x));
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(RotateLayoutsTest);

}  // namespace
}  // namespace ropewalk::test
