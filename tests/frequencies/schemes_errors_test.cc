// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Parameters against their rules: the message names the parameter, its value
// and the rule.
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "frequencies/scheme_samples.h"
#include "gtest/gtest.h"
#include "ropewalk/scaling.h"

namespace ropewalk::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// Numbers that are no factor, as messages show them.
constexpr struct {
  double value;
  const char* text;
} kNoFactors[] = {{0, "0"}, {-2, "-2"}, {kNan, "nan"}, {kInf, "inf"}};

testing::AssertionResult IsRefused(const RopeParameters& parameters,
                                   const std::string& named,
                                   int64_t length = 0) {
  const Status status = ComputeFrequencies(parameters, length).status();
  const std::string message = status.message();
  if (status.code() != StatusCode::kInvalidArgument) {
    return testing::AssertionFailure()
           << named << " is taken: " << StatusCodeName(status.code()) << " "
           << message;
  }
  const size_t at = message.find(named);
  if (at == std::string::npos) {
    return testing::AssertionFailure() << named << " is not in: " << message;
  }
  // The rule follows the value.
  const size_t rule = message.find(": ", at + named.size());
  if (rule == std::string::npos || rule + 8 > message.size()) {
    return testing::AssertionFailure() << "no rule in: " << message;
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult IsRefused(const Scaling& scaling,
                                   const std::string& named) {
  return IsRefused(Parameters(8, 1e4, scaling), named);
}

YarnScaling Yarn(double factor, int64_t original) {
  YarnScaling yarn;
  yarn.factor = factor;
  yarn.original_positions = original;
  return yarn;
}

DeepSeekYarnScaling DeepSeek(double factor, int64_t original) {
  DeepSeekYarnScaling deepseek;
  deepseek.factor = factor;
  deepseek.original_positions = original;
  return deepseek;
}

GrokYarnLogScaling GrokLog(double factor, int64_t original) {
  GrokYarnLogScaling grok;
  grok.factor = factor;
  grok.original_positions = original;
  return grok;
}

LongRopeScaling LongRope() {
  LongRopeScaling longrope;
  longrope.short_factor = {1, 1, 1, 1};
  longrope.long_factor = {1, 2, 3, 4};
  longrope.original_positions = 4096;
  longrope.max_positions = 131072;
  return longrope;
}

GgmlScaling Ggml() {
  GgmlScaling ggml;
  ggml.n_ctx_orig = 4096;
  ggml.freq_scale = 0.25f;
  ggml.ext_factor = 1;
  return ggml;
}

// The schemes with a field `factor`.
std::vector<Scaling> WithFactor(double factor) {
  LongRopeScaling longrope = LongRope();
  longrope.factor = factor;
  return {LinearScaling{factor},
          NtkScaling{factor},
          DynamicNtkScaling{factor, 2048},
          VllmNtkScaling{factor, {}},
          VllmNtkScaling{factor, 0.625},
          Yarn(factor, 4096),
          DeepSeek(factor, 4096),
          GrokLog(factor, 4096),
          GrokThetaScaling{factor, 4096},
          Llama3Scaling{factor, 1, 4, 8192},
          longrope,
          ProportionalScaling{8, factor}};
}

TEST(SchemesErrorsTest, FactorIsFiniteAndPositive) {
  for (const auto& no : kNoFactors) {
    for (const Scaling& scaling : WithFactor(no.value)) {
      EXPECT_TRUE(IsRefused(scaling, std::string("factor = ") + no.text))
          << SchemeName(scaling);
    }
    EXPECT_TRUE(IsRefused(NtkAlphaScaling{no.value},
                          std::string("alpha = ") + no.text));
  }
  // Below 1 it is legal, if unusual.
  for (const Scaling& scaling : WithFactor(0.5)) {
    const auto got = ComputeFrequencies(Parameters(8, 1e4, scaling));
    EXPECT_TRUE(got.ok()) << got.status().message();
  }
}

TEST(SchemesErrorsTest, OriginalIsPositive) {
  LongRopeScaling longrope = LongRope();
  for (const int64_t original : {int64_t{0}, int64_t{-1}}) {
    const std::string text = " = " + std::to_string(original);
    longrope.original_positions = original;
    for (const Scaling& scaling :
         {Scaling(QwenDynamicNtkScaling{original, 0}),
          Scaling(Yarn(4, original)), Scaling(DeepSeek(4, original)),
          Scaling(GrokLog(4, original)), Scaling(GrokThetaScaling{4, original}),
          Scaling(Llama3Scaling{8, 1, 4, original}), Scaling(longrope)}) {
      EXPECT_TRUE(IsRefused(scaling, "original_positions" + text))
          << SchemeName(scaling);
    }
    EXPECT_TRUE(
        IsRefused(DynamicNtkScaling{2, original}, "max_positions" + text));
  }
  GgmlScaling ggml = Ggml();
  ggml.n_ctx_orig = -1;
  EXPECT_TRUE(IsRefused(ggml, "n_ctx_orig = -1"));
}

TEST(SchemesErrorsTest, OriginalOfOne) {
  LongRopeScaling longrope = LongRope();
  longrope.original_positions = 1;
  EXPECT_TRUE(IsRefused(longrope, "original_positions = 1"));  // ln 1 = 0
  // No pair of 128 dims turns once: the ramp would run backwards.
  for (const Scaling& scaling :
       {Scaling(Yarn(4, 1)), Scaling(DeepSeek(4, 1)), Scaling(GrokLog(4, 1))}) {
    EXPECT_TRUE(
        IsRefused(Parameters(128, 1e4, scaling), "original_positions = 1"))
        << SchemeName(scaling);
  }
  // 6 is below 2 pi, whose logarithm is divided by; 7 is not.
  EXPECT_TRUE(IsRefused(GrokThetaScaling{4, 6}, "original_positions = 6"));
  EXPECT_TRUE(IsRefused(GrokThetaScaling{0.5, 7}, "original_positions = 7"));
  for (const Scaling& scaling :
       {Scaling(GrokThetaScaling{4, 7}), Scaling(DynamicNtkScaling{2, 1}),
        Scaling(QwenDynamicNtkScaling{1, 0.1}),
        Scaling(Llama3Scaling{8, 1, 4, 1})}) {
    const auto got = ComputeFrequencies(Parameters(8, 1e4, scaling), 100);
    EXPECT_TRUE(got.ok()) << got.status().message();
  }
}

TEST(SchemesErrorsTest, BaseOfARampIsAboveOne) {
  for (const double base : {1.0, 0.5}) {
    const std::string named = base == 1 ? "base = 1" : "base = 0.5";
    for (const Scaling& scaling :
         {Scaling(Yarn(4, 4096)), Scaling(DeepSeek(4, 4096)),
          Scaling(GrokLog(4, 4096)), Scaling(Ggml())}) {
      EXPECT_TRUE(IsRefused(Parameters(8, base, scaling), named))
          << SchemeName(scaling);
    }
    // Without a ramp nothing is divided by its logarithm.
    const auto got = ComputeFrequencies(Parameters(8, base, LinearScaling{4}));
    EXPECT_TRUE(got.ok()) << got.status().message();
  }
}

TEST(SchemesErrorsTest, EverySchemeChecksTheBase) {
  for (const Sample& sample : SamplesOfEveryScheme()) {
    RopeParameters parameters = sample.parameters;
    if (std::holds_alternative<ExplicitFrequencies>(parameters.scaling)) {
      continue;  // has none
    }
    for (const auto& no : kNoFactors) {
      parameters.base = no.value;
      EXPECT_TRUE(IsRefused(parameters, std::string("base = ") + no.text,
                            sample.sequence_length))
          << Describe(parameters);
    }
  }
}

// Both are set, and the ramp's three schemes must refuse them.
void ExpectBetasRefused(double fast, double slow, const std::string& named) {
  YarnScaling yarn = Yarn(4, 4096);
  DeepSeekYarnScaling deepseek = DeepSeek(4, 4096);
  GrokYarnLogScaling grok = GrokLog(4, 4096);
  yarn.beta_fast = deepseek.beta_fast = grok.beta_fast = fast;
  yarn.beta_slow = deepseek.beta_slow = grok.beta_slow = slow;
  for (const Scaling& scaling :
       {Scaling(yarn), Scaling(deepseek), Scaling(grok)}) {
    EXPECT_TRUE(IsRefused(scaling, named)) << SchemeName(scaling);
  }
}

TEST(SchemesErrorsTest, BetasArePositiveAndInOrder) {
  ExpectBetasRefused(1, 32, "beta_fast = 1");
  for (const auto& no : kNoFactors) {
    ExpectBetasRefused(no.value, 1, std::string("beta_fast = ") + no.text);
    ExpectBetasRefused(32, no.value, std::string("beta_slow = ") + no.text);
  }
}

// 64 positions do not turn 1000 times in any pair: from pair 0 to before it.
TEST(SchemesErrorsTest, RampMayNotRunBackwards) {
  YarnScaling yarn = Yarn(4, 64);
  yarn.beta_fast = 2000;
  yarn.beta_slow = 1000;
  EXPECT_TRUE(IsRefused(yarn, "original_positions = 64"));
  yarn.truncate = false;
  EXPECT_TRUE(IsRefused(yarn, "original_positions = 64"));
  GrokYarnLogScaling grok = GrokLog(4, 64);
  grok.beta_fast = 2000;
  grok.beta_slow = 1000;
  EXPECT_TRUE(IsRefused(grok, "original_positions = 64"));
  GgmlScaling ggml = Ggml();
  ggml.n_ctx_orig = 64;
  ggml.beta_fast = 2000;
  ggml.beta_slow = 1000;
  const auto got = ComputeFrequencies(Parameters(8, 1e4, ggml));
  EXPECT_TRUE(got.ok()) << got.status().message();
}

TEST(SchemesErrorsTest, Llama3BoundsAreInOrder) {
  EXPECT_TRUE(IsRefused(Llama3Scaling{8, 4, 1, 8192}, "high_freq_factor = 1"));
  for (const auto& no : kNoFactors) {
    EXPECT_TRUE(IsRefused(Llama3Scaling{8, no.value, 4, 8192},
                          std::string("low_freq_factor = ") + no.text));
    EXPECT_TRUE(IsRefused(Llama3Scaling{8, 1, no.value, 8192},
                          std::string("high_freq_factor = ") + no.text));
  }
}

// Refused whether or not it is the list that counts.
TEST(SchemesErrorsTest, ListsHaveOnePositiveEntryAPair) {
  const auto expect_refused = [](const std::vector<double>& list,
                                 const std::string& named) {
    LongRopeScaling longrope = LongRope();
    for (const LongRopePolicy policy :
         {LongRopePolicy::kForceShort, LongRopePolicy::kForceLong}) {
      longrope.policy = policy;
      longrope.short_factor = list;
      EXPECT_TRUE(IsRefused(longrope, "short_factor" + named));
      longrope = LongRope();
      longrope.long_factor = list;
      EXPECT_TRUE(IsRefused(longrope, "long_factor" + named));
      longrope = LongRope();
    }
    EXPECT_TRUE(IsRefused(FrequencyFactors{list, 1}, "factors" + named));
    // To ggml an empty list is none.
    if (list.empty()) return;
    GgmlScaling ggml = Ggml();
    ggml.freq_factors.assign(list.begin(), list.end());
    EXPECT_TRUE(IsRefused(ggml, "freq_factors" + named));
  };
  expect_refused({}, " has 0 entries");
  expect_refused({1, 2, 3}, " has 3 entries");
  expect_refused({1, 2, 3, 4, 5}, " has 5 entries");
  for (const auto& no : kNoFactors) {
    expect_refused({1, 2, no.value, 4}, std::string("[2] = ") + no.text);
  }
}

TEST(SchemesErrorsTest, OtherParameters) {
  for (const auto& no : kNoFactors) {
    const std::string text = no.text;
    YarnScaling yarn = Yarn(4, 4096);
    yarn.attention_factor = no.value;
    EXPECT_TRUE(IsRefused(yarn, "attention_factor = " + text));
    LongRopeScaling longrope = LongRope();
    longrope.attention_factor = no.value;
    EXPECT_TRUE(IsRefused(longrope, "attention_factor = " + text));
    longrope = LongRope();
    longrope.policy = LongRopePolicy::kForceShort;
    longrope.short_attention_factor = no.value;
    EXPECT_TRUE(IsRefused(longrope, "attention_factor = " + text));
    GgmlScaling ggml = Ggml();
    ggml.freq_scale = static_cast<float>(no.value);
    EXPECT_TRUE(IsRefused(ggml, "freq_scale = " + text));
    ggml = Ggml();
    ggml.attn_factor = static_cast<float>(no.value);
    EXPECT_TRUE(IsRefused(ggml, "attn_factor = " + text));
    EXPECT_TRUE(IsRefused(FrequencyFactors{{1, 1, 1, 1}, no.value},
                          "attention_factor = " + text));
  }
  YarnScaling yarn = Yarn(4, 4096);
  yarn.extrapolation_weight = kNan;
  EXPECT_TRUE(IsRefused(yarn, "extrapolation_weight = nan"));
  EXPECT_TRUE(IsRefused(VllmNtkScaling{8, kNan}, "mixed_b = nan"));
  GgmlScaling ggml = Ggml();
  ggml.ext_factor = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(IsRefused(ggml, "ext_factor = nan"));
  EXPECT_TRUE(
      IsRefused(QwenDynamicNtkScaling{2048, kNan}, "attention_slope = nan"));
}

// A parameter is checked where the others leave it without a part, too. An
// mscale of 0 means that there is none.
TEST(SchemesErrorsTest, OptionalParametersThatDoNotCount) {
  for (const auto& no : kNoFactors) {
    if (no.value == 0) continue;
    const std::string text = no.text;
    YarnScaling yarn = Yarn(4, 4096);
    yarn.mscale = no.value;
    EXPECT_TRUE(IsRefused(yarn, "mscale = " + text));
    yarn = Yarn(4, 4096);
    yarn.attention_factor = 1;
    yarn.mscale_all_dim = no.value;
    EXPECT_TRUE(IsRefused(yarn, "mscale_all_dim = " + text));
    EXPECT_TRUE(IsRefused(DeepSeekYarnScaling{4, 4096, 32, 1, no.value, 0},
                          "mscale = " + text));
    EXPECT_TRUE(IsRefused(DeepSeekYarnScaling{4, 4096, 32, 1, 1, no.value},
                          "mscale_all_dim = " + text));
    LongRopeScaling longrope = LongRope();
    longrope.policy = LongRopePolicy::kForceLong;
    longrope.short_attention_factor = no.value;
    EXPECT_TRUE(IsRefused(longrope, "short_attention_factor = " + text));
  }
  YarnScaling yarn = Yarn(4, 4096);
  yarn.mscale = 0;
  yarn.mscale_all_dim = 0;
  EXPECT_TRUE(ComputeFrequencies(Parameters(8, 1e4, yarn)).ok());
}

TEST(SchemesErrorsTest, HeadHoldsTheWindow) {
  EXPECT_TRUE(IsRefused(ProportionalScaling{6, 1}, "head_dim = 6"));
  EXPECT_TRUE(IsRefused(ProportionalScaling{9, 1}, "head_dim = 9"));
  EXPECT_TRUE(IsRefused(ProportionalScaling{0, 1}, "head_dim = 0"));
  EXPECT_TRUE(IsRefused(ProportionalScaling{-8, 1}, "head_dim = -8"));
}

TEST(SchemesErrorsTest, EverySchemeChecksTheLengthAndTheDim) {
  for (const Sample& sample : SamplesOfEveryScheme()) {
    EXPECT_TRUE(IsRefused(sample.parameters, "sequence_length = -1", -1));
    RopeParameters odd = sample.parameters;
    odd.rotary_dim = 7;
    EXPECT_TRUE(IsRefused(odd, "rotary_dim = 7"));
  }
}

}  // namespace
}  // namespace ropewalk::test
