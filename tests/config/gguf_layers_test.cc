// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Models with several kinds of layers.
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

constexpr char kPattern[] = "attention.sliding_window_pattern";

std::vector<std::string> Kinds(const ModelRope& model) {
  std::vector<std::string> names;
  for (const LayerRope& layer : model.layer_types) {
    names.push_back(layer.layer_type);
  }
  return names;
}

const std::vector<std::string> kFullAndSliding = {"full_attention",
                                                  "sliding_attention"};

TEST(GgufLayersTest, BaseOfSlidingLayersMakesAKind) {
  Metadata metadata = Metadata::Of("mimo2").Set("rope.freq_base_swa", 1e4);
  const ModelRope model = metadata.Model();
  EXPECT_EQ(Kinds(model), kFullAndSliding);
  EXPECT_EQ(model.Find("full_attention")->parameters.base, 1e6);
  EXPECT_EQ(model.Find("sliding_attention")->parameters.base, 1e4);
  EXPECT_EQ(model.Find("all"), nullptr);
  EXPECT_TRUE(model.Find("full_attention")->layers.empty());
  metadata.Set("rope.freq_base_swa", 1e6);
  EXPECT_EQ(Kinds(metadata.Model()), std::vector<std::string>{"all"});
}

TEST(GgufLayersTest, DimensionOfSlidingLayersMakesAKind) {
  const Metadata metadata =
      Metadata::Of("mimo2").Set("rope.dimension_count_swa", int64_t{64});
  const LayerRope sliding = metadata.Layer("sliding_attention");
  EXPECT_EQ(sliding.parameters.rotary_dim, 64);
  EXPECT_EQ(sliding.layout.rotary_dim, 64);
  EXPECT_EQ(sliding.parameters.base, 1e6);
  EXPECT_EQ(metadata.Layer("full_attention").parameters.rotary_dim, 128);
}

TEST(GgufLayersTest, ScalingIsThatOfAllLayersUnlessTheArchitectureDiffers) {
  Metadata metadata = Metadata::Of("mimo2")
                          .Set("rope.freq_base_swa", 1e4)
                          .Set("rope.scaling.factor", 8.0);
  SchemeOf<LinearScaling>(metadata.Layer("full_attention"));
  SchemeOf<LinearScaling>(metadata.Layer("sliding_attention"));
}

TEST(GgufLayersTest, Gemma3AssumesTheSlidingBase) {
  for (const char* name : {"gemma3", "gemma3n", "gemma-embedding"}) {
    Metadata metadata = Metadata::Of(name).Set("rope.scaling.factor", 8.0);
    const ModelRope model = metadata.Model();
    EXPECT_EQ(Kinds(model), kFullAndSliding);
    const LayerRope& full = *model.Find("full_attention");
    const LayerRope& sliding = *model.Find("sliding_attention");
    EXPECT_EQ(SchemeOf<LinearScaling>(full).factor, 8);
    SchemeOf<NoScaling>(sliding);
    EXPECT_EQ(full.parameters.base, 1e6);
    EXPECT_EQ(sliding.parameters.base, 1e4);
    EXPECT_TRUE(HasWarning(model, "rope.freq_base_swa: assumed"));
    metadata.Set("rope.freq_base_swa", 2e4);
    EXPECT_EQ(metadata.Layer("sliding_attention").parameters.base, 2e4);
    EXPECT_FALSE(HasWarning(metadata.Model(), "freq_base_swa"));
    metadata.Set("attention.sliding_window", int64_t{0});
    EXPECT_EQ(Kinds(metadata.Model()), std::vector<std::string>{"all"});
  }
}

TEST(GgufLayersTest, Olmo2ScalesOnlyFullLayers) {
  Metadata metadata = Metadata::Of("olmo2").Set("rope.scaling.factor", 8.0);
  EXPECT_EQ(Kinds(metadata.Model()), std::vector<std::string>{"all"});
  metadata.Set("attention.sliding_window", int64_t{4096});
  SchemeOf<LinearScaling>(metadata.Layer("full_attention"));
  SchemeOf<NoScaling>(metadata.Layer("sliding_attention"));
  metadata.Drop("rope.scaling.factor");
  EXPECT_EQ(Kinds(metadata.Model()), std::vector<std::string>{"all"});
}

