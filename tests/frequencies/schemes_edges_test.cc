// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The schemes where they degenerate, and where other engines went wrong: no
// oracle, but what has to come out.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "frequencies/scheme_samples.h"
#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "reference/schemes.h"
#include "ropewalk/angles.h"
#include "ropewalk/rotate.h"
#include "ropewalk/scaling.h"
#include "support/scheme_oracle.h"

namespace ropewalk::test {
namespace {

constexpr double kRelative = 1e-12;
// Of values printed with nine digits.
constexpr double kNineDigits = 5e-9;

YarnScaling Yarn(double factor, int64_t original) {
  YarnScaling yarn;
  yarn.factor = factor;
  yarn.original_positions = original;
  return yarn;
}

LongRopeScaling LongRope(int pairs, double of_short, double of_long) {
  LongRopeScaling longrope;
  longrope.short_factor.assign(static_cast<size_t>(pairs), of_short);
  longrope.long_factor.assign(static_cast<size_t>(pairs), of_long);
  longrope.original_positions = 4096;
  longrope.max_positions = 4096;
  return longrope;
}

std::vector<double> PlainBits(int rotary_dim, double base) {
  return Computed(Parameters(rotary_dim, base, NoScaling{})).inv_freq;
}

TEST(SchemesEdgesTest, FactorOneIsPlainBitForBit) {
  DeepSeekYarnScaling deepseek;
  deepseek.original_positions = 4096;
  deepseek.mscale = deepseek.mscale_all_dim = 0.707;
  GrokYarnLogScaling grok_log;
  grok_log.original_positions = 4096;
  VllmNtkScaling mixed;
  mixed.mixed_b = 0.625;
  for (const int rotary_dim : kRotaryDims) {
    for (const double base : kBases) {
      const size_t pairs = static_cast<size_t>(rotary_dim / 2);
      const Scaling schemes[] = {
          LinearScaling{1},
          NtkScaling{1},
          NtkAlphaScaling{1},
          DynamicNtkScaling{1, 4096},
          QwenDynamicNtkScaling{4096, 0.1},
          VllmNtkScaling{},
          mixed,
          Yarn(1, 4096),
          deepseek,
          grok_log,
          GrokThetaScaling{1, 4096},
          Llama3Scaling{1, 1, 4, 8192},
          LongRope(rotary_dim / 2, 1, 1),
          ProportionalScaling{rotary_dim, 1},
          FrequencyFactors{std::vector<double>(pairs, 1.0), 1},
          GgmlScaling{}};
      for (const Scaling& scheme : schemes) {
        const auto parameters = Parameters(rotary_dim, base, scheme);
        const Frequencies got = Computed(parameters, 4096);
        EXPECT_EQ(got.inv_freq, PlainBits(rotary_dim, base))
            << Describe(parameters, 4096);
        EXPECT_EQ(got.attention_factor, 1.0) << Describe(parameters, 4096);
        EXPECT_EQ(got.softmax_multiplier, 1.0) << Describe(parameters, 4096);
      }
    }
  }
}

TEST(SchemesEdgesTest, OnePairKeepsItsTurnUnderANewBase) {
  for (const Scaling& scheme :
       {Scaling(NtkScaling{8}), Scaling(NtkAlphaScaling{1000}),
        Scaling(DynamicNtkScaling{8, 64}),
        Scaling(QwenDynamicNtkScaling{64, 0}),
        Scaling(GrokThetaScaling{8, 64})}) {
    const auto parameters = Parameters(2, 1e4, scheme);
    EXPECT_EQ(Computed(parameters, 1000).inv_freq, std::vector<double>{1.0})
        << Describe(parameters, 1000);
  }
}

// Between pairs `low` and `low + 1`: the first are kept, the others divided.
void ExpectStep(const RopeParameters& parameters, double factor, size_t kept) {
  const std::vector<double> got = Computed(parameters).inv_freq;
  const std::vector<double> plain =
      reference::PlainInvFreq(parameters.rotary_dim, parameters.base);
  ASSERT_EQ(got.size(), plain.size());
  ASSERT_LT(kept, plain.size());
  for (size_t i = 0; i < plain.size(); ++i) {
    const double want = i < kept ? plain[i] : plain[i] / factor;
    EXPECT_NEAR(got[i], want, want * kRelative) << "pair " << i;
  }
}

TEST(SchemesEdgesTest, EqualEndsMakeAStep) {
  // 8.09, between pairs 8 and 9.
  YarnScaling yarn = Yarn(32, 4096);
  yarn.beta_slow = yarn.beta_fast;
  yarn.truncate = false;
  ExpectStep(Parameters(64, 150000, yarn), 32, 9);
  // 19.16, which truncation widens to a whole pair (Kimi K2).
  yarn.beta_fast = yarn.beta_slow = 1;
  yarn.truncate = true;
  ExpectStep(Parameters(64, 50000, yarn), 32, 20);
  // Wavelengths past the original (Llama 4 Scout); 8192 / 2 pi = 1303.8 and
  // 5e5^(-2i/128) is below its inverse from pair 35 on.
  ExpectStep(Parameters(128, 5e5, Llama3Scaling{16, 1, 1, 8192}), 16, 35);
}

// Bounds that are those of a pair: just below, just above, and for pair 0,
// whose turns are original / 2 pi rounded once, equal to it.
TEST(SchemesEdgesTest, Llama3DividesAtEquality) {
  const double kTwoPi = 6.283185307179586476925286766559;
  Llama3Scaling scaling{8, 0, 0, 8192};
  const std::vector<double> plain = PlainBits(8, 1e4);
  for (const double nudge : {-1e-9, 1e-9}) {
    const double bound = 8192 * plain[1] / kTwoPi * (1 + nudge);
    scaling.low_freq_factor = scaling.high_freq_factor = bound;
    ExpectStep(Parameters(8, 1e4, scaling), 8, nudge < 0 ? 2 : 1);
  }
  scaling.low_freq_factor = scaling.high_freq_factor = 8192 / kTwoPi;
  ExpectStep(Parameters(8, 1e4, scaling), 8, 0);
}

// No original at all is legal to ggml: a step after pair 0.
TEST(SchemesEdgesTest, GgmlRampsMayRunBackwards) {
  GgmlScaling ggml;
  ggml.freq_scale = 0.25f;
  ggml.ext_factor = 1;
  for (const int64_t n_ctx_orig : {0, 1, 2}) {
    ggml.n_ctx_orig = n_ctx_orig;
    ExpectStep(Parameters(16, 1e4, ggml), 4, 1);
  }
}

TEST(SchemesEdgesTest, NoPairs) {
  for (const Scaling& scheme :
       {Scaling(LinearScaling{8}), Scaling(NtkScaling{8}),
        Scaling(DynamicNtkScaling{8, 64}), Scaling(VllmNtkScaling{8, {}}),
        Scaling(Llama3Scaling{8, 1, 4, 8192}), Scaling(LongRope(0, 1, 1)),
        Scaling(ProportionalScaling{64, 1}), Scaling(FrequencyFactors{}),
        Scaling(GgmlScaling{})}) {
    const auto parameters = Parameters(0, 1e4, scheme);
    EXPECT_TRUE(Computed(parameters, 100).inv_freq.empty())
        << Describe(parameters);
  }
}

TEST(SchemesEdgesTest, DynamicNtkBelowTheMaximumIsPlain) {
  // factor L / max - (factor - 1) would be -0.5, 0 and 1.
  for (const int64_t length : {512, 1024, 2047, 2048}) {
    const auto got =
        Computed(Parameters(64, 1000, DynamicNtkScaling{2, 2048}), length);
    EXPECT_EQ(got.inv_freq, PlainBits(64, 1000)) << length;
    EXPECT_TRUE(got.length_dependent);
  }
}

TEST(SchemesEdgesTest, AlphaChangesTheBaseAtEveryLength) {
  const auto alpha = Parameters(128, 1e4, NtkAlphaScaling{1000});
  const Frequencies got = Computed(alpha);
  EXPECT_FALSE(got.length_dependent);
  EXPECT_NEAR(got.inv_freq.at(1), 0.776034363, kNineDigits);
  EXPECT_TRUE(AreNear(got.inv_freq,
                      reference::PlainInvFreq(128, 11158839.92507748),
                      kRelative));
  for (const int64_t length : {int64_t{1}, int64_t{4096}, int64_t{1} << 40}) {
    EXPECT_EQ(Computed(alpha, length).inv_freq, got.inv_freq);
  }
  // A factor divides the frequencies and leaves the base.
  std::vector<double> quarter = PlainBits(128, 1e4);
  for (double& w : quarter) w /= 4;
  EXPECT_EQ(Computed(Parameters(128, 1e4, LinearScaling{4})).inv_freq, quarter);
}

TEST(SchemesEdgesTest, NtkFormulasOfTwoVendorsDiffer) {
  // 7 against 4 * 8192 / 2048 - 3 = 13.
  const auto qwen =
      Computed(Parameters(128, 1e4, QwenDynamicNtkScaling{2048, 0}), 8192);
  const auto dynamic =
      Computed(Parameters(128, 1e4, DynamicNtkScaling{4, 2048}), 8192);
  EXPECT_TRUE(AreNear(qwen.inv_freq,
                      Computed(Parameters(128, 1e4, NtkScaling{7})).inv_freq,
                      kRelative));
  EXPECT_TRUE(AreNear(dynamic.inv_freq,
                      Computed(Parameters(128, 1e4, NtkScaling{13})).inv_freq,
                      kRelative));
  EXPECT_GT(qwen.inv_freq.at(63), 1.5 * dynamic.inv_freq.at(63));
  // Whatever a vendor's formula gives can be passed as a list.
  const auto same =
      Computed(Parameters(0, 1, ExplicitFrequencies{qwen.inv_freq, 1}));
  EXPECT_EQ(same.inv_freq, qwen.inv_freq);
}

// Where a ramp begins and ends shows in the frequencies.
void ExpectRamp(const RopeParameters& parameters, double factor, double low,
                double high) {
  std::vector<double> want =
      reference::PlainInvFreq(parameters.rotary_dim, parameters.base);
  for (size_t i = 0; i < want.size(); ++i) {
    const double t = (static_cast<double>(i) - low) / (high - low);
    const double divided = std::fmin(1, std::fmax(0, t));
    want[i] *= divided / factor + 1 - divided;
  }
  EXPECT_TRUE(AreNear(Computed(parameters).inv_freq, want, kRelative));
}

TEST(SchemesEdgesTest, BetaFastOfTheConfigurationCounts) {
  YarnScaling yarn = Yarn(64, 4096);
  ExpectRamp(Parameters(128, 1e6, yarn), 64, 13, 31);
  yarn.beta_fast = 4;
  ExpectRamp(Parameters(128, 1e6, yarn), 64, 23, 31);
}

TEST(SchemesEdgesTest, AttentionFactorIsAbsolute) {
  const auto factor_of = [](const YarnScaling& yarn) {
    return Computed(Parameters(64, 1e4, yarn)).attention_factor;
  };
  YarnScaling yarn = Yarn(64, 4096);
  EXPECT_NEAR(factor_of(yarn), 1.4158883, kNineDigits * 10);
  yarn.attention_factor = 1.0;
  EXPECT_EQ(factor_of(yarn), 1.0);
  yarn.attention_factor = 1.4852030264;
  yarn.factor = 128;
  // Neither a multiplier nor an mscale; it wins over those too.
  yarn.mscale = yarn.mscale_all_dim = 0.5;
  EXPECT_EQ(factor_of(yarn), 1.4852030264);
  EXPECT_NEAR(factor_of(Yarn(4, 4096)), 1.1386294, kNineDigits * 10);
  EXPECT_NEAR(factor_of(Yarn(16, 4096)), 1.2772589, kNineDigits * 10);
  EXPECT_NEAR(factor_of(Yarn(32, 4096)), 1.3465736, kNineDigits * 10);
  EXPECT_EQ(factor_of(Yarn(1, 4096)), 1.0);
  EXPECT_EQ(factor_of(Yarn(0.5, 4096)), 1.0);
}

TEST(SchemesEdgesTest, BothPairingsAreScaled) {
  const auto table =
      AngleTable::Build(Computed(Parameters(4, 1e4, Yarn(64, 4096))));
  ASSERT_TRUE(table.ok()) << table.status().message();
  AngleRows rows;
  ASSERT_TRUE(table.value()->Fill(Positions::Constant(0, 1), &rows).ok());
  RotaryLayout layout;
  layout.head_dim = layout.rotary_dim = 4;
  for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
    layout.pairing = pairing;
    float x[] = {1, 2, 3, 4};
    ASSERT_TRUE(
        Rotate(rows, layout, {DenseHeads(x, 1, 1, 4)}, RotateOptions{}).ok());
    for (int d = 0; d < 4; ++d) {
      // The factor is printed with eight digits.
      EXPECT_NEAR(x[d], (d + 1) * 1.4158883, (d + 1) * 2e-7) << d;
    }
  }
}

TEST(SchemesEdgesTest, FactorOfTheConfigurationCounts) {
  // Not 40960 / 32768.
  const auto parameters = Parameters(128, 1e6, Yarn(4, 32768));
  ExpectRamp(parameters, 4, 23, 40);
  const Frequencies got = Computed(parameters);
  EXPECT_NEAR(got.inv_freq.at(23), 0.00697830585, 0.007 * kNineDigits);
  EXPECT_NEAR(got.inv_freq.at(40), 4.44569853e-5, 4.5e-5 * kNineDigits);
}

TEST(SchemesEdgesTest, DeepSeekV2) {
  DeepSeekYarnScaling deepseek;
  deepseek.factor = 40;
  deepseek.original_positions = 4096;
  deepseek.mscale = deepseek.mscale_all_dim = 0.707;
  const auto parameters = Parameters(64, 1e4, deepseek);
  ExpectRamp(parameters, 40, 10, 23);
  const Frequencies got = Computed(parameters);
  EXPECT_NEAR(got.inv_freq.at(16), 0.0055, 0.0055 * kRelative);
  EXPECT_NEAR(got.inv_freq.at(31), 3.33380358e-6, 3.4e-6 * kNineDigits);
  EXPECT_EQ(got.attention_factor, 1.0);
  EXPECT_NEAR(got.softmax_multiplier, 1.589626, 5e-7);
}

TEST(SchemesEdgesTest, FactorFourAtPositionFourIsPositionOne) {
  const auto scaled = Computed(Parameters(4, 1e4, LinearScaling{4}));
  const auto table = AngleTable::Build(scaled);
  ASSERT_TRUE(table.ok()) << table.status().message();
  AngleRows rows;
  ASSERT_TRUE(table.value()->Fill(Positions::Constant(4, 1), &rows).ok());
  RotaryLayout layout;
  layout.head_dim = layout.rotary_dim = 4;
  float x[] = {1, 2, 3, 4};
  ASSERT_TRUE(
      Rotate(rows, layout, {DenseHeads(x, 1, 1, 4)}, RotateOptions{}).ok());
  // Computed with 60 digits and printed with six.
  const double want[] = {-1.984111, 1.959901, 2.462378, 4.019800};
  for (int d = 0; d < 4; ++d) EXPECT_NEAR(x[d], want[d], 1.5e-6) << d;
}

}  // namespace
}  // namespace ropewalk::test
