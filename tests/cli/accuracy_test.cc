// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The comparison with the oracle reports what is wrong, and nothing else.
#include "cli/accuracy.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "cli/step.h"
#include "gtest/gtest.h"
#include "reference/schemes.h"
#include "ropewalk/angles.h"
#include "ropewalk/scaling.h"
#include "ropewalk/target.h"
#include "support/all_targets.h"

namespace ropewalk::cli {
namespace {

// A window inside the head, so that dims before and after it stay.
constexpr int kHeadDim = 80;
constexpr int kRotaryDim = 32;
constexpr int kRotaryOffset = 16;

HeadsShape Shape(Pairing pairing) {
  HeadsShape shape;
  shape.layout.head_dim = kHeadDim;
  shape.layout.rotary_dim = kRotaryDim;
  shape.layout.rotary_offset = kRotaryOffset;
  shape.layout.pairing = pairing;
  shape.query_heads = 3;
  shape.key_heads = 1;
  return shape;
}

class AccuracyTest : public test::AllTargets {
 protected:
  void SetUp() override {
    AllTargets::SetUp();
    ASSERT_EQ(ActiveTarget(), GetParam());
    Take(LinearScaling{4}, reference::Linear(ladder_, 4));
  }

  // What the library uses, and what the oracle says.
  void Take(const Scaling& scaling, const reference::Scheme& oracle) {
    const auto used = ComputeFrequencies({kRotaryDim, 1e4, scaling});
    ASSERT_TRUE(used.ok()) << used.status().message();
    used_ = used.value();
    oracle_ = oracle;
  }

  AngleRows Rows() const {
    const auto table = AngleTable::Build(used_);
    EXPECT_TRUE(table.ok()) << table.status().message();
    AngleRows rows;
    const auto count = static_cast<int64_t>(positions_.size());
    EXPECT_TRUE(table.value()->Fill({positions_.data(), count}, &rows).ok());
    return rows;
  }

  Step Input(DataType type, Pairing pairing = Pairing::kHalf) const {
    return {Shape(pairing), static_cast<int64_t>(positions_.size()), type};
  }

  Step Rotated(const Step& input) const {
    Step rotated = input;
    EXPECT_TRUE(rotated.Rotate(Rows()).ok());
    return rotated;
  }

  Error Compare(const Step& input, const Step& rotated) const {
    return WorstError(input, rotated,
                      ComputeExactRotation(oracle_, used_, positions_),
                      GetParam());
  }

