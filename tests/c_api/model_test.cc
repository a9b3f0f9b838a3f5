// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the C interface says of real models is what the C++ interface says.
#include "ropewalk/c/model.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "c_api/c_model.h"
#include "c_api/same_model.h"
#include "c_api/same_parameters.h"
#include "config/config_text.h"
#include "config/model_expectations.h"
#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

const std::vector<ExpectedModel>& Models() {
  static const std::vector<ExpectedModel> models = ReadExpectedModels();
  return models;
}

const std::string& TextOf(const std::string& name) {
  for (const ExpectedModel& model : Models()) {
    if (model.name == name) return model.text;
  }
  ADD_FAILURE() << name << ": no such file";
  static const std::string none;
  return none;
}

TEST(CModelTest, EveryRealModelIsThatOfCpp) {
  for (const ExpectedModel& model : Models()) {
    SCOPED_TRACE(model.name);
    const CModel got = ParseInC(model.text);
    ExpectSame(got.get(), Read(model.text));
  }
  EXPECT_EQ(Models().size(), 59u);
}

// So that the comparison above has met each thing that few models have.
TEST(CModelTest, RealModelsHaveEverythingThatIsCompared) {
  int vision = 0, multimodal = 0, warnings = 0, kinds = 0;
  int chunks = 0, scales = 0, sections = 0, inverse = 0, axes = 0, still = 0;
  for (const ExpectedModel& file : Models()) {
    const ModelRope model = Read(file.text);
    vision += model.vision.has_value();
    multimodal += model.multimodal.has_value();
    warnings += !model.warnings.empty();
    kinds += model.layer_types.size() > 1;
    for (const LayerRope& layer : model.layer_types) {
      chunks += layer.dual_chunk.has_value();
      scales += layer.query_scale.rule != QueryScaleRule::kNone;
      sections += !layer.mrope_section.empty() && !layer.components.empty();
      inverse += layer.inverse_on_output;
      axes += !layer.parameters.axis.empty();
      still += !layer.uses_rope;
    }
  }
  for (const int count : {vision, multimodal, warnings, kinds, chunks, scales,
                          sections, inverse, axes, still}) {
    EXPECT_GT(count, 0);
  }
}

// At 0, and past the original context of every model, where schemes that
// depend on the length have changed.
TEST(CModelTest, FrequenciesOfEveryRealModelHaveTheChecksumOfCpp) {
  int compared = 0;
  for (const ExpectedModel& file : Models()) {
    SCOPED_TRACE(file.name);
    const CModel model = ParseInC(file.text);
    for (const LayerRope& want : Read(file.text).layer_types) {
      SCOPED_TRACE(want.layer_type);
      ropewalk_layer_rope layer = ROPEWALK_LAYER_ROPE_INIT;
      ASSERT_EQ(ropewalk_model_find_layer_type(
                    model.get(), want.layer_type.c_str(), &layer, nullptr),
                ROPEWALK_OK);
      ExpectSameFrequencies(*layer.parameters, want.parameters, 0);
      ExpectSameFrequencies(*layer.parameters, want.parameters, 20000000);
      ++compared;
    }
  }
  EXPECT_GT(compared, 59);
}

TEST(CModelTest, OneKindAnswersToEveryNameAndSeveralToTheirOwn) {
  ropewalk_layer_rope layer = ROPEWALK_LAYER_ROPE_INIT;
  const CModel one = ParseInC(Llama(""));
  EXPECT_EQ(ropewalk_model_find_layer_type(one.get(), "full_attention", &layer,
                                           nullptr),
            ROPEWALK_OK);
  EXPECT_STREQ(layer.layer_type, "all");
  const CModel several = ParseInC(TextOf("gemma-3-4b"));
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  EXPECT_EQ(ropewalk_model_find_layer_type(several.get(), "sliding_attention",
                                           &layer, &error),
            ROPEWALK_OK);
  EXPECT_STREQ(layer.layer_type, "sliding_attention");
  EXPECT_EQ(
      ropewalk_model_find_layer_type(several.get(), "all", &layer, &error),
      ROPEWALK_OUT_OF_RANGE);
  EXPECT_STREQ(error.message, "layer_type = all: must be one of the model's");
  EXPECT_STREQ(layer.layer_type, "sliding_attention");
}

TEST(CModelTest, IndicesOutOfRangeAreErrors) {
  const CModel model = ParseInC(Llama(""));
  for (const int32_t index : {-1, 1, INT32_MAX, INT32_MIN}) {
    ropewalk_error error = ROPEWALK_ERROR_INIT;
    ropewalk_layer_rope layer = ROPEWALK_LAYER_ROPE_INIT;
    EXPECT_EQ(ropewalk_model_layer_type(model.get(), index, &layer, &error),
              ROPEWALK_OUT_OF_RANGE);
    EXPECT_EQ(std::string(error.message),
              "index = " + std::to_string(index) +
                  ": must be from 0 to 0, the last kind of layer");
    EXPECT_EQ(layer.layer_type, nullptr);
  }
}

TEST(CModelTest, AModelWithoutVisionSaysSo) {
  const CModel model = ParseInC(Llama(""));
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  ropewalk_vision_rope vision = ROPEWALK_VISION_ROPE_INIT;
  EXPECT_EQ(ropewalk_model_vision(model.get(), &vision, &error),
            ROPEWALK_OUT_OF_RANGE);
  EXPECT_STREQ(error.message, "model: has no vision encoder that rotates");
  ropewalk_patch_grid grid = ROPEWALK_PATCH_GRID_INIT;
  EXPECT_EQ(ropewalk_model_patch_grid(model.get(), 4, 4, &grid, &error),
            ROPEWALK_OUT_OF_RANGE);
  EXPECT_EQ(grid.height, 0);
}

