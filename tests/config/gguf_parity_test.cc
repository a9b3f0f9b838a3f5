// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// ggml_parity: the arguments that llama.cpp hands to ggml_rope_ext; and the
// attention factors of files, where the default mode may differ from it.
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

ConfigOptions Parity(LongRopePolicy policy = LongRopePolicy::kByContextLimit) {
  ConfigOptions options;
  options.ggml_parity = true;
  options.long_rope_policy = policy;
  return options;
}

GgmlScaling Arguments(const Metadata& metadata) {
  return SchemeOf<GgmlScaling>(metadata.Layer("all", Parity()));
}

TEST(GgufParityTest, PlainAndLinear) {
  const GgmlScaling plain = Arguments(Metadata::Of("llama"));
  EXPECT_EQ(plain.n_ctx_orig, 32768);
  EXPECT_EQ(plain.freq_scale, 1);
  EXPECT_EQ(plain.ext_factor, 0);
  EXPECT_EQ(plain.attn_factor, 1);
  EXPECT_EQ(plain.beta_fast, 32);
  EXPECT_EQ(plain.beta_slow, 1);
  EXPECT_TRUE(plain.freq_factors.empty());
  const GgmlScaling linear =
      Arguments(Metadata::Of("llama").Set("rope.scaling.factor", 8.0));
  EXPECT_EQ(linear.freq_scale, 0.125f);
  EXPECT_EQ(linear.ext_factor, 0);
}

TEST(GgufParityTest, YarnKeepsTheFactorsOfTheFile) {
  const GgmlScaling yarn =
      Arguments(Metadata::Of("gpt-oss")
                    .Set("rope.scaling.type", std::string("yarn"))
                    .Set("rope.scaling.factor", 32.0)
                    .Set("rope.scaling.original_context_length", int64_t{4096})
                    .Set("rope.scaling.yarn_attn_factor", 1.5)
                    .Set("rope.scaling.attn_factor", 2.0)
                    .Set("rope.scaling.yarn_beta_fast", 16.0)
                    .Set("rope.scaling.yarn_beta_slow", 2.0));
  EXPECT_EQ(yarn.n_ctx_orig, 4096);
  EXPECT_EQ(yarn.freq_scale, 1.0f / 32);
  EXPECT_EQ(yarn.ext_factor, 1);
  EXPECT_EQ(yarn.attn_factor, 3);
  EXPECT_EQ(yarn.beta_fast, 16);
  EXPECT_EQ(yarn.beta_slow, 2);
}

TEST(GgufParityTest, DeepSeekCancelsTheMagnitudeAndKeepsTheSoftmaxFactor) {
  Metadata metadata =
      Metadata::Of("deepseek2")
          .Set("attention.key_length", int64_t{192})
          .Set("rope.dimension_count", int64_t{64})
          .Set("rope.scaling.type", std::string("yarn"))
          .Set("rope.scaling.factor", 40.0)
          .Set("rope.scaling.original_context_length", int64_t{4096})
          .Set("rope.scaling.yarn_log_multiplier", double{0.1f});
  const LayerRope layer = metadata.Layer("all", Parity());
  EXPECT_EQ(SchemeOf<GgmlScaling>(layer).attn_factor,
            static_cast<float>(1 / (1 + 0.1 * std::log(40.0))));
  const auto frequencies = ComputeFrequencies(layer.parameters);
  ASSERT_TRUE(frequencies.ok());
  // attn_factor is a float32.
  EXPECT_NEAR(frequencies.value().attention_factor, 1, std::ldexp(1.0, -23));
  // (1 + 0.1 ln 40)^2, DeepSeek-V3's, to seven digits.
  EXPECT_NEAR(layer.softmax_multiplier, 1.873854, 5e-7);
  EXPECT_NEAR(metadata.Layer().softmax_multiplier, 1.873854, 5e-7);
}

