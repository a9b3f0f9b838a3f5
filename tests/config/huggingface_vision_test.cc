// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// vision_config: what is read, what is assumed, what is refused. That encoders
// are those of the models is shown by models_positions_test.cc.
#include <string>

#include "config/config_text.h"

namespace ropewalk::test {
namespace {

std::string With(const std::string& vision) {
  return Llama("\"vision_config\": " + vision);
}

TEST(HuggingFaceVisionTest, TextAloneHasNoEncoder) {
  for (const std::string& text :
       {Llama(""), With("null"),
        With(R"({"model_type": "siglip_vision_model", "hidden_size": 1152})"),
        With(R"({"model_type": "clip_vision_model"})")}) {
    const ModelRope model = Read(text);
    EXPECT_FALSE(model.vision.has_value()) << text;
    EXPECT_TRUE(model.warnings.empty()) << text;
  }
}

TEST(HuggingFaceVisionTest, WhatIsNotKnownIsAWarning) {
  const char* const vague[][2] = {
      {R"({"model_type": "novel"})", "whether and how its encoder rotates"},
      {R"({"model_type": "pixtral"})", "hidden_size or num_attention_heads"},
      {R"({"model_type": "qwen2_vl", "hidden_size": 3584, "num_heads": 16})",
       "embed_dim or num_heads"},
      {R"({"model_type": "pixtral", "head_dim": 64, "rope_theta": 10000,
           "rope_parameters": {"rope_type": "yarn"}})",
       "rope_type = yarn is not known of it"},
  };
  for (const auto& [vision, warning] : vague) {
    const ModelRope model = Read(With(vision));
    EXPECT_FALSE(model.vision.has_value()) << vision;
    EXPECT_TRUE(HasWarning(model, warning)) << vision;
  }
}

TEST(HuggingFaceVisionTest, AssumedBasesAreReported) {
  const ModelRope model =
      Read(With(R"({"model_type": "gemma4_vision", "head_dim": 64})"));
  ASSERT_TRUE(model.vision.has_value());
  EXPECT_EQ(model.vision->base, 100);
  EXPECT_EQ(model.vision->heads, 0);
  EXPECT_TRUE(HasWarning(model, "vision_config.rope_theta: missing"));
}

TEST(HuggingFaceVisionTest, AxialIsReadOfAnyEncoder) {
  const ModelRope model = Read(With(R"({"model_type": "novel", "head_dim": 64,
          "rope_parameters": {"rope_type": "axial", "rope_theta": 500}})"));
  ASSERT_TRUE(model.vision.has_value());
  EXPECT_EQ(model.vision->base, 500);
  EXPECT_EQ(model.vision->frequencies.inv_freq.size(), 32u);
  EXPECT_EQ(model.vision->frequencies.axis[0], 0);
  EXPECT_EQ(model.vision->frequencies.axis[31], 1);
  EXPECT_TRUE(model.warnings.empty());
}

TEST(HuggingFaceVisionTest, BrokenValuesAreErrors) {
  ExpectError(With("3"), StatusCode::kParseError,
              {"vision_config = 3", "object"});
  ExpectError(With(R"({"model_type": "pixtral", "head_dim": "64"})"),
              StatusCode::kParseError, {"vision_config.head_dim"});
  ExpectError(With(R"({"model_type": "pixtral", "hidden_size": 1023,
                       "num_attention_heads": 16, "rope_theta": 1e4})"),
              StatusCode::kInvalidArgument,
              {"vision_config.hidden_size = 1023", "multiple of the heads"});
  ExpectError(With(R"({"model_type": "gemma4_vision", "head_dim": 2,
                       "rope_theta": 100})"),
              StatusCode::kInvalidArgument, {"gemma4_vision", "head_dim = 2"});
  ExpectError(With(R"({"model_type": "pixtral", "head_dim": 2000000000,
                       "rope_theta": 100})"),
              StatusCode::kOutOfRange, {"pixtral", "head_dim"});
}

std::string QwenVl(const char* family, const std::string& vision) {
  return ConfigOf(family, R"("rope_theta": 1e6, "rope_scaling": {
      "mrope_section": [16, 24, 24]}, "vision_config": {
      "hidden_size": 1280, "num_heads": 16, "model_type": ")" +
                              std::string(family) + "\"" + vision + "}");
}

TEST(HuggingFaceVisionTest, ImagesCountByTheFamilysRule) {
  const ModelRope seconds = Read(QwenVl(
      "qwen2_5_vl", R"(, "spatial_merge_size": 4, "tokens_per_second": 2.5)"));
  EXPECT_EQ(seconds.prompt_rule, PromptRule::kMultimodal);
  ASSERT_TRUE(seconds.multimodal.has_value());
  EXPECT_EQ(seconds.multimodal->video_time, VideoTime::kSeconds);
  EXPECT_EQ(seconds.multimodal->merge_size, 4);
  EXPECT_EQ(seconds.multimodal->tokens_per_second, 2.5);
  ASSERT_TRUE(seconds.vision.has_value());
  EXPECT_EQ(seconds.vision->grid.merge_size, 4);
  EXPECT_TRUE(seconds.warnings.empty());
  const ModelRope silent = Read(QwenVl("qwen2_5_vl", ""));
  EXPECT_TRUE(HasWarning(silent, "spatial_merge_size: missing, assumed 2"));
  EXPECT_TRUE(HasWarning(silent, "tokens_per_second: missing, assumed 4"));
  ExpectError(QwenVl("qwen2_5_vl", R"(, "tokens_per_second": -1)"),
              StatusCode::kInvalidArgument, {"tokens_per_second = -1"});
  ExpectError(QwenVl("qwen2_5_vl", R"(, "spatial_merge_size": 0)"),
              StatusCode::kInvalidArgument, {"spatial_merge_size = 0"});
}

// A prompt of one image by what a reading hands over, and nothing else.
TEST(HuggingFaceVisionTest, AHostNeedsNoKnowledgeOfTheFamily) {
  const ModelRope model =
      Read(QwenVl("qwen3_vl", R"(, "spatial_merge_size": 2)"));
  ASSERT_EQ(model.prompt_rule, PromptRule::kMultimodal);
  ASSERT_TRUE(model.multimodal.has_value());
  MultimodalPositions positions(*model.multimodal);
  ASSERT_TRUE(positions.AppendText(4, nullptr).ok());
  ASSERT_TRUE(positions.AppendVision({1, 4, 6}, nullptr).ok());
  // 2 x 3 tokens after 4 of text: 4 + max(2, 3).
  EXPECT_EQ(positions.next_position(), 7);
}

TEST(HuggingFaceVisionTest, OtherFamiliesImagesAreAWarning) {
  const ModelRope model = Read(QwenVl("llama", ""));
  EXPECT_EQ(model.prompt_rule, PromptRule::kTextOnly);
  EXPECT_FALSE(model.multimodal.has_value());
  EXPECT_TRUE(HasWarning(model, "how its images count"));
}

}  // namespace
}  // namespace ropewalk::test