// What comes out goes into the calls that take it, as the header says.
TEST(CModelTest, AVisionEncoderGoesIntoTheCallsThatTakeIt) {
  const CModel model = ParseInC(TextOf("qwen2-vl-7b"));
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  ropewalk_vision_rope vision = ROPEWALK_VISION_ROPE_INIT;
  ropewalk_patch_grid grid = ROPEWALK_PATCH_GRID_INIT;
  ASSERT_EQ(ropewalk_model_vision(model.get(), &vision, &error), ROPEWALK_OK);
  ASSERT_EQ(ropewalk_model_patch_grid(model.get(), 2, 4, &grid, &error),
            ROPEWALK_OK);
  std::vector<int64_t> ids(2 * 8);
  ropewalk_position_buffer buffer = ROPEWALK_POSITION_BUFFER_INIT;
  buffer.components = vision.component_count;
  buffer.ids = ids.data();
  buffer.capacity = 8;
  ASSERT_EQ(ropewalk_append_grid_positions(&grid, &buffer, &error), ROPEWALK_OK)
      << error.message;
  // Blocks of two by two: (y, x) of the first block, then of the second.
  EXPECT_EQ(ids, (std::vector<int64_t>{0, 0, 1, 1, 0, 0, 1, 1,  //
                                       0, 1, 0, 1, 2, 3, 2, 3}));
  ASSERT_EQ(vision.layout_count, 1);
  EXPECT_EQ(ropewalk_frequencies_pairs(vision.frequencies),
            vision.layouts[0]->rotary_dim / 2);
}

TEST(CModelTest, NullIsAnErrorWithTheNameOfTheArgument) {
  const CModel model = ParseInC(Llama(""));
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  ropewalk_model_info info = ROPEWALK_MODEL_INFO_INIT;
  ropewalk_layer_rope layer = ROPEWALK_LAYER_ROPE_INIT;
  ropewalk_vision_rope vision = ROPEWALK_VISION_ROPE_INIT;
  ropewalk_patch_grid grid = ROPEWALK_PATCH_GRID_INIT;
  const auto expect = [&error](ropewalk_status status, const char* name) {
    EXPECT_EQ(status, ROPEWALK_INVALID_ARGUMENT);
    EXPECT_EQ(std::string(error.message),
              std::string(name) + " = null: must be given");
  };
  const ropewalk_model* const m = model.get();
  expect(ropewalk_model_get_info(nullptr, &info, &error), "model");
  expect(ropewalk_model_get_info(m, nullptr, &error), "info");
  expect(ropewalk_model_layer_type(nullptr, 0, &layer, &error), "model");
  expect(ropewalk_model_layer_type(m, 0, nullptr, &error), "layer");
  expect(ropewalk_model_find_layer_type(nullptr, "all", &layer, &error),
         "model");
  expect(ropewalk_model_find_layer_type(m, nullptr, &layer, &error),
         "layer_type");
  expect(ropewalk_model_find_layer_type(m, "all", nullptr, &error), "layer");
  expect(ropewalk_model_vision(nullptr, &vision, &error), "model");
  expect(ropewalk_model_vision(m, nullptr, &error), "vision");
  expect(ropewalk_model_patch_grid(nullptr, 1, 1, &grid, &error), "model");
  expect(ropewalk_model_patch_grid(m, 1, 1, nullptr, &error), "grid");
  ropewalk_model_destroy(nullptr);
}

TEST(CModelTest, ValuesOfEnumerationsAreThoseOfCpp) {
  const auto same = [](int32_t c, auto cpp) {
    return c == static_cast<int32_t>(cpp);
  };
  EXPECT_TRUE(same(ROPEWALK_PROMPT_CONSECUTIVE, PromptRule::kConsecutive));
  EXPECT_TRUE(same(ROPEWALK_PROMPT_MULTIMODAL, PromptRule::kMultimodal));
  EXPECT_TRUE(same(ROPEWALK_PROMPT_TEXT_ONLY, PromptRule::kTextOnly));
  EXPECT_TRUE(same(ROPEWALK_AXIAL_VISION, VisionScheme::kAxial));
  EXPECT_TRUE(same(ROPEWALK_PIXTRAL_VISION, VisionScheme::kPixtral));
  EXPECT_TRUE(same(ROPEWALK_NO_QUERY_SCALE, QueryScaleRule::kNone));
  EXPECT_TRUE(same(ROPEWALK_LOG_N_SCALE, QueryScaleRule::kLogN));
  EXPECT_TRUE(same(ROPEWALK_LLAMA4_SCALE, QueryScaleRule::kLlama4));
  EXPECT_TRUE(same(ROPEWALK_MISTRAL3_SCALE, QueryScaleRule::kMistral3));
  EXPECT_TRUE(same(ROPEWALK_VIDEO_FRAMES, VideoTime::kFrames));
  EXPECT_TRUE(same(ROPEWALK_VIDEO_SECONDS, VideoTime::kSeconds));
  EXPECT_TRUE(same(ROPEWALK_VIDEO_TIMESTAMPS, VideoTime::kTimestamps));
  EXPECT_TRUE(same(ROPEWALK_NO_CLASS_TOKEN, ClassToken::kNone));
  EXPECT_TRUE(same(ROPEWALK_CLASS_TOKEN_FIRST, ClassToken::kFirst));
  EXPECT_TRUE(same(ROPEWALK_CLASS_TOKEN_LAST, ClassToken::kLast));
}

}  // namespace
}  // namespace ropewalk::test
