// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Where PermutePairing() puts each row, by the oracle's windows, and that
// nothing else moves.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "ropewalk/weights.h"
#include "support/guarded_buffer.h"
#include "support/heads.h"
#include "support/operator_new.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

constexpr Pairing kPairings[] = {Pairing::kHalf, Pairing::kInterleaved};

Pairing Other(Pairing pairing) {
  return pairing == Pairing::kHalf ? Pairing::kInterleaved : Pairing::kHalf;
}

// A projection of random bytes in guarded memory; no gap follows the last row.
class Projection {
 public:
  Projection(DataType type, int64_t heads, int head_dim, int64_t columns,
             int64_t gap, GuardSide side, Random* random)
      : row_bytes_(columns * SizeOf(type)),
        stride_(row_bytes_ + gap),
        head_dim_(head_dim),
        buffer_(static_cast<size_t>(heads * head_dim * stride_ - gap), side) {
    view_ = {buffer_.data(), type, heads, columns, gap == 0 ? 0 : stride_};
    for (size_t i = 0; i < buffer_.size(); ++i) {
      buffer_.data()[i] = static_cast<uint8_t>(random->Next());
    }
  }

  const ProjectionView& view() const { return view_; }
  const GuardedBuffer& buffer() const { return buffer_; }

  std::vector<uint8_t> Bytes() const {
    return {buffer_.data(), buffer_.data() + buffer_.size()};
  }

  // The bytes that must follow, by moving the members of each pair.
  std::vector<uint8_t> Permuted(const RotaryLayout& layout, Pairing to) const {
    RotaryLayout after = layout;
    after.pairing = to;
    after.pair_distance = 0;
    const reference::Window from_window = WindowOf(layout);
    const reference::Window to_window = WindowOf(after);
    const std::vector<uint8_t> before = Bytes();
    std::vector<uint8_t> bytes = before;
    const auto move = [&](int64_t head, int from, int target) {
      std::copy_n(before.begin() + (head * head_dim_ + from) * stride_,
                  row_bytes_,
                  bytes.begin() + (head * head_dim_ + target) * stride_);
    };
    for (int64_t head = 0; head < view_.heads; ++head) {
      for (int pair = 0; pair < from_window.pairs; ++pair) {
        move(head, Member0(from_window, pair), Member0(to_window, pair));
        move(head, Member1(from_window, pair), Member1(to_window, pair));
      }
    }
    return bytes;
  }

 private:
  int64_t row_bytes_;
  int64_t stride_;
  int head_dim_;
  GuardedBuffer buffer_;
  ProjectionView view_;
};

RotaryLayout WindowLayout(int head_dim, int rotary_dim, int offset,
                          Pairing pairing) {
  RotaryLayout layout;
  layout.head_dim = head_dim;
  layout.rotary_dim = rotary_dim;
  layout.rotary_offset = offset;
  layout.pairing = pairing;
  return layout;
}

void Permute(const ProjectionView& view, const RotaryLayout& layout,
             Pairing pairing, Parallel parallel = Parallel::Serial()) {
  const Status status = PermutePairing(view, layout, pairing, parallel);
  EXPECT_TRUE(status.ok()) << status.message();
}

// new[row] = old[permutation[row]] of a head of 8 dims: the lists of HF's Llama
// conversion and of its DeepSeek-V3, which turns interleaved into half.
TEST(PermutePairingTest, EightRowsAsInOtherProjects) {
  const struct {
    Pairing from;
    std::vector<float> permutation;
  } cases[] = {{Pairing::kInterleaved, {0, 2, 4, 6, 1, 3, 5, 7}},
               {Pairing::kHalf, {0, 4, 1, 5, 2, 6, 3, 7}}};
  for (const auto& known : cases) {
    std::vector<float> rows = {0, 1, 2, 3, 4, 5, 6, 7};
    const ProjectionView bias = {rows.data(), DataType::kF32, 1, 1, 0};
    Permute(bias, WindowLayout(8, 8, 0, known.from), Other(known.from));
    EXPECT_EQ(rows, known.permutation);
  }
}

struct Shape {
  int head_dim;
  int rotary_dim;
  int offset;
};

