// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The reader of config.json through the C interface: its arguments, its
// errors, and that every option arrives.
#include "ropewalk/c/config.h"

#include <cstdint>
#include <string>

#include "c_api/c_model.h"
#include "c_api/same_model.h"
#include "config/config_text.h"
#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

constexpr char kLongRope[] = R"("rope_type": "longrope", "factor": 32,
  "original_max_position_embeddings": 4096)";

// As Scaled(), with both lists of 64 pairs.
std::string LongRope() {
  std::string ones = "1";
  std::string twos = "2";
  for (int i = 1; i < 64; ++i) {
    ones += ", 1";
    twos += ", 2";
  }
  return Scaled(std::string(kLongRope) + ", \"short_factor\": [" + ones +
                "], \"long_factor\": [" + twos + "]");
}

// The status and the message, by which no model comes.
ropewalk_status Refused(const std::string& text,
                        const ropewalk_config_options* options,
                        std::string* message) {
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  ropewalk_model* model = Leftover();
  const ropewalk_status status = ropewalk_parse_huggingface_config(
      text.data(), text.size(), options, &model, &error);
  EXPECT_EQ(model, nullptr);
  EXPECT_EQ(error.code, status);
  *message = error.message;
  return status;
}

void ExpectRefused(const ropewalk_config_options& options,
                   ropewalk_status status, const std::string& message) {
  std::string got;
  EXPECT_EQ(Refused(Llama(""), &options, &got), status);
  EXPECT_EQ(got, message);
}

// What C reads with its options is what C++ reads with the same.
void ExpectSameWith(const std::string& text,
                    const ropewalk_config_options& options,
                    const ConfigOptions& cpp) {
  const CModel model = ParseInC(text, &options);
  ASSERT_NE(model, nullptr);
  ExpectSame(model.get(), Read(text, cpp));
}

TEST(CConfigTest, ErrorsAreThoseOfCpp) {
  const std::string texts[] = {
      "",
      "{",
      "[]",
      Scaled(R"("rope_type": "novel")"),
      Llama(R"("head_dim": -1)"),
      ConfigOf("novel", ""),
      Scaled(R"("type": "fope", "fope_init_factor": 0.5)"),
      Scaled(R"("rope_type": "yarn", "factor": "4")")};
  for (const std::string& text : texts) {
    SCOPED_TRACE(text);
    const Status want = ParseHuggingFaceConfig(text).status();
    ASSERT_FALSE(want.ok());
    std::string message;
    EXPECT_EQ(Refused(text, nullptr, &message),
              static_cast<ropewalk_status>(want.code()));
    EXPECT_EQ(message, want.message());
  }
}

TEST(CConfigTest, TextNeedsNoTerminator) {
  const std::string text = Llama("");
  const std::string longer = text + "}}}";
  ropewalk_model* read = nullptr;
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  ASSERT_EQ(ropewalk_parse_huggingface_config(longer.data(), text.size(),
                                              nullptr, &read, &error),
            ROPEWALK_OK)
      << error.message;
  const CModel model(read);
  ExpectSame(model.get(), Read(text));
}

TEST(CConfigTest, NullIsAnErrorButForOptionsAndError) {
  const std::string text = Llama("");
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  ropewalk_model* model = Leftover();
  EXPECT_EQ(
      ropewalk_parse_huggingface_config(nullptr, 0, nullptr, &model, &error),
      ROPEWALK_INVALID_ARGUMENT);
  EXPECT_STREQ(error.message, "text = null: must be given");
  EXPECT_EQ(model, nullptr);
  EXPECT_EQ(ropewalk_parse_huggingface_config(text.data(), text.size(), nullptr,
                                              nullptr, &error),
            ROPEWALK_INVALID_ARGUMENT);
  EXPECT_STREQ(error.message, "model = null: must be given");
  model = Leftover();
  EXPECT_EQ(ropewalk_parse_huggingface_config("{", 1, nullptr, &model, nullptr),
            ROPEWALK_PARSE_ERROR);
  EXPECT_EQ(model, nullptr);
  EXPECT_EQ(ropewalk_parse_huggingface_config(text.data(), text.size(), nullptr,
                                              &model, nullptr),
            ROPEWALK_OK);
  ropewalk_model_destroy(model);
}

