// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Kinds of layers: a dict each, bases of their own, layers that do not rotate.
#include <string>
#include <vector>

#include "config/config_text.h"

namespace ropewalk::test {
namespace {

using Layers = std::vector<int>;

std::string TypesOf(const std::string& pattern) {
  std::string list = "\"layer_types\": [";
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char* type = pattern[i] == 'f'   ? "full_attention"
                       : pattern[i] == 's' ? "sliding_attention"
                                           : "linear_attention";
    list += std::string(i == 0 ? "" : ", ") + "\"" + type + "\"";
  }
  return list + "]";
}

const char kLagunaDicts[] = R"("rope_parameters": {
    "full_attention": {"rope_type": "yarn", "rope_theta": 500000.0,
        "factor": 64, "original_max_position_embeddings": 2048,
        "attention_factor": 1.0, "partial_rotary_factor": 0.5},
    "sliding_attention": {"rope_type": "default", "rope_theta": 10000}})";

TEST(HuggingFaceLayersTest, ADictForEachLayerTypeMakesAKindEach) {
  const ModelRope model =
      Read(ConfigOf("llama", kLagunaDicts + (", " + TypesOf("fsssfsss"))));
  ASSERT_EQ(model.layer_types.size(), size_t{2});
  const LayerRope full = KindOf(model, "full_attention");
  EXPECT_EQ(full.parameters.base, 5e5);
  EXPECT_EQ(full.layout.rotary_dim, 64);
  EXPECT_EQ(SchemeOf<YarnScaling>(full).factor, 64);
  EXPECT_EQ(SchemeOf<YarnScaling>(full).attention_factor, 1.0);
  EXPECT_EQ(full.layers, (Layers{0, 4}));
  const LayerRope sliding = KindOf(model, "sliding_attention");
  EXPECT_EQ(sliding.parameters.base, 1e4);
  EXPECT_EQ(sliding.layout.rotary_dim, 128);
  SchemeOf<NoScaling>(sliding);
  EXPECT_EQ(sliding.layers, (Layers{1, 2, 3, 5, 6, 7}));
  // Never another kind, and never a default.
  EXPECT_EQ(model.Find("chunked_attention"), nullptr);
  EXPECT_EQ(model.Find("all"), nullptr);
  EXPECT_TRUE(model.warnings.empty());
}

TEST(HuggingFaceLayersTest, ANullDictIsAKindWithoutRope) {
  const ModelRope model = Read(ConfigOf("llama", R"("rope_parameters": {
      "full_attention": null,
      "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}})"));
  EXPECT_FALSE(KindOf(model, "full_attention").uses_rope);
  EXPECT_EQ(KindOf(model, "full_attention").layout.head_dim, 128);
  EXPECT_TRUE(KindOf(model, "sliding_attention").uses_rope);
}

TEST(HuggingFaceLayersTest, NestedDictsAreCheckedAgainstTheirSurroundings) {
  const std::string dicts = kLagunaDicts;
  const std::string open = dicts.substr(0, dicts.size() - 1);
  ExpectError(ConfigOf("llama", open + R"(, "truncate": false})"),
              StatusCode::kParseError,
              {"rope_parameters.truncate = false", "must be inside"});
  ExpectOnlyWarning(ConfigOf("llama", open + R"(, "novel": 1})"),
                    "rope_parameters.novel");
  ExpectError(ConfigOf("llama", open + R"(, "chunked_attention": 3})"),
              StatusCode::kParseError,
              {"rope_parameters.chunked_attention = 3", "object or null"});
  ExpectError(ConfigOf("llama", dicts + R"(, "layer_types": [
                  "full_attention", "chunked_attention", "full_attention",
                  "full_attention", "full_attention", "full_attention",
                  "full_attention", "full_attention"])"),
              StatusCode::kParseError, {"layer_types[1] = chunked_attention"});
  ExpectError(ConfigOf("llama", dicts + (", " + TypesOf("fs"))),
              StatusCode::kParseError,
              {"layer_types has 2 entries", "8 layers"});
}

TEST(HuggingFaceLayersTest, AKeyForAllLayersYieldsToASlidingDictOnly) {
  const std::string dicts = kLagunaDicts;
  EXPECT_EQ(KindOf(Read(ConfigOf("llama", dicts + R"(, "rope_theta": 5e5)")),
                   "sliding_attention")
                .parameters.base,
            1e4);
  ExpectError(ConfigOf("llama", dicts + R"(, "rope_theta": 1e4)"),
              StatusCode::kParseError,
              {"rope_parameters.full_attention.rope_theta = 500000",
               "rope_theta = 10000", "must agree"});
}