// Both ends of the memory guarded, from either pairing, with gaps of some bytes
// that are no elements and of one byte, which leaves rows unaligned.
void ExpectPermuted(DataType type, int64_t columns, const Shape& shape,
                    Random* random) {
  for (const int64_t gap : {0, 24, 1}) {
    for (const GuardSide side : {GuardSide::kBegin, GuardSide::kEnd}) {
      const Pairing from = kPairings[random->Below(2)];
      const RotaryLayout layout =
          WindowLayout(shape.head_dim, shape.rotary_dim, shape.offset, from);
      const Projection x(type, 2, shape.head_dim, columns, gap, side, random);
      const std::vector<uint8_t> want = x.Permuted(layout, Other(from));
      Permute(x.view(), layout, Other(from));
      EXPECT_TRUE(x.Bytes() == want)
          << NameOf(type) << " " << columns << " columns, " << shape.rotary_dim
          << " dims, gap " << gap;
      EXPECT_TRUE(x.buffer().CanariesIntact());
    }
  }
}

TEST(PermutePairingTest, EveryRowGoesWhereItsPairIs) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    // 4096 + 5 columns are several chunks of the stack buffer and a rest.
    for (const int64_t columns : {1, 3, 4096 + 5}) {
      for (const Shape& shape :
           {Shape{8, 8, 0}, {20, 12, 3}, {64, 2, 62}, {65, 64, 1}}) {
        ExpectPermuted(type, columns, shape, &random);
      }
    }
  }
}

TEST(PermutePairingTest, ThereAndBackIsTheIdentity) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (int rotary_dim = 0; rotary_dim <= 130; rotary_dim += 2) {
      const Projection x(type, 3, rotary_dim + 5, 3, 4, GuardSide::kEnd,
                         &random);
      const std::vector<uint8_t> before = x.Bytes();
      RotaryLayout layout =
          WindowLayout(rotary_dim + 5, rotary_dim, 4, Pairing::kHalf);
      Permute(x.view(), layout, Pairing::kInterleaved);
      EXPECT_EQ(x.Bytes() == before, rotary_dim < 4) << rotary_dim;
      layout.pairing = Pairing::kInterleaved;
      Permute(x.view(), layout, Pairing::kHalf);
      EXPECT_TRUE(x.Bytes() == before) << rotary_dim;
    }
  }
}

TEST(PermutePairingTest, SamePairingChangesNothing) {
  Random random = Random::ForTest();
  Projection x(DataType::kBF16, 2, 16, 9, 0, GuardSide::kEnd, &random);
  const std::vector<uint8_t> before = x.Bytes();
  for (const Pairing pairing : kPairings) {
    Permute(x.view(), WindowLayout(16, 16, 0, pairing), pairing);
    EXPECT_TRUE(x.Bytes() == before);
  }
}

TEST(PermutePairingTest, HalfTheRotaryDimIsTheUsualDistance) {
  Random random = Random::ForTest();
  const Projection x(DataType::kF16, 2, 16, 9, 0, GuardSide::kEnd, &random);
  RotaryLayout layout = WindowLayout(16, 12, 2, Pairing::kHalf);
  const std::vector<uint8_t> want = x.Permuted(layout, Pairing::kInterleaved);
  layout.pair_distance = 6;
  Permute(x.view(), layout, Pairing::kInterleaved);
  EXPECT_TRUE(x.Bytes() == want);
}

TEST(PermutePairingTest, EverySplitGivesTheSameBits) {
  Random random = Random::ForTest();
  const RotaryLayout layout = WindowLayout(64, 48, 8, Pairing::kHalf);
  // 17 heads of 256 KiB, so that Tbb() makes several tasks of them.
  Projection x(DataType::kF32, 17, 64, 1024, 0, GuardSide::kEnd, &random);
  std::vector<uint8_t> want = x.Permuted(layout, Pairing::kInterleaved);
  Permute(x.view(), layout, Pairing::kInterleaved, Parallel::Tbb());
  EXPECT_TRUE(x.Bytes() == want);
  for (const int count : {1, 2, 3, 16, 17, 64}) {
    want = x.Permuted(layout, Pairing::kInterleaved);
    for (int i = count - 1; i >= 0; --i) {
      Permute(x.view(), layout, Pairing::kInterleaved,
              Parallel::Share(i, count));
    }
    EXPECT_TRUE(x.Bytes() == want) << count << " shares";
  }
}

TEST(PermutePairingTest, NothingToMoveIsSuccess) {
  const RotaryLayout layout = WindowLayout(8, 8, 0, Pairing::kHalf);
  Permute({nullptr, DataType::kF32, 0, 100, 0}, layout, Pairing::kInterleaved);
  Permute({nullptr, DataType::kF32, 100, 0, 0}, layout, Pairing::kInterleaved);
  Permute({nullptr, DataType::kF32, 0, 1, std::numeric_limits<int64_t>::max()},
          layout, Pairing::kInterleaved);
}

