// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Sections of M-RoPE in config.json: which there must be, which are assumed,
// and which pair follows which component by the code of the family in HF.
#include <cstdint>
#include <string>
#include <vector>

#include "config/config_text.h"

namespace ropewalk::test {
namespace {

using Axis = std::vector<uint8_t>;
using Names = std::vector<std::string>;
using Counts = std::vector<int>;

constexpr auto kParse = StatusCode::kParseError;

// HF's apply_interleaved_mrope: height and width take every third pair, from 1
// and from 2 on, while they have some; all else is time.
Axis HfInterleaved(const Counts& sections) {
  Axis axis(static_cast<size_t>(sections[0] + sections[1] + sections[2]), 0);
  for (const int component : {1, 2}) {
    const int end = 3 * sections[static_cast<size_t>(component)];
    for (int i = component; i < end; i += 3) {
      axis[static_cast<size_t>(i)] = static_cast<uint8_t>(component);
    }
  }
  return axis;
}

Axis Runs(const Counts& sections) {
  Axis axis;
  for (size_t k = 0; k < sections.size(); ++k) {
    axis.insert(axis.end(), static_cast<size_t>(sections[k]),
                static_cast<uint8_t>(k));
  }
  return axis;
}

// 64 pairs, and the 32 of Qwen3.5.
constexpr char kSizes64[] = R"("head_dim": 128)";
constexpr char kSizes32[] = R"("head_dim": 256, "partial_rotary_factor": 0.25)";

std::string Sectioned(const std::string& family, const std::string& entries,
                      const std::string& sizes = kSizes64) {
  return ConfigOf(family, R"("rope_theta": 1e6, )" + sizes +
                              R"(, "rope_scaling": {"rope_type": "default")" +
                              (entries.empty() ? "" : ", " + entries) + "}");
}

struct Interleaving {
  const char* family;
  const char* sizes;
  const char* list;
  Counts sections;
};

const Interleaving kInterleaving[] = {
    {"qwen3_vl", kSizes64, "[24, 20, 20]", {24, 20, 20}},
    {"qwen3_vl_text", kSizes64, "[24, 20, 20]", {24, 20, 20}},
    {"qwen3_vl_moe", kSizes64, "[24, 20, 20]", {24, 20, 20}},
    {"qwen3_vl_moe_text", kSizes64, "[24, 20, 20]", {24, 20, 20}},
    {"qwen3_omni_moe_text", kSizes64, "[24, 20, 20]", {24, 20, 20}},
    {"qwen3_5", kSizes32, "[11, 11, 10]", {11, 11, 10}},
    {"qwen3_5_text", kSizes32, "[11, 11, 10]", {11, 11, 10}},
    {"qwen3_5_moe", kSizes32, "[11, 11, 10]", {11, 11, 10}},
    {"qwen3_5_moe_text", kSizes32, "[11, 11, 10]", {11, 11, 10}},
};

void ExpectInterleaved(const ModelRope& model, const Counts& sections) {
  const LayerRope layer = KindOf(model, "all");
  EXPECT_EQ(layer.parameters.axis, HfInterleaved(sections));
  EXPECT_EQ(layer.mrope_section, sections);
  EXPECT_TRUE(layer.mrope_interleaved);
  EXPECT_EQ(layer.components, Names({"t", "h", "w"}));
  EXPECT_EQ(model.prompt_rule, PromptRule::kTextOnly);
}

TEST(HuggingFaceSectionsTest, TheFamilyInterleavesWhateverTheKeySays) {
  for (const auto& [family, sizes, list, sections] : kInterleaving) {
    SCOPED_TRACE(family);
    const std::string given = std::string("\"mrope_section\": ") + list;
    for (const char* key : {"", R"(, "mrope_interleaved": true)",
                            R"(, "mrope_interleaved": null)"}) {
      const ModelRope model = Read(Sectioned(family, given + key, sizes));
      ExpectInterleaved(model, sections);
      EXPECT_TRUE(model.warnings.empty());
    }
    const std::string denied =
        Sectioned(family, given + R"(, "mrope_interleaved": false)", sizes);
    ExpectInterleaved(Read(denied), sections);
    ExpectOnlyWarning(denied,
                      "rope_scaling.mrope_interleaved = false: not used");
  }
}

TEST(HuggingFaceSectionsTest, SectionsOfTheClassAreAssumedAndReported) {
  for (const auto& [family, sizes, list, sections] : kInterleaving) {
    SCOPED_TRACE(family);
    const std::string warning =
        std::string("mrope_section: missing, assumed ") + list;
    const std::string plain = std::string(R"("rope_theta": 1e6, )") + sizes;
    for (const std::string& text :
         {Sectioned(family, "", sizes),
          Sectioned(family, R"("mrope_section": null)", sizes),
          ConfigOf(family, plain),
          ConfigOf(family, plain + R"(, "rope_scaling": null)")}) {
      ExpectInterleaved(Read(text), sections);
      ExpectOnlyWarning(text, warning);
    }
    // A window of 24 pairs.
    ExpectError(ConfigOf(family, R"("rope_theta": 1e6, "head_dim": 192,
                    "partial_rotary_factor": 0.25)"),
                kParse, {"mrope_section: missing", "must be there", "24"});
  }
}

// A text_config with a name of another family, or none, and an encoder.
TEST(HuggingFaceSectionsTest, TheModelAroundATextModelHasTheRuleToo) {
  const auto outer = [](const std::string& family, const std::string& text) {
    return "{\"model_type\": \"" + family + "\", \"text_config\": " + text +
           R"(, "vision_config": {"model_type": "qwen3_vl", "num_heads": 16,
               "hidden_size": 1152, "spatial_merge_size": 2}})";
  };
  const std::string sizes = R"("head_dim": 128, "rope_theta": 5e6)";
  const ModelRope plain = Read(outer("qwen3_vl", "{" + sizes + "}"));
  EXPECT_EQ(KindOf(plain, "all").parameters.axis, HfInterleaved({24, 20, 20}));
  EXPECT_EQ(plain.prompt_rule, PromptRule::kMultimodal);
  const ModelRope other =
      Read(outer("qwen3_vl", R"({"model_type": "qwen3", )" + sizes + "}"));
  ExpectInterleaved(other, {24, 20, 20});
  EXPECT_TRUE(HasWarning(other, "how its images count"));
  ExpectError(outer("qwen2_5_vl", R"({"model_type": "qwen2", )" + sizes + "}"),
              kParse, {"text_config.mrope_section: missing"});
  const ModelRope omni = Read(R"({"model_type": "qwen3_omni_moe",
      "thinker_config": {"text_config": {"model_type": "qwen3_omni_moe_text",
      "head_dim": 128, "rope_theta": 1e6}}})");
  ExpectInterleaved(omni, {24, 20, 20});
}