// Gemma 4: heads of 512 dims with 64 live pairs, sliding ones of 256.
Metadata Gemma4() {
  std::vector<float> divisors(256, 1e30f);
  for (size_t i = 0; i < 64; ++i) divisors[i] = 1.0f;
  return Metadata::Of("gemma4")
      .Set("attention.key_length", int64_t{512})
      .Set("attention.key_length_swa", int64_t{256})
      .Set("rope.dimension_count", int64_t{512})
      .Set("rope.dimension_count_swa", int64_t{256})
      .Set("rope.freq_base_swa", 1e4)
      .Tensor("rope_freqs.weight", divisors);
}

TEST(GgufLayersTest, Gemma4IsProportionalInFullLayers) {
  const LayerRope full = Gemma4().Layer("full_attention");
  EXPECT_EQ(SchemeOf<ProportionalScaling>(full).head_dim, 512);
  EXPECT_EQ(full.parameters.rotary_dim, 128);
  for (const RotaryLayout& layout : {full.layout, full.key_layout}) {
    EXPECT_EQ(layout.head_dim, 512);
    EXPECT_EQ(layout.rotary_dim, 128);
    EXPECT_EQ(layout.pair_distance, 256);
  }
  const LayerRope sliding = Gemma4().Layer("sliding_attention");
  SchemeOf<NoScaling>(sliding);
  EXPECT_EQ(sliding.parameters.rotary_dim, 256);
  EXPECT_EQ(sliding.layout.head_dim, 256);
  EXPECT_EQ(sliding.layout.pair_distance, 0);
  EXPECT_EQ(sliding.parameters.base, 1e4);
}

TEST(GgufLayersTest, Gemma4DimensionsDefaultToTheKeyLengths) {
  const Metadata metadata =
      Gemma4().Drop("rope.dimension_count").Drop("rope.dimension_count_swa");
  EXPECT_EQ(metadata.Layer("sliding_attention").parameters.rotary_dim, 256);
  SchemeOf<ProportionalScaling>(metadata.Layer("full_attention"));
}

TEST(GgufLayersTest, OnlyDeadPairsAfterLiveOnesAreProportional) {
  Metadata metadata = Gemma4();
  std::vector<float> divisors = metadata.tensors["rope_freqs.weight"];
  divisors[255] = 1.0f;
  metadata.Tensor("rope_freqs.weight", divisors);
  SchemeOf<FrequencyFactors>(metadata.Layer("full_attention"));
  divisors[255] = 1e29f;
  metadata.Tensor("rope_freqs.weight", divisors);
  SchemeOf<FrequencyFactors>(metadata.Layer("full_attention"));
  metadata.Tensor("rope_freqs.weight", std::vector<float>(256, 1.0f));
  SchemeOf<FrequencyFactors>(metadata.Layer("full_attention"));
  metadata.Tensor("rope_freqs.weight", std::vector<float>(256, 1e30f));
  EXPECT_FALSE(metadata.Layer("full_attention").uses_rope);
}

// ggml scales what does not turn, too; the scheme leaves it alone.
TEST(GgufLayersTest, ProportionalTakesAFactorButNoAttentionFactor) {
  Metadata metadata = Gemma4().Set("rope.scaling.factor", 2.0);
  EXPECT_EQ(
      SchemeOf<ProportionalScaling>(metadata.Layer("full_attention")).factor,
      2);
  metadata.Drop("rope.scaling.factor").Set("rope.scaling.attn_factor", 1.5);
  EXPECT_EQ(SchemeOf<FrequencyFactors>(metadata.Layer("full_attention"))
                .attention_factor,
            1.5);
}

TEST(GgufLayersTest, PatternNamesTheLayers) {
  Metadata metadata = Gemma4();
  metadata.Set(kPattern, std::vector<int64_t>{1, 1, 0, 1, 1, 0, 1, 0});
  EXPECT_EQ(metadata.Layer("full_attention").layers,
            (std::vector<int>{2, 5, 7}));
  EXPECT_EQ(metadata.Layer("sliding_attention").layers,
            (std::vector<int>{0, 1, 3, 4, 6}));
  // Of so many layers the last is full.
  metadata.Set(kPattern, int64_t{3});
  EXPECT_EQ(metadata.Layer("full_attention").layers, (std::vector<int>{2, 5}));
  metadata.Set(kPattern, int64_t{0});
  EXPECT_EQ(Kinds(metadata.Model()), std::vector<std::string>{"all"});
  EXPECT_EQ(metadata.Layer().parameters.base, 1e4);
  metadata.Set(kPattern, int64_t{1});
  EXPECT_EQ(Kinds(metadata.Model()), std::vector<std::string>{"all"});
  EXPECT_EQ(metadata.Layer().parameters.base, 1e6);
}