  reference::Ladder ladder_ = {kRotaryDim, 1e4};
  std::vector<int64_t> positions_ = {0, 1, 4095, 131071};
  Frequencies used_;
  reference::Scheme oracle_;
};

TEST_P(AccuracyTest, RightRotationsAreWithinTheLimit) {
  const double fused = test::ActiveTargetHasFma() ? 0 : 0.5;
  for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
    for (const double m : {1.0, 1.25}) {
      used_.attention_factor = oracle_.attention_factor = m;
      for (const DataType type :
           {DataType::kF32, DataType::kBF16, DataType::kF16}) {
        const Step input = Input(type, pairing);
        const Error error = Compare(input, Rotated(input));
        EXPECT_LE(error.worst, error.limit);
        EXPECT_GT(error.worst, 0);
        EXPECT_EQ(error.limit, type != DataType::kF32 ? 0.5
                               : m == 1               ? 2.5 + fused
                                                      : 3 + fused);
      }
    }
  }
}

TEST_P(AccuracyTest, WrongFrequencyIsAboveTheLimit) {
  // 131071 / 4 positions of pair 0 times 1e-8: 3.3e-4 radians, more than the
  // half ulp of a bf16 result only where that is small.
  used_.inv_freq[0] *= 1 + 1e-8;
  for (const DataType type : {DataType::kF32, DataType::kF16}) {
    const Step input = Input(type);
    const Error error = Compare(input, Rotated(input));
    EXPECT_GT(error.worst, error.limit);
  }
  EXPECT_GT(CompareFrequencies(oracle_, used_).inv_freq, kFrequencyLimit);
}

TEST_P(AccuracyTest, DifferenceOfRoundedFrequenciesIsAllowed) {
  // The library computes base^(-2i/R) / 4; seen from an oracle that is as far
  // away as the limit lets it be, the rotation is still right, at a position
  // where that moves an angle by more than the limit in ulp.
  positions_ = {int64_t{1} << 29};
  oracle_.inv_freq[0] = used_.inv_freq[0] * (1 + 0.9e-12);
  const Step input = Input(DataType::kF32);
  const Error error = Compare(input, Rotated(input));
  EXPECT_LE(error.worst, error.limit);
  ExactRotation exact = ComputeExactRotation(oracle_, used_, positions_);
  exact.allowance.assign(exact.allowance.size(), 0);
  EXPECT_GT(WorstError(input, Rotated(input), exact, GetParam()).worst,
            error.limit);
}

TEST_P(AccuracyTest, WrongAttentionFactorIsAboveTheLimit) {
  const Step input = Input(DataType::kF32);
  const Step rotated = Rotated(input);
  oracle_.attention_factor = 1 + 0x1p-18;
  const Error error = Compare(input, rotated);
  EXPECT_GT(error.worst, error.limit);
}

TEST_P(AccuracyTest, WrongPairingIsAboveTheLimit) {
  for (const DataType type :
       {DataType::kF32, DataType::kBF16, DataType::kF16}) {
    const Step half = Input(type, Pairing::kHalf);
    const Step interleaved = Input(type, Pairing::kInterleaved);
    const Error error = Compare(half, Rotated(interleaved));
    EXPECT_GT(error.worst, error.limit);
  }
}

TEST_P(AccuracyTest, UnrotatedHeadsAreAboveTheLimit) {
  for (const DataType type :
       {DataType::kF32, DataType::kBF16, DataType::kF16}) {
    const Step input = Input(type);
    const Error error = Compare(input, input);
    EXPECT_GT(error.worst, error.limit);
  }
}

TEST_P(AccuracyTest, ChangedBitOutsideTheWindowIsAboveTheLimit) {
  for (const DataType type :
       {DataType::kF32, DataType::kBF16, DataType::kF16}) {
    for (const int dim :
         {0, kRotaryOffset - 1, kRotaryOffset + kRotaryDim, kHeadDim - 1}) {
      const Step input = Input(type);
      Step rotated = Rotated(input);
      const auto size = static_cast<size_t>(ElementSize(type));
      static_cast<unsigned char*>(
          rotated.data())[static_cast<size_t>(dim) * size] ^= 1;
      EXPECT_TRUE(std::isinf(Compare(input, rotated).worst)) << dim;
    }
  }
}

TEST_P(AccuracyTest, NanIsAboveTheLimit) {
  const Step input = Input(DataType::kF32);
  Step rotated = Rotated(input);
  static_cast<float*>(rotated.data())[kRotaryOffset] =
      std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isinf(Compare(input, rotated).worst));
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(AccuracyTest);

TEST(CompareFrequenciesTest, SaysHowFarEachIsOff) {
  reference::Scheme oracle;
  oracle.inv_freq = {1, 0.5, 0};
  oracle.attention_factor = 2;
  oracle.softmax_multiplier = 4;
  Frequencies used;
  used.inv_freq = {1, 0.5 + 0x1p-30, 0};
  used.attention_factor = 2 - 0x1p-20;
  used.softmax_multiplier = 5;
  const FrequencyErrors errors = CompareFrequencies(oracle, used);
  EXPECT_EQ(errors.inv_freq, 0x1p-29);
  EXPECT_EQ(errors.attention_factor, 0x1p-21);
  EXPECT_EQ(errors.softmax_multiplier, 0.25);
}

TEST(CompareFrequenciesTest, NanZeroAndMissingPairsAreInfinitelyOff) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  reference::Scheme oracle;
  oracle.inv_freq = {1, 0};
  Frequencies used;
  for (const std::vector<double>& wrong :
       std::vector<std::vector<double>>{{1}, {1, 0, 0}, {nan, 0}, {1, 1e-30}}) {
    used.inv_freq = wrong;
    EXPECT_TRUE(std::isinf(CompareFrequencies(oracle, used).inv_freq));
  }
}

}  // namespace
}  // namespace ropewalk::cli
