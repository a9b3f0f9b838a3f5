// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Architecture, pairing, sizes, base and query temperature.
#include <cfloat>
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

TEST(GgufTest, PlainModelIsOneKindOfLayer) {
  const ModelRope model = Metadata::Of("llama").Model();
  EXPECT_EQ(model.family, "llama");
  EXPECT_EQ(model.max_positions, 32768);
  EXPECT_EQ(model.layer_count, 8);
  EXPECT_TRUE(model.warnings.empty()) << model.warnings[0];
  ASSERT_EQ(model.layer_types.size(), 1u);
  const LayerRope& layer = model.layer_types[0];
  EXPECT_EQ(layer.layer_type, "all");
  EXPECT_TRUE(layer.uses_rope);
  EXPECT_EQ(layer.parameters.rotary_dim, 128);
  EXPECT_EQ(layer.parameters.base, 1e6);
  SchemeOf<NoScaling>(layer);
  for (const RotaryLayout& layout : {layer.layout, layer.key_layout}) {
    EXPECT_EQ(layout.head_dim, 128);
    EXPECT_EQ(layout.rotary_dim, 128);
    EXPECT_EQ(layout.rotary_offset, 0);
    EXPECT_EQ(layout.pair_distance, 0);
    EXPECT_EQ(layout.pairing, Pairing::kInterleaved);
  }
  EXPECT_EQ(layer.softmax_multiplier, 1);
  EXPECT_EQ(layer.original_positions, 32768);
  EXPECT_TRUE(layer.layers.empty());
  EXPECT_TRUE(layer.mrope_section.empty());
}

TEST(GgufTest, ReadingTwiceGivesTheSame) {
  const Metadata metadata =
      Metadata::Of("gemma3").Set("rope.scaling.factor", 8.0);
  const ModelRope a = metadata.Model();
  const ModelRope b = metadata.Model();
  EXPECT_EQ(a.warnings, b.warnings);
  ASSERT_EQ(a.layer_types.size(), b.layer_types.size());
  for (size_t i = 0; i < a.layer_types.size(); ++i) {
    EXPECT_EQ(a.layer_types[i].keys.size(), b.layer_types[i].keys.size());
  }
}

TEST(GgufTest, ArchitecturesHaveTheirPairing) {
  for (const char* name : {"llama", "deci", "internlm2", "minicpm", "xverse",
                           "command-r", "olmo", "arctic", "chatglm", "glm4",
                           "granite", "ernie4_5", "mistral3", "bailingmoe3"}) {
    EXPECT_EQ(Metadata::Of(name).Layer().layout.pairing, Pairing::kInterleaved)
        << name;
  }
  for (const char* name :
       {"falcon",     "grok",      "dbrx",     "nomic-bert",  "stablelm",
        "glm4moe",    "qwen",      "qwen2",    "qwen3",       "phi2",
        "phi3",       "gemma",     "gemma2",   "starcoder2",  "openelm",
        "gptneox",    "codeshell", "dots1",    "hunyuan-moe", "gpt-oss",
        "minimax-m2", "mimo2",     "seed-oss", "laguna",      "bitnet"}) {
    EXPECT_EQ(Metadata::Of(name).Layer().layout.pairing, Pairing::kHalf)
        << name;
  }
}

TEST(GgufTest, ArchitecturesWithoutRopeDoNotRotate) {
  for (const char* name : {"gpt2", "bloom", "mpt", "refact", "mamba", "t5",
                           "jais", "jina-bert-v2", "starcoder", "bert"}) {
    const ModelRope model = Metadata::Of(name).Model();
    ASSERT_EQ(model.layer_types.size(), 1u) << name;
    EXPECT_FALSE(model.layer_types[0].uses_rope) << name;
    EXPECT_EQ(model.layer_types[0].parameters.rotary_dim, 0) << name;
    EXPECT_EQ(model.layer_types[0].layout.head_dim, 128) << name;
  }
  Metadata bare;
  bare.values["general.architecture"] = std::string("mamba");
  EXPECT_FALSE(bare.Layer().uses_rope);
}

TEST(GgufTest, UnsettledArchitecturesNeedAPairing) {
  for (const char* name : {"orion", "plamo", "gptj", "a-new-one"}) {
    const Metadata metadata = Metadata::Of(name);
    metadata.ExpectError(StatusCode::kInvalidArgument,
                         {"general.architecture", name, "pairing"});
    for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
      ConfigOptions options;
      options.pairing = pairing;
      const ModelRope model = metadata.Model(options);
      EXPECT_EQ(model.layer_types.at(0).layout.pairing, pairing);
      EXPECT_TRUE(model.warnings.empty());
    }
  }
}

TEST(GgufTest, PairingOfTheCallerWinsWithAWarning) {
  ConfigOptions options;
  options.pairing = Pairing::kHalf;
  const ModelRope model = Metadata::Of("llama").Model(options);
  EXPECT_EQ(model.layer_types.at(0).layout.pairing, Pairing::kHalf);
  EXPECT_EQ(model.layer_types.at(0).key_layout.pairing, Pairing::kHalf);
  EXPECT_TRUE(HasWarning(model, "options.pairing"));
  EXPECT_TRUE(Metadata::Of("qwen2").Model(options).warnings.empty());
}