TEST(HuggingFaceSectionsTest, QwenVlFailsWithoutSectionsAsInHf) {
  for (const char* family : {"qwen2_vl", "qwen2_vl_text", "qwen2_5_vl",
                             "qwen2_5_vl_text", "qwen2_5_omni_text"}) {
    for (const std::string& text :
         {ConfigOf(family, R"("rope_theta": 1e6)"),
          ConfigOf(family, R"("rope_theta": 1e6, "rope_scaling": null)"),
          Sectioned(family, R"("mrope_section": null)"),
          Sectioned(family, R"("type": "mrope")")}) {
      ExpectError(text, kParse,
                  {"mrope_section: missing", "must be there", family});
    }
    const ModelRope model =
        Read(Sectioned(family, R"("mrope_section": [16, 24, 24])"));
    EXPECT_EQ(KindOf(model, "all").parameters.axis, Runs({16, 24, 24}));
    EXPECT_TRUE(model.warnings.empty());
  }
}

TEST(HuggingFaceSectionsTest, OtherFamiliesWithSectionsMustHaveThemToo) {
  ExpectError(ConfigOf("ernie4_5_moe_vl", ""), kParse,
              {"mrope_section: missing", "must be there"});
  ExpectError(ConfigOf("ernie4_5_vl_moe_text", ""), kParse,
              {"mrope_section: missing", "must be there"});
  ExpectError(Sectioned("glm4v_text", ""), kParse, {"mrope_section: missing"});
  ExpectError(Sectioned("hunyuan_vl", ""), kParse,
              {"rope_scaling.xdrope_section: missing", "must be there"});
  // Ernie's own files may say that they have one dimension.
  EXPECT_TRUE(ReadOne(ConfigOf("ernie4_5_moe_vl", R"("rope_3d": false)"))
                  .parameters.axis.empty());
  // A scheme of sections in a family that need not have any.
  for (const char* type : {"mrope", "ernie_3d", "openpangu"}) {
    ExpectError(Scaled("\"type\": \"" + std::string(type) + "\""), kParse,
                {"rope_scaling.mrope_section: missing"});
  }
  ExpectError(Scaled(R"("type": "xdrope", "alpha": 1000)"), kParse,
              {"rope_scaling.xdrope_section: missing"});
}