TEST(GgufLayersTest, ModernBertBeginsWithAFullLayer) {
  Metadata metadata = Metadata::Of("modern-bert").Set(kPattern, int64_t{3});
  EXPECT_EQ(metadata.Layer("full_attention").layers,
            (std::vector<int>{0, 3, 6}));
}

// The periods are those of the models' config.json: Gemma 3 and EmbeddingGemma
// sliding_window_pattern 6, Gemma 3n and OLMo 3 layer_types, ModernBERT
// global_attn_every_n_layers 3.
TEST(GgufLayersTest, PatternOfTheArchitectureIsAssumedWithAWarning) {
  const struct {
    const char* name;
    std::vector<int> full;
    const char* warning;
  } cases[] = {
      {"gemma3", {5, 11}, "pattern: assumed to be 6: the last"},
      {"gemma-embedding", {5, 11}, "pattern: assumed to be 6: the last"},
      {"gemma3n", {4, 9}, "pattern: assumed to be 5: the last"},
      {"olmo2", {3, 7, 11}, "pattern: assumed to be 4: the last"},
      {"modern-bert", {0, 3, 6, 9, 12}, "pattern: assumed to be 3: the first"},
  };
  for (const auto& expected : cases) {
    Metadata metadata = Metadata::Of(expected.name)
                            .Set("block_count", int64_t{13})
                            .Set("attention.sliding_window", int64_t{1024})
                            .Set("rope.scaling.factor", 8.0);
    const ModelRope model = metadata.Model();
    ASSERT_EQ(Kinds(model), kFullAndSliding) << expected.name;
    EXPECT_EQ(model.Find("full_attention")->layers, expected.full);
    EXPECT_EQ(model.Find("sliding_attention")->layers.size(),
              13 - expected.full.size());
    EXPECT_TRUE(HasWarning(model, expected.warning)) << expected.name;
    metadata.Set(kPattern, int64_t{2});
    EXPECT_EQ(metadata.Layer("full_attention").layers.size(),
              expected.name == std::string("modern-bert") ? 7u : 6u);
    EXPECT_FALSE(HasWarning(metadata.Model(), "pattern: assumed"));
    metadata.Drop(kPattern).Drop("block_count");
    EXPECT_TRUE(metadata.Layer("full_attention").layers.empty());
    EXPECT_FALSE(HasWarning(metadata.Model(), "pattern: assumed"));
  }
}

TEST(GgufLayersTest, PatternsMustFitTheLayers) {
  Metadata metadata = Gemma4();
  metadata.Set(kPattern, std::vector<int64_t>{1, 0});
  metadata.ExpectError(StatusCode::kParseError,
                       {"gemma4.attention.sliding_window_pattern", "2 entries",
                        "block_count = 8"});
  metadata.Drop("block_count");
  EXPECT_EQ(metadata.Layer("full_attention").layers, std::vector<int>{1});
  metadata.Set(kPattern, int64_t{-1});
  metadata.ExpectError(StatusCode::kInvalidArgument, {"pattern = -1"});
  metadata.Set(kPattern, std::string("1:5"));
  metadata.ExpectError(StatusCode::kParseError, {"pattern = 1:5"});
  metadata.Set(kPattern, std::vector<int64_t>(65537, 1));
  metadata.ExpectError(StatusCode::kParseError, {"65537 entries", "65536"});
}

TEST(GgufLayersTest, FullLayersOfCohere2AndExaone4DoNotRotate) {
  for (const char* name : {"cohere2", "exaone4"}) {
    Metadata metadata = Metadata::Of(name);
    metadata.Set("attention.sliding_window", int64_t{4096});
    const LayerRope full = metadata.Layer("full_attention");
    EXPECT_FALSE(full.uses_rope) << name;
    EXPECT_EQ(full.parameters.rotary_dim, 0);
    EXPECT_EQ(full.layout.rotary_dim, 0);
    EXPECT_EQ(full.layers, (std::vector<int>{3, 7}));
    EXPECT_TRUE(metadata.Layer("sliding_attention").uses_rope);
    metadata.Set(kPattern, std::vector<int64_t>{0, 1, 1, 1, 1, 1, 1, 1});
    EXPECT_EQ(metadata.Layer("full_attention").layers, std::vector<int>{0});
  }
  // The small EXAONE 4 has no sliding layers.
  EXPECT_TRUE(Metadata::Of("exaone4").Layer("full_attention").uses_rope);
}

