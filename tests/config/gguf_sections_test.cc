// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadGgufMetadata: M-RoPE's sections, and which pair follows which component.
#include <cstdint>
#include <vector>

#include "config/gguf_metadata.h"
#include "gtest/gtest.h"
#include "ropewalk/axes.h"

namespace ropewalk {
namespace {

using test::HasWarning;
using test::Metadata;
using Axis = std::vector<uint8_t>;
using Names = std::vector<std::string>;

TEST(GgufSectionsTest, MropeSectionsLoseTheirTrailingZeros) {
  Metadata metadata = Metadata::Of("qwen2vl");
  metadata.ExpectError(StatusCode::kParseError,
                       {"qwen2vl.rope.dimension_sections = missing"});
  metadata.Set("rope.dimension_sections", std::vector<int64_t>{16, 24, 24, 0});
  LayerRope layer = metadata.Layer();
  EXPECT_EQ(layer.mrope_section, (std::vector<int>{16, 24, 24}));
  EXPECT_FALSE(layer.mrope_interleaved);
  EXPECT_EQ(layer.layout.pairing, Pairing::kHalf);
  metadata.Set("rope.dimension_sections", std::vector<int64_t>{16, 24, 23, 0});
  metadata.ExpectError(StatusCode::kParseError,
                       {"qwen2vl.rope.dimension_sections", "63", "64"});
  metadata.Set("rope.dimension_sections",
               std::vector<int64_t>{16, 16, 16, 8, 8});
  metadata.ExpectError(StatusCode::kParseError, {"dimension_sections", "4"});
  metadata.Set("rope.dimension_sections", std::vector<int64_t>{65, -1, 0, 0});
  metadata.ExpectError(StatusCode::kInvalidArgument,
                       {"dimension_sections = -1"});
}

TEST(GgufSectionsTest, InterleavedSectionsAreThoseOfQwen3Vl) {
  for (const char* name : {"qwen3vl", "qwen3vlmoe", "qwen35", "qwen35moe"}) {
    Metadata metadata = Metadata::Of(name);
    metadata.Set("rope.dimension_sections",
                 std::vector<int64_t>{24, 20, 20, 0});
    EXPECT_TRUE(metadata.Layer().mrope_interleaved) << name;
    ConfigOptions options;
    options.ggml_parity = true;
    // Pairs 61 and 62 of these sections read ggml's fourth component.
    EXPECT_TRUE(HasWarning(metadata.Model(options), "ggml turns pair 61"))
        << name;
    metadata.Set("rope.dimension_sections",
                 std::vector<int64_t>{22, 21, 21, 0});
    EXPECT_FALSE(HasWarning(metadata.Model(options), "ggml turns")) << name;
  }
}

TEST(GgufSectionsTest, Glm4WithSectionsPairsHalves) {
  Metadata metadata = Metadata::Of("glm4");
  EXPECT_EQ(metadata.Layer().layout.pairing, Pairing::kInterleaved);
  metadata.Set("rope.dimension_sections", std::vector<int64_t>{0, 0, 0, 0});
  EXPECT_EQ(metadata.Layer().layout.pairing, Pairing::kInterleaved);
  metadata.Set("rope.dimension_sections", std::vector<int64_t>{16, 24, 24, 0});
  EXPECT_EQ(metadata.Layer().layout.pairing, Pairing::kHalf);
}

ConfigOptions Parity() {
  ConfigOptions options;
  options.ggml_parity = true;
  return options;
}

Metadata WithSections(const char* architecture,
                      const std::vector<int64_t>& sections) {
  return Metadata::Of(architecture).Set("rope.dimension_sections", sections);
}

// That the maps themselves are those of the models is shown by the tests of
// axes.h.
TEST(GgufSectionsTest, AxisIsByTheModelsRuleUnlessGgmlsIsWanted) {
  const Metadata plain = WithSections("qwen2vl", {16, 24, 24, 0});
  const Axis contiguous = ContiguousAxes({16, 24, 24}, 64).value();
  EXPECT_EQ(plain.Layer().parameters.axis, contiguous);
  EXPECT_EQ(plain.Layer().components, Names({"t", "h", "w"}));
  EXPECT_EQ(plain.Model().prompt_rule, PromptRule::kTextOnly);
  EXPECT_EQ(plain.Layer("all", Parity()).parameters.axis, contiguous);
  EXPECT_EQ(plain.Layer("all", Parity()).components,
            Names({"t", "h", "w", "e"}));

  const Metadata turns = WithSections("qwen3vl", {24, 20, 20, 0});
  EXPECT_EQ(turns.Layer().parameters.axis,
            InterleavedAxes({24, 20, 20}, 64).value());
  const Axis parity = turns.Layer("all", Parity()).parameters.axis;
  ASSERT_EQ(parity.size(), 64u);
  EXPECT_EQ(parity[60], 0);
  EXPECT_EQ(parity[61], 3);
  EXPECT_EQ(parity[62], 3);
  EXPECT_EQ(parity[63], 0);
  EXPECT_EQ(Metadata::Of("llama").Layer().parameters.axis, Axis());
  EXPECT_EQ(Metadata::Of("llama").Model().prompt_rule,
            PromptRule::kConsecutive);
}

TEST(GgufSectionsTest, OnlyGgmlWrapsSections) {
  const Metadata metadata = WithSections("qwen2vl", {10, 10, 10, 0});
  metadata.ExpectError(StatusCode::kParseError,
                       {"qwen2vl.rope.dimension_sections = sum 30", "64"});
  const Axis axis = metadata.Layer("all", Parity()).parameters.axis;
  ASSERT_EQ(axis.size(), 64u);
  EXPECT_EQ(axis[29], 2);
  EXPECT_EQ(axis[30], 0);
  EXPECT_EQ(axis[63], 0);
}

TEST(GgufSectionsTest, AnUnusedFourthSectionIsDropped) {
  const Metadata metadata = WithSections("qwen3vl", {24, 20, 20, 5});
  const ModelRope model = metadata.Model();
  EXPECT_TRUE(HasWarning(model, "rope.dimension_sections[3] = 5: not used"));
  EXPECT_EQ(model.layer_types.at(0).mrope_section,
            (std::vector<int>{24, 20, 20}));
}

TEST(GgufSectionsTest, SectionsOfNothingAreRefusedWhereTheyMustBe) {
  for (const char* name : {"qwen2vl", "qwen3vl", "qwen3vlmoe", "qwen35"}) {
    for (const ConfigOptions& options : {ConfigOptions{}, Parity()}) {
      WithSections(name, {0, 0, 0, 0})
          .ExpectError(StatusCode::kParseError,
                       {"rope.dimension_sections = all 0", "above 0"}, options);
      WithSections(name, {}).ExpectError(
          StatusCode::kParseError, {"rope.dimension_sections = []", "above 0"},
          options);
    }
  }
}

TEST(GgufSectionsTest, OnlyGgmlHasAFourthComponent) {
  for (const char* name : {"qwen2vl", "qwen3vl", "glm4"}) {
    const Metadata metadata = WithSections(name, {16, 16, 16, 16});
    metadata.ExpectError(
        StatusCode::kParseError,
        {"rope.dimension_sections = fourth 16", "three position components"});
    EXPECT_EQ(metadata.Layer("all", Parity()).components,
              Names({"t", "h", "w", "e"}));
  }
}

TEST(GgufSectionsTest, SectionsOfOtherArchitecturesAreRemarked) {
  const ModelRope model = WithSections("llama", {16, 24, 24, 0}).Model();
  EXPECT_TRUE(HasWarning(model, "not known of this architecture"));
  EXPECT_EQ(model.layer_types.at(0).parameters.axis.size(), 64u);
}

}  // namespace
}  // namespace ropewalk