TEST(HuggingFaceLayersTest, FlatListsOfTypesAreOneKind) {
  const ModelRope oss =
      Read(ConfigOf("gpt_oss", R"("rope_theta": 150000, "head_dim": 64, )" +
                                   TypesOf("sfsfsfsf")));
  EXPECT_EQ(KindOf(oss, "sliding_attention").layers.size(), size_t{8});
  // Layers without attention are of no kind.
  const ModelRope next =
      Read(ConfigOf(
          "qwen3_next", R"("rope_theta": 1e7, "partial_rotary_factor": 0.25,
      "head_dim": 256, )" + TypesOf("lllflllf")));
  EXPECT_EQ(KindOf(next, "full_attention").layers, (Layers{3, 7}));
}

TEST(HuggingFaceLayersTest, Gemma3HasALocalBase) {
  const std::string keys = R"("head_dim": 256, "rope_theta": 1000000,
      "rope_local_base_freq": 10000, "sliding_window_pattern": 4,
      "rope_scaling": {"rope_type": "linear", "factor": 8.0})";
  const ModelRope model = Read(ConfigOf("gemma3_text", keys));
  EXPECT_TRUE(model.warnings.empty());
  const LayerRope full = KindOf(model, "full_attention");
  EXPECT_EQ(full.parameters.base, 1e6);
  EXPECT_EQ(SchemeOf<LinearScaling>(full).factor, 8);
  EXPECT_EQ(full.layers, (Layers{3, 7}));
  const LayerRope sliding = KindOf(model, "sliding_attention");
  EXPECT_EQ(sliding.parameters.base, 1e4);
  SchemeOf<NoScaling>(sliding);
  EXPECT_EQ(sliding.layers, (Layers{0, 1, 2, 4, 5, 6}));
  EXPECT_EQ(model.Find("all"), nullptr);
}

TEST(HuggingFaceLayersTest, Gemma3FallsBackOnItsClass) {
  const ModelRope model = Read(ConfigOf("gemma3_text", ""));
  EXPECT_EQ(KindOf(model, "full_attention").parameters.base, 1e6);
  EXPECT_EQ(KindOf(model, "sliding_attention").parameters.base, 1e4);
  EXPECT_EQ(KindOf(model, "full_attention").layout.head_dim, 256);
  EXPECT_EQ(KindOf(model, "full_attention").layers, (Layers{5}));
  for (const char* part : {"rope_theta: missing, assumed 1000000",
                           "rope_local_base_freq: missing, assumed 10000",
                           "head_dim: missing, assumed 256",
                           "sliding_window_pattern: missing, assumed 6"}) {
    EXPECT_TRUE(HasWarning(model, part)) << part;
  }
  EXPECT_EQ(model.warnings.size(), size_t{4});
}

TEST(HuggingFaceLayersTest, Gemma4HasTwoHeadDims) {
  const ModelRope model =
      Read(ConfigOf("gemma4_text", R"("head_dim": 256, "global_head_dim": 512,
      "rope_parameters": {
        "full_attention": {"rope_type": "proportional", "rope_theta": 1e6,
                           "partial_rotary_factor": 0.25},
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}})"));
  const LayerRope full = KindOf(model, "full_attention");
  EXPECT_EQ(full.layout.head_dim, 512);
  EXPECT_EQ(full.layout.rotary_dim, 128);
  EXPECT_EQ(full.layout.pair_distance, 256);
  EXPECT_EQ(SchemeOf<ProportionalScaling>(full).head_dim, 512);
  EXPECT_EQ(KindOf(model, "sliding_attention").layout.head_dim, 256);
  EXPECT_EQ(KindOf(model, "sliding_attention").layout.pair_distance, 0);
  EXPECT_TRUE(model.warnings.empty());
  ExpectError(ConfigOf("gemma4_text", ""), StatusCode::kParseError,
              {"rope_parameters", "each layer type"});
}

