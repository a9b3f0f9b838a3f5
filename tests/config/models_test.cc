// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The config.json files of real models, against expectations that were written
// by hand and the oracle's frequencies for them.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/model_expectations.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "reference/schemes.h"
#include "ropewalk/config.h"
#include "ropewalk/scaling.h"

namespace ropewalk::test {
namespace {

// The library is within 2^-48 of a formula and the oracle closer. The bound is
// far above both, and far below what another argument, even one off by one in
// a length, would change.
constexpr double kRelative = 1e-12;

// Literal results in expected.json.
constexpr int kNumbers = 95;

const std::vector<ExpectedModel>& Models() {
  static const std::vector<ExpectedModel> models = ReadExpectedModels();
  return models;
}

std::optional<ModelRope> Read(const std::string& text,
                              const ConfigOptions& options = {}) {
  auto model = ParseHuggingFaceConfig(text, options);
  if (model.ok()) return std::move(model).value();
  ADD_FAILURE() << model.status().message();
  return std::nullopt;
}

void ExpectNear(double got, double want, const std::string& what) {
  EXPECT_NEAR(got, want, std::fabs(want) * kRelative) << what;
}

void ExpectLayout(const RotaryLayout& got, const RotaryLayout& want) {
  EXPECT_EQ(got.head_dim, want.head_dim);
  EXPECT_EQ(got.rotary_dim, want.rotary_dim);
  EXPECT_EQ(got.pairing, want.pairing);
  EXPECT_EQ(got.rotary_offset, want.rotary_offset);
  // 0 stands for half of rotary_dim.
  const auto distance = [](const RotaryLayout& layout) {
    return layout.pair_distance == 0 ? layout.rotary_dim / 2
                                     : layout.pair_distance;
  };
  EXPECT_EQ(distance(got), distance(want));
  EXPECT_EQ(got.first_pair, 0);
}

void ExpectLayer(const LayerRope& got, const ExpectedLayer& want) {
  EXPECT_EQ(got.layer_type, want.kind);
  EXPECT_EQ(got.uses_rope, want.uses_rope);
  ExpectLayout(got.layout, want.layout);
  ExpectLayout(got.key_layout, want.key_layout);
  EXPECT_EQ(got.parameters.rotary_dim, want.layout.rotary_dim);
  if (want.uses_rope) {
    EXPECT_EQ(got.parameters.base, want.base);
  }
  EXPECT_EQ(ArgumentsOf(got.parameters.scaling), want.scaling);
  EXPECT_EQ(got.original_positions, want.original_positions);
  EXPECT_EQ(got.layers, want.layers);
  EXPECT_EQ(got.mrope_section, want.mrope_section);
  EXPECT_EQ(got.mrope_interleaved, want.mrope_interleaved);
}

// The frequencies of a kind of layer, and the softmax factor that the reader
// gave it.
void ExpectOracle(const LayerRope& got, const reference::Scheme& want) {
  const auto frequencies = ComputeFrequencies(got.parameters);
  ASSERT_TRUE(frequencies.ok()) << frequencies.status().message();
  const std::vector<double>& inv_freq = frequencies.value().inv_freq;
  ASSERT_EQ(inv_freq.size(), want.inv_freq.size());
  for (size_t i = 0; i < inv_freq.size(); ++i) {
    ExpectNear(inv_freq[i], want.inv_freq[i], "pair " + std::to_string(i));
  }
  ExpectNear(frequencies.value().attention_factor, want.attention_factor,
             "attention_factor");
  ExpectNear(frequencies.value().softmax_multiplier, want.softmax_multiplier,
             "softmax_multiplier of the frequencies");
  ExpectNear(got.softmax_multiplier, want.softmax_multiplier,
             "softmax_multiplier of the layer");
}

// Calls check(layer, expected layer) for each kind of layer of each model.
template <class Check>
void ForEachLayer(const ConfigOptions& options, const Check& check) {
  for (const ExpectedModel& want : Models()) {
    SCOPED_TRACE(want.name);
    const auto model = Read(want.text, options);
    if (!model) continue;
    for (const ExpectedLayer& layer : want.layers) {
      SCOPED_TRACE(layer.kind);
      const LayerRope* got = model->Find(layer.kind);
      EXPECT_NE(got, nullptr);
      if (got != nullptr) check(*got, layer);
    }
  }
}

TEST(ModelsTest, EveryFileHasAnExpectationAndSaysItsOrigin) {
  std::vector<std::string> names;
  for (const ExpectedModel& model : Models()) {
    names.push_back(model.name);
    const auto file = nlohmann::json::parse(model.text);
    EXPECT_FALSE(file.value("_origin", std::string()).empty()) << model.name;
  }
  EXPECT_EQ(ModelFiles(), names);
  EXPECT_GE(names.size(), 45u);
}

TEST(ModelsTest, KindsOfLayersAreThoseExpected) {
  for (const ExpectedModel& want : Models()) {
    SCOPED_TRACE(want.name);
    const auto model = Read(want.text);
    if (!model) continue;
    EXPECT_EQ(model->family, want.family);
    EXPECT_EQ(model->max_positions, want.max_positions);
    EXPECT_EQ(model->layer_count, want.layer_count);
    std::multiset<std::string> got_kinds;
    for (const LayerRope& layer : model->layer_types) {
      got_kinds.insert(layer.layer_type);
    }
    std::multiset<std::string> want_kinds;
    for (const ExpectedLayer& layer : want.layers) {
      want_kinds.insert(layer.kind);
    }
    EXPECT_EQ(got_kinds, want_kinds);
  }
}

TEST(ModelsTest, LayersAreAsExpected) { ForEachLayer({}, ExpectLayer); }

TEST(ModelsTest, FrequenciesAreTheOracles) {
  ForEachLayer({}, [](const LayerRope& got, const ExpectedLayer& want) {
    if (!want.uses_rope) {
      EXPECT_EQ(got.softmax_multiplier, 1.0);
      return;
    }
    ExpectOracle(got, OracleOf(want, want.long_list));
  });
}

TEST(ModelsTest, ForcedListsOfLongRopeAreTheOracles) {
  for (const bool long_list : {false, true}) {
    ConfigOptions options;
    options.long_rope_policy =
        long_list ? LongRopePolicy::kForceLong : LongRopePolicy::kForceShort;
    int checked = 0;
    ForEachLayer(options, [&](const LayerRope& got, const ExpectedLayer& want) {
      if (want.scaling.at("scheme") != "longrope") return;
      ExpectOracle(got, OracleOf(want, long_list));
      ++checked;
    });
    EXPECT_EQ(checked, 4);
  }
}

// A served context within the original takes the short list.
TEST(ModelsTest, ContextLimitChoosesTheListOfLongRope) {
  ConfigOptions options;
  options.context_limit = 4096;
  int checked = 0;
  ForEachLayer(options, [&](const LayerRope& got, const ExpectedLayer& want) {
    if (want.scaling.at("scheme") != "longrope") return;
    ExpectOracle(got, OracleOf(want, false));
    ++checked;
  });
  EXPECT_EQ(checked, 4);
}

// Returns how many numbers it compared.
int ExpectNumbers(const reference::Scheme& got, const nlohmann::json& numbers) {
  int compared = 0;
  for (const auto& [name, value] : numbers.items()) {
    if (name == "inv_freq") {
      for (const auto& [pair, number] : value.items()) {
        ExpectNear(got.inv_freq.at(std::stoul(pair)), number.get<double>(),
                   "pair " + pair);
        ++compared;
      }
    } else {
      ExpectNear(name == "attention_factor" ? got.attention_factor
                                            : got.softmax_multiplier,
                 value.get<double>(), name);
      ++compared;
    }
  }
  return compared;
}

TEST(ModelsTest, LiteralNumbersComeOut) {
  int compared = 0;
  ForEachLayer({}, [&](const LayerRope& got, const ExpectedLayer& want) {
    const auto frequencies = ComputeFrequencies(got.parameters);
    ASSERT_TRUE(frequencies.ok()) << frequencies.status().message();
    compared += ExpectNumbers(
        {frequencies.value().inv_freq, frequencies.value().attention_factor,
         got.softmax_multiplier},
        want.numbers);
  });
  EXPECT_EQ(compared, kNumbers);
}

// So that a fault of the oracle does not pass for one of the reader.
TEST(ModelsTest, LiteralNumbersAreTheOracles) {
  int compared = 0;
  for (const ExpectedModel& model : Models()) {
    SCOPED_TRACE(model.name);
    for (const ExpectedLayer& layer : model.layers) {
      if (layer.numbers.empty()) continue;
      compared +=
          ExpectNumbers(OracleOf(layer, layer.long_list), layer.numbers);
    }
  }
  EXPECT_EQ(compared, kNumbers);
}

TEST(ModelsTest, WarningsAreThoseExpected) {
  for (const ExpectedModel& want : Models()) {
    SCOPED_TRACE(want.name);
    const auto model = Read(want.text);
    if (!model) continue;
    EXPECT_EQ(model->warnings.size(), want.warnings.size())
        << ::testing::PrintToString(model->warnings);
    for (const std::string& part : want.warnings) {
      EXPECT_TRUE(std::any_of(model->warnings.begin(), model->warnings.end(),
                              [&part](const std::string& warning) {
                                return warning.find(part) != std::string::npos;
                              }))
          << part << " not in " << ::testing::PrintToString(model->warnings);
    }
  }
}

// JSON pointer of a path such as "text_config.rope_scaling.factor".
nlohmann::json::json_pointer PointerOf(const std::string& path) {
  std::string pointer = "/" + path;
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  return nlohmann::json::json_pointer(pointer);
}

TEST(ModelsTest, RecordedKeysStandInTheFile) {
  for (const ExpectedModel& want : Models()) {
    SCOPED_TRACE(want.name);
    const auto model = Read(want.text);
    if (!model) continue;
    const auto file = nlohmann::json::parse(want.text);
    for (const LayerRope& layer : model->layer_types) {
      EXPECT_FALSE(layer.keys.empty()) << layer.layer_type;
      for (const ConfigKey& key : layer.keys) {
        EXPECT_TRUE(file.contains(PointerOf(key.path))) << key.path;
        EXPECT_FALSE(key.value.empty()) << key.path;
      }
    }
  }
}

// The same values, with the keys of every object in the opposite order.
nlohmann::ordered_json Reversed(const nlohmann::ordered_json& value) {
  if (!value.is_object()) return value;
  nlohmann::ordered_json reversed = nlohmann::ordered_json::object();
  std::vector<std::string> keys;
  for (const auto& [key, member] : value.items()) keys.push_back(key);
  std::reverse(keys.begin(), keys.end());
  for (const std::string& key : keys) reversed[key] = Reversed(value.at(key));
  return reversed;
}

TEST(ModelsTest, OrderOfKeysDoesNotMatter) {
  for (const ExpectedModel& want : Models()) {
    SCOPED_TRACE(want.name);
    const auto file = nlohmann::ordered_json::parse(want.text);
    const std::string reversed = Reversed(file).dump();
    ASSERT_NE(reversed, file.dump());
    const auto model = Read(want.text);
    const auto same = Read(reversed);
    if (!model || !same) continue;
    EXPECT_EQ(Describe(*model), Describe(*same));
  }
}

TEST(ModelsTest, FindNeverGivesAnotherKind) {
  for (const ExpectedModel& want : Models()) {
    SCOPED_TRACE(want.name);
    const auto model = Read(want.text);
    if (!model) continue;
    const LayerRope* unnamed = model->Find("unnamed_attention");
    if (want.layers.size() == 1) {
      EXPECT_EQ(unnamed, &model->layer_types.at(0));
    } else {
      EXPECT_EQ(unnamed, nullptr);
      EXPECT_EQ(model->Find("all"), nullptr);
      EXPECT_EQ(model->Find(""), nullptr);
    }
  }
}

}  // namespace
}  // namespace ropewalk::test
