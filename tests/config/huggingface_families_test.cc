// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What single families do that their keys alone would not tell, and families
// of which nothing is known.
#include <string>
#include <vector>

#include "config/config_text.h"

namespace ropewalk::test {
namespace {

using Layers = std::vector<int>;

TEST(HuggingFaceFamiliesTest, TwoPositionsOfATokenAreRefused) {
  const std::string keys = R"("rope_ratio": 1, "position_encoding_2d": )";
  ExpectError(ConfigOf("chatglm", keys + "true"), StatusCode::kUnsupported,
              {"position_encoding_2d = true", "two streams"});
  EXPECT_EQ(ReadOne(ConfigOf("chatglm", keys + "false")).layout.rotary_dim, 64);
}

// The head is hidden_size / num_attention_heads = 128 throughout.
TEST(HuggingFaceFamiliesTest, KeysOfMlaMeanNothingWithoutIt) {
  const ModelRope tiny = Read(ConfigOf("deepseek_v2", R"("use_mla": false,
      "kv_lora_rank": null, "qk_nope_head_dim": 0, "qk_rope_head_dim": 0,
      "rope_theta": 10000)"));
  const LayerRope layer = KindOf(tiny, "all");
  EXPECT_EQ(layer.layout.head_dim, 128);
  EXPECT_EQ(layer.layout.rotary_dim, 128);
  EXPECT_EQ(layer.layout.rotary_offset, 0);
  EXPECT_EQ(layer.layout.pairing, Pairing::kHalf);
  EXPECT_EQ(layer.key_layout.head_dim, 128);
  EXPECT_EQ(tiny.family, "deepseek_v2");
  EXPECT_TRUE(tiny.warnings.empty());
  ExpectOnlyWarning(ConfigOf("deepseek_v2", R"("use_mla": false)"),
                    "rope_theta: missing, assumed 10000");
  const ModelRope hunyuan = Read(ConfigOf("hunyuan", R"("use_mla": false,
      "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
      "attention_head_dim": 128, "rope_theta": 10000)"));
  EXPECT_EQ(KindOf(hunyuan, "all").layout.head_dim, 128);
  EXPECT_EQ(KindOf(hunyuan, "all").layout.rotary_dim, 128);
  EXPECT_TRUE(hunyuan.warnings.empty());
  EXPECT_EQ(ReadOne(ConfigOf("deepseek_v2", R"("use_mla": true,
                "qk_nope_head_dim": 128, "qk_rope_head_dim": 64)"))
                .layout.rotary_offset,
            128);
}

TEST(HuggingFaceFamiliesTest, ErniesAllocationGivesItsSections) {
  const auto ernie = [](const std::string& keys) {
    return ConfigOf("ernie4_5_moe_vl", R"("rope_theta": 500000, )" + keys);
  };
  // 64 pairs: 20 of time, 22 each of height and width.
  const std::string text = ernie(R"("rope_3d": true, "freq_allocation": 20)");
  const ModelRope allocated = Read(text);
  EXPECT_EQ(KindOf(allocated, "all").mrope_section,
            (std::vector<int>{22, 22, 20}));
  const std::vector<uint8_t> axis = KindOf(allocated, "all").parameters.axis;
  ASSERT_EQ(axis.size(), 64u);
  EXPECT_EQ(axis[0], 1);
  EXPECT_EQ(axis[43], 2);
  EXPECT_EQ(axis[44], 0);
  EXPECT_TRUE(allocated.warnings.empty());
  EXPECT_EQ(ReadOne(ernie(R"("freq_allocation": 20, "rope_scaling": {
                "type": "ernie_3d", "mrope_section": [22, 22, 20]})"))
                .mrope_section,
            (std::vector<int>{22, 22, 20}));
  ExpectError(ernie(R"("freq_allocation": 16, "rope_scaling": {
                  "type": "ernie_3d", "mrope_section": [22, 22, 20]})"),
              StatusCode::kParseError,
              {"freq_allocation = 16", "must agree with mrope_section"});
  ExpectError(ernie(R"("freq_allocation": 21)"), StatusCode::kInvalidArgument,
              {"freq_allocation = 21", "even"});
  ExpectError(ernie(R"("freq_allocation": 66)"), StatusCode::kInvalidArgument,
              {"freq_allocation = 66", "to 64"});
}

TEST(HuggingFaceFamiliesTest, UnknownFamiliesAreAssumedToBeOfOneKind) {
  ConfigOptions options;
  options.pairing = Pairing::kHalf;
  const std::string base = R"("rope_theta": 1e4)";
  ExpectOnlyWarning(ConfigOf("novel", base),
                    "model_type = novel: not a known family; assumed that all "
                    "layers rotate alike",
                    options);
  ExpectOnlyWarning(R"({"head_dim": 64, "rope_theta": 1e4})",
                    "model_type: missing; assumed", options);
  const auto typed = [&](const std::string& other) {
    const std::string pair = R"("full_attention", ")" + other + "\"";
    return ConfigOf("novel", base + R"(, "layer_types": [)" + pair + ", " +
                                 pair + ", " + pair + ", " + pair + "]");
  };
  ExpectOnlyWarning(typed("sliding_attention"),
                    "alike, although layer_types has full_attention, "
                    "sliding_attention",
                    options);
  const ModelRope hybrid = Read(typed("linear_attention"), options);
  EXPECT_TRUE(HasWarning(hybrid, "rotate alike"));
  EXPECT_FALSE(HasWarning(hybrid, "although"));
  EXPECT_FALSE(HasWarning(Read(Llama(""), options), "rotate alike"));
}

TEST(HuggingFaceFamiliesTest, KeysMaySayThatNothingRotates) {
  for (const char* keys : {R"("mla_use_nope": true, "qk_nope_head_dim": 128,
           "qk_rope_head_dim": 64, "rope_theta": 1e4)",
                           R"("attn_config": {"rope": false})",
                           R"("attn_config": {"alibi": true})"}) {
    const LayerRope layer = ReadOne(ConfigOf("novel", keys));
    EXPECT_FALSE(layer.uses_rope) << keys;
    EXPECT_EQ(layer.layout.rotary_dim, 0) << keys;
  }
  ExpectError(ConfigOf("novel", R"("attn_config": {"rope": true})"),
              StatusCode::kInvalidArgument, {"must be given"});
  ExpectError(ConfigOf("novel", R"("attn_config": 3)"), StatusCode::kParseError,
              {"attn_config = 3", "object"});
}

TEST(HuggingFaceFamiliesTest, ASchemeOfTheClassIsNamedAndNotAssumed) {
  struct Case {
    const char* family;
    const char* scheme;
  };
  for (const Case& c : {Case{"gpt_oss", "yarn with factor 32"},
                        Case{"apertus", "llama3 with factor 8"},
                        Case{"ministral3", "yarn with factor 16"}}) {
    const std::string keys = R"("head_dim": 64, "rope_theta": 1e6)";
    const std::string text = ConfigOf(c.family, keys);
    ExpectOnlyWarning(text, c.scheme);
    ExpectOnlyWarning(text, "is not assumed");
    SchemeOf<NoScaling>(ReadOne(text));
    EXPECT_TRUE(Read(ConfigOf(c.family, keys + R"(, "rope_parameters": {
                    "rope_type": "default"})"))
                    .warnings.empty())
        << c.family;
  }
}

TEST(HuggingFaceFamiliesTest, TextModelsMayLackTheSizesOfTheirClass) {
  const auto nested = [](const std::string& family, const std::string& keys) {
    return R"({"model_type": "llava", "text_config": {"model_type": ")" +
           family + R"(", "rope_theta": 1e4)" + keys + "}}";
  };
  for (const char* family : {"llama", "qwen2"}) {
    const ModelRope model = Read(nested(family, ""));
    EXPECT_EQ(KindOf(model, "all").layout.head_dim, 128) << family;
    EXPECT_TRUE(
        HasWarning(model, "text_config.hidden_size: missing, assumed 4096"));
    EXPECT_TRUE(HasWarning(
        model, "text_config.num_attention_heads: missing, assumed 32"));
    EXPECT_EQ(model.warnings.size(), size_t{2}) << family;
  }
  EXPECT_EQ(
      ReadOne(nested("llama", R"(, "hidden_size": 2048)")).layout.head_dim, 64);
  ExpectError(nested("mistral", ""), StatusCode::kParseError,
              {"head_dim", "missing"});
  ExpectError(R"({"model_type": "llama", "rope_theta": 1e4})",
              StatusCode::kParseError, {"head_dim", "missing"});
}