TEST(GgufParityTest, TheTensorThatCountsIsTaken) {
  Metadata metadata =
      Metadata::Of("phi3")
          .Set("context_length", int64_t{131072})
          .Set("rope.scaling.original_context_length", int64_t{4096})
          .Tensor("rope_factors_short.weight", std::vector<float>(64, 1.25f))
          .Tensor("rope_factors_long.weight", std::vector<float>(64, 32.0f));
  const auto first = [&](ConfigOptions options) {
    return SchemeOf<GgmlScaling>(metadata.Layer("all", options))
        .freq_factors.at(0);
  };
  EXPECT_EQ(first(Parity()), 32.0f);
  EXPECT_EQ(first(Parity(LongRopePolicy::kForceShort)), 1.25f);
  EXPECT_EQ(first(Parity(LongRopePolicy::kForceLong)), 32.0f);
  ConfigOptions at_limit = Parity();
  at_limit.context_limit = 4096;
  EXPECT_EQ(first(at_limit), 1.25f);
  at_limit.context_limit = 4097;
  EXPECT_EQ(first(at_limit), 32.0f);
  metadata.ExpectError(StatusCode::kInvalidArgument, {"long_rope_policy"},
                       Parity(LongRopePolicy::kBySequenceLength));
  metadata.Tensor("rope_freqs.weight", std::vector<float>(64, 2.0f));
  EXPECT_EQ(first(Parity(LongRopePolicy::kBySequenceLength)), 2.0f);
}

TEST(GgufParityTest, DeadPairsStayInTheTensor) {
  std::vector<float> divisors(64, 1e30f);
  divisors[0] = 1.0f;
  const LayerRope layer = Metadata::Of("gemma4")
                              .Tensor("rope_freqs.weight", divisors)
                              .Layer("full_attention", Parity());
  EXPECT_EQ(SchemeOf<GgmlScaling>(layer).freq_factors, divisors);
  EXPECT_EQ(layer.parameters.rotary_dim, 128);
  EXPECT_EQ(layer.layout.pair_distance, 0);
}

TEST(GgufParityTest, UnscaledLayersHaveGgmlsSchemeToo) {
  const Metadata metadata = Metadata::Of("gemma3")
                                .Set("rope.freq_base_swa", 1e4)
                                .Set("rope.scaling.factor", 8.0);
  EXPECT_EQ(SchemeOf<GgmlScaling>(metadata.Layer("full_attention", Parity()))
                .freq_scale,
            0.125f);
  EXPECT_EQ(SchemeOf<GgmlScaling>(metadata.Layer("sliding_attention", Parity()))
                .freq_scale,
            1);
}

TEST(GgufParityTest, FactorsThatNoFloat32HoldsAreErrors) {
  Metadata::Of("llama")
      .Set("rope.scaling.yarn_attn_factor", 1e38)
      .Set("rope.scaling.attn_factor", 1e38)
      .ExpectError(StatusCode::kInvalidArgument, {"attention factors"},
                   Parity());
}

// Attention factors of YaRN: absolute, or multipliers of what ggml implies.

constexpr char kAttnFactor[] = "rope.scaling.attn_factor";
constexpr char kYarnAttnFactor[] = "rope.scaling.yarn_attn_factor";

// What OLMo 3's config.json says, 1 + 0.1 ln 8, as a file stores it.
constexpr double kStored = double{1.2079441541679836f};

// Factors below are within 2^-24 of what they were stored from, relative; two
// are multiplied at most.
const double kTolerance = std::ldexp(1.0, -22);

// Factor 8 of 8192 positions.
Metadata Yarn(const std::string& architecture) {
  return Metadata::Of(architecture)
      .Set("rope.scaling.type", std::string("yarn"))
      .Set("rope.scaling.factor", 8.0)
      .Set("rope.scaling.original_context_length", int64_t{8192});
}

double AttentionFactor(const Metadata& metadata,
                       const ConfigOptions& options = ConfigOptions{}) {
  const auto frequencies =
      ComputeFrequencies(metadata.Layer("all", options).parameters);
  EXPECT_TRUE(frequencies.ok()) << frequencies.status().message();
  return frequencies.ok() ? frequencies.value().attention_factor : 0;
}

TEST(GgufAttentionFactorTest, StoredAbsoluteFactorCountsOnce) {
  for (const char* name : {"olmo2", "qwen2"}) {
    const Metadata metadata = Yarn(name).Set(kAttnFactor, kStored);
    SchemeOf<YarnScaling>(metadata.Layer());
    EXPECT_NEAR(AttentionFactor(metadata), 1.2079441541679836, kTolerance);
    const ModelRope model = metadata.Model();
    EXPECT_EQ(model.warnings.size(), 1u);
    EXPECT_TRUE(HasWarning(model, metadata.Path(kAttnFactor) + " = 1.20794"));
    EXPECT_TRUE(HasWarning(model, "1 + 0.1 ln(factor) = 1.20794"));
    EXPECT_TRUE(HasWarning(model, "taken as the absolute"));
  }
}

