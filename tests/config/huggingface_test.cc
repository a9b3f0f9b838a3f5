// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the text model is, sizes of heads, the rotary window, the base, the
// pairing, and what a reading remembers.
#include <string>
#include <vector>

#include "config/config_text.h"

namespace ropewalk::test {
namespace {

TEST(HuggingFaceTest, ReadsAPlainModel) {
  const ModelRope model = Read(Llama(""));
  EXPECT_EQ(model.family, "llama");
  EXPECT_EQ(model.max_positions, 131072);
  EXPECT_EQ(model.layer_count, 8);
  EXPECT_TRUE(model.warnings.empty());
  ASSERT_EQ(model.layer_types.size(), size_t{1});
  const LayerRope& layer = model.layer_types[0];
  EXPECT_EQ(layer.layer_type, "all");
  EXPECT_TRUE(layer.uses_rope);
  EXPECT_EQ(layer.parameters.rotary_dim, 128);
  EXPECT_EQ(layer.parameters.base, 1e6);
  EXPECT_STREQ(SchemeName(layer.parameters.scaling), "default");
  EXPECT_EQ(layer.layout.head_dim, 128);
  EXPECT_EQ(layer.layout.rotary_dim, 128);
  EXPECT_EQ(layer.layout.pairing, Pairing::kHalf);
  EXPECT_EQ(layer.layout.rotary_offset, 0);
  EXPECT_EQ(layer.layout.pair_distance, 0);
  EXPECT_EQ(layer.key_layout.head_dim, 128);
  EXPECT_EQ(layer.softmax_multiplier, 1);
  EXPECT_TRUE(layer.layers.empty());
}

TEST(HuggingFaceTest, EqualNumbersAreEqualHoweverWritten) {
  for (const char* base : {"1000000", "1000000.0", "1e6", "1E+6"}) {
    const std::string text =
        ConfigOf("llama", std::string("\"rope_theta\": ") + base);
    EXPECT_EQ(ReadOne(text).parameters.base, 1e6) << base;
  }
  const auto yarn = SchemeOf<YarnScaling>(ReadOne(Llama(
      R"("rope_scaling": {"type": "yarn", "factor": 4,
         "original_max_position_embeddings": 32768.0})")));
  EXPECT_EQ(yarn.original_positions, 32768);
}

TEST(HuggingFaceTest, FindsTheTextModelWhereverItIsNested) {
  const std::string text_model = Llama("");
  for (const char* name : {"text_config", "llm_config", "language_config"}) {
    const ModelRope model =
        Read(std::string(R"({"model_type": "composite", "hidden_size": 7,
             "vision_config": {"rope_theta": 3, "head_dim": 5,
             "model_type": "clip_vision_model"}, ")") +
             name + "\": " + text_model + "}");
    EXPECT_EQ(model.family, "llama") << name;
    EXPECT_EQ(KindOf(model, "all").layout.head_dim, 128) << name;
    EXPECT_TRUE(model.warnings.empty()) << name;
  }
  const ModelRope thinker =
      Read(R"({"model_type": "omni", "thinker_config": {"text_config": )" +
           text_model + "}}");
  EXPECT_EQ(thinker.family, "llama");
  EXPECT_EQ(KindOf(thinker, "all").keys.front().path,
            "thinker_config.text_config.model_type");
}

TEST(HuggingFaceTest, ASecondTextModelIsReported) {
  const std::string text_model = Llama("");
  ExpectOnlyWarning(R"({"text_config": )" + text_model + R"(, "llm_config": )" +
                        text_model + "}",
                    "llm_config: not looked at");
}

TEST(HuggingFaceTest, RopeKeysOfTheRootAndTheTextModelMustAgree) {
  const std::string text_model = Llama("");
  EXPECT_EQ(
      ReadOne(R"({"rope_theta": 1000000, "text_config": )" + text_model + "}")
          .parameters.base,
      1e6);
  ExpectError(R"({"rope_theta": 10000, "text_config": )" + text_model + "}",
              StatusCode::kParseError,
              {"text_config.rope_theta = 1000000.0", "rope_theta = 10000",
               "must agree"});
  // A scheme at the root only counts as well.
  EXPECT_EQ(SchemeOf<LinearScaling>(
                ReadOne(R"({"rope_scaling": {"type": "linear", "factor": 4},
                        "text_config": )" +
                        text_model + "}"))
                .factor,
            4);
}

TEST(HuggingFaceTest, HeadDimIsGivenOrDivided) {
  const std::string rest = R"("rope_theta": 1e4, )";
  for (const char* key : {"head_dim", "kv_channels", "attention_head_dim"}) {
    const LayerRope layer = ReadOne(Llama(std::string("\"") + key + "\": 96"));
    EXPECT_EQ(layer.layout.head_dim, 96) << key;
    EXPECT_EQ(layer.layout.rotary_dim, 96) << key;
  }
  EXPECT_EQ(ReadOne(R"({"model_type": "gptj", "n_embd": 4096, "n_head": 16,
                        "n_positions": 2048, "rotary_dim": 64})")
                .layout.head_dim,
            256);
  ExpectError(R"({"model_type": "llama", "hidden_size": 4097,
                  "num_attention_heads": 32})",
              StatusCode::kInvalidArgument,
              {"hidden_size = 4097", "multiple of num_attention_heads = 32"});
  ExpectError(R"({"model_type": "llama", "hidden_size": 4096})",
              StatusCode::kParseError, {"head_dim", "missing"});
}