TEST(CConfigTest, ValuesOutOfRangeAreErrors) {
  ropewalk_config_options options = ROPEWALK_CONFIG_OPTIONS_INIT;
  for (const int32_t pairing : {-1, 3, 256}) {
    options.pairing = pairing;
    ExpectRefused(
        options, ROPEWALK_INVALID_ARGUMENT,
        "options.pairing = " + std::to_string(pairing) + ": no such value");
  }
  options = ROPEWALK_CONFIG_OPTIONS_INIT;
  options.long_rope_policy = 4;
  ExpectRefused(options, ROPEWALK_INVALID_ARGUMENT,
                "long_rope_policy = 4: must be a LongRopePolicy");
  for (const int32_t policy : {-1, 256}) {
    options.long_rope_policy = policy;
    ExpectRefused(options, ROPEWALK_INVALID_ARGUMENT,
                  "options.long_rope_policy = " + std::to_string(policy) +
                      ": no such value");
  }
  options = ROPEWALK_CONFIG_OPTIONS_INIT;
  options.context_limit = -1;
  ExpectRefused(options, ROPEWALK_INVALID_ARGUMENT,
                "context_limit = -1: must not be negative");
}

TEST(CConfigTest, OptionsOfOtherVersionsAreReadOrRefused) {
  struct {
    ropewalk_config_options options = ROPEWALK_CONFIG_OPTIONS_INIT;
    uint64_t later = 0;
  } newer;
  newer.options.struct_size = sizeof(newer);
  newer.options.pairing = ROPEWALK_INTERLEAVED;
  ConfigOptions cpp;
  cpp.pairing = Pairing::kInterleaved;
  ExpectSameWith(Llama(""), newer.options, cpp);
  newer.later = 1;
  std::string message;
  EXPECT_EQ(Refused(Llama(""), &newer.options, &message), ROPEWALK_UNSUPPORTED);
  newer.options.struct_size = sizeof(newer.options) - 1;
  EXPECT_EQ(Refused(Llama(""), &newer.options, &message),
            ROPEWALK_INVALID_ARGUMENT);
}

TEST(CConfigTest, PairingIsThatOfTheCaller) {
  const std::string novel = ConfigOf("novel", "\"rope_theta\": 10000.0");
  std::string message;
  EXPECT_EQ(Refused(novel, nullptr, &message), ROPEWALK_INVALID_ARGUMENT);
  ropewalk_config_options options = ROPEWALK_CONFIG_OPTIONS_INIT;
  ConfigOptions cpp;
  options.pairing = ROPEWALK_HALF;
  cpp.pairing = Pairing::kHalf;
  ExpectSameWith(novel, options, cpp);
  options.pairing = ROPEWALK_INTERLEAVED;
  cpp.pairing = Pairing::kInterleaved;
  ExpectSameWith(novel, options, cpp);
}

TEST(CConfigTest, OriginalLengthIsTakenFromTheMaximumWhereAsked) {
  const std::string yarn = Scaled(R"("rope_type": "yarn", "factor": 4)");
  std::string message;
  EXPECT_EQ(Refused(yarn, nullptr, &message), ROPEWALK_PARSE_ERROR);
  ropewalk_config_options options = ROPEWALK_CONFIG_OPTIONS_INIT;
  options.original_from_max_positions = 1;
  ConfigOptions cpp;
  cpp.original_from_max_positions = true;
  ExpectSameWith(yarn, options, cpp);
}

TEST(CConfigTest, PolicyAndContextLimitOfLongRopeArrive) {
  const std::string text = LongRope();
  ropewalk_config_options options = ROPEWALK_CONFIG_OPTIONS_INIT;
  ConfigOptions cpp;
  const LongRopePolicy policies[] = {
      LongRopePolicy::kByContextLimit, LongRopePolicy::kBySequenceLength,
      LongRopePolicy::kForceShort, LongRopePolicy::kForceLong};
  for (int32_t i = 0; i < 4; ++i) {
    options.long_rope_policy = ROPEWALK_LONGROPE_BY_CONTEXT_LIMIT + i;
    cpp.long_rope_policy = policies[i];
    ExpectSameWith(text, options, cpp);
  }
  options.long_rope_policy = ROPEWALK_LONGROPE_BY_CONTEXT_LIMIT;
  options.context_limit = 4096;
  const CModel model = ParseInC(text, &options);
  ropewalk_layer_rope layer = ROPEWALK_LAYER_ROPE_INIT;
  ASSERT_EQ(ropewalk_model_layer_type(model.get(), 0, &layer, nullptr),
            ROPEWALK_OK);
  ASSERT_EQ(layer.parameters->scheme, ROPEWALK_LONGROPE);
  const auto* const longrope =
      static_cast<const ropewalk_longrope_scaling*>(layer.parameters->scaling);
  EXPECT_EQ(longrope->context_limit, 4096);
}

}  // namespace
}  // namespace ropewalk::test
