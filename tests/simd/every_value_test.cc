// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Conversions as the kernels make them, on every target: every bf16 and f16
// value, and every float32 on the best target. The scalar ones have
// scalar_convert_test.cc.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "ropewalk/rotate.h"
#include "ropewalk/target.h"
#include "simd/float_runs.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

constexpr Pairing kPairings[] = {Pairing::kHalf, Pairing::kInterleaved};
constexpr DataType kSixteenBits[] = {DataType::kBF16, DataType::kF16};

uint16_t Infinity(DataType type) {
  return type == DataType::kBF16 ? 0x7F80 : 0x7C00;
}
uint16_t QuietBit(DataType type) {
  return type == DataType::kBF16 ? 0x40 : 0x200;
}
bool IsNan(DataType type, uint16_t bits) {
  return (bits & 0x7FFFu) > Infinity(type);
}

std::vector<uint16_t> EveryValue() {
  std::vector<uint16_t> values(65536);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<uint16_t>(i);
  }
  return values;
}

// One row, for heads of which nothing turns.
const AngleRows& NoAngles() {
  static const Step step = MakeStep(std::vector<double>(), {0});
  return step.rows;
}

// A head of which nothing turns: full vectors, and a tail where the count is
// odd.
void Convert(DataType from_type, const void* from, DataType to_type, void* to,
             size_t count) {
  RotaryLayout layout;
  layout.head_dim = static_cast<int>(count);
  const HeadsView in =
      DenseHeads(const_cast<void*>(from), from_type, 1, 1, 1, layout.head_dim);
  const HeadsView out = DenseHeads(to, to_type, 1, 1, 1, layout.head_dim);
  const Status status =
      Rotate(NoAngles(), layout, ConstHeadsView(in), out, RotateOptions{});
  ASSERT_TRUE(status.ok()) << status.message();
}

class EveryValueTest : public AllTargets {
 protected:
  // Inputs from one to the next: all on the best target. A sanitizer's build
  // would take minutes.
  static uint64_t Step() {
#ifdef ROPEWALK_SANITIZED
    return 1021;
#else
    return GetParam() == TargetsToTest().front() ? 1 : 1021;
#endif
  }
};

TEST_P(EveryValueTest, SixteenBitsBecomeFloat32AndBack) {
  const std::vector<uint16_t> values = EveryValue();
  for (const DataType type : kSixteenBits) {
    std::vector<float> wide(values.size());
    std::vector<uint16_t> back(values.size());
    Convert(type, values.data(), DataType::kF32, wide.data(), values.size());
    Convert(DataType::kF32, wide.data(), type, back.data(), values.size());
    const bool flushes = type == DataType::kBF16 && FlushesBF16Denormals();
    for (size_t i = 0; i < values.size(); ++i) {
      const uint16_t bits = values[i];
      ASSERT_EQ(std::signbit(wide[i]), (bits >> 15) != 0) << NameOf(type) << i;
      if (IsNan(type, bits)) {
        ASSERT_TRUE(std::isnan(wide[i])) << NameOf(type) << i;
        ASSERT_EQ(back[i], bits | QuietBit(type)) << NameOf(type) << i;
        continue;
      }
      ASSERT_EQ(static_cast<double>(wide[i]), LoadElement(type, &bits)) << i;
      const bool denormal = (bits & 0x7FFF) < 0x80;
      ASSERT_EQ(back[i], flushes && denormal ? bits & 0x8000 : bits) << i;
    }
  }
}

TEST_P(EveryValueTest, SixteenBitsBecomeTheOtherSixteen) {
  const std::vector<uint16_t> values = EveryValue();
  for (const DataType from : kSixteenBits) {
    const DataType to =
        from == DataType::kF16 ? DataType::kBF16 : DataType::kF16;
    std::vector<uint16_t> got(values.size());
    Convert(from, values.data(), to, got.data(), values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      if (IsNan(from, values[i])) {
        ASSERT_TRUE(IsNan(to, got[i])) << i;
        ASSERT_NE(got[i] & QuietBit(to), 0) << i;
        ASSERT_EQ(got[i] >> 15, values[i] >> 15);
        continue;
      }
      uint16_t want;
      StoreElement(to, LoadElement(from, &values[i]), &want);
      ASSERT_EQ(got[i], want) << NameOf(from) << i;
    }
  }
}