struct WindowCase {
  const char* keys;
  int rotary_dim;
};

TEST(HuggingFaceTest, RotaryDimIsAbsoluteOrRelativeAndNeverBoth) {
  const WindowCase cases[] = {
      {R"("partial_rotary_factor": 0.5)", 64},
      {R"("rotary_pct": 0.25)", 32},
      {R"("rope_pct": 0.25)", 32},
      {R"("rope_percent": 0.25)", 32},
      {R"("rotary_emb_fraction": 0.75)", 96},
      {R"("rotary_dim": 64)", 64},
      {R"("rope_dim": 64)", 64},
      {R"("rotary_dim": 64.0)", 64},
      // Says the same twice: not a half of a half.
      {R"("rotary_dim": 64, "partial_rotary_factor": 0.5)", 64},
      {R"("rotary_dim": null, "partial_rotary_factor": 0.5)", 64},
      {R"("rope_scaling": null, "partial_rotary_factor": 0.5)", 64},
      {R"("rope_parameters": {"rope_type": "default",
          "partial_rotary_factor": 0.5})",
       64},
      {R"("rope_parameters": {"rope_type": "default", "rotary_dim": 64},
          "partial_rotary_factor": 0.5)",
       64},
      {R"("partial_rotary_factor": 1)", 128},
  };
  for (const WindowCase& c : cases) {
    const LayerRope layer = ReadOne(Llama(c.keys));
    EXPECT_EQ(layer.layout.rotary_dim, c.rotary_dim) << c.keys;
    EXPECT_EQ(layer.parameters.rotary_dim, c.rotary_dim) << c.keys;
    EXPECT_EQ(layer.key_layout.rotary_dim, c.rotary_dim) << c.keys;
    EXPECT_EQ(layer.layout.head_dim, 128) << c.keys;
  }
}

TEST(HuggingFaceTest, APartOfAHeadIsCutAsHfCutsIt) {
  // 80 * 0.4 = 32.0, 192 * 0.334 = 64.1.
  EXPECT_EQ(ReadOne(Llama(R"("head_dim": 80, "partial_rotary_factor": 0.4)"))
                .layout.rotary_dim,
            32);
  EXPECT_EQ(ReadOne(Llama(R"("head_dim": 192, "partial_rotary_factor": 0.334)"))
                .layout.rotary_dim,
            64);
}