TEST(HuggingFaceLayersTest, ModernBertNamesBothBases) {
  const ModelRope model =
      Read(ConfigOf("modernbert", R"("global_rope_theta": 160000.0,
      "local_rope_theta": 10000.0, "global_attn_every_n_layers": 3)"));
  EXPECT_EQ(KindOf(model, "full_attention").parameters.base, 160000);
  EXPECT_EQ(KindOf(model, "full_attention").layers, (Layers{0, 3, 6}));
  EXPECT_EQ(KindOf(model, "sliding_attention").parameters.base, 1e4);
  const ModelRope same =
      Read(ConfigOf("modernbert", R"("global_rope_theta": 160000.0,
      "local_rope_theta": null, "global_attn_every_n_layers": 3)"));
  EXPECT_EQ(KindOf(same, "sliding_attention").parameters.base, 160000);
}

TEST(HuggingFaceLayersTest, Olmo3ScalesFullAttentionOnly) {
  const std::string yarn = R"("rope_theta": 500000, "rope_scaling": {
      "rope_type": "yarn", "factor": 16,
      "original_max_position_embeddings": 8192}, )";
  const ModelRope model = Read(ConfigOf("olmo3", yarn + TypesOf("sssfsssf")));
  EXPECT_EQ(SchemeOf<YarnScaling>(KindOf(model, "full_attention")).factor, 16);
  SchemeOf<NoScaling>(KindOf(model, "sliding_attention"));
  EXPECT_EQ(KindOf(model, "sliding_attention").parameters.base, 5e5);
  EXPECT_EQ(ReadOne(ConfigOf("olmo3", R"("rope_theta": 500000)")).layer_type,
            "all");
}

TEST(HuggingFaceLayersTest, StepGroupsLayersThatAreEqual) {
  const std::string keys = R"(
      "rope_theta": [5000000.0, 10000.0, 10000.0, 10000.0,
                     5000000.0, 10000.0, 10000.0, 10000.0],
      "partial_rotary_factors": [0.5, 1.0, 1.0, 1.0, 0.5, 1.0, 1.0, 1.0],
      "yarn_only_types": ["full_attention"], "rope_scaling": {
        "rope_type": "llama3", "factor": 2.0, "low_freq_factor": 1.0,
        "high_freq_factor": 32.0, "original_max_position_embeddings": 65536},)";
  const ModelRope model = Read(ConfigOf("step3p5", keys + TypesOf("fsssfsss")));
  ASSERT_EQ(model.layer_types.size(), size_t{2});
  const LayerRope full = KindOf(model, "full_attention");
  EXPECT_EQ(full.parameters.base, 5e6);
  EXPECT_EQ(full.layout.rotary_dim, 64);
  EXPECT_EQ(SchemeOf<Llama3Scaling>(full).high_freq_factor, 32);
  EXPECT_EQ(full.layers, (Layers{0, 4}));
  const LayerRope sliding = KindOf(model, "sliding_attention");
  EXPECT_EQ(sliding.parameters.base, 1e4);
  EXPECT_EQ(sliding.layout.rotary_dim, 128);
  SchemeOf<NoScaling>(sliding);
  // Types that do not tell the bases apart are numbered.
  const ModelRope mixed = Read(ConfigOf("step3p5", keys + TypesOf("ssssffff")));
  EXPECT_EQ(KindOf(mixed, "sliding_attention").layers, (Layers{0}));
  EXPECT_EQ(KindOf(mixed, "sliding_attention_2").layers, (Layers{1, 2, 3}));
  EXPECT_EQ(KindOf(mixed, "full_attention_2").parameters.base, 1e4);
  ExpectError(ConfigOf("step3p5", R"("rope_theta": [1e4, 1e4])"),
              StatusCode::kParseError,
              {"rope_theta has 2 entries", "8 layers"});
  ExpectError(ConfigOf("step3p5", R"("rope_theta": [1, 1, 1, 1, 1, 1, 1, 0])"),
              StatusCode::kInvalidArgument, {"rope_theta", "positive"});
}

