// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/model_expectations.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <variant>

namespace ropewalk::test {
namespace {

using nlohmann::json;

const char kFolder[] = ROPEWALK_GOLDEN_DIR "/configs";

std::string ReadText(const std::string& name) {
  std::ifstream file(std::string(kFolder) + "/" + name + ".json");
  if (!file) throw std::runtime_error(name + ".json: cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

// Keys that want lacks keep the value of layout.
RotaryLayout LayoutOf(const json& want, RotaryLayout layout) {
  layout.head_dim = want.value("head_dim", layout.head_dim);
  layout.rotary_dim = want.value("rotary_dim", layout.rotary_dim);
  layout.rotary_offset = want.value("rotary_offset", layout.rotary_offset);
  layout.pair_distance = want.value("pair_distance", layout.pair_distance);
  if (want.contains("pairing")) {
    layout.pairing =
        want.at("pairing") == "half" ? Pairing::kHalf : Pairing::kInterleaved;
  }
  return layout;
}

// The lists of LongRoPE stand only in the model's file.
void FetchLists(const json& file, ExpectedLayer* layer) {
  for (const char* list : {"short_factor", "long_factor"}) {
    const json::json_pointer place(layer->scaling.at(list).get<std::string>());
    layer->scaling[list] = file.at(place);
  }
  layer->long_list = layer->scaling.at("list") == "long";
  layer->scaling.erase("list");
}

ExpectedLayer LayerOf(const json& want, const json& file) {
  ExpectedLayer layer;
  layer.kind = want.at("kind").get<std::string>();
  layer.uses_rope = want.value("uses_rope", true);
  layer.layout = LayoutOf(want, {});
  layer.key_layout =
      LayoutOf(want.value("key_layout", json::object()), layer.layout);
  layer.base = layer.uses_rope ? want.at("base").get<double>() : 0;
  layer.scaling = want.value("scaling", json{{"scheme", "none"}});
  if (layer.scaling.at("scheme") == "longrope") FetchLists(file, &layer);
  layer.original_positions =
      want.value("original_positions",
                 layer.scaling.value("original_positions", int64_t{0}));
  if (want.contains("layers") && want.at("layers").is_array()) {
    layer.layers = want.at("layers").get<std::vector<int>>();
  }
  layer.mrope_section = want.value("mrope_section", std::vector<int>());
  layer.mrope_interleaved = want.value("mrope_interleaved", false);
  layer.numbers = want.value("numbers", json::object());
  layer.entry = want;
  return layer;
}

// "the others": the layers of the model that are of no other kind.
std::vector<int> OtherLayers(const ExpectedModel& model) {
  std::vector<int> others;
  for (int index = 0; index < model.layer_count; ++index) {
    const bool taken = std::any_of(
        model.layers.begin(), model.layers.end(), [index](const auto& layer) {
          return std::count(layer.layers.begin(), layer.layers.end(), index) >
                 0;
        });
    if (!taken) others.push_back(index);
  }
  return others;
}

ExpectedModel ModelOf(const std::string& name, const json& want) {
  ExpectedModel model;
  model.name = name;
  model.text = ReadText(name);
  model.family = want.at("family").get<std::string>();
  model.max_positions = want.at("max_positions").get<int64_t>();
  model.layer_count = want.value("layer_count", 0);
  model.warnings = want.value("warnings", std::vector<std::string>());
  model.entry = want;
  const json file = json::parse(model.text);
  for (const json& layer : want.at("layers")) {
    model.layers.push_back(LayerOf(layer, file));
  }
  for (size_t i = 0; i < model.layers.size(); ++i) {
    if (want.at("layers")[i].value("layers", json()) == "the others") {
      model.layers[i].layers = OtherLayers(model);
    }
  }
  return model;
}

void AddIfGiven(const char* key, const std::optional<double>& value,
                json* arguments) {
  if (value) (*arguments)[key] = *value;
}

json Arguments(const NoScaling&) { return {{"scheme", "none"}}; }

json Arguments(const LinearScaling& linear) {
  return {{"scheme", "linear"}, {"factor", linear.factor}};
}

json Arguments(const NtkAlphaScaling& ntk) {
  return {{"scheme", "ntk_alpha"}, {"alpha", ntk.alpha}};
}

json Arguments(const YarnScaling& yarn) {
  json arguments = {{"scheme", "yarn"},
                    {"factor", yarn.factor},
                    {"original_positions", yarn.original_positions},
                    {"beta_fast", yarn.beta_fast},
                    {"beta_slow", yarn.beta_slow},
                    {"truncate", yarn.truncate}};
  AddIfGiven("attention_factor", yarn.attention_factor, &arguments);
  AddIfGiven("mscale", yarn.mscale, &arguments);
  AddIfGiven("mscale_all_dim", yarn.mscale_all_dim, &arguments);
  if (yarn.extrapolation_weight != 1) {
    arguments["extrapolation_weight"] = yarn.extrapolation_weight;
  }
  return arguments;
}

json Arguments(const DeepSeekYarnScaling& yarn) {
  return {{"scheme", "deepseek_yarn"},
          {"factor", yarn.factor},
          {"original_positions", yarn.original_positions},
          {"beta_fast", yarn.beta_fast},
          {"beta_slow", yarn.beta_slow},
          {"mscale", yarn.mscale},
          {"mscale_all_dim", yarn.mscale_all_dim}};
}

json Arguments(const Llama3Scaling& llama3) {
  return {{"scheme", "llama3"},
          {"factor", llama3.factor},
          {"low_freq_factor", llama3.low_freq_factor},
          {"high_freq_factor", llama3.high_freq_factor},
          {"original_positions", llama3.original_positions}};
}

json Arguments(const LongRopeScaling& longrope) {
  json arguments = {{"scheme", "longrope"},
                    {"short_factor", longrope.short_factor},
                    {"long_factor", longrope.long_factor},
                    {"original_positions", longrope.original_positions},
                    {"max_positions", longrope.max_positions}};
  AddIfGiven("factor", longrope.factor, &arguments);
  AddIfGiven("attention_factor", longrope.attention_factor, &arguments);
  AddIfGiven("short_attention_factor", longrope.short_attention_factor,
             &arguments);
  AddIfGiven("long_attention_factor", longrope.long_attention_factor,
             &arguments);
  return arguments;
}

json Arguments(const ProportionalScaling& proportional) {
  return {{"scheme", "proportional"},
          {"head_dim", proportional.head_dim},
          {"factor", proportional.factor}};
}

// A scheme that no model here uses.
template <class Scheme>
json Arguments(const Scheme& scheme) {
  return {{"scheme", std::string("unexpected: ") + SchemeName(scheme)}};
}

reference::YarnRange YarnRangeOf(const json& scaling) {
  reference::YarnRange range{};
  range.factor = scaling.at("factor").get<double>();
  range.original = scaling.at("original_positions").get<double>();
  range.beta_fast = scaling.at("beta_fast").get<double>();
  range.beta_slow = scaling.at("beta_slow").get<double>();
  range.truncate = scaling.value("truncate", true);
  return range;
}

reference::Scheme YarnOracle(const reference::Ladder& ladder,
                             const json& scaling) {
  const reference::YarnRange range = YarnRangeOf(scaling);
  reference::Scheme scheme = reference::Yarn(ladder, range);
  const double mscale = scaling.value("mscale", 0.0);
  const double all_dim = scaling.value("mscale_all_dim", 0.0);
  if (scaling.contains("attention_factor")) {
    scheme.attention_factor = scaling.at("attention_factor").get<double>();
  } else if (mscale != 0 && all_dim != 0) {
    scheme.attention_factor = reference::Magnitude(range.factor, mscale) /
                              reference::Magnitude(range.factor, all_dim);
  }
  return scheme;
}

reference::Scheme LongRopeOracle(const reference::Ladder& ladder,
                                 const json& scaling, bool long_list) {
  const double original = scaling.at("original_positions").get<double>();
  const double s = scaling.at("max_positions").get<double>() / original;
  const double attention_factor = scaling.value(
      long_list ? "long_attention_factor" : "short_attention_factor",
      reference::LongRopeAttentionFactor(s, original));
  return reference::LongRope(
      ladder,
      scaling.at(long_list ? "long_factor" : "short_factor")
          .get<std::vector<double>>(),
      attention_factor);
}

json DescribeLayout(const RotaryLayout& layout) {
  return {layout.head_dim,
          layout.rotary_dim,
          static_cast<int>(layout.pairing),
          layout.rotary_offset,
          layout.pair_distance,
          layout.first_pair,
          layout.output_pairing.has_value()
              ? static_cast<int>(*layout.output_pairing)
              : -1};
}

json DescribeKeys(const std::vector<ConfigKey>& keys) {
  json described = json::array();
  for (const ConfigKey& key : keys) {
    described.push_back({key.path, key.value});
  }
  return described;
}

json DescribeLayer(const LayerRope& layer) {
  const DualChunk chunk = layer.dual_chunk.value_or(DualChunk{});
  return {{"layer_type", layer.layer_type},
          {"uses_rope", layer.uses_rope},
          {"rotary_dim", layer.parameters.rotary_dim},
          {"base", layer.parameters.base},
          {"scaling", ArgumentsOf(layer.parameters.scaling)},
          {"layout", DescribeLayout(layer.layout)},
          {"key_layout", DescribeLayout(layer.key_layout)},
          {"softmax_multiplier", layer.softmax_multiplier},
          {"original_positions", layer.original_positions},
          {"layers", layer.layers},
          {"mrope_section", layer.mrope_section},
          {"mrope_interleaved", layer.mrope_interleaved},
          {"axis", layer.parameters.axis},
          {"components", layer.components},
          {"query_scale",
           {static_cast<int>(layer.query_scale.rule),
            layer.query_scale.positions, layer.query_scale.beta}},
          {"dual_chunk", {chunk.chunk_size, chunk.local_size}},
          {"inverse_on_output", layer.inverse_on_output},
          {"keys", DescribeKeys(layer.keys)}};
}

json DescribeMultimodal(const std::optional<MultimodalRules>& rules) {
  if (!rules) return nullptr;
  return {static_cast<int>(rules->video_time), rules->merge_size,
          rules->tokens_per_second};
}

json DescribeVision(const VisionRope& vision) {
  json layouts = json::array();
  for (const RotaryLayout& layout : vision.layouts) {
    layouts.push_back(DescribeLayout(layout));
  }
  return {{"family", vision.family},
          {"scheme", static_cast<int>(vision.scheme)},
          {"head_dim", vision.head_dim},
          {"heads", vision.heads},
          {"base", vision.base},
          {"parts", vision.parts},
          {"frequencies", Checksum(vision.frequencies)},
          {"layouts", layouts},
          {"components", vision.components},
          {"grid",
           {vision.grid.merge_size, vision.grid.first,
            static_cast<int>(vision.grid.class_token)}},
          {"patch_size", vision.patch_size},
          {"keys", DescribeKeys(vision.keys)}};
}

}  // namespace

std::vector<ExpectedModel> ReadExpectedModels() {
  std::vector<ExpectedModel> models;
  const json expected = json::parse(ReadText("expected"));
  for (const auto& [name, want] : expected.items()) {
    if (name != "_about") models.push_back(ModelOf(name, want));
  }
  return models;
}

std::vector<std::string> ModelFiles() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    const std::string name = entry.path().stem().string();
    if (name != "expected") names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

json ArgumentsOf(const Scaling& scaling) {
  return std::visit([](const auto& scheme) { return Arguments(scheme); },
                    scaling);
}

reference::Scheme OracleOf(const ExpectedLayer& layer, bool long_list) {
  const reference::Ladder ladder{layer.layout.rotary_dim, layer.base};
  const json& scaling = layer.scaling;
  const std::string scheme = scaling.at("scheme").get<std::string>();
  const auto number = [&scaling](const char* key) {
    return scaling.at(key).get<double>();
  };
  if (scheme == "none") return reference::Plain(ladder);
  if (scheme == "linear") return reference::Linear(ladder, number("factor"));
  if (scheme == "ntk_alpha") return reference::Ntk(ladder, number("alpha"));
  if (scheme == "yarn") return YarnOracle(ladder, scaling);
  if (scheme == "deepseek_yarn") {
    return reference::DeepSeekYarn(ladder, YarnRangeOf(scaling),
                                   number("mscale"), number("mscale_all_dim"));
  }
  if (scheme == "llama3") {
    return reference::Llama3(
        ladder, {number("factor"), number("low_freq_factor"),
                 number("high_freq_factor"), number("original_positions")});
  }
  if (scheme == "longrope") return LongRopeOracle(ladder, scaling, long_list);
  if (scheme == "proportional") {
    return reference::Proportional(ladder, scaling.at("head_dim").get<int>(),
                                   number("factor"));
  }
  throw std::runtime_error(scheme + ": no scheme of expected.json");
}

json Describe(const ModelRope& model) {
  json layers = json::array();
  for (const LayerRope& layer : model.layer_types) {
    layers.push_back(DescribeLayer(layer));
  }
  return {{"family", model.family},
          {"max_positions", model.max_positions},
          {"layer_count", model.layer_count},
          {"warnings", model.warnings},
          {"prompt_rule", static_cast<int>(model.prompt_rule)},
          {"multimodal", DescribeMultimodal(model.multimodal)},
          {"vision", model.vision ? DescribeVision(*model.vision) : json()},
          {"layers", layers}};
}

}  // namespace ropewalk::test
