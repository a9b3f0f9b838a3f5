// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// YaRN, plain and DeepSeek's: defaults, the original length, attention factors.
#include <cmath>
#include <string>

#include "config/config_text.h"

namespace ropewalk::test {
namespace {

// 131072 = 4 * 32768, which the yarn of these tests stretches.
std::string Yarn(const std::string& entries) {
  return Scaled(R"("rope_type": "yarn", "factor": 4,
      "original_max_position_embeddings": 32768)" +
                (entries.empty() ? "" : ", " + entries));
}

TEST(HuggingFaceYarnTest, YarnHasHfsDefaults) {
  const LayerRope layer = ReadOne(Yarn(""));
  const auto yarn = SchemeOf<YarnScaling>(layer);
  EXPECT_EQ(yarn.factor, 4);
  EXPECT_EQ(yarn.original_positions, 32768);
  EXPECT_EQ(yarn.beta_fast, 32);
  EXPECT_EQ(yarn.beta_slow, 1);
  EXPECT_TRUE(yarn.truncate);
  EXPECT_EQ(yarn.extrapolation_weight, 1);
  EXPECT_FALSE(yarn.attention_factor.has_value());
  EXPECT_EQ(layer.original_positions, 32768);
  // A stored 0 or null is the default; a stored value counts.
  for (const char* beta : {"0", "null", "0.0"}) {
    const auto reset = SchemeOf<YarnScaling>(
        ReadOne(Yarn(std::string("\"beta_fast\": ") + beta)));
    EXPECT_EQ(reset.beta_fast, 32) << beta;
  }
  const auto own = SchemeOf<YarnScaling>(
      ReadOne(Yarn(R"("beta_fast": 4, "beta_slow": 2, "truncate": false,
              "extrapolation_factor": 0.5)")));
  EXPECT_EQ(own.beta_fast, 4);
  EXPECT_EQ(own.beta_slow, 2);
  EXPECT_FALSE(own.truncate);
  EXPECT_EQ(own.extrapolation_weight, 0.5);
}

TEST(HuggingFaceYarnTest, AnAttentionFactorIsAbsolute) {
  const auto absolute =
      SchemeOf<YarnScaling>(ReadOne(Yarn(R"("attention_factor": 1.0)")));
  EXPECT_EQ(absolute.attention_factor, 1.0);
  EXPECT_FALSE(
      SchemeOf<YarnScaling>(ReadOne(Yarn(R"("attention_factor": null)")))
          .attention_factor.has_value());
  // The original code's attn_factor multiplies 0.1 ln 4 + 1.
  const ModelRope relative = Read(Yarn(R"("attn_factor": 2.0)"));
  EXPECT_NEAR(SchemeOf<YarnScaling>(KindOf(relative, "all"))
                  .attention_factor.value_or(0),
              2 * (0.1 * std::log(4.0) + 1), 1e-15);
  EXPECT_TRUE(HasWarning(relative, "rope_scaling.attn_factor"));
  ExpectError(Yarn(R"("attn_factor": 1.0, "attention_factor": 1.0)"),
              StatusCode::kParseError,
              {"rope_scaling.attn_factor", "attention_factor"});
}

TEST(HuggingFaceYarnTest, AYarnFactorOfNullIsTheQuotient) {
  const auto yarn = SchemeOf<YarnScaling>(
      ReadOne(Scaled(R"("rope_type": "yarn", "factor": null,
                 "original_max_position_embeddings": 8192)")));
  EXPECT_EQ(yarn.factor, 16);
}

TEST(HuggingFaceYarnTest, TheOriginalLengthMayStandAtTheTop) {
  const std::string yarn =
      R"("rope_scaling": {"rope_type": "yarn", "factor": 4)";
  const std::string outer = R"("original_max_position_embeddings": 32768, )";
  EXPECT_EQ(SchemeOf<YarnScaling>(ReadOne(Llama(outer + yarn + "}")))
                .original_positions,
            32768);
  const std::string inner = R"(, "original_max_position_embeddings": )";
  EXPECT_EQ(
      SchemeOf<YarnScaling>(ReadOne(Llama(outer + yarn + inner + "32768}")))
          .original_positions,
      32768);
  ExpectError(Llama(outer + yarn + inner + "4096}"), StatusCode::kParseError,
              {"rope_scaling.original_max_position_embeddings = 4096",
               "original_max_position_embeddings = 32768"});
  ExpectError(
      Llama(yarn + "}"), StatusCode::kParseError,
      {"rope_scaling.original_max_position_embeddings", "missing", "yarn"});
  ConfigOptions as_hf;
  as_hf.original_from_max_positions = true;
  const ModelRope assumed = Read(Llama(yarn + "}"), as_hf);
  EXPECT_EQ(SchemeOf<YarnScaling>(KindOf(assumed, "all")).original_positions,
            131072);
  EXPECT_TRUE(HasWarning(assumed,
                         "original_max_position_embeddings: missing, "
                         "assumed"));
}

TEST(HuggingFaceYarnTest, DeepSeeksFamiliesScaleTheSoftmax) {
  const std::string mla = R"("rope_theta": 10000, "qk_nope_head_dim": 128,
      "qk_rope_head_dim": 64, "rope_scaling": {"type": "yarn", "factor": 40,
      "original_max_position_embeddings": 4096)";
  const LayerRope v3 = ReadOne(ConfigOf(
      "deepseek_v3", mla + R"(, "mscale": 1.0, "mscale_all_dim": 1.0})"));
  const auto scheme = SchemeOf<DeepSeekYarnScaling>(v3);
  EXPECT_EQ(scheme.factor, 40);
  EXPECT_EQ(scheme.mscale, 1);
  EXPECT_EQ(scheme.mscale_all_dim, 1);
  EXPECT_NEAR(v3.softmax_multiplier, 1.8738542070926265, 1e-14);
  // vLLM's defaults.
  const auto bare =
      SchemeOf<DeepSeekYarnScaling>(ReadOne(ConfigOf("kimi_k2", mla + "}")));
  EXPECT_EQ(bare.mscale, 1);
  EXPECT_EQ(bare.mscale_all_dim, 0);
  SchemeOf<DeepSeekYarnScaling>(
      ReadOne(Scaled(R"("rope_type": "deepseek_yarn", "factor": 4,
                 "original_max_position_embeddings": 32768)")));
  ExpectError(ConfigOf("deepseek_v3", mla + R"(, "attention_factor": 1.0})"),
              StatusCode::kUnsupported,
              {"rope_scaling.attention_factor = 1.0"});
  ExpectError(ConfigOf("deepseek_v3", mla + R"(, "truncate": false})"),
              StatusCode::kUnsupported, {"rope_scaling.truncate = false"});
}

TEST(HuggingFaceYarnTest, OtherFamiliesKeepMscaleInTheAttentionFactor) {
  const std::string mscales = R"("mscale": 0.5, "mscale_all_dim": 1.0)";
  const ModelRope llama = Read(Yarn(mscales));
  const auto yarn = SchemeOf<YarnScaling>(KindOf(llama, "all"));
  EXPECT_EQ(yarn.mscale, 0.5);
  EXPECT_EQ(yarn.mscale_all_dim, 1.0);
  EXPECT_EQ(KindOf(llama, "all").softmax_multiplier, 1);
  EXPECT_TRUE(HasWarning(llama, "rope_scaling.mscale_all_dim: DeepSeek"));
  const ModelRope ministral = Read(ConfigOf(
      "ministral3", R"("rope_parameters": {"rope_theta": 1e6, "factor": 16,
      "rope_type": "yarn", "original_max_position_embeddings": 8192, )" +
                        mscales + "}"));
  EXPECT_EQ(SchemeOf<YarnScaling>(KindOf(ministral, "all")).mscale, 0.5);
  EXPECT_FALSE(HasWarning(ministral, "mscale"));
}

}  // namespace
}  // namespace ropewalk::test