TEST(HuggingFaceLayersTest, MimoPrefixesItsSlidingKeys) {
  const ModelRope model = Read(ConfigOf(
      "mimo_v2_flash", R"("head_dim": 192, "partial_rotary_factor": 0.334,
      "rope_theta": 5000000, "swa_rope_theta": 10000, "swa_head_dim": 96,
      "hybrid_layer_pattern": [0, 1, 1, 1, 0, 1, 1, 1])"));
  EXPECT_EQ(KindOf(model, "full_attention").parameters.base, 5e6);
  EXPECT_EQ(KindOf(model, "full_attention").layout.rotary_dim, 64);
  EXPECT_EQ(KindOf(model, "full_attention").layers, (Layers{0, 4}));
  EXPECT_EQ(KindOf(model, "sliding_attention").parameters.base, 1e4);
  EXPECT_EQ(KindOf(model, "sliding_attention").layout.head_dim, 96);
}

TEST(HuggingFaceLayersTest, DeepSeekV4HasABaseForCompressedLayers) {
  const std::string keys = R"("head_dim": 512, "qk_rope_head_dim": 64,
      "rope_theta": 10000, "compress_rope_theta": 160000,
      "compress_ratios": [0, 0, 4, 128, 4, 128, 4, 128, 0],
      "rope_scaling": {"type": "yarn", "factor": 16, "beta_fast": 32,
                       "original_max_position_embeddings": 8192})";
  const ModelRope model = Read(ConfigOf("deepseek_v4", keys));
  EXPECT_TRUE(model.warnings.empty());
  const LayerRope sliding = KindOf(model, "sliding_attention");
  EXPECT_EQ(sliding.parameters.base, 1e4);
  SchemeOf<NoScaling>(sliding);
  EXPECT_EQ(sliding.layers, (Layers{0, 1}));
  const LayerRope compressed = KindOf(model, "compressed_attention");
  EXPECT_EQ(compressed.parameters.base, 160000);
  EXPECT_EQ(SchemeOf<YarnScaling>(compressed).attention_factor, 1.0);
  EXPECT_EQ(compressed.layout.head_dim, 512);
  EXPECT_EQ(compressed.layout.rotary_offset, 448);
  EXPECT_EQ(compressed.layout.pairing, Pairing::kInterleaved);
  EXPECT_EQ(compressed.key_layout.rotary_offset, 448);
  EXPECT_EQ(compressed.softmax_multiplier, 1);
}

TEST(HuggingFaceLayersTest, NoRopeLayersHoldAOneWhereALayerRotates) {
  const ModelRope llama4 = Read(
      ConfigOf("llama4_text", R"("rope_theta": 500000, "no_rope_layers": [],
      "no_rope_layer_interval": 4, "attn_temperature_tuning": false)"));
  EXPECT_EQ(KindOf(llama4, "chunked_attention").layers,
            (Layers{0, 1, 2, 4, 5, 6}));
  EXPECT_FALSE(KindOf(llama4, "full_attention").uses_rope);
  EXPECT_EQ(KindOf(llama4, "full_attention").layers, (Layers{3, 7}));
  EXPECT_TRUE(llama4.warnings.empty());
  const ModelRope smol = Read(ConfigOf("smollm3", R"("rope_theta": 2000000,
      "no_rope_layers": [1, 1, 1, 0, 1, 1, 1, 0], )" + TypesOf("ffffffff")));
  EXPECT_TRUE(KindOf(smol, "full_attention").uses_rope);
  EXPECT_FALSE(KindOf(smol, "no_rope").uses_rope);
  EXPECT_EQ(KindOf(smol, "no_rope").layers, (Layers{3, 7}));
  EXPECT_EQ(KindOf(smol, "no_rope").layout.rotary_dim, 0);
  EXPECT_EQ(ReadOne(ConfigOf("smollm3", R"("rope_theta": 2000000,
                             "no_rope_layers": [1, 1, 1, 1, 1, 1, 1, 1])"))
                .layer_type,
            "all");
  ExpectOnlyWarning(ConfigOf("smollm3", R"("rope_theta": 2000000)"),
                    "no_rope_layer_interval: missing, assumed 4");
  ExpectError(ConfigOf("smollm3", R"("no_rope_layers": [2, 0])"),
              StatusCode::kInvalidArgument, {"no_rope_layers", "0"});
}

TEST(HuggingFaceLayersTest, FullAttentionMayNotRotate) {
  const ModelRope cohere = Read(ConfigOf(
      "cohere2", R"("rope_theta": 50000, "sliding_window_pattern": 4)"));
  EXPECT_TRUE(KindOf(cohere, "sliding_attention").uses_rope);
  EXPECT_FALSE(KindOf(cohere, "full_attention").uses_rope);
  EXPECT_EQ(KindOf(cohere, "full_attention").layers, (Layers{3, 7}));
  const std::string exaone = R"("rope_theta": 1000000, )";
  EXPECT_FALSE(KindOf(Read(ConfigOf("exaone4", exaone + R"(
                          "sliding_window": 4096, )" +
                                                   TypesOf("sssfsssf"))),
                      "full_attention")
                   .uses_rope);
  const LayerRope small = ReadOne(ConfigOf("exaone4", exaone + R"(
      "sliding_window": null, )" + TypesOf("ffffffff")));
  EXPECT_TRUE(small.uses_rope);
}

}  // namespace
}  // namespace ropewalk::test