TEST(GgufTest, ArchitectureMustBeNamed) {
  Metadata metadata;
  metadata.ExpectError(StatusCode::kParseError, {"general.architecture"});
  metadata.values["general.architecture"] = std::string();
  metadata.ExpectError(StatusCode::kParseError, {"general.architecture"});
  metadata.values["general.architecture"] = int64_t{3};
  metadata.ExpectError(StatusCode::kParseError,
                       {"general.architecture = 3", "string"});
}

TEST(GgufTest, RotaryDimDefaultsToTheKeyLength) {
  EXPECT_EQ(Metadata::Of("llama")
                .Drop("rope.dimension_count")
                .Layer()
                .parameters.rotary_dim,
            128);
  Metadata derived = Metadata::Of("llama");
  derived.Drop("rope.dimension_count").Drop("attention.key_length");
  derived.Set("embedding_length", int64_t{4096});
  derived.Set("attention.head_count", int64_t{64});
  EXPECT_EQ(derived.Layer().parameters.rotary_dim, 64);
  EXPECT_EQ(derived.Layer().layout.head_dim, 64);
  // Layers may differ, and some have no attention.
  derived.Set("attention.head_count", std::vector<int64_t>{0, 32, 64});
  EXPECT_EQ(derived.Layer().layout.head_dim, 128);
}

TEST(GgufTest, HeadsMustDivideTheWidth) {
  Metadata derived = Metadata::Of("llama").Drop("attention.key_length");
  derived.ExpectError(StatusCode::kParseError, {"llama.embedding_length"});
  derived.Set("embedding_length", int64_t{4096});
  derived.ExpectError(StatusCode::kParseError, {"llama.attention.head_count"});
  for (const int64_t heads : {int64_t{0}, int64_t{48}}) {
    derived.Set("attention.head_count", heads);
    derived.ExpectError(
        StatusCode::kInvalidArgument,
        {"llama.attention.head_count = " + std::to_string(heads), "4096"});
  }
  derived.Set("attention.head_count", int64_t{-1});
  derived.ExpectError(StatusCode::kInvalidArgument, {"head_count = -1"});
}

TEST(GgufTest, PartialWindowIsTheFirstDims) {
  const LayerRope layer =
      Metadata::Of("gptneox").Set("rope.dimension_count", int64_t{32}).Layer();
  EXPECT_EQ(layer.parameters.rotary_dim, 32);
  EXPECT_EQ(layer.layout.head_dim, 128);
  EXPECT_EQ(layer.layout.rotary_offset, 0);
}

TEST(GgufTest, RotaryDimBreaksNoRule) {
  Metadata metadata = Metadata::Of("llama");
  metadata.Set("rope.dimension_count", int64_t{130});
  metadata.ExpectError(StatusCode::kInvalidArgument, {"130", "head_dim = 128"});
  metadata.Set("rope.dimension_count", int64_t{63});
  metadata.ExpectError(StatusCode::kInvalidArgument, {"63", "even"});
  metadata.Set("rope.dimension_count", int64_t{0});
  EXPECT_FALSE(metadata.Layer().uses_rope);
}

TEST(GgufTest, BaseDefaultsToTenThousandWithAWarning) {
  Metadata metadata = Metadata::Of("llama");
  EXPECT_EQ(
      metadata.Set("rope.freq_base", int64_t{500000}).Layer().parameters.base,
      5e5);
  const ModelRope model = metadata.Drop("rope.freq_base").Model();
  EXPECT_EQ(model.layer_types.at(0).parameters.base, 10000);
  EXPECT_TRUE(HasWarning(model, "llama.rope.freq_base: assumed to be 10000"));
}

TEST(GgufTest, QueryTemperaturesAreHandedOver) {
  Metadata metadata = Metadata::Of("mistral3");
  metadata.Set("attention.temperature_scale", 0.0);
  EXPECT_EQ(metadata.Layer().query_scale.rule, QueryScaleRule::kNone);
  EXPECT_TRUE(metadata.Model().warnings.empty());
  metadata.Set("attention.temperature_scale", double{0.1f});
  metadata.Set("rope.scaling.original_context_length", int64_t{8192});
  const LayerRope layer = metadata.Layer();
  EXPECT_EQ(layer.query_scale.rule, QueryScaleRule::kMistral3);
  EXPECT_EQ(layer.query_scale.positions, 8192);
  EXPECT_EQ(layer.query_scale.beta, double{0.1f});
  EXPECT_TRUE(metadata.Model().warnings.empty());
  metadata.Set("attention.temperature_length", int64_t{16384});
  EXPECT_EQ(metadata.Layer().query_scale.positions, 16384);
  metadata.Set("attention.temperature_scale", std::string("0.1"));
  metadata.ExpectError(StatusCode::kParseError, {"temperature_scale = 0.1"});
}