TEST(HuggingFaceTest, FamiliesHaveTheirOwnParts) {
  const WindowCase cases[] = {
      {"gpt_neox", 32}, {"phi", 64},      {"glm4", 64},  {"glm4_moe", 64},
      {"stablelm", 32}, {"nemotron", 64}, {"llama", 128}};
  for (const WindowCase& c : cases) {
    const std::string extra = R"("rope_theta": 1e4, "head_dim": 128)";
    const ModelRope model = Read(ConfigOf(c.keys, extra));
    EXPECT_EQ(KindOf(model, "all").layout.rotary_dim, c.rotary_dim) << c.keys;
    EXPECT_EQ(HasWarning(model, "partial_rotary_factor: missing, assumed"),
              c.rotary_dim != 128)
        << c.keys;
  }
}

TEST(HuggingFaceTest, MlaHeadsEndInTheirRotaryDims) {
  const std::string sizes = R"("rope_theta": 10000, "qk_nope_head_dim": 128,
      "qk_rope_head_dim": 64)";
  const LayerRope layer =
      ReadOne(ConfigOf("deepseek_v3", sizes + R"(, "kv_lora_rank": 512)"));
  EXPECT_EQ(layer.layout.head_dim, 192);
  EXPECT_EQ(layer.layout.rotary_dim, 64);
  EXPECT_EQ(layer.layout.rotary_offset, 128);
  EXPECT_EQ(layer.layout.pairing, Pairing::kInterleaved);
  EXPECT_EQ(layer.key_layout.head_dim, 576);
  EXPECT_EQ(layer.key_layout.rotary_dim, 64);
  EXPECT_EQ(layer.key_layout.rotary_offset, 512);
  EXPECT_EQ(layer.key_layout.pairing, Pairing::kInterleaved);
  EXPECT_EQ(ReadOne(ConfigOf("deepseek_v3", sizes)).key_layout.rotary_offset,
            128);
  for (const char* head_dim : {"64", "192"}) {
    EXPECT_EQ(
        ReadOne(ConfigOf("deepseek_v3", sizes + R"(, "head_dim": )" + head_dim))
            .layout.head_dim,
        192)
        << head_dim;
  }
  ExpectError(ConfigOf("deepseek_v3", sizes + R"(, "head_dim": 128)"),
              StatusCode::kParseError, {"head_dim = 128", "qk_rope_head_dim"});
  ExpectError(ConfigOf("deepseek_v3", R"("qk_rope_head_dim": 64)"),
              StatusCode::kParseError, {"qk_nope_head_dim", "missing"});
}

TEST(HuggingFaceTest, ChatGlmStretchesItsBase) {
  const LayerRope layer = ReadOne(
      R"({"model_type": "chatglm", "kv_channels": 128, "hidden_size": 4096,
          "num_attention_heads": 32, "num_layers": 40, "rope_ratio": 500,
          "seq_length": 131072, "original_rope": true})");
  EXPECT_EQ(layer.parameters.base, 5e6);
  EXPECT_EQ(layer.layout.head_dim, 128);
  EXPECT_EQ(layer.layout.rotary_dim, 64);
  EXPECT_EQ(layer.layout.pairing, Pairing::kInterleaved);
}

