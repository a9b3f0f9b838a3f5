// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What a reading says that it assumed or did not understand, and that it
// depends on nothing but the text's meaning.
#include <string>
#include <vector>

#include "config/config_text.h"
#include "nlohmann/json.hpp"

namespace ropewalk::test {
namespace {

struct Remark {
  const char* model_type;
  const char* keys;  // Beside a base of 1e6.
  const char* warning;
};

TEST(HuggingFaceWarningsTest, EachOddityIsReportedOnce) {
  const Remark remarks[] = {
      {"llama", R"("rope_scaling": {"type": "linear", "factor": 0.125})",
       "factor below 1"},
      {"llama", R"("rope_scaling": {"type": "linear", "factor": 8,
                   "novel": 1})",
       "rope_scaling.novel: not used"},
      {"llama", R"("rope_scaling": {"type": "default", "factor": 8})",
       "rope_scaling.factor: not used"},
      {"llama", R"("rope_novelty": 1)", "rope_novelty: not used"},
      {"llama", R"("text_rotary_novelty": [], "rope_scaling": {
                   "type": "default", "b": 1, "a": 2})",
       "rope_scaling.a, rope_scaling.b, text_rotary_novelty: not used"},
      {"llama", R"("use_mrope": true)", "use_mrope: not used"},
      {"llama", R"("rotary": true)", "rotary: not used"},
      {"llama", R"("rope_scaling": {"rope_type": "yarn", "factor": 8,
                   "original_max_position_embeddings": 32768})",
       "rope_scaling.factor = 8: kept"},
      {"llama", R"("rope_scaling": {"rope_type": "yarn", "factor": 4,
                   "original_max_position_embeddings": 32768,
                   "llama_4_scaling_beta": 0.1})",
       "rope_scaling.llama_4_scaling_beta"},
      {"llama", R"("rope_scaling": {"rope_type": "llama3", "factor": 8,
                   "low_freq_factor": 1, "high_freq_factor": 4,
                   "original_max_position_embeddings": 131072})",
       "not below max_position_embeddings"},
      {"deepseek_v3", R"("qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
                         "rope_scaling": {"type": "yarn", "factor": 4,
                         "original_max_position_embeddings": 32768,
                         "mscale": 0.707})",
       "rope_scaling.mscale: taken as DeepSeek does"},
      {"qwen2", R"("dual_chunk_attention_config": {"chunk_size": 262144,
                   "local_size": 8192, "sparse_attention_enabled": true})",
       "dual_chunk_attention_config.sparse_attention_enabled: not used"},
      {"llama", R"("vision_config": {"model_type": "glm4v"})",
       "vision_config (model_type = glm4v): whether and how"},
      {"mimo_v2_flash", R"("swa_rope_theta": 1e4, "rope_scaling": {
                           "type": "linear", "factor": 2})",
       "sliding_attention is not scaled"},
  };
  for (const Remark& r : remarks) {
    ExpectOnlyWarning(
        ConfigOf(r.model_type, std::string(R"("rope_theta": 1e6, )") + r.keys),
        r.warning);
  }
}

TEST(HuggingFaceWarningsTest, KnownKeysAreNotReported) {
  for (const char* keys :
       {R"("use_mrope": false)", R"("rope_scaling": {"type": "linear",
           "factor": 2, "finetuned": true, "rope_theta": 1000000,
           "original_max_position_embeddings": 4096})",
        R"("rope_scaling": {"type": "default", "novel": null})",
        R"("rope_novelty": null)", R"("torch_dtype": "bfloat16")"}) {
    EXPECT_TRUE(Read(Llama(keys)).warnings.empty()) << keys;
  }
  EXPECT_TRUE(Read(ConfigOf("gptj", R"("rope_theta": 1e4, "rotary": true)"))
                  .warnings.empty());
}

TEST(HuggingFaceWarningsTest, LongListsOfUnusedKeysAreCut) {
  std::string keys;
  for (int i = 10; i < 30; ++i) {
    keys += (i == 10 ? "\"rope" : ", \"rope") + std::to_string(i) + "\": 1";
  }
  ExpectOnlyWarning(Llama(keys), "rope25 and 4 more: not used");
}