TEST(GgufLayersTest, EveryFourthLayerOfLlama4AndSmolLm3DoesNotRotate) {
  Metadata llama4 = Metadata::Of("llama4");
  EXPECT_EQ(llama4.Layer("full_attention").layers, (std::vector<int>{3, 7}));
  EXPECT_FALSE(llama4.Layer("full_attention").uses_rope);
  EXPECT_TRUE(llama4.Layer("chunked_attention").uses_rope);
  llama4.Set("attention.sliding_window", int64_t{0});
  EXPECT_TRUE(llama4.Layer().uses_rope);
  EXPECT_EQ(Kinds(llama4.Model()), std::vector<std::string>{"all"});
  const Metadata smollm3 = Metadata::Of("smollm3");
  EXPECT_EQ(smollm3.Layer("no_rope").layers, (std::vector<int>{3, 7}));
  EXPECT_FALSE(smollm3.Layer("no_rope").uses_rope);
  EXPECT_EQ(smollm3.Layer("full_attention").layers,
            (std::vector<int>{0, 1, 2, 4, 5, 6}));
}

TEST(GgufLayersTest, UnknownRulesAreReported) {
  EXPECT_TRUE(
      HasWarning(Metadata::Of("smallthinker").Model(), "may not rotate"));
}

// DeepSeek V4: the last 64 of 512 dims.
TEST(GgufLayersTest, CompressedLayersOfDeepSeek4AloneAreScaled) {
  Metadata metadata =
      Metadata::Of("deepseek4")
          .Set("attention.key_length", int64_t{512})
          .Set("rope.dimension_count", int64_t{64})
          .Set("rope.freq_base", 1e4)
          .Set("rope.scaling.type", std::string("yarn"))
          .Set("rope.scaling.factor", 16.0)
          .Set("rope.scaling.original_context_length", int64_t{65536});
  metadata.ExpectError(StatusCode::kParseError,
                       {"deepseek4.attention.compress_rope_freq_base"});
  metadata.Set("attention.compress_rope_freq_base", 160000.0);
  const ModelRope model = metadata.Model();
  EXPECT_EQ(Kinds(model), (std::vector<std::string>{"sliding_attention",
                                                    "compressed_attention"}));
  const LayerRope& sliding = *model.Find("sliding_attention");
  const LayerRope& compressed = *model.Find("compressed_attention");
  SchemeOf<NoScaling>(sliding);
  EXPECT_EQ(sliding.parameters.base, 1e4);
  EXPECT_EQ(compressed.parameters.base, 160000);
  EXPECT_EQ(SchemeOf<YarnScaling>(compressed).attention_factor, 1);
  for (const LayerRope* layer : {&sliding, &compressed}) {
    EXPECT_EQ(layer->layout.rotary_offset, 448);
    EXPECT_EQ(layer->key_layout.rotary_offset, 448);
    EXPECT_EQ(layer->key_layout.head_dim, 512);
  }
}

// Step-3.5: full layers rotate half of their dims, by a base of their own.
Metadata Step35() {
  return Metadata::Of("step35")
      .Set("rope.freq_base_per_layer",
           std::vector<double>{5e6, 1e4, 1e4, 1e4, 5e6, 1e4, 1e4, 1e4})
      .Set("rope.dimension_count_per_layer",
           std::vector<int64_t>{64, 128, 128, 128, 64, 128, 128, 128})
      .Set(kPattern, std::vector<int64_t>{0, 1, 1, 1, 0, 1, 1, 1})
      .Tensor("rope_freqs.weight", std::vector<float>(32, 2.0f));
}

