// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "golden/scheme_case.h"

#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>

namespace ropewalk::test {
namespace {

using Json = nlohmann::json;

// The parameters of a case; each is taken by the field that has its name.
class Fields {
 public:
  Fields(const Json& json, int pairs) : json_(json), pairs_(pairs) {}

  template <class T>
  void Take(const char* name, T* field) {
    if (const Json* value = Find(name)) *field = value->get<T>();
  }
  template <class T>
  void Take(const char* name, std::optional<T>* field) {
    if (const Json* value = Find(name)) *field = value->get<T>();
  }
  void Take(const char* name, std::vector<double>* field) {
    if (const Json* value = Find(name)) *field = ListOf(*value, pairs_);
  }
  void Take(const char* name, LongRopePolicy* field) {
    const Json* value = Find(name);
    if (value == nullptr) return;
    if (*value == "by_sequence_length") {
      *field = LongRopePolicy::kBySequenceLength;
    } else if (*value == "force_short") {
      *field = LongRopePolicy::kForceShort;
    } else if (*value == "force_long") {
      *field = LongRopePolicy::kForceLong;
    } else {
      throw std::runtime_error("unknown policy " + value->dump());
    }
  }

  bool AllTaken() const { return taken_ == json_.size(); }

 private:
  const Json* Find(const char* name) {
    const auto at = json_.find(name);
    if (at == json_.end()) return nullptr;
    ++taken_;
    return &*at;
  }

  const Json& json_;
  int pairs_;
  size_t taken_ = 0;
};

// YarnScaling, DeepSeekYarnScaling and GrokYarnLogScaling.
template <class Scaling>
Scaling RampScaling(Fields* fields) {
  Scaling scaling;
  fields->Take("factor", &scaling.factor);
  fields->Take("original_positions", &scaling.original_positions);
  fields->Take("beta_fast", &scaling.beta_fast);
  fields->Take("beta_slow", &scaling.beta_slow);
  return scaling;
}

YarnScaling Yarn(Fields* fields) {
  auto scaling = RampScaling<YarnScaling>(fields);
  fields->Take("truncate", &scaling.truncate);
  fields->Take("attention_factor", &scaling.attention_factor);
  fields->Take("mscale", &scaling.mscale);
  fields->Take("mscale_all_dim", &scaling.mscale_all_dim);
  return scaling;
}

DeepSeekYarnScaling DeepSeekYarn(Fields* fields) {
  auto scaling = RampScaling<DeepSeekYarnScaling>(fields);
  fields->Take("mscale", &scaling.mscale);
  fields->Take("mscale_all_dim", &scaling.mscale_all_dim);
  return scaling;
}

Llama3Scaling Llama3(Fields* fields) {
  Llama3Scaling scaling;
  fields->Take("factor", &scaling.factor);
  fields->Take("low_freq_factor", &scaling.low_freq_factor);
  fields->Take("high_freq_factor", &scaling.high_freq_factor);
  fields->Take("original_positions", &scaling.original_positions);
  return scaling;
}

LongRopeScaling LongRope(Fields* fields) {
  LongRopeScaling scaling;
  fields->Take("short_factor", &scaling.short_factor);
  fields->Take("long_factor", &scaling.long_factor);
  fields->Take("original_positions", &scaling.original_positions);
  fields->Take("max_positions", &scaling.max_positions);
  fields->Take("context_limit", &scaling.context_limit);
  fields->Take("factor", &scaling.factor);
  fields->Take("attention_factor", &scaling.attention_factor);
  fields->Take("short_attention_factor", &scaling.short_attention_factor);
  fields->Take("long_attention_factor", &scaling.long_attention_factor);
  fields->Take("policy", &scaling.policy);
  return scaling;
}

Scaling ScalingOf(const std::string& scheme, Fields* fields) {
  if (scheme == "yarn") return Yarn(fields);
  if (scheme == "deepseek_yarn") return DeepSeekYarn(fields);
  if (scheme == "grok_yarn_log") return RampScaling<GrokYarnLogScaling>(fields);
  if (scheme == "llama3") return Llama3(fields);
  if (scheme == "longrope") return LongRope(fields);
  LinearScaling linear;
  NtkScaling ntk;
  NtkAlphaScaling ntk_alpha;
  DynamicNtkScaling dynamic_ntk;
  QwenDynamicNtkScaling qwen;
  VllmNtkScaling vllm_ntk;
  ProportionalScaling proportional;
  if (scheme == "linear") {
    fields->Take("factor", &linear.factor);
    return linear;
  }
  if (scheme == "ntk") {
    fields->Take("factor", &ntk.factor);
    return ntk;
  }
  if (scheme == "ntk_alpha") {
    fields->Take("alpha", &ntk_alpha.alpha);
    return ntk_alpha;
  }
  if (scheme == "dynamic_ntk") {
    fields->Take("factor", &dynamic_ntk.factor);
    fields->Take("max_positions", &dynamic_ntk.max_positions);
    return dynamic_ntk;
  }
  if (scheme == "qwen_dynamic_ntk") {
    fields->Take("original_positions", &qwen.original_positions);
    return qwen;
  }
  if (scheme == "vllm_ntk") {
    fields->Take("factor", &vllm_ntk.factor);
    fields->Take("mixed_b", &vllm_ntk.mixed_b);
    return vllm_ntk;
  }
  if (scheme == "proportional") {
    fields->Take("head_dim", &proportional.head_dim);
    fields->Take("factor", &proportional.factor);
    return proportional;
  }
  throw std::runtime_error("unknown scheme " + scheme);
}

}  // namespace

std::vector<double> ListOf(const Json& value, int entries) {
  if (value.is_array()) return value.get<std::vector<double>>();
  std::vector<double> list(static_cast<size_t>(entries));
  if (value == "1, 2, ...") {
    std::iota(list.begin(), list.end(), 1.0);
  } else {
    list.assign(list.size(), value.get<double>());
  }
  return list;
}

RopeParameters ParametersOf(const Json& data) {
  RopeParameters parameters;
  parameters.rotary_dim = data.at("rotary_dim").get<int>();
  parameters.base = data.at("base").get<double>();
  Fields fields(data.at("parameters"), parameters.rotary_dim / 2);
  parameters.scaling = ScalingOf(data.at("scheme").get<std::string>(), &fields);
  if (!fields.AllTaken()) {
    throw std::runtime_error("unknown parameter in " +
                             data.at("parameters").dump());
  }
  return parameters;
}

}  // namespace ropewalk::test
