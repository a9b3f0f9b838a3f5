// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The dict that names a scheme: names old and new, both spellings of the dict,
// each scheme's arguments.
#include <cmath>
#include <string>
#include <vector>

#include "config/config_text.h"

namespace ropewalk::test {
namespace {

std::string ListOf(size_t entries) {
  std::string list = "[";
  for (size_t i = 0; i < entries; ++i) {
    list += (i == 0 ? "" : ",") + std::to_string(i + 1);
  }
  return list + "]";
}

std::string LongRope(const std::string& type, const std::string& entries) {
  return Scaled("\"type\": \"" + type + "\", \"short_factor\": " + ListOf(64) +
                ", \"long_factor\": " + ListOf(64) + entries);
}

TEST(HuggingFaceSchemesTest, NullAndAbsentAndEmptyAreNoScaling) {
  for (const char* keys :
       {"", R"("rope_scaling": null)", R"("rope_parameters": null)",
        R"("rope_scaling": {})", R"("rope_scaling": {"type": "default"})",
        R"("rope_scaling": {"rope_type": "default", "type": null})",
        R"("rope_parameters": {"rope_theta": 1000000})",
        R"("rope_scaling": null, "rope_parameters": null)"}) {
    const ModelRope model = Read(Llama(keys));
    SchemeOf<NoScaling>(KindOf(model, "all"));
    EXPECT_TRUE(model.warnings.empty()) << keys;
  }
}

TEST(HuggingFaceSchemesTest, TypeAndRopeTypeAreOneKeyAndMustAgree) {
  for (const char* type : {R"("type": "linear")", R"("rope_type": "linear")",
                           R"("type": "linear", "rope_type": "linear")",
                           R"("type": null, "rope_type": "linear")"}) {
    const ModelRope model = Read(Scaled(std::string(type) + ", \"factor\": 8"));
    EXPECT_EQ(SchemeOf<LinearScaling>(KindOf(model, "all")).factor, 8) << type;
    EXPECT_TRUE(model.warnings.empty()) << type;
  }
  ExpectError(Scaled(R"("type": "linear", "rope_type": "dynamic",
                         "factor": 8)"),
              StatusCode::kParseError,
              {"rope_scaling.type = linear", "rope_scaling.rope_type = dynamic",
               "must agree"});
}

TEST(HuggingFaceSchemesTest, RopeScalingAndRopeParametersMustAgree) {
  const std::string linear = R"({"type": "linear", "factor": 8})";
  const std::string same = R"({"rope_type": "linear", "factor": 8.0})";
  const std::string other = R"({"rope_type": "linear", "factor": 4})";
  const std::string in_part = R"({"rope_theta": 1e6})";
  const auto both = [](const std::string& scaling,
                       const std::string& parameters) {
    return Llama("\"rope_scaling\": " + scaling +
                 ", \"rope_parameters\": " + parameters);
  };
  EXPECT_EQ(SchemeOf<LinearScaling>(ReadOne(both(linear, same))).factor, 8);
  EXPECT_EQ(SchemeOf<LinearScaling>(ReadOne(both(linear, in_part))).factor, 8);
  EXPECT_EQ(SchemeOf<LinearScaling>(ReadOne(both("null", same))).factor, 8);
  ExpectError(
      both(linear, other), StatusCode::kParseError,
      {"rope_scaling.factor = 8", "rope_parameters.factor = 4", "must agree"});
  ExpectError(both(linear, R"({"full_attention": {"rope_type": "default"}})"),
              StatusCode::kParseError, {"rope_scaling = ", "must agree"});
}

TEST(HuggingFaceSchemesTest, AlphaIsStaticWhateverTheTypeIsCalled) {
  EXPECT_EQ(SchemeOf<NtkAlphaScaling>(
                ReadOne(Scaled(R"("type": "dynamic", "alpha": 1000.0)")))
                .alpha,
            1000);
  const ModelRope hunyuan = Read(Scaled(
      R"("type": "dynamic", "alpha": 1000.0, "factor": 1.0, "beta_fast": 32,
         "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 0.0)"));
  EXPECT_EQ(SchemeOf<NtkAlphaScaling>(KindOf(hunyuan, "all")).alpha, 1000);
  EXPECT_TRUE(hunyuan.warnings.empty());
  const LayerRope xdrope =
      ReadOne(Scaled(R"("type": "xdrope", "alpha": 1000.0, "factor": 1.0,
                 "xdrope_section": [16, 16, 16, 16])"));
  EXPECT_EQ(SchemeOf<NtkAlphaScaling>(xdrope).alpha, 1000);
  EXPECT_EQ(xdrope.mrope_section, (std::vector<int>{16, 16, 16, 16}));
  ExpectError(Scaled(R"("type": "dynamic", "alpha": 1000, "factor": 2)"),
              StatusCode::kParseError,
              {"rope_scaling.factor = 2", "beside alpha"});
  ExpectError(Scaled(R"("type": "xdrope", "factor": 2)"),
              StatusCode::kParseError,
              {"rope_scaling.alpha", "required by xdrope"});
}

TEST(HuggingFaceSchemesTest, DynamicStretchesTheModelsOwnMaximum) {
  const LayerRope layer = ReadOne(Scaled(R"("type": "dynamic", "factor": 2.0,
                 "original_max_position_embeddings": 4096)"));
  const auto scheme = SchemeOf<DynamicNtkScaling>(layer);
  EXPECT_EQ(scheme.factor, 2);
  EXPECT_EQ(scheme.max_positions, 131072);
  EXPECT_EQ(layer.original_positions, 131072);
}

TEST(HuggingFaceSchemesTest, Llama3TakesItsFourKeys) {
  const LayerRope layer = ReadOne(Scaled(
      R"("rope_type": "llama3", "factor": 32.0, "low_freq_factor": 2.0,
         "high_freq_factor": 8.0, "original_max_position_embeddings": 4096)"));
  const auto scheme = SchemeOf<Llama3Scaling>(layer);
  EXPECT_EQ(scheme.factor, 32);
  EXPECT_EQ(scheme.low_freq_factor, 2);
  EXPECT_EQ(scheme.high_freq_factor, 8);
  EXPECT_EQ(scheme.original_positions, 4096);
  EXPECT_EQ(layer.original_positions, 4096);
}

TEST(HuggingFaceSchemesTest, SuIsLongRope) {
  const std::string original = R"(, "original_max_position_embeddings": 4096)";
  for (const char* type : {"su", "longrope"}) {
    const auto scheme =
        SchemeOf<LongRopeScaling>(ReadOne(LongRope(type, original)));
    EXPECT_EQ(scheme.short_factor.size(), size_t{64}) << type;
    EXPECT_EQ(scheme.long_factor[63], 64) << type;
    EXPECT_EQ(scheme.original_positions, 4096) << type;
    EXPECT_EQ(scheme.max_positions, 131072) << type;
    EXPECT_FALSE(scheme.factor.has_value()) << type;
    EXPECT_EQ(scheme.policy, LongRopePolicy::kByContextLimit) << type;
  }
  ConfigOptions options;
  options.long_rope_policy = LongRopePolicy::kBySequenceLength;
  options.context_limit = 8192;
  const auto scheme = SchemeOf<LongRopeScaling>(
      ReadOne(LongRope("longrope", original + R"(, "short_mscale": 1.25,
          "long_mscale": 1.5, "factor": 32, "attention_factor": 1.125)"),
              options));
  EXPECT_EQ(scheme.short_attention_factor, 1.25);
  EXPECT_EQ(scheme.long_attention_factor, 1.5);
  EXPECT_EQ(scheme.attention_factor, 1.125);
  EXPECT_EQ(scheme.factor, 32);
  EXPECT_EQ(scheme.policy, LongRopePolicy::kBySequenceLength);
  EXPECT_EQ(scheme.context_limit, 8192);
}

TEST(HuggingFaceSchemesTest, ListsMustHaveOneEntryAPair) {
  const std::string original = R"(, "original_max_position_embeddings": 4096)";
  ExpectError(
      LongRope("longrope", original + R"(, "partial_rotary_factor": 0.75)"),
      StatusCode::kParseError,
      {"rope_scaling.short_factor has 64 entries", "48"});
  ExpectError(
      Scaled(R"("type": "su", "short_factor": )" + ListOf(64) + original),
      StatusCode::kParseError, {"rope_scaling.long_factor", "missing"});
}

double Frequency(const LayerRope& layer, size_t pair) {
  const auto frequencies = ComputeFrequencies(layer.parameters);
  return frequencies.ok() && pair < frequencies.value().inv_freq.size()
             ? frequencies.value().inv_freq[pair]
             : 0;
}

// Numbers of public reports about engines that read the keys wrongly, to the
// nine digits in which they were given.
TEST(HuggingFaceSchemesTest, FrequenciesAreThoseOfTheReports) {
  constexpr double kDigits = 1e-8;
  // The stored factor counts, not max / original = 1.25.
  const LayerRope yarn = ReadOne(R"({"model_type": "qwen3", "head_dim": 128,
      "max_position_embeddings": 40960, "rope_theta": 1000000,
      "rope_scaling": {"rope_type": "yarn", "factor": 4,
                       "original_max_position_embeddings": 32768}})");
  EXPECT_NEAR(Frequency(yarn, 23), 0.00697830585, 0.00697830585 * kDigits);
  EXPECT_NEAR(Frequency(yarn, 40), 4.44569853e-5, 4.44569853e-5 * kDigits);
  const LayerRope alpha = ReadOne(ConfigOf("hunyuan_v1_moe", R"(
      "rope_theta": 10000, "rope_scaling": {"type": "dynamic",
      "alpha": 1000.0, "factor": 1.0})"));
  EXPECT_NEAR(Frequency(alpha, 1), 0.776034363, 0.776034363 * kDigits);
  // beta_fast 4 begins the ramp at pair 23; the default 32 at 13.
  const std::string betas = R"("rope_theta": 1000000, "rope_scaling": {
      "rope_type": "yarn", "factor": 32,
      "original_max_position_embeddings": 4096)";
  const LayerRope late =
      ReadOne(ConfigOf("exaone", betas + R"(, "beta_fast": 4})"));
  const LayerRope early = ReadOne(ConfigOf("exaone", betas + "}"));
  const double kept = std::pow(1e6, -2.0 * 23 / 128);
  EXPECT_NEAR(Frequency(late, 23), kept, kept * kDigits);
  EXPECT_LT(Frequency(early, 23), 0.9 * kept);
}

TEST(HuggingFaceSchemesTest, RarerSchemes) {
  const auto ntk = SchemeOf<VllmNtkScaling>(
      ReadOne(Scaled(R"("type": "ntk", "factor": 8, "mixed_b": 0.625)")));
  EXPECT_EQ(ntk.factor, 8);
  EXPECT_EQ(ntk.mixed_b, 0.625);
  const std::string original = R"(, "original_max_position_embeddings": 8192)";
  const auto log = SchemeOf<GrokYarnLogScaling>(
      ReadOne(Scaled(R"("type": "yarn_log", "factor": 16)" + original)));
  EXPECT_EQ(log.factor, 16);
  EXPECT_EQ(log.beta_fast, 8);
  EXPECT_EQ(log.original_positions, 8192);
  const auto theta = SchemeOf<GrokThetaScaling>(
      ReadOne(Scaled(R"("type": "theta_scale", "factor": 16)" + original)));
  EXPECT_EQ(theta.factor, 16);
  EXPECT_EQ(theta.original_positions, 8192);
  ExpectError(Scaled(R"("type": "fope", "fope_init_factor": 0.5)"),
              StatusCode::kUnsupported, {"fope"});
}

TEST(HuggingFaceSchemesTest, ProportionalKeepsDeadPairsInPlace) {
  const LayerRope layer = ReadOne(
      Scaled(R"("rope_type": "proportional", "partial_rotary_factor": 0.25)"));
  const auto scheme = SchemeOf<ProportionalScaling>(layer);
  EXPECT_EQ(scheme.head_dim, 128);
  EXPECT_EQ(scheme.factor, 1);
  EXPECT_EQ(layer.layout.rotary_dim, 32);
  EXPECT_EQ(layer.layout.pair_distance, 64);
  ExpectOnlyWarning(Scaled(R"("rope_type": "proportional")"),
                    "partial_rotary_factor: missing, assumed 1");
  ConfigOptions interleaved;
  interleaved.pairing = Pairing::kInterleaved;
  ExpectError(Scaled(R"("rope_type": "proportional")"),
              StatusCode::kInvalidArgument, {"proportional", "half"},
              interleaved);
}

TEST(HuggingFaceSchemesTest, Qwen1SwitchesItsSchemeOn) {
  const std::string keys = R"("seq_length": 8192, "kv_channels": 128,
      "rotary_emb_base": 10000, "rotary_pct": 1.0, "use_logn_attn": true,
      "use_dynamic_ntk": )";
  const ModelRope model = Read(ConfigOf("qwen", keys + "true"));
  EXPECT_EQ(
      SchemeOf<QwenDynamicNtkScaling>(KindOf(model, "all")).original_positions,
      8192);
  EXPECT_EQ(KindOf(model, "all").original_positions, 8192);
  EXPECT_TRUE(model.warnings.empty());
  SchemeOf<NoScaling>(ReadOne(ConfigOf("qwen", keys + "false")));
}

}  // namespace
}  // namespace ropewalk::test