TEST(PermutePairingTest, AllocatesNothing) {
  Random random = Random::ForTest();
  const Projection x(DataType::kF32, 2, 128, 3000, 0, GuardSide::kEnd, &random);
  const RotaryLayout layout = WindowLayout(128, 128, 0, Pairing::kHalf);
  int64_t before = allocations;
  // A call and not a new-expression, which Clang may leave out.
  ::operator delete(::operator new(100));
  ASSERT_EQ(allocations, before + 1);
  before = allocations;
  const Status moved = PermutePairing(x.view(), layout, Pairing::kInterleaved);
  const Status refused = PermutePairing(x.view(), {}, Pairing::kInterleaved);
  EXPECT_EQ(allocations, before);
  EXPECT_TRUE(moved.ok()) << moved.message();
  EXPECT_FALSE(refused.ok());
}

struct Call {
  ProjectionView view;
  RotaryLayout layout = WindowLayout(16, 12, 2, Pairing::kHalf);
  Pairing pairing = Pairing::kInterleaved;
  Parallel parallel = Parallel::Serial();
};

struct Refusal {
  StatusCode code;
  std::string text;  // part of the message: argument and value
  std::function<void(Call*)> change;
};

std::vector<Refusal> Refusals() {
  constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;
  constexpr StatusCode kRange = StatusCode::kOutOfRange;
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  return {
      {kInvalid, "type = 3",
       [](Call* call) { call->view.type = static_cast<DataType>(3); }},
      {kInvalid, "heads = -1", [](Call* call) { call->view.heads = -1; }},
      {kInvalid, "columns = -5", [](Call* call) { call->view.columns = -5; }},
      {kInvalid, "data = null", [](Call* call) { call->view.data = nullptr; }},
      {kInvalid, "row_stride = 35",
       [](Call* call) { call->view.row_stride = 35; }},
      {kInvalid, "row_stride = -36",
       [](Call* call) { call->view.row_stride = -36; }},
      {kRange, "columns = 9223372036854775807",
       [](Call* call) { call->view.columns = kMax; }},
      {kRange, "heads = 9223372036854775807",
       [](Call* call) { call->view.heads = kMax; }},
      {kRange, "row_stride = 576460752303423488",
       [](Call* call) { call->view.row_stride = kMax / 16 + 1; }},
      {kRange, "columns = 72057594037927936",  // 2^63 bytes in all
       [](Call* call) { call->view.columns = kMax / 128 + 1; }},
      {kInvalid, "head_dim = 0", [](Call* call) { call->layout = {}; }},
      {kInvalid, "rotary_dim = 7",
       [](Call* call) { call->layout.rotary_dim = 7; }},
      {kInvalid, "rotary_offset = 5",
       [](Call* call) { call->layout.rotary_offset = 5; }},
      {kInvalid, "pair_distance = 7",
       [](Call* call) { call->layout.pair_distance = 7; }},
      {kInvalid, "pair_distance = 6: is for half pairing only",
       [](Call* call) {
         call->layout.pairing = Pairing::kInterleaved;
         call->layout.pair_distance = 6;
       }},
      {kInvalid, "pairing = 2",
       [](Call* call) { call->layout.pairing = static_cast<Pairing>(2); }},
      {kInvalid, "pairing = 2",
       [](Call* call) { call->pairing = static_cast<Pairing>(2); }},
      {kInvalid, "Share(2, 2)",
       [](Call* call) { call->parallel = Parallel::Share(2, 2); }},
  };
}

TEST(PermutePairingTest, NamesTheBrokenRuleAndWritesNothing) {
  Random random = Random::ForTest();
  const Projection x(DataType::kF32, 2, 16, 9, 0, GuardSide::kEnd, &random);
  const std::vector<uint8_t> before = x.Bytes();
  for (const Refusal& refusal : Refusals()) {
    Call call;
    call.view = x.view();
    refusal.change(&call);
    const Status status =
        PermutePairing(call.view, call.layout, call.pairing, call.parallel);
    EXPECT_EQ(status.code(), refusal.code) << refusal.text;
    EXPECT_NE(std::string(status.message()).find(refusal.text),
              std::string::npos)
        << refusal.text << " is not in: " << status.message();
    EXPECT_TRUE(x.Bytes() == before) << refusal.text << " wrote";
  }
}

}  // namespace
}  // namespace ropewalk::test