TEST(HuggingFaceWarningsTest, AssumedBasesAreReported) {
  const Remark remarks[] = {
      {"llama", "", "assumed 10000"},      {"mistral", "", "assumed 10000"},
      {"mixtral", "", "assumed 1000000"},  {"qwen2", "", "assumed 10000"},
      {"starcoder2", "", "assumed 10000"}, {"falcon", "", "assumed 10000"},
  };
  for (const Remark& r : remarks) {
    ExpectOnlyWarning(ConfigOf(r.model_type, ""), r.warning);
  }
  ExpectOnlyWarning(ConfigOf("qwen2_vl", R"("rope_scaling": {
                        "mrope_section": [16, 24, 24]})"),
                    "assumed 1000000");
  ExpectOnlyWarning(ConfigOf("gpt_oss", R"("head_dim": 64,
                        "rope_scaling": {"type": "default"})"),
                    "rope_theta: missing, assumed 150000 (model_type = "
                    "gpt_oss)");
}

bool SameLayers(const ModelRope& a, const ModelRope& b) {
  if (a.layer_types.size() != b.layer_types.size()) return false;
  for (size_t i = 0; i < a.layer_types.size(); ++i) {
    const LayerRope& x = a.layer_types[i];
    const LayerRope& y = b.layer_types[i];
    const auto fx = ComputeFrequencies(x.parameters);
    const auto fy = ComputeFrequencies(y.parameters);
    if (!fx.ok() || !fy.ok() || Checksum(fx.value()) != Checksum(fy.value()) ||
        x.layer_type != y.layer_type || x.layers != y.layers ||
        x.layout.head_dim != y.layout.head_dim ||
        x.layout.rotary_dim != y.layout.rotary_dim ||
        x.keys.size() != y.keys.size()) {
      return false;
    }
  }
  return true;
}

nlohmann::ordered_json Reversed(const nlohmann::ordered_json& value) {
  if (!value.is_object()) return value;
  nlohmann::ordered_json reversed = nlohmann::ordered_json::object();
  std::vector<std::string> names;
  for (const auto& [name, entry] : value.items()) names.push_back(name);
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    reversed[*name] = Reversed(value[*name]);
  }
  return reversed;
}

const char kManyKeys[] = R"({"model_type": "outer", "rope_novelty": 1,
    "text_config": {"model_type": "gemma3_text", "head_dim": 256,
      "num_hidden_layers": 3, "max_position_embeddings": 131072,
      "layer_types": ["sliding_attention", "sliding_attention",
                      "full_attention"],
      "rope_scaling": {"full_attention": {"type": "linear"},
                       "sliding_attention": {"novel": 1, "type": "default"}},
      "rope_parameters": {
        "sliding_attention": {"rope_type": "default", "rope_theta": 10000},
        "full_attention": {"factor": 8.0, "rope_theta": 1000000,
                           "rope_type": "linear"}}}})";

TEST(HuggingFaceWarningsTest, TheOrderOfKeysDoesNotMatter) {
  const std::string reversed =
      Reversed(nlohmann::ordered_json::parse(kManyKeys)).dump();
  ASSERT_NE(reversed.find("rope_parameters"), std::string::npos);
  ASSERT_LT(reversed.find("rope_parameters"), reversed.find("rope_scaling"));
  const ModelRope a = Read(kManyKeys);
  const ModelRope b = Read(reversed);
  EXPECT_TRUE(SameLayers(a, b));
  EXPECT_EQ(a.warnings, b.warnings);
  EXPECT_EQ(a.warnings.size(), size_t{1});
}

TEST(HuggingFaceWarningsTest, ReadingTwiceGivesTheSame) {
  const ModelRope a = Read(kManyKeys);
  const ModelRope b = Read(kManyKeys);
  EXPECT_TRUE(SameLayers(a, b));
  EXPECT_EQ(a.warnings, b.warnings);
}

}  // namespace
}  // namespace ropewalk::test
