// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts that are refused: each message names the key, the value and the rule.
#include <cstddef>
#include <string>

#include "config/config_text.h"

namespace ropewalk::test {
namespace {

struct Fault {
  const char* keys;  // Beside those of Llama().
  StatusCode code;
  const char* key;
  const char* rule;
};

constexpr StatusCode kParse = StatusCode::kParseError;
constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;

TEST(HuggingFaceErrorsTest, WrongTypesNameKeyValueAndRule) {
  const Fault faults[] = {
      {R"("head_dim": "128")", kParse, "head_dim = \"128\"", "integer"},
      {R"("head_dim": true)", kParse, "head_dim = true", "integer"},
      {R"("head_dim": 128.5)", kParse, "head_dim = 128.5", "integer"},
      {R"("head_dim": 0)", kInvalid, "head_dim = 0", "from 1"},
      {R"("head_dim": -128)", kInvalid, "head_dim = -128", "from 1"},
      {R"("head_dim": 1e300)", kInvalid, "head_dim = 1e+300", "integer"},
      {R"("head_dim": 99999999999)", kInvalid, "head_dim = 99999999999",
       "to 2147483647"},
      {R"("head_dim": [128])", kParse, "head_dim = [128]", "integer"},
      {R"("rotary_emb_base": "10000")", kParse, "rotary_emb_base", "agree"},
      {R"("rope_scaling": "linear")", kParse, "rope_scaling = \"linear\"",
       "object"},
      {R"("rope_scaling": [])", kParse, "rope_scaling = []", "object"},
      {R"("rope_scaling": {"type": 3})", kParse, "rope_scaling.type = 3",
       "string"},
      {R"("rope_scaling": {"type": "linear", "factor": "8"})", kParse,
       "rope_scaling.factor = \"8\"", "number"},
      {R"("rope_scaling": {"type": "linear", "factor": true})", kParse,
       "rope_scaling.factor = true", "number"},
      {R"("rope_scaling": {"type": "linear", "factor": [2, 4]})", kParse,
       "rope_scaling.factor = [2,4]", "number"},
      {R"("rope_scaling": {"mrope_section": 16})", kParse,
       "rope_scaling.mrope_section = 16", "list"},
      {R"("rope_scaling": {"mrope_section": [16, "24", 24]})", kParse,
       "rope_scaling.mrope_section[1] = \"24\"", "integer"},
      {R"("rope_scaling": {"mrope_section": [16, 24, 24],
          "mrope_interleaved": 1})",
       kParse, "rope_scaling.mrope_interleaved = 1", "true or false"},
      {R"("layer_types": "full_attention")", kParse, "layer_types", "list"},
      {R"("layer_types": [1])", kParse, "layer_types[0] = 1", "string"},
      {R"("text_config": 3)", kParse, "text_config = 3", "object"},
      {R"("alibi": "yes")", kParse, "alibi = \"yes\"", "true or false"},
  };
  for (const Fault& fault : faults) {
    ExpectError(Llama(fault.keys), fault.code, {fault.key, fault.rule});
  }
}

TEST(HuggingFaceErrorsTest, BasesAreGivenPositiveAndUnambiguous) {
  ExpectError(ConfigOf("llama", R"("rope_theta": "10000")"), kParse,
              {"rope_theta = \"10000\"", "must be a number"});
  ExpectError(ConfigOf("llama", R"("rope_theta": 0)"), kInvalid,
              {"rope_theta = 0", "must be positive"});
  ExpectError(ConfigOf("llama", R"("rope_theta": -1)"), kInvalid,
              {"rope_theta = -1", "must be positive"});
  ExpectError(ConfigOf("exaone", ""), kParse,
              {"rope_theta", "missing", "exaone"});
  ExpectError(Llama(R"("rope_parameters": {"rope_theta": 10000})"), kParse,
              {"rope_parameters.rope_theta = 10000", "rope_theta = 1000000",
               "must agree"});
}

