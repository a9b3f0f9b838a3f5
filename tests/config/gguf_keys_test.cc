// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What every key has in common: types, rules, records, exceptions.
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "config/gguf_metadata.h"
#include "gtest/gtest.h"
#include "ropewalk/config.h"

namespace ropewalk {
namespace {

using test::HasWarning;
using test::Metadata;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// 0 is not "unset".
TEST(GgufKeysTest, NumbersMustObeyTheirRule) {
  for (const double base : {0.0, -1e4, kNan, kInf, -kInf, 1e300, 1e-300}) {
    Metadata::Of("llama")
        .Set("rope.freq_base", base)
        .ExpectError(StatusCode::kInvalidArgument,
                     {"llama.rope.freq_base", "float32"});
  }
  for (const char* name :
       {"rope.scaling.factor", "rope.scale_linear", "rope.scaling.attn_factor",
        "rope.scaling.yarn_attn_factor", "rope.scaling.yarn_beta_fast",
        "rope.scaling.yarn_beta_slow", "rope.scaling.yarn_log_multiplier"}) {
    for (const double value : {-2.0, kNan, kInf}) {
      Metadata::Of("deepseek2")
          .Set(name, value)
          .ExpectError(StatusCode::kInvalidArgument,
                       {"deepseek2." + std::string(name)});
    }
  }
  for (const double value : {-2.0, 1.5, kNan}) {
    Metadata::Of("llama")
        .Set("rope.scaling.yarn_ext_factor", value)
        .ExpectError(StatusCode::kInvalidArgument,
                     {"llama.rope.scaling.yarn_ext_factor"});
  }
}

TEST(GgufKeysTest, IntegersMustBeIntegersInRange) {
  EXPECT_EQ(Metadata::Of("llama")
                .Set("rope.dimension_count", 64.0)
                .Layer()
                .parameters.rotary_dim,
            64);
  for (const char* name :
       {"rope.dimension_count", "attention.key_length", "context_length",
        "block_count", "rope.scaling.original_context_length"}) {
    const std::string path = "llama." + std::string(name);
    for (const double value : {64.5, kNan, kInf}) {
      Metadata::Of("llama")
          .Set(name, value)
          .ExpectError(StatusCode::kParseError, {path, "must be an integer"});
    }
    Metadata::Of("llama")
        .Set(name, int64_t{-1})
        .ExpectError(StatusCode::kInvalidArgument,
                     {path + " = -1", "must be in ["});
  }
  for (const GgufValue& value :
       {GgufValue(INT64_MAX), GgufValue(1e300), GgufValue(int64_t{65537})}) {
    Metadata::Of("llama")
        .Set("rope.dimension_count", value)
        .ExpectError(StatusCode::kInvalidArgument,
                     {"llama.rope.dimension_count", "[0, 65536]"});
    Metadata::Of("llama")
        .Set("block_count", value)
        .ExpectError(StatusCode::kInvalidArgument,
                     {"llama.block_count", "[0, 65536]"});
  }
}

TEST(GgufKeysTest, WrongTypesAreErrorsThatNameKeyAndValue) {
  const std::vector<std::string> numbers = {
      "rope.dimension_count",
      "rope.freq_base",
      "rope.scaling.factor",
      "rope.scale_linear",
      "rope.scaling.original_context_length",
      "rope.scaling.yarn_ext_factor",
      "rope.scaling.yarn_attn_factor",
      "rope.scaling.yarn_beta_fast",
      "rope.scaling.yarn_beta_slow",
      "rope.scaling.attn_factor",
      "rope.scaling.yarn_log_multiplier",
      "rope.freq_base_swa",
      "rope.dimension_count_swa",
      "attention.key_length",
      "attention.key_length_swa",
      "context_length",
      "block_count",
  };
  for (const std::string& name : numbers) {
    Metadata text = Metadata::Of("llama").Set(name, std::string("64"));
    text.ExpectError(StatusCode::kParseError, {"llama." + name + " = 64"});
    Metadata flag = Metadata::Of("llama").Set(name, true);
    flag.ExpectError(StatusCode::kParseError, {"llama." + name + " = true"});
    Metadata list = Metadata::Of("llama").Set(name, std::vector<double>{64});
    list.ExpectError(StatusCode::kParseError, {"llama." + name + " = [64]"});
  }
  for (const GgufValue& value : {GgufValue(int64_t{1}), GgufValue(true)}) {
    Metadata::Of("llama")
        .Set("rope.scaling.type", value)
        .ExpectError(StatusCode::kParseError,
                     {"llama.rope.scaling.type", "string"});
  }
}

TEST(GgufKeysTest, UsedKeysAreRecordedWithTheirValues) {
  Metadata metadata = Metadata::Of("llama");
  metadata.Set("rope.scaling.type", std::string("linear"));
  metadata.Set("rope.scaling.factor", double{0.1f} * 40);
  metadata.Set("vocab_size", int64_t{32000});
  const LayerRope layer = metadata.Layer();
  const auto value_of = [&](const std::string& path) -> std::string {
    for (const ConfigKey& key : layer.keys) {
      if (key.path == path) return key.value;
    }
    return "absent";
  };
  EXPECT_EQ(value_of("general.architecture"), "llama");
  EXPECT_EQ(value_of("llama.rope.dimension_count"), "128");
  EXPECT_EQ(value_of("llama.rope.freq_base"), "1e+06");
  EXPECT_EQ(value_of("llama.attention.key_length"), "128");
  EXPECT_EQ(value_of("llama.context_length"), "32768");
  EXPECT_EQ(value_of("llama.rope.scaling.type"), "linear");
  EXPECT_NE(value_of("llama.rope.scaling.factor"), "absent");
  EXPECT_EQ(value_of("llama.vocab_size"), "absent");
}

TEST(GgufKeysTest, NullValueIsAnErrorAndNullTensorAWarning) {
  EXPECT_EQ(ReadGgufMetadata(GgufSource()).status().code(),
            StatusCode::kInvalidArgument);
  const Metadata metadata = Metadata::Of("llama");
  GgufSource source = metadata.Source();
  source.tensor = nullptr;
  const auto model = ReadGgufMetadata(source);
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_TRUE(HasWarning(model.value(), "source.tensor"));
}

TEST(GgufKeysTest, ExceptionsOfCallbacksBecomeErrors) {
  const Metadata metadata = Metadata::Of("llama");
  GgufSource source = metadata.Source();
  source.tensor = [](std::string_view) -> std::optional<std::vector<float>> {
    throw std::runtime_error("disk");
  };
  EXPECT_EQ(ReadGgufMetadata(source).status().code(), StatusCode::kParseError);
  source.tensor = [](std::string_view) -> std::optional<std::vector<float>> {
    throw std::bad_alloc();
  };
  EXPECT_EQ(ReadGgufMetadata(source).status().code(), StatusCode::kOutOfMemory);
  source.value = [](std::string_view) -> std::optional<GgufValue> { throw 3; };
  const auto result = ReadGgufMetadata(source);
  EXPECT_EQ(result.status().code(), StatusCode::kParseError);
  EXPECT_STREQ(result.status().message(),
               "source: a callback threw an exception");
}

}  // namespace
}  // namespace ropewalk
