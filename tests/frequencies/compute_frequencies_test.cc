// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "frequencies/validate_frequencies.h"
#include "gtest/gtest.h"
#include "ropewalk/scaling.h"

namespace ropewalk {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

RopeParameters Plain(int rotary_dim, double base) {
  RopeParameters parameters;
  parameters.rotary_dim = rotary_dim;
  parameters.base = base;
  return parameters;
}

void ExpectError(const Status& status, StatusCode code, const char* text) {
  EXPECT_EQ(status.code(), code) << status.message();
  EXPECT_NE(std::string(status.message()).find(text), std::string::npos)
      << status.message();
}

void ExpectError(const RopeParameters& parameters, StatusCode code,
                 const char* text) {
  ExpectError(ComputeFrequencies(parameters).status(), code, text);
}

// The formula in long double, whose 64-bit significand makes its own error
// 2^-11 of the bound. Where long double is double it would prove nothing.
TEST(ComputeFrequenciesTest, PlainIsWithinTwoUlpOfTheFormula) {
  if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP();
  for (const double base : {1e4, 5e5, 1e6, 1e7, 1e8, 999999.4420358813, 0.5}) {
    for (const int rotary_dim : {2, 6, 20, 24, 64, 80, 96, 128, 192, 256}) {
      const auto got = ComputeFrequencies(Plain(rotary_dim, base));
      ASSERT_TRUE(got.ok()) << got.status().message();
      const std::vector<double>& inv_freq = got.value().inv_freq;
      ASSERT_EQ(inv_freq.size(), static_cast<size_t>(rotary_dim / 2));
      for (size_t i = 0; i < inv_freq.size(); ++i) {
        const long double want =
            std::pow(static_cast<long double>(base),
                     -2.0L * static_cast<long double>(i) / rotary_dim);
        const double ulp = std::ldexp(1.0, std::ilogb(inv_freq[i]) - 52);
        EXPECT_LE(std::fabs(static_cast<double>(inv_freq[i] - want)), 2 * ulp)
            << base << " " << rotary_dim << " " << i;
      }
    }
  }
}

TEST(ComputeFrequenciesTest, PlainHasNoOtherFields) {
  const auto got = ComputeFrequencies(Plain(128, 5e5), 4096);
  ASSERT_TRUE(got.ok());
  EXPECT_TRUE(got.value().axis.empty());
  EXPECT_EQ(got.value().attention_factor, 1.0);
  EXPECT_EQ(got.value().softmax_multiplier, 1.0);
  EXPECT_FALSE(got.value().length_dependent);
  EXPECT_EQ(got.value().inv_freq[0], 1.0);
}

TEST(ComputeFrequenciesTest, LengthDoesNotMatterToPlain) {
  const auto a = ComputeFrequencies(Plain(64, 1e4), 0);
  const auto b = ComputeFrequencies(Plain(64, 1e4), 10485760);
  ASSERT_TRUE(a.ok());
  ASSERT_TRUE(b.ok());
  EXPECT_EQ(a.value().inv_freq, b.value().inv_freq);
}

TEST(ComputeFrequenciesTest, BaseIsNotRounded) {
  const auto a = ComputeFrequencies(Plain(64, 10000.0));
  const auto b = ComputeFrequencies(Plain(64, 10000.001));
  ASSERT_TRUE(a.ok());
  ASSERT_TRUE(b.ok());
  EXPECT_NE(a.value().inv_freq[1], b.value().inv_freq[1]);
}

TEST(ComputeFrequenciesTest, NoRotaryDims) {
  const auto got = ComputeFrequencies(RopeParameters{});
  ASSERT_TRUE(got.ok());
  EXPECT_TRUE(got.value().inv_freq.empty());
}

TEST(ComputeFrequenciesTest, ExplicitListIsTakenBitForBit) {
  RopeParameters parameters;
  parameters.base = kNan;  // plays no part
  parameters.scaling = ExplicitFrequencies{{0.25, -3.0, 0.0}, 1.5};
  for (const int rotary_dim : {0, 6}) {
    parameters.rotary_dim = rotary_dim;
    const auto got = ComputeFrequencies(parameters);
    ASSERT_TRUE(got.ok()) << got.status().message();
    EXPECT_EQ(got.value().inv_freq, (std::vector<double>{0.25, -3.0, 0.0}));
    EXPECT_EQ(got.value().attention_factor, 1.5);
  }
}

TEST(ComputeFrequenciesTest, NamesTheBrokenRule) {
  constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;
  ExpectError(Plain(7, 1e4), kInvalid, "rotary_dim = 7: must be even");
  ExpectError(Plain(-2, 1e4), kInvalid, "rotary_dim = -2");
  ExpectError(Plain(kMaxRotaryDim + 2, 1e4), StatusCode::kOutOfRange,
              "rotary_dim = 65538");
  ExpectError(Plain(8, kNan), kInvalid, "base = nan: must be finite and pos");
  ExpectError(Plain(8, 0.0), kInvalid, "base = 0");
  ExpectError(Plain(8, -1e4), kInvalid, "base = -10000");
  ExpectError(Plain(8, kInf), kInvalid, "base = inf");
  // A base so small that a frequency passes the limit.
  ExpectError(Plain(64, 1e-300), StatusCode::kOutOfRange, "inv_freq[");
  ExpectError(ComputeFrequencies(Plain(8, 1e4), -1).status(), kInvalid,
              "sequence_length = -1");
}

TEST(ComputeFrequenciesTest, NamesTheBrokenRuleOfAList) {
  constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;
  RopeParameters parameters;
  parameters.rotary_dim = 8;
  parameters.scaling = ExplicitFrequencies{{1, 2, 3}, 1.0};
  ExpectError(parameters, kInvalid, "inv_freq has 3 entries: must have 4");
  parameters.scaling = ExplicitFrequencies{{1, 2, 3, kInf}, 1.0};
  ExpectError(parameters, kInvalid, "inv_freq[3] = inf: must be finite");
  parameters.scaling = ExplicitFrequencies{{1, -0x1p64, 3, 4}, 1.0};
  ExpectError(parameters, StatusCode::kOutOfRange, "inv_freq[1] = -1.8");
  parameters.scaling = ExplicitFrequencies{{1, 2, 3, 4}, 0.0};
  ExpectError(parameters, kInvalid, "attention_factor = 0");
  parameters.rotary_dim = 0;
  parameters.scaling =
      ExplicitFrequencies{std::vector<double>(kMaxRotaryDim / 2 + 1), 1.0};
  ExpectError(parameters, StatusCode::kOutOfRange, "inv_freq has 32769");
}

TEST(ValidateFrequenciesTest, ChecksEveryField) {
  using internal::ValidateFrequencies;
  Frequencies good;
  good.inv_freq = {1.0, -0.5, 0.0, std::nextafter(0x1p64, 0.0)};
  good.axis = {0, 1, 2, 255};
  EXPECT_TRUE(ValidateFrequencies(good).ok());
  EXPECT_TRUE(ValidateFrequencies(Frequencies{}).ok());

  Frequencies bad = good;
  bad.axis.pop_back();
  ExpectError(ValidateFrequencies(bad), StatusCode::kInvalidArgument,
              "axis has 3 entries");
  bad = good;
  bad.softmax_multiplier = kNan;
  ExpectError(ValidateFrequencies(bad), StatusCode::kInvalidArgument,
              "softmax_multiplier = nan");
}

TEST(ValidateFrequenciesTest, AttentionFactorIsANormalFloat) {
  using internal::ValidateAttentionFactor;
  for (const double factor :
       {kMinAttentionFactor, 0.5, 1.0, kMaxAttentionFactor}) {
    EXPECT_TRUE(ValidateAttentionFactor(factor).ok()) << factor;
  }
  for (const double factor : {0.0, -1.0, kNan, kInf}) {
    ExpectError(ValidateAttentionFactor(factor), StatusCode::kInvalidArgument,
                "attention_factor = ");
  }
  for (const double factor :
       {kMinAttentionFactor * 0.99, kMaxAttentionFactor * 1.01}) {
    ExpectError(ValidateAttentionFactor(factor), StatusCode::kOutOfRange,
                "attention_factor = ");
  }
}

}  // namespace
}  // namespace ropewalk