// On both sides of every midpoint, and on it.
TEST_P(EveryValueTest, Float32RoundsToNearestEvenAtEveryMidpoint) {
  for (const DataType type : kSixteenBits) {
    const FloatRuns runs(type, false);
    std::vector<uint32_t> inputs;
    for (const FloatRuns::Run& run : runs.runs()) {
      if (run.begin == 0) continue;
      for (uint32_t bits = run.begin - 2; bits <= run.begin + 1; ++bits) {
        inputs.push_back(bits);
        inputs.push_back(bits | 0x80000000u);
      }
    }
    std::vector<uint16_t> got(inputs.size());
    Convert(DataType::kF32, inputs.data(), type, got.data(), inputs.size());
    const bool flushes = type == DataType::kBF16 && FlushesBF16Denormals();
    for (size_t i = 0; i < inputs.size(); ++i) {
      float value;
      std::memcpy(&value, &inputs[i], sizeof(value));
      if (std::isnan(value)) continue;
      if (flushes && std::fabs(value) < 0x1p-126f) value *= 0;
      uint16_t want;
      StoreElement(type, double{value}, &want);
      ASSERT_EQ(got[i], want) << NameOf(type) << " of " << inputs[i];
    }
  }
}

TEST_P(EveryValueTest, EveryFloat32RoundsOnce) {
  constexpr size_t kCount = 8191;
  std::vector<uint32_t> inputs(kCount);
  std::vector<uint16_t> got(kCount);
  for (const DataType type : kSixteenBits) {
    const FloatRuns runs(type,
                         type == DataType::kBF16 && FlushesBF16Denormals());
    for (const uint32_t sign : {0u, 0x80000000u}) {
      for (uint64_t first = 0; first <= kInfinityBits;
           first += kCount * Step()) {
        const size_t count =
            FillBits(first, Step(), kInfinityBits, sign, inputs.data(), kCount);
        Convert(DataType::kF32, inputs.data(), type, got.data(), kCount);
        const size_t right =
            runs.CountRight(first, Step(), sign, got.data(), count);
        ASSERT_EQ(right, count)
            << NameOf(type) << " of " << inputs[right] << " is " << got[right];
      }
    }
  }
}

TEST_P(EveryValueTest, EveryFloat32NanStaysOneAndIsQuiet) {
  constexpr size_t kCount = 8191;
  std::vector<uint32_t> inputs(kCount);
  std::vector<uint16_t> got(kCount);
  for (const DataType type : kSixteenBits) {
    for (const uint32_t sign : {0u, 0x80000000u}) {
      for (uint64_t first = kInfinityBits + 1; first <= 0x7FFFFFFF;
           first += kCount * Step()) {
        const size_t count =
            FillBits(first, Step(), 0x7FFFFFFF, sign, inputs.data(), kCount);
        Convert(DataType::kF32, inputs.data(), type, got.data(), kCount);
        const uint32_t want = sign >> 16 | Infinity(type) | QuietBit(type);
        for (size_t i = 0; i < count; ++i) {
          if ((got[i] & want) == want && got[i] >> 15 == sign >> 31) continue;
          FAIL() << NameOf(type) << " of " << inputs[i] << " is " << got[i];
        }
      }
    }
  }
}

// Tokens of one head (1, 0) that turn by cos and sin of any values: by row t,
// pair (c, s) becomes (c, s), rounded. An odd number of pairs has tails.
class AnyValues {
 public:
  static constexpr int kPairs = 61;
  static constexpr int kTokens = 64;
  static constexpr size_t kCount = 2 * kPairs * kTokens;