TEST(HuggingFaceErrorsTest, WindowsMustFitAndAgree) {
  const Fault faults[] = {
      {R"("rotary_dim": 64, "partial_rotary_factor": 0.25)", kParse,
       "rotary_dim makes 64", "partial_rotary_factor makes 32"},
      {R"("partial_rotary_factor": 0.5, "rotary_pct": 0.25)", kParse,
       "partial_rotary_factor makes 64", "rotary_pct makes 32"},
      {R"("rope_parameters": {"partial_rotary_factor": 0.5},
          "partial_rotary_factor": 0.25)",
       kParse, "rope_parameters.partial_rotary_factor = 0.5",
       "partial_rotary_factor = 0.25"},
      {R"("partial_rotary_factor": 0)", kInvalid, "partial_rotary_factor = 0",
       "above 0"},
      {R"("partial_rotary_factor": 1.5)", kInvalid,
       "partial_rotary_factor = 1.5", "at most 1"},
      {R"("partial_rotary_factor": 64)", kInvalid, "partial_rotary_factor = 64",
       "at most 1"},
      {R"("rotary_dim": 63)", kInvalid, "rotary_dim makes 63", "even"},
      {R"("rotary_dim": 130)", kInvalid, "rotary_dim makes 130",
       "at most head_dim"},
      {R"("head_dim": 80, "partial_rotary_factor": 0.3125)", kInvalid,
       "partial_rotary_factor makes 25", "even"},
      {R"("head_dim": 127)", kInvalid, "head_dim makes 127", "even"},
      {R"("head_dim": 128, "kv_channels": 64)", kParse, "head_dim = 128",
       "kv_channels = 64"},
  };
  for (const Fault& fault : faults) {
    ExpectError(Llama(fault.keys), fault.code, {fault.key, fault.rule});
  }
}

TEST(HuggingFaceErrorsTest, SchemesNeedTheirKeys) {
  const Fault faults[] = {
      {R"({"factor": 8})", kParse, "rope_scaling.rope_type", "missing"},
      {R"({"type": "novel"})", kParse, "rope_scaling.type = novel",
       "not a known scheme"},
      {R"({"rope_type": "novel"})", kParse, "rope_scaling.rope_type = novel",
       "not a known scheme"},
      {R"({"type": "linear"})", kParse, "rope_scaling.factor", "linear"},
      {R"({"type": "linear", "factor": null})", kParse, "rope_scaling.factor",
       "missing"},
      {R"({"type": "linear", "factor": 0})", kInvalid,
       "rope_scaling.factor = 0", "positive"},
      {R"({"type": "linear", "factor": -8})", kInvalid,
       "rope_scaling.factor = -8", "positive"},
      {R"({"type": "dynamic"})", kParse, "rope_scaling.factor", "dynamic"},
      {R"({"type": "dynamic", "alpha": 0})", kInvalid, "rope_scaling.alpha = 0",
       "positive"},
      {R"({"type": "ntk"})", kParse, "rope_scaling.factor", "ntk"},
      {R"({"type": "yarn", "original_max_position_embeddings": 32768})", kParse,
       "rope_scaling.factor", "yarn"},
      {R"({"type": "yarn", "factor": 4})", kParse,
       "rope_scaling.original_max_position_embeddings", "yarn"},
      {R"({"type": "yarn", "factor": 4,
           "original_max_position_embeddings": 0})",
       kInvalid, "rope_scaling.original_max_position_embeddings = 0", "from 1"},
      {R"({"type": "yarn", "factor": 4, "beta_fast": 1, "beta_slow": 32,
           "original_max_position_embeddings": 32768})",
       kInvalid, "rope_scaling.beta_fast = 1", "beta_slow = 32"},
      {R"({"type": "yarn", "factor": 4, "beta_fast": -1,
           "original_max_position_embeddings": 32768})",
       kInvalid, "rope_scaling.beta_fast = -1", "negative"},
      {R"({"type": "yarn", "factor": 4, "attention_factor": 0,
           "original_max_position_embeddings": 32768})",
       kInvalid, "rope_scaling.attention_factor = 0", "positive"},
      {R"({"type": "yarn", "factor": 4, "mscale": -1,
           "original_max_position_embeddings": 32768})",
       kInvalid, "rope_scaling.mscale = -1", "negative"},
      {R"({"type": "llama3", "factor": 8, "low_freq_factor": 1,
           "original_max_position_embeddings": 8192})",
       kParse, "rope_scaling.high_freq_factor", "llama3"},
      {R"({"type": "llama3", "factor": 8, "high_freq_factor": 4,
           "original_max_position_embeddings": 8192})",
       kParse, "rope_scaling.low_freq_factor", "llama3"},
      {R"({"type": "llama3", "factor": 8, "low_freq_factor": 1,
           "high_freq_factor": 4})",
       kParse, "rope_scaling.original_max_position_embeddings", "llama3"},
      {R"({"type": "llama3", "factor": 8, "low_freq_factor": 4,
           "high_freq_factor": 1, "original_max_position_embeddings": 8192})",
       kInvalid, "rope_scaling.high_freq_factor = 1", "low_freq_factor"},
      {R"({"type": "longrope", "original_max_position_embeddings": 4096})",
       kParse, "rope_scaling.short_factor", "longrope"},
      {R"({"type": "longrope", "short_factor": [1, 0]})", kParse,
       "rope_scaling.short_factor has 2 entries", "64"},
  };
  for (const Fault& fault : faults) {
    ExpectError(Llama(std::string("\"rope_scaling\": ") + fault.keys),
                fault.code, {fault.key, fault.rule});
  }
}

