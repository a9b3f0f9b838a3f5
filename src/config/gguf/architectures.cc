// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Source: the rope types of llama.cpp and ik_llama.cpp (8337e4cd), and the
// graphs of the architectures named. Left out on purpose, so that the caller
// must say: orion, plamo and minicpm3, on which the two disagree, and gptj,
// which rotates but which llama.cpp cannot run.
#include "config/gguf/architectures.h"

namespace ropewalk::internal::gguf {
namespace {

constexpr auto kNoRope = ArchitecturePairing::kNoRope;
constexpr auto kHalf = ArchitecturePairing::kHalf;
constexpr auto kInterleaved = ArchitecturePairing::kInterleaved;

constexpr uint32_t kGemma3 =
    kSlidingBase10000 | kSlidingUnscaled | kSlidingUnlessZero;

constexpr Architecture kArchitectures[] = {
    // Positions are learned, ALiBi's, T5's, or a recurrence's.
    {"arwkv7", kNoRope},
    {"bert", kNoRope},
    {"bloom", kNoRope},
    {"gpt2", kNoRope},
    {"jais", kNoRope},
    {"jamba", kNoRope},
    {"jina-bert-v2", kNoRope},
    {"kimi-linear", kNoRope},
    {"mamba", kNoRope},
    {"mamba2", kNoRope},
    {"mpt", kNoRope},
    {"nemotron_h", kNoRope},
    {"nemotron_h_moe", kNoRope},
    {"refact", kNoRope},
    {"rwkv6", kNoRope},
    {"rwkv6qwen2", kNoRope},
    {"rwkv7", kNoRope},
    {"starcoder", kNoRope},
    {"t5", kNoRope},
    {"t5encoder", kNoRope},
    {"wavtokenizer-dec", kNoRope},

    {"arcee", kInterleaved},
    {"arctic", kInterleaved},
    {"baichuan", kInterleaved, kAlibiOf40Layers},
    {"bailingmoe", kInterleaved},
    {"bailingmoe3", kInterleaved},
    {"chameleon", kInterleaved},
    {"chatglm", kInterleaved},
    {"cohere2", kInterleaved, kFullWithoutRope},
    {"command-r", kInterleaved},
    {"deci", kInterleaved},
    {"deepseek", kInterleaved},
    {"deepseek2", kInterleaved, kWindowAtEnd | kDeepSeekMultiplier},
    {"deepseek4", kInterleaved,
     kWindowAtEnd | kDeepSeekMultiplier | kUnitYarn | kCompressed},
    {"ernie4_5", kInterleaved},
    {"ernie4_5-moe", kInterleaved},
    {"glm-dsa", kInterleaved, kWindowAtEnd | kDeepSeekMultiplier},
    {"glm4", kInterleaved, kMropeIsHalf},
    {"granite", kInterleaved, kFinetunedIsSwitch},
    {"granitehybrid", kInterleaved, kFinetunedIsSwitch},
    {"granitemoe", kInterleaved, kFinetunedIsSwitch},
    {"internlm2", kInterleaved},
    {"llama", kInterleaved},
    {"llama4", kInterleaved,
     kFullWithoutRope | kChunked | kSlidingUnlessZero | kLlama4Temperature},
    {"minicpm", kInterleaved},
    {"mistral3", kInterleaved, kMscaleMultiplier | kMistral3Temperature},
    {"mistral4", kInterleaved,
     kWindowAtEnd | kMscaleMultiplier | kMistral3Temperature},
    {"neo-bert", kInterleaved},
    {"olmo", kInterleaved},
    {"plm", kInterleaved, kWindowAtEnd},
    {"smollm3", kInterleaved, kFourthWithoutRope},
    {"xverse", kInterleaved},

    {"afmoe", kHalf, kUnknownNoRope},
    {"apertus", kHalf},
    {"bailingmoe2", kHalf},
    {"bitnet", kHalf},
    {"codeshell", kHalf},
    {"cogvlm", kHalf},
    {"dbrx", kHalf},
    {"dots1", kHalf},
    {"dream", kHalf},
    {"exaone", kHalf},
    {"exaone4", kHalf, kFullWithoutRope | kSlidingIfGiven},
    {"falcon", kHalf},
    {"falcon-h1", kHalf},
    {"gemma", kHalf},
    {"gemma-embedding", kHalf, kGemma3, 6},
    {"gemma2", kHalf},
    {"gemma3", kHalf, kGemma3, 6},
    {"gemma3n", kHalf, kGemma3, 5},
    {"gemma4", kHalf, kSlidingUnscaled},
    {"glm4moe", kHalf},
    {"gpt-oss", kHalf, kUntruncatedYarn},
    {"gptneox", kHalf},
    {"grok", kHalf, kBetaFast8},
    {"grovemoe", kHalf},
    {"hunyuan-dense", kHalf},
    {"hunyuan-moe", kHalf},
    {"jina-bert-v3", kHalf},
    {"laguna", kHalf, kSlidingUnscaled | kDoubtfulAttnFactor},
    {"lfm2", kHalf},
    {"lfm2moe", kHalf},
    {"llada-moe", kHalf},
    {"mimo2", kHalf},
    {"minimax-m2", kHalf},
    {"modern-bert", kHalf,
     kSlidingBase10000 | kSlidingUnscaled | kFullLayerFirst, 3},
    {"nemotron", kHalf},
    {"nomic-bert", kHalf},
    {"nomic-bert-moe", kHalf},
    {"olmo2", kHalf, kSlidingUnscaled | kSlidingIfGiven, 4},
    {"olmoe", kHalf},
    {"openelm", kHalf},
    {"pangu-embedded", kHalf},
    {"phi2", kHalf},
    {"phi3", kHalf},
    {"phimoe", kHalf},
    {"plamo2", kHalf},
    {"plamo3", kHalf},
    {"qwen", kHalf},
    {"qwen2", kHalf},
    {"qwen2moe", kHalf},
    {"qwen2vl", kHalf, kMropeRequired},
    {"qwen3", kHalf},
    {"qwen35", kHalf, kMropeRequired | kMropeInterleaved},
    {"qwen35moe", kHalf, kMropeRequired | kMropeInterleaved},
    {"qwen3moe", kHalf},
    {"qwen3next", kHalf},
    {"qwen3vl", kHalf, kMropeRequired | kMropeInterleaved},
    {"qwen3vlmoe", kHalf, kMropeRequired | kMropeInterleaved},
    {"rnd1", kHalf},
    {"seed-oss", kHalf},
    {"smallthinker", kHalf, kUnknownNoRope},
    {"stablelm", kHalf},
    {"starcoder2", kHalf},
    {"step35", kHalf, kSlidingUnscaled | kTwoDimensions},

    // In no list of rope types, or in contradicting ones.
    {"mellum", ArchitecturePairing::kUnsettled, kDoubtfulAttnFactor},
    {"minicpm3", ArchitecturePairing::kUnsettled, kWindowAtEnd},
};

}  // namespace

Architecture FindArchitecture(std::string_view name) noexcept {
  for (const Architecture& known : kArchitectures) {
    if (known.name == name) return known;
  }
  return {name};
}

}  // namespace ropewalk::internal::gguf
