// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The model's own scheme out of ggml's parameters.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "config/gguf_metadata.h"
#include "gtest/gtest.h"
#include "ropewalk/config.h"

namespace ropewalk {
namespace {

using test::HasWarning;
using test::Metadata;
using test::SchemeOf;

Metadata Yarn(const std::string& architecture) {
  return Metadata::Of(architecture)
      .Set("rope.scaling.type", std::string("yarn"))
      .Set("rope.scaling.factor", 4.0)
      .Set("rope.scaling.original_context_length", int64_t{8192});
}

TEST(GgufScalingTest, FactorOneOrZeroOrNoneScalesNothing) {
  for (const char* type : {"linear", "none", "yarn"}) {
    Metadata metadata = Metadata::Of("llama");
    metadata.Set("rope.scaling.type", std::string(type));
    SchemeOf<NoScaling>(metadata.Layer());
    metadata.Set("rope.scaling.factor", 0.0);
    SchemeOf<NoScaling>(metadata.Layer());
    metadata.Set("rope.scaling.factor", int64_t{1});
    SchemeOf<NoScaling>(metadata.Layer());
    EXPECT_TRUE(metadata.Model().warnings.empty());
  }
  Metadata none = Metadata::Of("llama");
  none.Set("rope.scaling.type", std::string("none"));
  none.Set("rope.scaling.factor", 4.0);
  SchemeOf<NoScaling>(none.Layer());
  EXPECT_TRUE(HasWarning(none.Model(), "llama.rope.scaling.factor = 4"));
}

TEST(GgufScalingTest, UnknownTypesAreErrors) {
  for (const char* type : {"dynamic", "llama3", "", "Linear"}) {
    Metadata::Of("llama")
        .Set("rope.scaling.type", std::string(type))
        .ExpectError(StatusCode::kParseError,
                     {"llama.rope.scaling.type = " + std::string(type) + ":",
                      "none, linear, yarn or longrope"});
  }
}

TEST(GgufScalingTest, MissingTypeMeansLinear) {
  const LayerRope layer =
      Metadata::Of("llama").Set("rope.scaling.factor", 4.0).Layer();
  EXPECT_EQ(SchemeOf<LinearScaling>(layer).factor, 4);
  EXPECT_EQ(layer.original_positions, 0);
  const auto frequencies = ComputeFrequencies(layer.parameters);
  ASSERT_TRUE(frequencies.ok());
  // Position 4 turns as position 1 did.
  EXPECT_EQ(frequencies.value().inv_freq[0], 0.25);
}

TEST(GgufScalingTest, OldAndNewNameOfTheFactorMustAgree) {
  Metadata metadata = Metadata::Of("llama").Set("rope.scale_linear", 8.0);
  EXPECT_EQ(SchemeOf<LinearScaling>(metadata.Layer()).factor, 8);
  metadata.Set("rope.scaling.factor", int64_t{8});
  EXPECT_EQ(SchemeOf<LinearScaling>(metadata.Layer()).factor, 8);
  metadata.Set("rope.scaling.factor", 4.0);
  metadata.ExpectError(
      StatusCode::kParseError,
      {"llama.rope.scaling.factor = 4", "llama.rope.scale_linear = 8"});
}

TEST(GgufScalingTest, FactorsBelowOneAreReported) {
  const Metadata metadata =
      Metadata::Of("llama").Set("rope.scaling.factor", 0.125);
  EXPECT_EQ(SchemeOf<LinearScaling>(metadata.Layer()).factor, 0.125);
  EXPECT_EQ(metadata.Model().warnings.size(), 1u);
  EXPECT_TRUE(HasWarning(metadata.Model(), "reciprocal"));
}

TEST(GgufScalingTest, FactorsBelowOneOfGgmlsSchemeAreReportedOnce) {
  Metadata metadata = Metadata::Of("llama");
  metadata.Set("rope.scaling.yarn_attn_factor", 2.0);
  for (const bool parity : {false, true}) {
    ConfigOptions options;
    options.ggml_parity = parity;
    for (const double factor : {0.125, 1.0, 8.0}) {
      metadata.Set("rope.scaling.factor", factor);
      SchemeOf<GgmlScaling>(metadata.Layer("all", options));
      const ModelRope model = metadata.Model(options);
      const auto reports = std::count_if(
          model.warnings.begin(), model.warnings.end(),
          [](const std::string& warning) {
            return warning.find("reciprocal") != std::string::npos;
          });
      EXPECT_EQ(reports, factor < 1 ? 1 : 0) << factor;
    }
  }
}

TEST(GgufScalingTest, YarnHasItsDefaultsAndAnAbsoluteAttentionFactor) {
  const LayerRope layer = Yarn("qwen2").Layer();
  const auto yarn = SchemeOf<YarnScaling>(layer);
  EXPECT_EQ(yarn.factor, 4);
  EXPECT_EQ(yarn.original_positions, 8192);
  EXPECT_EQ(yarn.beta_fast, 32);
  EXPECT_EQ(yarn.beta_slow, 1);
  EXPECT_TRUE(yarn.truncate);
  EXPECT_EQ(yarn.extrapolation_weight, 1);
  ASSERT_TRUE(yarn.attention_factor.has_value());
  EXPECT_DOUBLE_EQ(*yarn.attention_factor, 1 + 0.1 * std::log(4.0));
  EXPECT_FALSE(yarn.mscale.has_value());
  EXPECT_EQ(layer.original_positions, 8192);
}

TEST(GgufScalingTest, YarnKeysAreRead) {
  const auto yarn =
      SchemeOf<YarnScaling>(Yarn("qwen2")
                                .Set("rope.scaling.yarn_beta_fast", 16.0)
                                .Set("rope.scaling.yarn_beta_slow", int64_t{2})
                                .Set("rope.scaling.yarn_attn_factor", 0.5)
                                .Set("rope.scaling.attn_factor", 3.0)
                                .Set("rope.scaling.yarn_ext_factor", -1.0)
                                .Layer());
  EXPECT_EQ(yarn.beta_fast, 16);
  EXPECT_EQ(yarn.beta_slow, 2);
  // Both multiply ggml's own magnitude.
  EXPECT_DOUBLE_EQ(yarn.attention_factor.value_or(0),
                   1.5 * (1 + 0.1 * std::log(4.0)));
}

TEST(GgufScalingTest, ExtFactorDecidesNotTheType) {
  Metadata metadata = Yarn("qwen2").Set("rope.scaling.yarn_ext_factor", 0.0);
  EXPECT_EQ(SchemeOf<LinearScaling>(metadata.Layer()).factor, 4);
  metadata.Set("rope.scaling.yarn_ext_factor", 1.0);
  metadata.Set("rope.scaling.type", std::string("linear"));
  EXPECT_EQ(SchemeOf<YarnScaling>(metadata.Layer()).factor, 4);
  metadata.Set("rope.scaling.yarn_ext_factor", 0.5);
  const auto ggml = SchemeOf<GgmlScaling>(metadata.Layer());
  EXPECT_EQ(ggml.ext_factor, 0.5f);
  EXPECT_EQ(ggml.freq_scale, 0.25f);
  EXPECT_EQ(ggml.n_ctx_orig, 8192);
  EXPECT_TRUE(HasWarning(metadata.Model(), "no single scheme"));
}

TEST(GgufScalingTest, OriginalLengthDefaultsToTheContextWithAWarning) {
  Metadata metadata =
      Yarn("qwen2").Drop("rope.scaling.original_context_length");
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(SchemeOf<YarnScaling>(metadata.Layer()).original_positions,
              32768);
    EXPECT_TRUE(
        HasWarning(metadata.Model(), "original_context_length: assumed"));
    ConfigOptions options;
    options.original_from_max_positions = true;
    EXPECT_TRUE(metadata.Model(options).warnings.empty());
    metadata.Set("rope.scaling.original_context_length", int64_t{0});
  }
  metadata.Drop("context_length");
  metadata.ExpectError(
      StatusCode::kParseError,
      {"qwen2.rope.scaling.original_context_length = missing"});
}

TEST(GgufScalingTest, GptOssIsNotTruncatedAndSaysSo) {
  const Metadata metadata = Yarn("gpt-oss");
  EXPECT_FALSE(SchemeOf<YarnScaling>(metadata.Layer()).truncate);
  EXPECT_TRUE(HasWarning(metadata.Model(), "truncate"));
}

TEST(GgufScalingTest, GrokTurnsItsRampAtEight) {
  EXPECT_EQ(SchemeOf<YarnScaling>(Yarn("grok").Layer()).beta_fast, 8);
  EXPECT_EQ(SchemeOf<YarnScaling>(
                Yarn("grok").Set("rope.scaling.yarn_beta_fast", 32.0).Layer())
                .beta_fast,
            32);
}

// DeepSeek-V2: R 64, base 1e4, factor 40 of 4096 positions, mscale 0.707.
Metadata DeepSeek() {
  return Metadata::Of("deepseek2")
      .Set("attention.key_length", int64_t{192})
      .Set("rope.dimension_count", int64_t{64})
      .Set("rope.freq_base", 1e4)
      .Set("rope.scaling.type", std::string("yarn"))
      .Set("rope.scaling.factor", 40.0)
      .Set("rope.scaling.original_context_length", int64_t{4096})
      .Set("rope.scaling.yarn_log_multiplier", double{0.0707f});
}

// The stored float32 is within 2^-24 of 0.0707, relative; so is everything
// that it multiplies.
TEST(GgufScalingTest, DeepSeekMultiplierIsATenthOfMscale) {
  const double tolerance = std::ldexp(1.0, -23);
  const LayerRope layer = DeepSeek().Layer();
  const auto yarn = SchemeOf<DeepSeekYarnScaling>(layer);
  EXPECT_NEAR(yarn.mscale_all_dim, 0.707, 0.707 * tolerance);
  EXPECT_EQ(yarn.mscale, yarn.mscale_all_dim);
  EXPECT_EQ(yarn.factor, 40);
  EXPECT_EQ(yarn.original_positions, 4096);
  const auto frequencies = ComputeFrequencies(layer.parameters);
  ASSERT_TRUE(frequencies.ok()) << frequencies.status().message();
  // Nine digits are given.
  EXPECT_NEAR(frequencies.value().inv_freq[16], 0.0055, 1e-15);
  EXPECT_NEAR(frequencies.value().inv_freq[31], 3.33380358e-6, 5e-15);
  EXPECT_EQ(frequencies.value().attention_factor, 1);
  // (1 + 0.0707 ln 40)^2, to seven digits.
  EXPECT_NEAR(layer.softmax_multiplier, 1.589626, 5e-7);
}

TEST(GgufScalingTest, MistralMultiplierIsMscaleItself) {
  for (const char* name : {"mistral3", "mistral4"}) {
    Metadata metadata = Yarn(name).Set("rope.scaling.yarn_log_multiplier", 1.0);
    const LayerRope layer = metadata.Layer();
    const auto yarn = SchemeOf<YarnScaling>(layer);
    EXPECT_EQ(yarn.mscale, 1.0);
    EXPECT_EQ(yarn.mscale_all_dim, 1.0);
    EXPECT_FALSE(yarn.attention_factor.has_value());
    const auto frequencies = ComputeFrequencies(layer.parameters);
    ASSERT_TRUE(frequencies.ok());
    EXPECT_EQ(frequencies.value().attention_factor, 1);
    EXPECT_TRUE(metadata.Model().warnings.empty());
    metadata.Set("rope.scaling.yarn_log_multiplier", 0.5);
    EXPECT_EQ(SchemeOf<YarnScaling>(metadata.Layer()).mscale_all_dim, 0.5);
    EXPECT_TRUE(HasWarning(metadata.Model(), "mscale, which the file lacks"));
  }
}

TEST(GgufScalingTest, MultiplierOfOtherArchitecturesIsReported) {
  const Metadata metadata =
      Yarn("qwen2").Set("rope.scaling.yarn_log_multiplier", 0.1);
  EXPECT_TRUE(SchemeOf<YarnScaling>(metadata.Layer()).attention_factor);
  EXPECT_TRUE(HasWarning(metadata.Model(), "yarn_log_multiplier is not used"));
}

TEST(GgufScalingTest, MultiplierTakesTheAttentionFactorsPlace) {
  Metadata metadata = DeepSeek().Set("rope.scaling.yarn_attn_factor", 2.0);
  SchemeOf<DeepSeekYarnScaling>(metadata.Layer());
  EXPECT_TRUE(HasWarning(metadata.Model(), "yarn_attn_factor is not used"));
  metadata.Set("rope.scaling.attn_factor", 2.0);
  metadata.ExpectError(StatusCode::kUnsupported, {"attn_factor = 2"});
}

// 1, f and what lies between, as Llama 3.1's files have them.
TEST(GgufScalingTest, RopeFreqsAreFrequencyFactors) {
  std::vector<float> divisors(64, 1.0f);
  divisors[40] = 2.5f;
  divisors[63] = 8.0f;
  Metadata metadata =
      Metadata::Of("llama").Tensor("rope_freqs.weight", divisors);
  const LayerRope layer = metadata.Layer();
  const auto scheme = SchemeOf<FrequencyFactors>(layer);
  ASSERT_EQ(scheme.factors.size(), 64u);
  EXPECT_EQ(scheme.factors[40], 2.5);
  EXPECT_EQ(scheme.attention_factor, 1);
  EXPECT_EQ(layer.original_positions, 0);
  metadata.Set("rope.scaling.attn_factor", 1.5);
  EXPECT_EQ(SchemeOf<FrequencyFactors>(metadata.Layer()).attention_factor, 1.5);
  metadata.Set("rope.scaling.factor", 2.0);
  const auto ggml = SchemeOf<GgmlScaling>(metadata.Layer());
  EXPECT_EQ(ggml.freq_scale, 0.5f);
  EXPECT_EQ(ggml.freq_factors, divisors);
  EXPECT_EQ(ggml.attn_factor, 1.5f);
}

TEST(GgufScalingTest, RopeFreqsWithYarnAreGgmls) {
  const std::vector<float> divisors(64, 2.0f);
  const auto ggml = SchemeOf<GgmlScaling>(
      Yarn("llama").Tensor("rope_freqs.weight", divisors).Layer());
  EXPECT_EQ(ggml.freq_factors, divisors);
  EXPECT_EQ(ggml.ext_factor, 1);
  EXPECT_EQ(ggml.attn_factor, 1);  // ggml multiplies by the magnitude itself.
}

TEST(GgufScalingTest, DivisorsMustFitThePairs) {
  Metadata metadata = Metadata::Of("llama");
  metadata.Tensor("rope_freqs.weight", std::vector<float>(63, 1.0f));
  metadata.ExpectError(StatusCode::kParseError,
                       {"rope_freqs.weight has 63 entries", "64"});
  std::vector<float> more(128, 2.0f);
  more[64] = 3.0f;
  metadata.Tensor("rope_freqs.weight", more);
  EXPECT_EQ(SchemeOf<FrequencyFactors>(metadata.Layer()).factors,
            std::vector<double>(64, 2.0));
  EXPECT_TRUE(
      HasWarning(metadata.Model(), "rope_freqs.weight has 128 entries"));
  for (const float entry : {0.0f, -1.0f, std::nanf(""), HUGE_VALF}) {
    std::vector<float> bad(64, 1.0f);
    bad[7] = entry;
    metadata.Tensor("rope_freqs.weight", bad);
    metadata.ExpectError(StatusCode::kInvalidArgument,
                         {"rope_freqs.weight[7]", "positive and finite"});
  }
  metadata.Tensor("rope_freqs.weight", {});
  metadata.ExpectError(StatusCode::kParseError, {"rope_freqs.weight has 0"});
}

// Phi-3: 4096 positions extended to 131072.
Metadata LongRope() {
  return Metadata::Of("phi3")
      .Set("context_length", int64_t{131072})
      .Set("rope.scaling.original_context_length", int64_t{4096})
      .Set("rope.scaling.attn_factor", double{1.19023807f})
      .Tensor("rope_factors_short.weight", std::vector<float>(64, 1.25f))
      .Tensor("rope_factors_long.weight", std::vector<float>(64, 32.0f));
}

TEST(GgufScalingTest, ShortAndLongFactorsAreLongRope) {
  for (const char* type : {"longrope", "linear"}) {
    Metadata metadata = LongRope().Set("rope.scaling.type", std::string(type));
    const auto scheme = SchemeOf<LongRopeScaling>(metadata.Layer());
    EXPECT_EQ(scheme.short_factor, std::vector<double>(64, 1.25));
    EXPECT_EQ(scheme.long_factor, std::vector<double>(64, 32.0));
    EXPECT_EQ(scheme.original_positions, 4096);
    EXPECT_EQ(scheme.max_positions, 131072);
    EXPECT_EQ(scheme.context_limit, 0);
    EXPECT_EQ(scheme.attention_factor, double{1.19023807f});
    EXPECT_EQ(scheme.policy, LongRopePolicy::kByContextLimit);
    ConfigOptions options;
    options.long_rope_policy = LongRopePolicy::kBySequenceLength;
    options.context_limit = 8192;
    const auto other =
        SchemeOf<LongRopeScaling>(metadata.Layer("all", options));
    EXPECT_EQ(other.policy, LongRopePolicy::kBySequenceLength);
    EXPECT_EQ(other.context_limit, 8192);
  }
}

TEST(GgufScalingTest, RopeFreqsWinOverLongRope) {
  SchemeOf<FrequencyFactors>(
      LongRope()
          .Tensor("rope_freqs.weight", std::vector<float>(64, 2.0f))
          .Layer());
}

TEST(GgufScalingTest, LongRopeNeedsBothLists) {
  Metadata metadata = LongRope();
  metadata.tensors.erase("rope_factors_long.weight");
  metadata.ExpectError(StatusCode::kParseError, {"rope_factors_long.weight"});
  metadata.tensors.clear();
  SchemeOf<GgmlScaling>(metadata.Layer());  // attn_factor alone
  metadata.Set("rope.scaling.type", std::string("longrope"));
  metadata.ExpectError(
      StatusCode::kParseError,
      {"phi3.rope.scaling.type = longrope", "rope_factors_short.weight"});
}

TEST(GgufScalingTest, LongRopeWithAFactorIsGgmls) {
  Metadata metadata = LongRope().Set("rope.scaling.factor", 2.0);
  EXPECT_EQ(SchemeOf<GgmlScaling>(metadata.Layer()).freq_factors[0], 32.0f);
  ConfigOptions options;
  options.context_limit = 4096;
  EXPECT_EQ(
      SchemeOf<GgmlScaling>(metadata.Layer("all", options)).freq_factors[0],
      1.25f);
}

}  // namespace
}  // namespace ropewalk
