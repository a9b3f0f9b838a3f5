// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The config.json files of real models: what a reader says of positions. Axis
// maps against axes.json and vision encoders against vision.json or the oracle.
#include <cstdint>
#include <string>
#include <vector>

#include "cli/position_names.h"
#include "config/config_text.h"
#include "config/model_expectations.h"
#include "golden/golden_file.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "reference/vision.h"
#include "ropewalk/config.h"

namespace ropewalk::test {
namespace {

using Json = nlohmann::json;

// The library is within 2 ulp of a formula, the oracle's pow within one.
constexpr double kRelative = 0x1p-48;

Json CaseOf(const char* file, const std::string& id) {
  for (const Json& data : GoldenFile(file).at("cases")) {
    if (data.at("id") == id) return data;
  }
  ADD_FAILURE() << file << " has no case " << id;
  return Json();
}

void ExpectPositionsOfLayer(const LayerRope& got, const Json& want) {
  EXPECT_EQ(got.components,
            want.value("components", std::vector<std::string>()));
  if (want.contains("axis")) {
    const Json golden = CaseOf("axes.json", want.at("axis"));
    EXPECT_EQ(Json(got.parameters.axis), golden.at("axes"));
    EXPECT_EQ(Json(got.mrope_section), golden.at("sections"));
  } else {
    EXPECT_TRUE(got.parameters.axis.empty());
  }
  const Json scale = want.value("query_scale", Json{{"rule", "none"}});
  EXPECT_EQ(cli::RuleName(got.query_scale.rule), scale.at("rule"));
  EXPECT_EQ(got.query_scale.positions, scale.value("positions", 0));
  EXPECT_EQ(got.query_scale.beta, scale.value("beta", 0.0));
  EXPECT_EQ(got.dual_chunk.has_value(), want.contains("dual_chunk"));
  if (got.dual_chunk) {
    EXPECT_EQ(want.at("dual_chunk"),
              Json({got.dual_chunk->chunk_size, got.dual_chunk->local_size}));
  }
  EXPECT_EQ(got.inverse_on_output, want.value("inverse_on_output", false));
}

TEST(ModelsPositionsTest, LayersAreAsExpected) {
  int maps = 0;
  for (const ExpectedModel& want : ReadExpectedModels()) {
    const ModelRope model = Read(want.text);
    for (const ExpectedLayer& layer : want.layers) {
      SCOPED_TRACE(want.name + ", " + layer.kind);
      ExpectPositionsOfLayer(KindOf(model, layer.kind.c_str()), layer.entry);
      maps += layer.entry.contains("axis");
    }
  }
  EXPECT_EQ(maps, 7);
}

TEST(ModelsPositionsTest, ImagesCountAsExpected) {
  const std::vector<std::string> times = {"frames", "seconds", "timestamps"};
  int rules = 0;
  for (const ExpectedModel& want : ReadExpectedModels()) {
    SCOPED_TRACE(want.name);
    const ModelRope model = Read(want.text);
    if (!want.entry.contains("prompt")) {
      EXPECT_EQ(model.prompt_rule, want.layers[0].entry.contains("axis")
                                       ? PromptRule::kTextOnly
                                       : PromptRule::kConsecutive);
      EXPECT_FALSE(model.multimodal.has_value());
      continue;
    }
    const Json& prompt = want.entry.at("prompt");
    EXPECT_EQ(model.prompt_rule, PromptRule::kMultimodal);
    ASSERT_TRUE(model.multimodal.has_value());
    EXPECT_EQ(times.at(static_cast<size_t>(model.multimodal->video_time)),
              prompt.at("video_time"));
    EXPECT_EQ(model.multimodal->merge_size, prompt.at("merge_size"));
    if (prompt.contains("tokens_per_second")) {
      EXPECT_EQ(model.multimodal->tokens_per_second,
                prompt.at("tokens_per_second"));
    }
    ++rules;
  }
  EXPECT_EQ(rules, 3);
}

std::vector<int> PartsOf(const Json& want) {
  std::vector<int> parts;
  for (const Json& part : want.at("parts")) parts.push_back(part == "x");
  return parts;
}

reference::VisionPairs OracleOf(const Json& want) {
  const int head_dim = want.at("head_dim");
  const double base = want.at("base");
  return want.at("scheme") == "pixtral"
             ? reference::PixtralPairs(head_dim, base)
             : reference::AxialPairs(head_dim, PartsOf(want), base);
}

void ExpectPairs(const Frequencies& got, const Json& want) {
  const reference::VisionPairs pairs = OracleOf(want);
  ASSERT_EQ(got.inv_freq.size(), pairs.inv_freq.size());
  ASSERT_EQ(got.axis.size(), pairs.component.size());
  for (size_t i = 0; i < got.inv_freq.size(); ++i) {
    EXPECT_EQ(got.axis[i], pairs.component[i]) << i;
    EXPECT_NEAR(got.inv_freq[i], pairs.inv_freq[i],
                kRelative * pairs.inv_freq[i])
        << i;
  }
  if (!want.contains("golden")) return;
  const Json golden = CaseOf("vision.json", want.at("golden"));
  for (size_t i = 0; i < got.inv_freq.size(); ++i) {
    EXPECT_EQ(got.axis[i], golden.at("pairs")[i][0]) << i;
  }
}

// The whole head in one window, or each half of it in one of its own.
void ExpectLayouts(const VisionRope& got, const Json& want) {
  const bool parts = want.value("windows", "") == "parts";
  const int windows = parts ? 2 : 1;
  const int dims = got.head_dim / windows;
  ASSERT_EQ(got.layouts.size(), static_cast<size_t>(windows));
  for (int k = 0; k < windows; ++k) {
    const RotaryLayout& layout = got.layouts[static_cast<size_t>(k)];
    EXPECT_EQ(layout.head_dim, got.head_dim);
    EXPECT_EQ(layout.rotary_dim, dims);
    EXPECT_EQ(layout.rotary_offset, k * dims);
    EXPECT_EQ(layout.first_pair, k * dims / 2);
    EXPECT_EQ(layout.pairing, want.at("pairing") == "half"
                                  ? Pairing::kHalf
                                  : Pairing::kInterleaved);
    EXPECT_TRUE(layout.pair_distance == 0 || layout.pair_distance == dims / 2);
  }
}

void ExpectVision(const VisionRope& got, const Json& want) {
  EXPECT_EQ(got.family, want.at("family"));
  EXPECT_EQ(got.scheme, want.at("scheme") == "pixtral" ? VisionScheme::kPixtral
                                                       : VisionScheme::kAxial);
  EXPECT_EQ(got.head_dim, want.at("head_dim"));
  EXPECT_EQ(got.heads, want.at("heads"));
  EXPECT_EQ(got.base, want.at("base"));
  EXPECT_EQ(std::vector<int>(got.parts.begin(), got.parts.end()),
            PartsOf(want));
  EXPECT_EQ(got.components, std::vector<std::string>({"y", "x"}));
  EXPECT_EQ(got.patch_size, want.at("patch_size"));
  EXPECT_EQ(got.grid.first, want.value("first", 0));
  EXPECT_EQ(got.grid.merge_size, want.value("merge_size", 1));
  EXPECT_EQ(got.grid.class_token, want.contains("class_token")
                                      ? ClassToken::kLast
                                      : ClassToken::kNone);
  ExpectLayouts(got, want);
  ExpectPairs(got.frequencies, want);
}

TEST(ModelsPositionsTest, VisionEncodersAreAsExpected) {
  int encoders = 0;
  for (const ExpectedModel& want : ReadExpectedModels()) {
    SCOPED_TRACE(want.name);
    const ModelRope model = Read(want.text);
    ASSERT_EQ(model.vision.has_value(), want.entry.contains("vision"));
    if (!model.vision) continue;
    ExpectVision(*model.vision, want.entry.at("vision"));
    EXPECT_GE(model.vision->keys.size(), 3u);
    for (const ConfigKey& key : model.vision->keys) {
      EXPECT_EQ(key.path.rfind("vision_config.", 0), 0u) << key.path;
    }
    ++encoders;
  }
  EXPECT_EQ(encoders, 6);
}

}  // namespace
}  // namespace ropewalk::test
