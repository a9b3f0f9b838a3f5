// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What a config.json says of queries' scales and of dual chunk attention.
#include <cstdint>
#include <string>

#include "config/config_text.h"

namespace ropewalk::test {
namespace {

void ExpectScale(const LayerRope& layer, const QueryScale& want) {
  EXPECT_EQ(layer.query_scale.rule, want.rule);
  EXPECT_EQ(layer.query_scale.positions, want.positions);
  EXPECT_EQ(layer.query_scale.beta, want.beta);
  // What query_scale.h takes.
  float factor = 0;
  EXPECT_TRUE(
      WriteQueryScale(Positions::Constant(0, 1), layer.query_scale, &factor)
          .ok());
  EXPECT_EQ(factor, 1);
}

std::string Qwen1(const std::string& keys) {
  return ConfigOf("qwen", R"("rotary_emb_base": 10000, "rotary_pct": 1.0,
      "use_dynamic_ntk": false)" +
                              keys);
}

TEST(HuggingFaceAttentionTest, Qwen1ScalesByTheLogarithmOfThePosition) {
  const QueryScale want = {QueryScaleRule::kLogN, 8192, 0};
  ExpectScale(ReadOne(Qwen1(R"(, "seq_length": 8192, "use_logn_attn": true)")),
              want);
  ExpectOnlyWarning(Qwen1(R"(, "seq_length": 8192)"),
                    "use_logn_attn: missing, assumed true");
  ExpectScale(ReadOne(Qwen1(R"(, "use_logn_attn": false)")), QueryScale{});
  ExpectError(Qwen1(R"(, "use_logn_attn": true)"), StatusCode::kParseError,
              {"seq_length", "required by use_logn_attn"});
  ExpectError(Qwen1(R"(, "use_logn_attn": true, "seq_length": 1)"),
              StatusCode::kInvalidArgument, {"seq_length = 1"});
}

std::string Llama4(const std::string& keys) {
  return ConfigOf("llama4_text", R"("rope_theta": 500000,
      "no_rope_layer_interval": 4)" + keys);
}

TEST(HuggingFaceAttentionTest, Llama4ScalesWhereItDoesNotRotate) {
  const QueryScale want = {QueryScaleRule::kLlama4, 4096, 0.25};
  for (const char* on : {"true", "4", "1.0"}) {
    const ModelRope model =
        Read(Llama4(R"(, "floor_scale": 4096, "attn_scale": 0.25,
                    "attn_temperature_tuning": )" +
                    std::string(on)));
    ExpectScale(KindOf(model, "full_attention"), want);
    ExpectScale(KindOf(model, "chunked_attention"), QueryScale{});
    EXPECT_TRUE(model.warnings.empty()) << on;
  }
  for (const char* off : {"false", "0"}) {
    ExpectScale(KindOf(Read(Llama4(R"(, "attn_temperature_tuning": )" +
                                   std::string(off))),
                       "full_attention"),
                QueryScale{});
  }
  const ModelRope silent = Read(Llama4(""));
  ExpectScale(KindOf(silent, "full_attention"),
              {QueryScaleRule::kLlama4, 8192, 0.1});
  EXPECT_EQ(silent.warnings.size(), 3u);
  ExpectError(Llama4(R"(, "attn_temperature_tuning": "on")"),
              StatusCode::kParseError, {"attn_temperature_tuning"});
  ExpectError(Llama4(R"(, "attn_scale": -1)"), StatusCode::kInvalidArgument,
              {"attn_scale = -1"});
  ExpectError(Llama4(R"(, "floor_scale": 0)"), StatusCode::kInvalidArgument,
              {"floor_scale = 0"});
}

TEST(HuggingFaceAttentionTest, Mistral3ScalesInEveryLayer) {
  const std::string yarn =
      R"("head_dim": 128, "rope_parameters": {"rope_type": "yarn",
      "rope_theta": 1000000, "factor": 16, "mscale": 1, "mscale_all_dim": 1,
      "original_max_position_embeddings": 8192)";
  const ModelRope model =
      Read(ConfigOf("ministral3", yarn + R"(, "llama_4_scaling_beta": 0.25})"));
  ExpectScale(KindOf(model, "all"), {QueryScaleRule::kMistral3, 8192, 0.25});
  EXPECT_TRUE(model.warnings.empty());
  ExpectScale(
      ReadOne(ConfigOf("ministral3", yarn + R"(, "llama_4_scaling_beta": 0})")),
      QueryScale{});
  ExpectError(
      ConfigOf("ministral3", yarn + R"(, "llama_4_scaling_beta": -0.1})"),
      StatusCode::kInvalidArgument, {"llama_4_scaling_beta = -0.1"});
  ExpectError(
      ConfigOf("ministral3", yarn + R"(, "llama_4_scaling_beta": 1e37})"),
      StatusCode::kInvalidArgument,
      {"llama_4_scaling_beta = 1e+37", "from 0 to 2^120"});
  ExpectError(ConfigOf("ministral3", R"("head_dim": 128,
               "rope_parameters": {"rope_type": "default",
               "rope_theta": 1e6, "llama_4_scaling_beta": 0.1})"),
              StatusCode::kParseError,
              {"llama_4_scaling_beta", "original_max_position_embeddings"});
}

std::string Chunked(const std::string& keys) {
  return ConfigOf("qwen2", R"("rope_theta": 10000000,
      "dual_chunk_attention_config": )" +
                               keys);
}

TEST(HuggingFaceAttentionTest, DualChunksGoIntoDualChunkPositions) {
  const ModelRope model =
      Read(Chunked(R"({"chunk_size": 262144, "local_size": 8192})"));
  const LayerRope layer = KindOf(model, "all");
  ASSERT_TRUE(layer.dual_chunk.has_value());
  EXPECT_TRUE(model.warnings.empty());
  // n = 262144 - 8192: the first token of the second chunk.
  int64_t key = -1;
  DualChunkIds ids;
  ids.key = &key;
  ASSERT_TRUE(
      DualChunkPositions(Positions::Constant(253952, 1), *layer.dual_chunk, ids)
          .ok());
  EXPECT_EQ(key, 0);
}

TEST(HuggingFaceAttentionTest, DualChunksMustHaveTheirLengths) {
  ExpectError(Chunked(R"({"chunk_size": 262144})"), StatusCode::kParseError,
              {"dual_chunk_attention_config.local_size", "missing"});
  ExpectError(Chunked(R"({"chunk_size": 8192, "local_size": 8192})"),
              StatusCode::kInvalidArgument,
              {"local_size = 8192", "below chunk_size"});
  ExpectError(Chunked(R"({"chunk_size": 0, "local_size": 0})"),
              StatusCode::kInvalidArgument, {"chunk_size = 0"});
  ExpectError(Chunked("7"), StatusCode::kParseError,
              {"dual_chunk_attention_config = 7", "object"});
  EXPECT_FALSE(ReadOne(Chunked("null")).dual_chunk.has_value());
}

TEST(HuggingFaceAttentionTest, DeepSeekV4TurnsItsOutputBack) {
  const ModelRope model = Read(ConfigOf("deepseek_v4", R"("head_dim": 512,
      "qk_rope_head_dim": 64, "rope_theta": 10000)"));
  for (const LayerRope& layer : model.layer_types) {
    EXPECT_TRUE(layer.inverse_on_output) << layer.layer_type;
  }
  EXPECT_FALSE(ReadOne(Llama("")).inverse_on_output);
}

}  // namespace
}  // namespace ropewalk::test