TEST(HuggingFaceErrorsTest, DynamicNeedsTheMaximum) {
  ExpectError(R"({"model_type": "llama", "head_dim": 64, "rope_theta": 1e4,
                  "rope_scaling": {"type": "dynamic", "factor": 2}})",
              kParse, {"max_position_embeddings", "dynamic"});
}

TEST(HuggingFaceErrorsTest, TextsThatAreNoConfigAreRefused) {
  for (const char* text :
       {"", " ", "{", "}", "[]", "null", "3", "\"llama\"", "{\"a\": }",
        "{\"a\": nan}", "{\"a\": 1e999}", "{} {}", "{\"a\": 1,}", "{'a': 1}",
        "\xff\xfe", "{\"a\": \"\xc3\x28\"}"}) {
    ExpectError(text, kParse, {"config"});
  }
  ExpectError(std::string("{}\0{}", 5), kParse, {"byte"});
}

TEST(HuggingFaceErrorsTest, AKeyThatContradictsItselfIsRefused) {
  ExpectError(Llama(R"("rope_theta": 10000)"), kParse, {"rope_theta: stands"});
  ExpectError(Llama(R"("rope_scaling": {"type": "linear", "factor": 8,
                       "factor": 4})"),
              kParse, {"factor: stands twice"});
  EXPECT_EQ(ReadOne(Llama(R"("rope_theta": 1000000)")).parameters.base, 1e6);
}

TEST(HuggingFaceErrorsTest, AMissingFamilyIsNamedAsMissing) {
  ExpectError(
      R"({"head_dim": 64, "rope_theta": 1e4})", kParse,
      {"model_type: missing", "must be given (ConfigOptions::pairing)"});
}

TEST(HuggingFaceErrorsTest, DictsOfTwoShapesAreBothNamed) {
  ExpectError(Llama(R"("rope_scaling": {"type": "default"}, "rope_parameters": {
                  "full_attention": {"rope_type": "default"}})"),
              kParse,
              {"rope_scaling = {", "\"default\"", " is for all layers",
               "rope_parameters = {", "full_attention", "must agree"});
}

TEST(HuggingFaceErrorsTest, NestingIsLimited) {
  const auto nested = [](size_t depth) {
    return Llama("\"deep\": " + std::string(depth, '[') +
                 std::string(depth, ']'));
  };
  EXPECT_TRUE(Read(nested(63)).warnings.empty());
  ExpectError(nested(64), kParse, {"64 deep"});
  ExpectError(std::string(4000000, '['), kParse, {"64 deep"});
  ExpectError(std::string(100000, '{'), kParse, {"config"});
}

TEST(HuggingFaceErrorsTest, SizesAreLimited) {
  ExpectError(std::string(size_t{5} << 20, ' '), kParse, {"5242880 bytes"});
  ExpectError(R"({"model_type": "gemma3_text", "head_dim": 64,
                  "num_hidden_layers": 2000000000})",
              kInvalid, {"num_hidden_layers = 2000000000", "to 65536"});
  std::string dicts;
  for (int i = 0; i < 100; ++i) {
    dicts += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\": {}";
  }
  ExpectError(Llama("\"rope_parameters\": {" + dicts + "}"), kParse,
              {"rope_parameters = {", "must have at most 64"});
  ExpectError(ConfigOf("llama", R"("head_dim": 200000)"),
              StatusCode::kOutOfRange, {"rotary_dim = 200000"});
}

// Each cut of a text that uses most of the reader is an error, and harmless.
TEST(HuggingFaceErrorsTest, NoPrefixOfATextIsAConfig) {
  const std::string text = Llama(R"("layer_types": ["full_attention"],
      "rope_parameters": {"full_attention": {"rope_type": "yarn",
      "factor": 4e0, "original_max_position_embeddings": 32768,
      "mrope_section": [16, 24, 24], "truncate": false}}, "x": "\u00e9")");
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_EQ(ParseHuggingFaceConfig(text.substr(0, length)).status().code(),
              kParse)
        << length;
  }
}

}  // namespace
}  // namespace ropewalk::test
