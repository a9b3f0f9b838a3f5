// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// GGUF metadata through C callbacks: what is read is what C++ reads, and what
// a callback gets wrong is an error.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "c_api/c_model.h"
#include "c_api/gguf_host.h"
#include "c_api/same_model.h"
#include "gtest/gtest.h"
#include "ropewalk/ropewalk_c.h"

namespace ropewalk::test {
namespace {

// As ReadGgufMetadata, too, refuses or warns where it does.
std::vector<Metadata> Models() {
  const auto yarn = [](const char* architecture) {
    return Metadata::Of(architecture)
        .Set("rope.scaling.type", std::string("yarn"))
        .Set("rope.scaling.factor", 40.0)
        .Set("rope.scaling.original_context_length", int64_t{4096});
  };
  Metadata lacking;
  return {
      lacking,
      Metadata::Of("llama"),
      Metadata::Of("novel"),
      Metadata::Of("mellum"),
      Metadata::Of("llama").Set("rope.freq_base", std::string("1e6")),
      Metadata::Of("granite").Set("rope.scaling.finetuned", false),
      Metadata::Of("granite").Set("rope.scaling.finetuned", true),
      yarn("gpt-oss"),
      yarn("deepseek2").Set("rope.scaling.yarn_log_multiplier", 0.0707),
      yarn("mistral3").Set("attention.temperature_scale", 0.1),
      Metadata::Of("llama4"),
      Metadata::Of("gemma3")
          .Set("attention.sliding_window_pattern",
               std::vector<int64_t>{1, 1, 0, 1, 1, 0, 1, 1})
          .Set("rope.freq_base_swa", 1e4),
      Metadata::Of("step35").Set(
          "rope.freq_base_per_layer",
          std::vector<double>{1e6, 1e4, 1e4, 1e4, 1e6, 1e4, 1e4, 1e4}),
      Metadata::Of("qwen2vl").Set("rope.dimension_sections",
                                  std::vector<int64_t>{16, 24, 24, 0}),
      Metadata::Of("qwen2vl").Set("rope.dimension_sections",
                                  std::vector<double>{16, 24, 24, 0}),
      Metadata::Of("qwen2vl").Set("rope.dimension_sections",
                                  std::vector<int64_t>{}),
      Metadata::Of("llama").Tensor("rope_freqs.weight",
                                   std::vector<float>(64, 2.0f)),
      Metadata::Of("llama").Tensor("rope_freqs.weight", {}),
      Metadata::Of("phi3")
          .Set("context_length", int64_t{131072})
          .Set("rope.scaling.original_context_length", int64_t{4096})
          .Tensor("rope_factors_short.weight", std::vector<float>(64, 1.25f))
          .Tensor("rope_factors_long.weight", std::vector<float>(64, 32.0f))};
}

void ExpectSameReading(const Metadata& metadata,
                       const ropewalk_config_options& options,
                       const ConfigOptions& cpp, int* read, int* refused) {
  const auto want = metadata.Read(cpp);
  GgufHost host(metadata);
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  CModel model;
  const ropewalk_status status = host.Read(&options, &model, &error);
  EXPECT_GT(host.asked(), 0);
  EXPECT_EQ(status, static_cast<ropewalk_status>(want.status().code()));
  EXPECT_STREQ(error.message, want.status().message());
  if (model == nullptr || !want.ok()) {
    ++*refused;
    return;
  }
  ExpectSame(model.get(), want.value());
  ++*read;
}

TEST(CGgufTest, EveryModelAndErrorIsThatOfCpp) {
  int read = 0;
  int refused = 0;
  for (const bool parity : {false, true}) {
    for (const int32_t pairing : {int32_t{0}, int32_t{ROPEWALK_INTERLEAVED}}) {
      ropewalk_config_options options = ROPEWALK_CONFIG_OPTIONS_INIT;
      options.ggml_parity = parity ? 1 : 0;
      options.pairing = pairing;
      ConfigOptions cpp;
      cpp.ggml_parity = parity;
      if (pairing != 0) cpp.pairing = Pairing::kInterleaved;
      for (const Metadata& metadata : Models()) {
        SCOPED_TRACE(metadata.values.empty() ? "none" : metadata.Path(""));
        ExpectSameReading(metadata, options, cpp, &read, &refused);
      }
    }
  }
  // Most are read; each of the others is refused at least twice.
  EXPECT_GT(read, 40);
  EXPECT_GT(refused, 10);
}

TEST(CGgufTest, ParityGivesGgmlsScheme) {
  const Metadata metadata = Metadata::Of("llama");
  ropewalk_config_options options = ROPEWALK_CONFIG_OPTIONS_INIT;
  for (const int32_t parity : {0, 1}) {
    options.ggml_parity = parity;
    GgufHost host(metadata);
    CModel model;
    ASSERT_EQ(host.Read(&options, &model, nullptr), ROPEWALK_OK);
    ropewalk_layer_rope layer = ROPEWALK_LAYER_ROPE_INIT;
    ASSERT_EQ(ropewalk_model_layer_type(model.get(), 0, &layer, nullptr),
              ROPEWALK_OK);
    EXPECT_EQ(layer.parameters->scheme,
              parity != 0 ? ROPEWALK_GGML : ROPEWALK_PLAIN);
  }
}

TEST(CGgufTest, NoTensorCallbackIsAFileWithoutTensors) {
  const Metadata metadata = Metadata::Of("llama");
  GgufSource cpp = metadata.Source();
  cpp.tensor = nullptr;
  const auto want = ReadGgufMetadata(cpp);
  ASSERT_TRUE(want.ok());
  ropewalk_gguf_source source = ROPEWALK_GGUF_SOURCE_INIT;
  source.context = const_cast<Metadata*>(&metadata);
  source.value = [](void* context, const char* key,
                    ropewalk_gguf_value* value) -> int32_t {
    const auto& values = static_cast<const Metadata*>(context)->values;
    const auto found = values.find(key);
    if (found == values.end()) return 0;
    if (const auto* text = std::get_if<std::string>(&found->second)) {
      value->kind = ROPEWALK_GGUF_STRING;
      value->string = text->c_str();
    } else if (const auto* real = std::get_if<double>(&found->second)) {
      value->kind = ROPEWALK_GGUF_REAL;
      value->real = *real;
    } else {
      value->kind = ROPEWALK_GGUF_INTEGER;
      value->integer = std::get<int64_t>(found->second);
    }
    return 1;
  };
  ropewalk_model* read = nullptr;
  ASSERT_EQ(ropewalk_read_gguf_metadata(&source, nullptr, &read, nullptr),
            ROPEWALK_OK);
  const CModel model(read);
  ExpectSame(model.get(), want.value());
}

TEST(CGgufTest, NullIsAnErrorButForOptionsAndError) {
  ropewalk_gguf_source source = ROPEWALK_GGUF_SOURCE_INIT;
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  ropewalk_model* model = Leftover();
  EXPECT_EQ(ropewalk_read_gguf_metadata(nullptr, nullptr, &model, &error),
            ROPEWALK_INVALID_ARGUMENT);
  EXPECT_STREQ(error.message, "source = null: must be given");
  EXPECT_EQ(model, nullptr);
  EXPECT_EQ(ropewalk_read_gguf_metadata(&source, nullptr, nullptr, &error),
            ROPEWALK_INVALID_ARGUMENT);
  EXPECT_STREQ(error.message, "model = null: must be given");
  model = Leftover();
  EXPECT_EQ(ropewalk_read_gguf_metadata(&source, nullptr, &model, &error),
            ROPEWALK_INVALID_ARGUMENT);
  EXPECT_STREQ(error.message, "source.value = null: must be a function");
  EXPECT_EQ(model, nullptr);
}

// Refused with that message, by which the host is left alone.
void ExpectRefused(GgufHost* host, const std::string& rule) {
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  CModel model;
  EXPECT_EQ(host->Read(nullptr, &model, &error), ROPEWALK_PARSE_ERROR);
  EXPECT_EQ(std::string(error.message), host->name + rule);
  EXPECT_EQ(host->asked_after(), 0);
}

void ExpectValueRefused(std::function<int32_t(ropewalk_gguf_value*)> answer,
                        const std::string& rule) {
  SCOPED_TRACE(rule);
  const Metadata metadata = Metadata::Of("qwen2vl");
  GgufHost host(metadata);
  host.name = "qwen2vl.rope.dimension_sections";
  host.value_answer = std::move(answer);
  ExpectRefused(&host, rule);
}

// An answer of that kind, with all else as it was.
std::function<int32_t(ropewalk_gguf_value*)> OfKind(int32_t kind,
                                                    int64_t integer = 0,
                                                    int64_t count = 0) {
  return [=](ropewalk_gguf_value* value) {
    value->kind = kind;
    value->integer = integer;
    value->count = count;
    return 1;
  };
}

TEST(CGgufTest, WrongValuesAreParseErrors) {
  const auto unset = [](ropewalk_gguf_value*) { return 1; };
  ExpectValueRefused(unset, ".kind = -1: no such value");
  ExpectValueRefused(OfKind(6), ".kind = 6: no such value");
  ExpectValueRefused(OfKind(ROPEWALK_GGUF_BOOL, 2),
                     ".integer = 2: must be 0 or 1 of a bool");
  ExpectValueRefused(OfKind(ROPEWALK_GGUF_BOOL, -1),
                     ".integer = -1: must be 0 or 1 of a bool");
  ExpectValueRefused(OfKind(ROPEWALK_GGUF_STRING),
                     ".string = null: must be given");
  ExpectValueRefused(OfKind(ROPEWALK_GGUF_INTEGERS, 0, 4),
                     ".integers = null: must have 4 entries");
  ExpectValueRefused(OfKind(ROPEWALK_GGUF_REALS, 0, 4),
                     ".reals = null: must have 4 entries");
  for (const int64_t count :
       {int64_t{-1}, INT64_MIN, int64_t{65537}, INT64_MAX}) {
    for (const int32_t kind : {ROPEWALK_GGUF_INTEGERS, ROPEWALK_GGUF_REALS}) {
      ExpectValueRefused(
          OfKind(kind, 0, count),
          ".count = " + std::to_string(count) + ": must be from 0 to 65536");
    }
  }
  for (const int32_t found : {-1, 2, INT32_MIN}) {
    ExpectValueRefused([found](ropewalk_gguf_value*) { return found; },
                       ": the callback returned " + std::to_string(found) +
                           ": must be 0 or 1");
  }
}

void ExpectTensorRefused(const float* data, int64_t count, int32_t found,
                         const std::string& rule) {
  SCOPED_TRACE(rule);
  const Metadata metadata = Metadata::Of("llama");
  GgufHost host(metadata);
  host.name = "rope_freqs.weight";
  host.tensor_answer = [=](const float** out, int64_t* out_count) {
    *out = data;
    *out_count = count;
    return found;
  };
  ExpectRefused(&host, rule);
}

TEST(CGgufTest, WrongTensorsAreParseErrors) {
  const float one = 1;
  ExpectTensorRefused(nullptr, 64, 1, ".data = null: must have 64 entries");
  for (const int64_t count :
       {int64_t{-1}, INT64_MIN, int64_t{65537}, INT64_MAX}) {
    ExpectTensorRefused(
        &one, count, 1,
        ".count = " + std::to_string(count) + ": must be from 0 to 65536");
  }
  for (const int32_t found : {-1, 2}) {
    ExpectTensorRefused(&one, 1, found,
                        ": the callback returned " + std::to_string(found) +
                            ": must be 0 or 1");
  }
}

TEST(CGgufTest, TheLongestListIsRead) {
  Metadata metadata = Metadata::Of("llama").Tensor(
      "rope_freqs.weight", std::vector<float>(65536, 2.0f));
  GgufHost host(metadata);
  CModel model;
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  ASSERT_EQ(host.Read(nullptr, &model, &error), ROPEWALK_OK) << error.message;
  ExpectSame(model.get(), metadata.Model());
}

// A host's name for the architecture comes back in the names of keys.
TEST(CGgufTest, HostileNamesLeaveTheRuleInTheMessage) {
  const std::string longest(5000, 'a');
  Metadata metadata;
  metadata.values["general.architecture"] = longest;
  GgufHost host(metadata);
  host.name = longest + ".context_length";
  host.value_answer = OfKind(ROPEWALK_GGUF_STRING);
  CModel model;
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  EXPECT_EQ(host.Read(nullptr, &model, &error), ROPEWALK_PARSE_ERROR);
  EXPECT_EQ(std::string(error.message),
            std::string(80, 'a') + ".string = null: must be given");
}

}  // namespace
}  // namespace ropewalk::test