// ggml multiplies it by 1 + 0.1 ln 8 once more: 1.4591290..., its square.
TEST(GgufAttentionFactorTest, ParityKeepsGgmlsRule) {
  const double squared = 1.2079441541679836 * 1.2079441541679836;
  for (const char* key : {kAttnFactor, kYarnAttnFactor}) {
    const Metadata metadata = Yarn("laguna").Set(key, kStored);
    const LayerRope layer = metadata.Layer("full_attention", Parity());
    EXPECT_EQ(SchemeOf<GgmlScaling>(layer).attn_factor,
              static_cast<float>(kStored));
    const auto frequencies = ComputeFrequencies(layer.parameters);
    ASSERT_TRUE(frequencies.ok());
    EXPECT_NEAR(frequencies.value().attention_factor, squared,
                squared * kTolerance);
    EXPECT_TRUE(HasWarning(metadata.Model(Parity()), "multiplied to 1.459"));
  }
}

TEST(GgufAttentionFactorTest, OtherFactorsMultiplyAndNameTheProduct) {
  // The reader takes 1e-6, relative, for the same number.
  for (const double factor : {1.5, 0.5, kStored * (1 + 2e-6)}) {
    const Metadata metadata = Yarn("olmo2").Set(kAttnFactor, factor);
    EXPECT_DOUBLE_EQ(AttentionFactor(metadata),
                     factor * (1 + 0.1 * std::log(8.0)));
    EXPECT_TRUE(HasWarning(metadata.Model(), "are multiplied to "));
  }
  // 1.5 * 1.2079441541679836.
  EXPECT_TRUE(HasWarning(Yarn("olmo2").Set(kAttnFactor, 1.5).Model(),
                         "are multiplied to 1.8119162"));
  EXPECT_TRUE(
      HasWarning(Yarn("olmo2").Set(kAttnFactor, kStored * (1 + 5e-7)).Model(),
                 "taken as the absolute"));
}

// yarn_attn_factor is a multiplier in the files of all other architectures.
TEST(GgufAttentionFactorTest, DoubtfulConvertersAreReadTheSameWay) {
  ConfigOptions options;
  options.pairing = Pairing::kHalf;
  for (const char* name : {"laguna", "mellum"}) {
    Metadata metadata = Yarn(name).Set(kYarnAttnFactor, kStored);
    const ModelRope model = metadata.Model(options);
    EXPECT_NEAR(SchemeOf<YarnScaling>(model.layer_types.at(0))
                    .attention_factor.value_or(0),
                1.2079441541679836, kTolerance);
    EXPECT_TRUE(HasWarning(model, "taken as the absolute"));
    metadata.Set(kYarnAttnFactor, 1.5);
    EXPECT_TRUE(HasWarning(metadata.Model(options), "multiplied to 1.8119"));
  }
  const Metadata other = Yarn("qwen2").Set(kYarnAttnFactor, kStored);
  EXPECT_DOUBLE_EQ(AttentionFactor(other), kStored * (1 + 0.1 * std::log(8.0)));
  EXPECT_TRUE(other.Model().warnings.empty());
}

// Where rope_freqs makes the scheme ggml's, the factor counts once as well.
TEST(GgufAttentionFactorTest, AbsoluteFactorCountsOnceInGgmlsScheme) {
  const Metadata metadata =
      Yarn("llama")
          .Set(kAttnFactor, kStored)
          .Tensor("rope_freqs.weight", std::vector<float>(64, 2.0f));
  SchemeOf<GgmlScaling>(metadata.Layer());
  EXPECT_NEAR(AttentionFactor(metadata), 1.2079441541679836, 2 * kTolerance);
}

// ggml implies no magnitude without a ramp.
TEST(GgufAttentionFactorTest, FactorIsWhatItSaysWithoutARamp) {
  const Metadata metadata = Yarn("qwen2")
                                .Set(kAttnFactor, kStored)
                                .Set("rope.scaling.yarn_ext_factor", 0.0);
  EXPECT_EQ(AttentionFactor(metadata), kStored);
  EXPECT_FALSE(HasWarning(metadata.Model(), "attn_factor"));
}

}  // namespace
}  // namespace ropewalk
