// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/scheme_parameters.h"

#include <optional>

namespace ropewalk::cli {
namespace {

const char* PolicyName(LongRopePolicy policy) {
  switch (policy) {
    case LongRopePolicy::kBySequenceLength:
      return "sequence";
    case LongRopePolicy::kForceShort:
      return "short";
    case LongRopePolicy::kForceLong:
      return "long";
    case LongRopePolicy::kByContextLimit:
      break;
  }
  return "context";
}

// Collects the fields of whichever scheme it is called with.
class Collector {
 public:
  void operator()(const NoScaling&) {}
  void operator()(const LinearScaling& s) { Add("factor", s.factor); }
  void operator()(const NtkScaling& s) { Add("factor", s.factor); }
  void operator()(const NtkAlphaScaling& s) { Add("alpha", s.alpha); }
  void operator()(const DynamicNtkScaling& s) {
    Add("factor", s.factor);
    Add("max_positions", s.max_positions);
  }
  void operator()(const QwenDynamicNtkScaling& s) {
    Add("original_positions", s.original_positions);
    Add("attention_slope", s.attention_slope);
  }
  void operator()(const VllmNtkScaling& s) {
    Add("factor", s.factor);
    Add("mixed_b", s.mixed_b);
  }
  void operator()(const YarnScaling& s) {
    AddRange(s);
    Add("truncate", s.truncate);
    Add("attention_factor", s.attention_factor);
    Add("mscale", s.mscale);
    Add("mscale_all_dim", s.mscale_all_dim);
    Add("extrapolation_weight", s.extrapolation_weight);
  }
  void operator()(const DeepSeekYarnScaling& s) {
    AddRange(s);
    Add("mscale", s.mscale);
    Add("mscale_all_dim", s.mscale_all_dim);
  }
  void operator()(const GrokYarnLogScaling& s) {
    AddRange(s);
    Add("truncate", s.truncate);
  }
  void operator()(const GrokThetaScaling& s) {
    Add("factor", s.factor);
    Add("original_positions", s.original_positions);
  }
  void operator()(const Llama3Scaling& s) {
    Add("factor", s.factor);
    Add("low_freq_factor", s.low_freq_factor);
    Add("high_freq_factor", s.high_freq_factor);
    Add("original_positions", s.original_positions);
  }
  void operator()(const LongRopeScaling& s) {
    Add("short_factor", s.short_factor);
    Add("long_factor", s.long_factor);
    Add("original_positions", s.original_positions);
    Add("max_positions", s.max_positions);
    Add("context_limit", s.context_limit);
    Add("factor", s.factor);
    Add("attention_factor", s.attention_factor);
    Add("short_attention_factor", s.short_attention_factor);
    Add("long_attention_factor", s.long_attention_factor);
    Add("policy", std::string(PolicyName(s.policy)));
  }
  void operator()(const ProportionalScaling& s) {
    Add("head_dim", int64_t{s.head_dim});
    Add("factor", s.factor);
  }
  void operator()(const FrequencyFactors& s) {
    Add("factors", s.factors);
    Add("attention_factor", s.attention_factor);
  }
  void operator()(const GgmlScaling& s) {
    Add("n_ctx_orig", s.n_ctx_orig);
    Add("freq_scale", double{s.freq_scale});
    Add("ext_factor", double{s.ext_factor});
    Add("attn_factor", double{s.attn_factor});
    Add("beta_fast", double{s.beta_fast});
    Add("beta_slow", double{s.beta_slow});
    if (s.freq_factors.empty()) return;
    Add("freq_factors",
        std::vector<double>(s.freq_factors.begin(), s.freq_factors.end()));
  }
  void operator()(const ExplicitFrequencies& s) {
    Add("inv_freq", s.inv_freq);
    Add("attention_factor", s.attention_factor);
  }

  std::vector<SchemeParameter> parameters;

 private:
  template <class Value>
  void Add(const char* name, const Value& value) {
    parameters.push_back({name, ParameterValue(value)});
  }
  void Add(const char* name, const std::optional<double>& value) {
    if (value) Add(name, *value);
  }
  template <class Yarn>
  void AddRange(const Yarn& s) {
    Add("factor", s.factor);
    Add("original_positions", s.original_positions);
    Add("beta_fast", s.beta_fast);
    Add("beta_slow", s.beta_slow);
  }
};

}  // namespace

std::vector<SchemeParameter> ParametersOf(const Scaling& scaling) {
  Collector collector;
  std::visit(collector, scaling);
  return collector.parameters;
}

}  // namespace ropewalk::cli