// What is handed over is what WriteQueryScale takes.
TEST(GgufTest, QueryTemperaturesAreWithinTheirLimits) {
  Metadata metadata = Metadata::Of("mistral3");
  metadata.Set("attention.temperature_length", int64_t{16384});
  for (const double beta : {1e37, double{FLT_MAX}, 0x1.000002p120}) {
    metadata.Set("attention.temperature_scale", beta);
    metadata.ExpectError(
        StatusCode::kInvalidArgument,
        {"mistral3.attention.temperature_scale", "from 0 to 2^120"});
  }
  metadata.Set("attention.temperature_scale", 0x1p120);
  const QueryScale scale = metadata.Layer().query_scale;
  EXPECT_EQ(scale.beta, 0x1p120);
  float factor = 0;
  EXPECT_TRUE(
      WriteQueryScale(Positions::Constant(16384, 1), scale, &factor).ok());
}

TEST(GgufTest, QueryTemperaturesOfOtherModelsAreLeftToTheCaller) {
  Metadata metadata = Metadata::Of("llama");
  metadata.Set("attention.temperature_scale", double{0.1f});
  metadata.Set("attention.temperature_length", int64_t{16384});
  const ModelRope model = metadata.Model();
  ASSERT_EQ(model.warnings.size(), 1u);
  for (const char* part :
       {"llama.attention.temperature_scale = 0.1",
        "llama.attention.temperature_length = 16384", "caller must apply"}) {
    EXPECT_TRUE(HasWarning(model, part)) << part;
  }
}

TEST(GgufTest, Llama4ScalesQueriesWhereItDoesNotRotate) {
  const Metadata metadata = Metadata::Of("llama4");
  EXPECT_TRUE(HasWarning(metadata.Model(), "query temperature assumed"));
  const LayerRope still = metadata.Layer("full_attention");
  EXPECT_FALSE(still.uses_rope);
  EXPECT_EQ(still.query_scale.rule, QueryScaleRule::kLlama4);
  EXPECT_EQ(still.query_scale.positions, 8192);
  EXPECT_EQ(still.query_scale.beta, 0.1);
  EXPECT_EQ(metadata.Layer("chunked_attention").query_scale.rule,
            QueryScaleRule::kNone);
}

TEST(GgufTest, NegativeContextLimitIsAnError) {
  ConfigOptions options;
  options.context_limit = -1;
  Metadata::Of("llama").ExpectError(StatusCode::kInvalidArgument,
                                    {"context_limit = -1"}, options);
}

TEST(GgufTest, MlaRotatesTheEndOfQueriesAndOfTheCachedLatent) {
  Metadata metadata = Metadata::Of("deepseek2");
  metadata.Set("rope.dimension_count", int64_t{64});
  metadata.Set("attention.key_length", int64_t{576});
  metadata.Set("attention.key_length_mla", int64_t{192});
  metadata.Set("attention.kv_lora_rank", int64_t{512});
  LayerRope layer = metadata.Layer();
  EXPECT_EQ(layer.layout.head_dim, 192);
  EXPECT_EQ(layer.layout.rotary_offset, 128);
  EXPECT_EQ(layer.key_layout.head_dim, 576);
  EXPECT_EQ(layer.key_layout.rotary_offset, 512);
  EXPECT_EQ(layer.key_layout.rotary_dim, 64);
  // Files of before key_length_mla: full heads are cached.
  metadata.Drop("attention.key_length_mla");
  metadata.Set("attention.key_length", int64_t{192});
  layer = metadata.Layer();
  EXPECT_EQ(layer.layout.head_dim, 192);
  EXPECT_EQ(layer.layout.rotary_offset, 128);
  EXPECT_EQ(layer.key_layout.head_dim, 192);
  EXPECT_EQ(layer.key_layout.rotary_offset, 128);
  metadata.Set("attention.key_length_mla", int64_t{128});
  metadata.ExpectError(StatusCode::kInvalidArgument,
                       {"deepseek2.attention.key_length = 192", "576"});
  metadata.Drop("rope.dimension_count");
  metadata.ExpectError(StatusCode::kParseError,
                       {"deepseek2.rope.dimension_count = missing"});
}

TEST(GgufTest, SwitchesThatMeanNoRope) {
  Metadata granite = Metadata::Of("granitehybrid");
  EXPECT_TRUE(granite.Layer().uses_rope);
  granite.Set("rope.scaling.finetuned", false);
  EXPECT_FALSE(granite.Layer().uses_rope);
  EXPECT_TRUE(
      HasWarning(granite.Model(), "granitehybrid.rope.scaling.finetuned"));
  // Informational everywhere else.
  EXPECT_TRUE(Metadata::Of("llama")
                  .Set("rope.scaling.finetuned", false)
                  .Layer()
                  .uses_rope);
  Metadata baichuan = Metadata::Of("baichuan");
  EXPECT_TRUE(baichuan.Set("block_count", int64_t{32}).Layer().uses_rope);
  EXPECT_FALSE(baichuan.Set("block_count", int64_t{40}).Layer().uses_rope);
}

}  // namespace
}  // namespace ropewalk