  AnyValues(DataType from, Pairing pairing) : from_(from) {
    layout_.head_dim = layout_.rotary_dim = 2 * kPairs;
    layout_.pairing = pairing;
    const int step = pairing == Pairing::kHalf ? 1 : 2;
    table_.cos = values_.data();
    table_.sin = values_.data() + (step == 1 ? kPairs : 1);
    table_.rows = kTokens;
    table_.pairs = kPairs;
    table_.row_stride = 2 * kPairs * int64_t{sizeof(float)};
    table_.pair_stride = step * int64_t{sizeof(float)};
    for (int i = 0; i < kPairs; ++i) {
      StoreElement(from, 1, head_ + i * step * SizeOf(from));
    }
  }

  uint32_t* bits() { return bits_.data(); }

  // The values in their order.
  void Turn(DataType to, uint16_t* out) {
    std::memcpy(values_.data(), bits_.data(), kCount * sizeof(float));
    const auto rows = AngleRows::Wrap(table_);
    ASSERT_TRUE(rows.ok()) << rows.status().message();
    ConstHeadsView in(
        DenseHeads(head_, from_, 1, kTokens, 1, layout_.head_dim));
    in.token_stride = 0;
    const Status status = Rotate(
        rows.value(), layout_, in,
        DenseHeads(out, to, 1, kTokens, 1, layout_.head_dim), RotateOptions{});
    ASSERT_TRUE(status.ok()) << status.message();
  }

 private:
  DataType from_;
  RotaryLayout layout_;
  ConstCosSinView table_;
  std::vector<uint32_t> bits_ = std::vector<uint32_t>(kCount, 0x3F800000u);
  std::vector<float> values_ = std::vector<float>(kCount);
  alignas(4) uint8_t head_[2 * kPairs * sizeof(float)] = {};
};

void ExpectRoundedAsTheyTurn(DataType from, DataType to, Pairing pairing,
                             uint64_t step) {
  AnyValues values(from, pairing);
  std::vector<uint16_t> got(AnyValues::kCount);
  const FloatRuns runs(to, to == DataType::kBF16 && FlushesBF16Denormals());
  for (const uint32_t sign : {0u, 0x80000000u}) {
    // The sums lose the sign of a zero.
    for (uint64_t first = 1; first < kInfinityBits;
         first += AnyValues::kCount * step) {
      const size_t count = FillBits(first, step, kInfinityBits - 1, sign,
                                    values.bits(), AnyValues::kCount);
      values.Turn(to, got.data());
      const size_t right =
          runs.CountRight(first, step, sign, got.data(), count);
      ASSERT_EQ(right, count)
          << NameOf(from) << " to " << NameOf(to) << " pairing "
          << static_cast<int>(pairing) << ": " << values.bits()[right]
          << " became " << got[right];
    }
  }
}

TEST_P(EveryValueTest, EveryFloat32RoundsOnceAsPairsTurn) {
  for (const DataType to : kSixteenBits) {
    for (const Pairing pairing : kPairings) {
      for (const DataType from : {DataType::kF32, to}) {
        // bf16 to bf16 rounds by code of its own, the same in both pairings.
        const bool own = from == DataType::kBF16 && pairing == Pairing::kHalf;
        ExpectRoundedAsTheyTurn(from, to, pairing,
                                own ? Step() : std::max(Step(), uint64_t{251}));
      }
    }
  }
}