TEST(HuggingFaceFamiliesTest, MoreFamiliesFixTheirPairing) {
  for (const char* family : {"Yi", "falcon_h1", "lfm2", "nemotron-nas"}) {
    const ModelRope model = Read(ConfigOf(family, R"("rope_theta": 1e6)"));
    EXPECT_EQ(KindOf(model, "all").layout.pairing, Pairing::kHalf) << family;
    EXPECT_TRUE(model.warnings.empty()) << family;
  }
  const LayerRope glm = ReadOne(ConfigOf("glm4v_text", R"("rope_theta": 1e4,
      "partial_rotary_factor": 0.5, "rope_scaling": {"type": "default",
      "mrope_section": [8, 12, 12]})"));
  EXPECT_EQ(glm.layout.pairing, Pairing::kInterleaved);
  EXPECT_EQ(glm.mrope_section, (std::vector<int>{8, 12, 12}));
}

TEST(HuggingFaceFamiliesTest, MllamasCrossAttentionDoesNotRotate) {
  const std::string base = R"("rope_theta": 500000, )";
  const ModelRope model = Read(ConfigOf(
      "mllama_text_model", base + R"("cross_attention_layers": [3, 6])"));
  EXPECT_TRUE(KindOf(model, "full_attention").uses_rope);
  EXPECT_EQ(KindOf(model, "full_attention").layers, (Layers{0, 1, 2, 4, 5, 7}));
  EXPECT_FALSE(KindOf(model, "cross_attention").uses_rope);
  EXPECT_EQ(KindOf(model, "cross_attention").layers, (Layers{3, 6}));
  ExpectError(ConfigOf("mllama_text_model", base + R"("x": 1)"),
              StatusCode::kParseError, {"cross_attention_layers", "missing"});
  ExpectError(
      ConfigOf("mllama_text_model", base + R"("cross_attention_layers": [8])"),
      StatusCode::kInvalidArgument,
      {"cross_attention_layers = [8]", "below num_hidden_layers"});
}

TEST(HuggingFaceFamiliesTest, ExaonesPatternMayBeLetters) {
  const auto exaone = [](const std::string& family,
                         const std::string& letters) {
    return ConfigOf(family, R"("rope_theta": 1e6, "sliding_window": 4096,
        "sliding_window_pattern": ")" +
                                letters + "\"");
  };
  for (const char* family : {"exaone4", "exaone_moe"}) {
    const ModelRope model = Read(exaone(family, "LLLG"));
    EXPECT_EQ(KindOf(model, "full_attention").layers, (Layers{3, 7}));
    EXPECT_FALSE(KindOf(model, "full_attention").uses_rope);
    EXPECT_TRUE(KindOf(model, "sliding_attention").uses_rope);
    EXPECT_TRUE(model.warnings.empty());
    EXPECT_TRUE(ReadOne(ConfigOf(family, R"("rope_theta": 1e6,
                    "sliding_window": null)"))
                    .uses_rope);
  }
  EXPECT_EQ(KindOf(Read(exaone("exaone4", "LGG")), "sliding_attention").layers,
            (Layers{0, 3, 6}));
  ExpectOnlyWarning(exaone("exaone4", "LLG"), "its last layer is taken as");
  for (const char* letters : {"", "LLX"}) {
    ExpectError(exaone("exaone4", letters), StatusCode::kParseError,
                {"sliding_window_pattern", "string of L and G"});
  }
}

}  // namespace
}  // namespace ropewalk::test