TEST(HuggingFaceSectionsTest, ContiguousFamiliesDoNotInterleave) {
  const std::string text = Sectioned("qwen2_vl",
                                     R"("mrope_section": [16, 24, 24],
                                        "mrope_interleaved": true)");
  EXPECT_EQ(ReadOne(text).parameters.axis, Runs({16, 24, 24}));
  EXPECT_FALSE(ReadOne(text).mrope_interleaved);
  ExpectOnlyWarning(text, "rope_scaling.mrope_interleaved = true: not used");
}

TEST(HuggingFaceSectionsTest, SectionsOfUnknownFamiliesAreKeptAndRemarked) {
  for (const char* type :
       {R"("type": "mrope", )", R"("rope_type": "default", )",
        R"("type": "mrope", "rope_type": "default", )", ""}) {
    const std::string text =
        Scaled(std::string(type) + R"("mrope_section": [16, 24, 24])");
    const LayerRope layer = ReadOne(text);
    SchemeOf<NoScaling>(layer);
    EXPECT_EQ(layer.parameters.axis, Runs({16, 24, 24})) << type;
    EXPECT_FALSE(layer.mrope_interleaved) << type;
    ExpectOnlyWarning(text,
                      "rope_scaling.mrope_section: not known of model_type = "
                      "llama; taken as contiguous");
  }
  const std::string turns = Scaled(R"("mrope_section": [24, 20, 20],
                                      "mrope_interleaved": true)");
  ExpectInterleaved(Read(turns), {24, 20, 20});
  ExpectOnlyWarning(turns, "taken as interleaved");
  const std::string ernie =
      Scaled(R"("type": "ernie_3d", "mrope_section": [22, 22, 20])");
  EXPECT_EQ(ReadOne(ernie).parameters.axis[0], 1);
  EXPECT_EQ(ReadOne(ernie).parameters.axis[63], 0);
  ExpectOnlyWarning(ernie, "taken as Ernie's");
}

TEST(HuggingFaceSectionsTest, SectionsMustCoverThePairs) {
  for (const char* family : {"llama", "qwen2_vl"}) {
    ExpectError(Sectioned(family, R"("mrope_section": [16, 24, 23])"), kParse,
                {"rope_scaling.mrope_section", "sum to 63", "64"});
    ExpectError(Sectioned(family, R"("mrope_section": [32, 32])"), kParse,
                {"2 entries"});
    ExpectError(Sectioned(family, R"("mrope_section": [])"), kParse,
                {"rope_scaling.mrope_section", "0 entries"});
    ExpectError(Sectioned(family, R"("mrope_section": [16, -24, 72])"),
                StatusCode::kInvalidArgument,
                {"rope_scaling.mrope_section[1] = -24"});
  }
}

TEST(HuggingFaceSectionsTest, OnlyXdropeHasAFourthSection) {
  const std::string kept = R"("mrope_section": [16, 24, 24, 0])";
  EXPECT_EQ(ReadOne(Sectioned("qwen2_vl", kept)).mrope_section,
            (Counts{16, 24, 24}));
  EXPECT_TRUE(Read(Sectioned("qwen2_vl", kept)).warnings.empty());
  const std::string covered =
      Sectioned("qwen3_vl", R"("mrope_section": [24, 20, 20, 7])");
  ExpectInterleaved(Read(covered), {24, 20, 20});
  ExpectOnlyWarning(covered, "rope_scaling.mrope_section[3] = 7: not used");
  for (const char* family : {"llama", "qwen2_vl", "qwen3_vl"}) {
    for (const char* list :
         {"[16, 16, 16, 16]", "[16, 24, 20, 3]", "[24, 20, 10, 10]"}) {
      ExpectError(
          Sectioned(family, std::string("\"mrope_section\": ") + list), kParse,
          {"rope_scaling.mrope_section has 4 entries", "must be 3", "64"});
    }
  }
  ExpectError(Sectioned("qwen2_vl", R"("xdrope_section": [16, 16, 16, 16])"),
              kParse, {"rope_scaling.xdrope_section has 4 entries"});
  const LayerRope xdrope =
      ReadOne(Sectioned("hunyuan_vl", R"("xdrope_section": [16, 16, 16, 16])"));
  EXPECT_EQ(xdrope.parameters.axis, Runs({16, 16, 16, 16}));
  EXPECT_EQ(xdrope.components, Names({"p", "w", "h", "t"}));
}