// Half a turn of the values sign, sign + 1, ... as member `member` of the pairs
// of a head, whose other members are 0.
std::vector<uint16_t> HalfATurn(DataType type, Pairing pairing, int member,
                                uint16_t sign) {
  constexpr int kPairs = 32768;
  const std::vector<float> cos(kPairs, -1.0f);
  const std::vector<float> sin(kPairs, 0.0f);
  ConstCosSinView table;
  table.cos = cos.data();
  table.sin = sin.data();
  table.rows = 1;
  table.pairs = kPairs;
  table.pair_stride = sizeof(float);
  table.row_stride = kPairs * table.pair_stride;
  const auto rows = AngleRows::Wrap(table);
  EXPECT_TRUE(rows.ok()) << rows.status().message();
  if (!rows.ok()) return {};
  const RotaryLayout layout = FullLayout(2 * kPairs, pairing);
  const reference::Window window = WindowOf(layout);
  std::vector<uint16_t> head(2 * kPairs);
  std::vector<uint16_t> turned;
  const auto at = [&](int i) -> uint16_t& {
    return head[static_cast<size_t>(member == 0 ? Member0(window, i)
                                                : Member1(window, i))];
  };
  for (int i = 0; i < kPairs; ++i) at(i) = static_cast<uint16_t>(sign | i);
  const Status status = Rotate(
      rows.value(), layout,
      {DenseHeads(head.data(), type, 1, 1, 1, 2 * kPairs)}, RotateOptions{});
  EXPECT_TRUE(status.ok()) << status.message();
  for (int i = 0; i < kPairs; ++i) turned.push_back(at(i));
  return turned;
}

// The sums lose the sign of a zero.
void ExpectNegated(DataType type, uint16_t sign,
                   const std::vector<uint16_t>& turned) {
  const bool flushes = type == DataType::kBF16 && FlushesBF16Denormals();
  for (uint16_t i = 0; i < turned.size(); ++i) {
    if (IsNan(type, i)) {
      ASSERT_TRUE(IsNan(type, turned[i])) << NameOf(type) << (sign | i);
      ASSERT_NE(turned[i] & QuietBit(type), 0) << NameOf(type) << (sign | i);
    } else if (i == 0 || (flushes && i < 0x80)) {
      ASSERT_EQ(turned[i] & 0x7FFF, 0) << NameOf(type) << (sign | i);
    } else {
      ASSERT_EQ(turned[i], (sign ^ 0x8000) | i) << NameOf(type);
    }
  }
}

TEST_P(EveryValueTest, SixteenBitsSurviveHalfATurn) {
  for (const DataType type : kSixteenBits) {
    for (const Pairing pairing : kPairings) {
      for (const int member : {0, 1}) {
        for (const uint16_t sign : {uint16_t{0}, uint16_t{0x8000}}) {
          const auto turned = HalfATurn(type, pairing, member, sign);
          ASSERT_EQ(turned.size(), 0x8000u);
          ExpectNegated(type, sign, turned);
        }
      }
    }
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(EveryValueTest);

// bf16 around 1, one float32 in 0x8000: ties to the even neighbour.
TEST(FloatRunsTest, CountsWhatIsRightBeforeTheFirstWrongCode) {
  const FloatRuns runs(DataType::kBF16, false);
  std::vector<uint16_t> codes = {0x3F80, 0x3F80, 0x3F81, 0x3F82, 0x3F82};
  const auto right = [&](uint32_t sign) {
    return runs.CountRight(0x3F800000, 0x8000, sign, codes.data(), 5);
  };
  EXPECT_EQ(right(0), 5u);
  EXPECT_EQ(right(0x80000000u), 0u);
  for (size_t i = 0; i < 5; ++i) {
    codes[i] ^= 1;
    EXPECT_EQ(right(0), i);
    codes[i] ^= 1;
  }
}

TEST(FloatRunsTest, EndAtInfinityAndMayFlush) {
  const FloatRuns f16(DataType::kF16, false);
  EXPECT_EQ(f16.runs().size(), 0x7C01u);
  EXPECT_EQ(f16.runs()[1].begin, 0x33000001u);      // above 2^-25
  EXPECT_EQ(f16.runs().back().begin, 0x477FF000u);  // 65520
  const FloatRuns flushed(DataType::kBF16, true);
  EXPECT_EQ(flushed.runs()[1].begin, 0x00800000u);
  EXPECT_EQ(flushed.runs()[1].code, 0x80);
}

}  // namespace
}  // namespace ropewalk::test