TEST(GgufLayersTest, EqualLayersOfListsAreOneKind) {
  const ModelRope model = Step35().Model();
  EXPECT_EQ(Kinds(model), kFullAndSliding);
  const LayerRope& full = *model.Find("full_attention");
  const LayerRope& sliding = *model.Find("sliding_attention");
  EXPECT_EQ(full.layers, (std::vector<int>{0, 4}));
  EXPECT_EQ(full.parameters.rotary_dim, 64);
  EXPECT_EQ(full.parameters.base, 5e6);
  SchemeOf<FrequencyFactors>(full);
  EXPECT_EQ(sliding.layers, (std::vector<int>{1, 2, 3, 5, 6, 7}));
  EXPECT_EQ(sliding.parameters.rotary_dim, 128);
  SchemeOf<NoScaling>(sliding);
}

TEST(GgufLayersTest, UnequalLayersOfOneTypeAreNumbered) {
  Metadata metadata = Step35();
  metadata.Set("rope.freq_base_per_layer",
               std::vector<double>{5e6, 1e4, 1e4, 1e4, 1e6, 1e4, 1e4, 1e4});
  EXPECT_EQ(Kinds(metadata.Model()),
            (std::vector<std::string>{"full_attention", "sliding_attention",
                                      "full_attention_2"}));
  Metadata plain = Metadata::Of("llama").Set(
      "rope.freq_base_per_layer",
      std::vector<double>{1e4, 1e5, 1e4, 1e5, 1e4, 1e5, 1e4, 1e5});
  EXPECT_EQ(Kinds(plain.Model()),
            (std::vector<std::string>{"group", "group_2"}));
  plain.Set("rope.freq_base_per_layer", std::vector<double>(8, 1e4));
  EXPECT_EQ(Kinds(plain.Model()), std::vector<std::string>{"all"});
  EXPECT_EQ(plain.Layer().layers.size(), 8u);
}

TEST(GgufLayersTest, ListsMustFitTheLayers) {
  Metadata metadata = Step35();
  metadata.Set("rope.dimension_count_per_layer", std::vector<int64_t>{64});
  metadata.ExpectError(StatusCode::kParseError,
                       {"step35.rope.dimension_count_per_layer", "1 entries"});
  metadata = Step35();
  metadata.Set("rope.freq_base_per_layer", std::vector<double>{});
  metadata.Drop("rope.dimension_count_per_layer");
  metadata.ExpectError(StatusCode::kParseError, {"freq_base_per_layer"});
  metadata = Step35();
  metadata.Drop(kPattern);
  metadata.ExpectError(StatusCode::kParseError,
                       {"step35.attention.sliding_window_pattern = missing"});
  metadata = Step35();
  metadata.Drop("rope.freq_base_per_layer");
  metadata.Drop("rope.dimension_count_per_layer");
  metadata.ExpectError(StatusCode::kParseError,
                       {"step35.rope.dimension_count_per_layer = missing"});
}

TEST(GgufLayersTest, KindsAreBounded) {
  Metadata metadata = Metadata::Of("llama").Set("block_count", int64_t{17});
  std::vector<double> bases;
  for (int i = 0; i < 17; ++i) bases.push_back(1e4 + i);
  metadata.Set("rope.freq_base_per_layer", bases);
  metadata.ExpectError(StatusCode::kUnsupported, {"16 kinds"});
}

TEST(GgufLayersTest, KeysOfAKindAreItsOwn) {
  const ModelRope model = Metadata::Of("gemma3")
                              .Set("rope.freq_base_swa", 1e4)
                              .Set("rope.scaling.factor", 8.0)
                              .Model();
  const auto has = [&](const char* type, const char* path) {
    for (const ConfigKey& key : model.Find(type)->keys) {
      if (key.path == path) return true;
    }
    return false;
  };
  EXPECT_TRUE(has("full_attention", "gemma3.rope.freq_base"));
  EXPECT_TRUE(has("full_attention", "gemma3.rope.scaling.factor"));
  EXPECT_FALSE(has("full_attention", "gemma3.rope.freq_base_swa"));
  EXPECT_TRUE(has("sliding_attention", "gemma3.rope.freq_base_swa"));
  EXPECT_FALSE(has("sliding_attention", "gemma3.rope.scaling.factor"));
}

TEST(GgufLayersTest, SectionsMustFitEveryKind) {
  Metadata metadata = Metadata::Of("qwen2vl");
  metadata.Set("rope.dimension_sections", std::vector<int64_t>{16, 24, 24, 0});
  metadata.Set("rope.dimension_count_swa", int64_t{64});
  metadata.ExpectError(StatusCode::kUnsupported,
                       {"sliding_attention", "dimension_sections"});
}

}  // namespace
}  // namespace ropewalk