TEST(HuggingFaceTest, PairingComesFromTheFamily) {
  for (const char* family :
       {"gptj", "codegen", "cohere", "glm", "glm4", "chatglm", "deepseek_v2",
        "kimi_k2", "ernie4_5", "ernie4_5_moe_vl", "llama4_text"}) {
    const ModelRope model = Read(ConfigOf(family, R"("rope_theta": 1e4,
        "rope_ratio": 1, "freq_allocation": 20,
        "no_rope_layers": [1, 1, 1, 1, 1, 1, 1, 1])"));
    EXPECT_EQ(KindOf(model, "all").layout.pairing, Pairing::kInterleaved)
        << family;
  }
  for (const char* family :
       {"llama", "mistral", "qwen2", "qwen3_moe", "gemma2", "phi3", "falcon",
        "gpt_neox", "stablelm", "starcoder2", "olmo2", "gpt_oss", "glm4_moe",
        "minimax_m2", "hunyuan_v1_dense", "ministral3"}) {
    const ModelRope model = Read(ConfigOf(family, R"("rope_theta": 1e4)"));
    EXPECT_EQ(KindOf(model, "all").layout.pairing, Pairing::kHalf) << family;
  }
}

TEST(HuggingFaceTest, ACallersPairingWins) {
  ConfigOptions options;
  options.pairing = Pairing::kInterleaved;
  ExpectOnlyWarning(Llama(""), "model_type = llama says half", options);
  EXPECT_EQ(ReadOne(Llama(""), options).layout.pairing, Pairing::kInterleaved);
  const std::string unknown = ConfigOf("novel", R"("rope_theta": 1e4)");
  ExpectError(unknown, StatusCode::kInvalidArgument,
              {"model_type = novel", "not a known family",
               "must be given (ConfigOptions::pairing)"});
  EXPECT_EQ(ReadOne(unknown, options).layout.pairing, Pairing::kInterleaved);
}

TEST(HuggingFaceTest, AKeyOfTheFileSaysThePairing) {
  const std::string mla = R"("qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
      "rope_theta": 1e4, "rope_interleave": )";
  EXPECT_EQ(ReadOne(ConfigOf("deepseek_v3", mla + "false")).layout.pairing,
            Pairing::kHalf);
  EXPECT_EQ(ReadOne(ConfigOf("novel", mla + "true")).layout.pairing,
            Pairing::kInterleaved);
}

TEST(HuggingFaceTest, KeysSayWhatWasUsedAndWhere) {
  const ModelRope model = Read(
      R"({"model_type": "outer", "text_config": {"model_type": "gemma3_text",
          "head_dim": 256, "num_hidden_layers": 2,
          "layer_types": ["sliding_attention", "full_attention"],
          "rope_parameters": {
            "full_attention": {"rope_type": "linear", "factor": 8.0,
                               "rope_theta": 1000000},
            "sliding_attention": {"rope_type": "default",
                                  "rope_theta": 10000}}}})");
  const auto value_of = [&](const char* kind, const std::string& path) {
    for (const ConfigKey& key : KindOf(model, kind).keys) {
      if (key.path == path) return key.value;
    }
    return std::string("absent");
  };
  const std::string dicts = "text_config.rope_parameters.";
  EXPECT_EQ(value_of("full_attention", dicts + "full_attention.rope_theta"),
            "1000000");
  EXPECT_EQ(value_of("full_attention", dicts + "full_attention.factor"), "8.0");
  EXPECT_EQ(value_of("full_attention", "text_config.head_dim"), "256");
  EXPECT_EQ(value_of("full_attention", dicts + "sliding_attention.rope_theta"),
            "absent");
  EXPECT_EQ(
      value_of("sliding_attention", dicts + "sliding_attention.rope_type"),
      "\"default\"");
}

TEST(HuggingFaceTest, ModelsWithoutRopeDoNotRotate) {
  const ModelRope falcon = Read(ConfigOf("falcon", R"("alibi": true)"));
  const LayerRope layer = KindOf(falcon, "all");
  EXPECT_FALSE(layer.uses_rope);
  EXPECT_EQ(layer.layout.rotary_dim, 0);
  EXPECT_EQ(layer.layout.head_dim, 128);
  EXPECT_EQ(layer.parameters.rotary_dim, 0);
  EXPECT_TRUE(falcon.warnings.empty());
  EXPECT_FALSE(ReadOne(ConfigOf("bloom", "")).uses_rope);
  EXPECT_FALSE(ReadOne(ConfigOf("granitemoehybrid",
                                R"("position_embedding_type": "nope")"))
                   .uses_rope);
  EXPECT_TRUE(
      ReadOne(ConfigOf("falcon", R"("alibi": false, "rope_theta": 1e4)"))
          .uses_rope);
}

}  // namespace
}  // namespace ropewalk::test
