// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Source: the modelling and configuration classes of Hugging Face
// Transformers, and for chatglm, deepseek_v4, hunyuan, kimi, minicpm,
// nemotron-nas, qwen, step3p5, stablelm_epoch and Yi the code published with
// the weights.
#include "config/huggingface/families.h"

namespace ropewalk::internal {
namespace {

constexpr Pairing kHalf = Pairing::kHalf;
constexpr Pairing kAdjacent = Pairing::kInterleaved;
constexpr LayerRule kOne = LayerRule::kOneKind;
constexpr LayerRule kLocal = LayerRule::kLocalBase;
constexpr LayerRule kChunked = LayerRule::kChunkedLayers;
constexpr LayerRule kNopeFull = LayerRule::kFullWithoutRope;
constexpr YarnSoftmax kUnknown = YarnSoftmax::kUnknown;
constexpr YarnSoftmax kDeepSeek = YarnSoftmax::kDeepSeek;

// In the order of the alphabet. The name of an outer model (llama4, gemma3)
// stands here as well if files without a nested text_config use it.
constexpr Family kFamilies[] = {
    {"Yi", kHalf},
    {"apertus", kHalf, 0, 1, 0, kOne, kUnknown, "llama3 with factor 8"},
    {"arcee", kHalf, 1e4},
    {"bitnet", kHalf},
    {"bloom", kHalf, 0, 1, 0, LayerRule::kNoRope},
    {"chatglm", kAdjacent, 1e4, 0.5},
    {"codegen", kAdjacent, 1e4},
    {"cohere", kAdjacent, 1e4},
    {"cohere2", kAdjacent, 1e4, 1, 0, kNopeFull},
    {"deepseek", kHalf, 1e4},
    {"deepseek_v2", kAdjacent, 1e4, 1, 0, kOne, kDeepSeek},
    {"deepseek_v3", kAdjacent, 1e4, 1, 0, kOne, kDeepSeek},
    {"deepseek_v32", kAdjacent, 1e4, 1, 0, kOne, kDeepSeek},
    {"deepseek_v4", kAdjacent, 1e4, 1, 0, LayerRule::kDeepSeekV4,
     YarnSoftmax::kUnscaled},
    {"dots1", kHalf, 1e4},
    {"ernie4_5", kAdjacent, 5e5, 1, 128},
    {"ernie4_5_moe", kAdjacent, 5e5},
    {"ernie4_5_moe_vl", kAdjacent, 5e5},
    {"ernie4_5_vl_moe", kAdjacent, 5e5},
    {"ernie4_5_vl_moe_text", kAdjacent, 5e5},
    {"exaone", kHalf},
    {"exaone4", kHalf, 0, 1, 0, kNopeFull},
    {"exaone_moe", kHalf, 0, 1, 0, kNopeFull},
    {"falcon", kHalf, 1e4},
    {"falcon_h1", kHalf},
    {"gemma", kHalf, 1e4, 1, 256},
    {"gemma2", kHalf, 1e4, 1, 256},
    {"gemma3", kHalf, 1e6, 1, 256, kLocal},
    {"gemma3_text", kHalf, 1e6, 1, 256, kLocal},
    {"gemma3n", kHalf, 1e6, 1, 256, kLocal},
    {"gemma3n_text", kHalf, 1e6, 1, 256, kLocal},
    {"gemma4", kHalf, 0, 1, 256, LayerRule::kGemma4},
    {"gemma4_text", kHalf, 0, 1, 256, LayerRule::kGemma4},
    {"glm", kAdjacent, 1e4, 0.5, 128},
    {"glm4", kAdjacent, 1e4, 0.5, 128},
    {"glm4_moe", kHalf, 1e4, 0.5, 128},
    {"glm4_moe_lite", kAdjacent, 0, 1, 0, kOne, kDeepSeek},
    {"glm4v", kAdjacent, 1e4, 0.5},
    {"glm4v_text", kAdjacent, 1e4, 0.5},
    {"gpt2", kHalf, 0, 1, 0, LayerRule::kNoRope},
    {"gpt_bigcode", kHalf, 0, 1, 0, LayerRule::kNoRope},
    {"gpt_neo", kHalf, 0, 1, 0, LayerRule::kNoRope},
    {"gpt_neox", kHalf, 1e4, 0.25},
    {"gpt_oss", kHalf, 150000, 1, 64, kOne, kUnknown, "yarn with factor 32"},
    {"gptj", kAdjacent, 1e4},
    {"granite", kHalf, 1e4},
    {"granitemoe", kHalf, 1e4},
    {"granitemoehybrid", kHalf, 1e4},
    {"granitemoeshared", kHalf, 1e4},
    {"hunyuan", kHalf, 1e4},
    {"hunyuan_v1_dense", kHalf, 1e4},
    {"hunyuan_v1_moe", kHalf, 1e4},
    {"hunyuan_vl", kHalf},
    {"hunyuan_vl_text", kHalf},
    {"internlm2", kHalf},
    {"internlm3", kHalf},
    {"kimi_k2", kAdjacent, 0, 1, 0, kOne, kDeepSeek},
    {"kimi_k25", kAdjacent, 0, 1, 0, kOne, kDeepSeek},
    {"lfm2", kHalf, 1e6},
    {"llama", kHalf, 1e4},
    {"llama4", kAdjacent, 5e5, 1, 0, kChunked},
    {"llama4_text", kAdjacent, 5e5, 1, 0, kChunked},
    {"mimo", kHalf},
    {"mimo_v2_flash", kHalf},
    {"minicpm", kHalf, 1e4},
    {"minimax", kHalf, 1e6},
    {"minimax_m1", kHalf},
    {"minimax_m2", kHalf},
    {"minimax_m3", kHalf},
    {"minimax_text_01", kHalf},
    {"ministral", kHalf},
    {"ministral3", kHalf, 0, 1, 128, kOne, YarnSoftmax::kNone,
     "yarn with factor 16"},
    {"mistral", kHalf, 1e4},
    {"mixtral", kHalf, 1e6},
    {"mllama_text_model", kHalf, 5e5, 1, 0, LayerRule::kCrossLayers},
    {"modernbert", kHalf, 0, 1, 0, LayerRule::kModernBert},
    {"nemotron", kHalf, 1e4, 0.5},
    {"nemotron-nas", kHalf},
    {"olmo", kHalf, 1e4},
    {"olmo2", kHalf, 1e4},
    {"olmo3", kHalf, 0, 1, 0, LayerRule::kScaledFull},
    {"olmoe", kHalf, 1e4},
    {"opt", kHalf, 0, 1, 0, LayerRule::kNoRope},
    {"persimmon", kHalf, 25000, 0.5},
    {"phi", kHalf, 1e4, 0.5},
    {"phi3", kHalf, 1e4},
    {"phi3_v", kHalf, 1e4},
    {"phi4mm", kHalf, 1e4},
    {"phimoe", kHalf},
    {"qwen", kHalf, 1e4},
    {"qwen2", kHalf, 1e4},
    {"qwen2_5_omni_text", kHalf, 1e6},
    {"qwen2_5_vl", kHalf, 1e6},
    {"qwen2_5_vl_text", kHalf, 1e6},
    {"qwen2_moe", kHalf, 1e4},
    {"qwen2_vl", kHalf, 1e6},
    {"qwen2_vl_text", kHalf, 1e6},
    {"qwen3", kHalf, 1e4, 1, 128},
    {"qwen3_5", kHalf, 0, 0.25, 256},
    {"qwen3_5_moe", kHalf, 0, 0.25, 256},
    {"qwen3_5_moe_text", kHalf, 0, 0.25, 256},
    {"qwen3_5_text", kHalf, 0, 0.25, 256},
    {"qwen3_moe", kHalf, 1e4},
    {"qwen3_next", kHalf, 1e4, 0.25, 256},
    {"qwen3_omni_moe_text", kHalf},
    {"qwen3_vl", kHalf, 5e6, 1, 128},
    {"qwen3_vl_moe", kHalf, 5e6},
    {"qwen3_vl_moe_text", kHalf, 5e6},
    {"qwen3_vl_text", kHalf, 5e6, 1, 128},
    {"seed_oss", kHalf, 0, 1, 128},
    {"smollm3", kHalf, 2e6, 1, 0, LayerRule::kNoRopeLayers},
    {"stablelm", kHalf, 1e4, 0.25},
    {"stablelm_epoch", kHalf, 1e4, 0.25},
    {"starcoder2", kHalf, 1e4},
    {"step3p5", kHalf},
};

}  // namespace

const Family* FindFamily(std::string_view model_type) {
  for (const Family& family : kFamilies) {
    if (model_type == family.model_type) return &family;
  }
  return nullptr;
}

}  // namespace ropewalk::internal