TEST(HuggingFaceSectionsTest, ErniesSectionsAreInTheFilesOrder) {
  const LayerRope layer = ReadOne(
      ConfigOf("ernie4_5_vl_moe_text", R"("rope_theta": 5e5, "rope_scaling": {
          "type": "ernie_3d", "mrope_section": [22, 22, 20]})"));
  EXPECT_EQ(layer.mrope_section, (Counts{22, 22, 20}));
  EXPECT_EQ(layer.components, Names({"t", "h", "w"}));
  // 44 pairs of h and w in turn, then 20 of t.
  Axis want(64, 0);
  for (size_t i = 0; i < 44; ++i) want[i] = i % 2 == 0 ? 1 : 2;
  EXPECT_EQ(layer.parameters.axis, want);
}

// axes.json has 16, 24, 24 of openPangu; t h w h w t are its first pairs.
TEST(HuggingFaceSectionsTest, OpenPanguBalancesItsSections) {
  const LayerRope layer = ReadOne(Scaled(R"("type": "openpangu",
      "mrope_section": [16, 24, 24], "mrope_interleaved": true)"));
  SchemeOf<NoScaling>(layer);
  const Axis& axis = layer.parameters.axis;
  ASSERT_EQ(axis.size(), 64u);
  EXPECT_EQ(Axis(axis.begin(), axis.begin() + 6), (Axis{0, 1, 2, 1, 2, 0}));
}

TEST(HuggingFaceSectionsTest, OpenPanguMayHaveTwoSections) {
  const std::string text = Scaled(R"("type": "openpangu",
      "mrope_section": [32, 32], "mrope_interleaved": true)");
  const LayerRope layer = ReadOne(text);
  // Equal sections take turns to the end.
  Axis want;
  for (int i = 0; i < 64; ++i) want.push_back(static_cast<uint8_t>(i % 2));
  EXPECT_EQ(layer.parameters.axis, want);
  EXPECT_EQ(layer.mrope_section, (Counts{32, 32}));
  EXPECT_EQ(layer.components.size(), 2u);
  ExpectOnlyWarning(text, "has 2 entries: which positions they are");
  ExpectError(Scaled(R"("type": "openpangu", "mrope_section": [32, 31],
                        "mrope_interleaved": true)"),
              kParse, {"2 entries that sum to 63", "2 or 3", "64"});
  ExpectError(Scaled(R"("type": "openpangu", "mrope_section": [64],
                        "mrope_interleaved": true)"),
              kParse, {"1 entries"});
}

TEST(HuggingFaceSectionsTest, ADictThatIsNotUnderstoodIsNamed) {
  for (const char* scheme :
       {R"("type": "mrope", "mrope_section": [16, 24, 24])",
        R"("mrope_section": [16, 24, 24])", R"("rope_type": "default")"}) {
    ExpectError(
        Scaled(std::string(scheme) + R"(, "novel": {"mrope_section": []})"),
        kParse, {"rope_scaling.novel = {", "not understood", "layer type"});
  }
  ExpectError(Scaled(R"("type": "default", "full_attention": {})"), kParse,
              {"rope_scaling.type = \"default\"", "dict of a layer type"});
  ExpectError(Llama(R"("layer_types": ["odd", "odd",
                  "odd", "odd", "odd", "odd", "odd", "odd"],
                  "rope_parameters": {"type": "default", "odd": {}})"),
              kParse,
              {"rope_parameters.type = \"default\"", "dict of a layer type"});
}

}  // namespace
}  // namespace ropewalk::test
