// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <variant>

#include "c_api/c_call.h"

namespace ropewalk::test {
namespace {

double OrZero(const std::optional<double>& value) { return value.value_or(0); }

ropewalk_factor_scaling FactorOf(double factor) {
  ropewalk_factor_scaling out = ROPEWALK_FACTOR_SCALING_INIT;
  out.factor = factor;
  return out;
}

ropewalk_double_list ListOf(const std::vector<double>& values, double factor) {
  ropewalk_double_list out = ROPEWALK_DOUBLE_LIST_INIT;
  out.values = values.data();
  out.count = static_cast<int64_t>(values.size());
  out.attention_factor = factor;
  return out;
}

}  // namespace

CParameters::CParameters(const RopeParameters& parameters) {
  value_.rotary_dim = parameters.rotary_dim;
  value_.base = parameters.base;
  value_.axis = parameters.axis.data();
  value_.axis_count = static_cast<int64_t>(parameters.axis.size());
  std::visit([this](const auto& scaling) { Set(scaling); }, parameters.scaling);
}

template <class T>
T* CParameters::Use(ropewalk_scheme scheme, const T& initial) {
  const auto made = std::make_shared<T>(initial);
  scaling_ = made;
  value_.scheme = scheme;
  value_.scaling = made.get();
  return made.get();
}

void CParameters::Set(const NoScaling&) { value_.scheme = ROPEWALK_PLAIN; }

void CParameters::Set(const LinearScaling& in) {
  Use(ROPEWALK_LINEAR, FactorOf(in.factor));
}

void CParameters::Set(const NtkScaling& in) {
  Use(ROPEWALK_NTK, FactorOf(in.factor));
}

void CParameters::Set(const NtkAlphaScaling& in) {
  Use(ROPEWALK_NTK_ALPHA, FactorOf(in.alpha));
}

void CParameters::Set(const DynamicNtkScaling& in) {
  const ropewalk_dynamic_ntk_scaling init = ROPEWALK_DYNAMIC_NTK_SCALING_INIT;
  auto* const out = Use(ROPEWALK_DYNAMIC_NTK, init);
  out->factor = in.factor;
  out->max_positions = in.max_positions;
}

void CParameters::Set(const QwenDynamicNtkScaling& in) {
  const ropewalk_qwen_dynamic_ntk_scaling init =
      ROPEWALK_QWEN_DYNAMIC_NTK_SCALING_INIT;
  auto* const out = Use(ROPEWALK_QWEN_DYNAMIC_NTK, init);
  out->original_positions = in.original_positions;
  out->attention_slope = in.attention_slope;
}

void CParameters::Set(const VllmNtkScaling& in) {
  const ropewalk_vllm_ntk_scaling init = ROPEWALK_VLLM_NTK_SCALING_INIT;
  auto* const out = Use(ROPEWALK_VLLM_NTK, init);
  out->factor = in.factor;
  out->mixed_b = OrZero(in.mixed_b);
}

void CParameters::Set(const YarnScaling& in) {
  const ropewalk_yarn_scaling init = ROPEWALK_YARN_SCALING_INIT;
  auto* const out = Use(ROPEWALK_YARN, init);
  out->factor = in.factor;
  out->original_positions = in.original_positions;
  out->beta_fast = in.beta_fast;
  out->beta_slow = in.beta_slow;
  out->no_truncation = in.truncate ? 0 : 1;
  out->attention_factor = OrZero(in.attention_factor);
  out->mscale = OrZero(in.mscale);
  out->mscale_all_dim = OrZero(in.mscale_all_dim);
  out->extrapolation_weight = in.extrapolation_weight;
}

void CParameters::Set(const DeepSeekYarnScaling& in) {
  const ropewalk_deepseek_yarn_scaling init =
      ROPEWALK_DEEPSEEK_YARN_SCALING_INIT;
  auto* const out = Use(ROPEWALK_DEEPSEEK_YARN, init);
  out->factor = in.factor;
  out->original_positions = in.original_positions;
  out->beta_fast = in.beta_fast;
  out->beta_slow = in.beta_slow;
  out->mscale = in.mscale;
  out->mscale_all_dim = in.mscale_all_dim;
}

void CParameters::Set(const GrokYarnLogScaling& in) {
  const ropewalk_grok_yarn_log_scaling init =
      ROPEWALK_GROK_YARN_LOG_SCALING_INIT;
  auto* const out = Use(ROPEWALK_GROK_YARN_LOG, init);
  out->factor = in.factor;
  out->original_positions = in.original_positions;
  out->beta_fast = in.beta_fast;
  out->beta_slow = in.beta_slow;
  out->no_truncation = in.truncate ? 0 : 1;
}

void CParameters::Set(const GrokThetaScaling& in) {
  const ropewalk_grok_theta_scaling init = ROPEWALK_GROK_THETA_SCALING_INIT;
  auto* const out = Use(ROPEWALK_GROK_THETA, init);
  out->factor = in.factor;
  out->original_positions = in.original_positions;
}

void CParameters::Set(const Llama3Scaling& in) {
  const ropewalk_llama3_scaling init = ROPEWALK_LLAMA3_SCALING_INIT;
  auto* const out = Use(ROPEWALK_LLAMA3, init);
  out->factor = in.factor;
  out->low_freq_factor = in.low_freq_factor;
  out->high_freq_factor = in.high_freq_factor;
  out->original_positions = in.original_positions;
}

void CParameters::Set(const LongRopeScaling& in) {
  const ropewalk_longrope_scaling init = ROPEWALK_LONGROPE_SCALING_INIT;
  auto* const out = Use(ROPEWALK_LONGROPE, init);
  out->policy = static_cast<int32_t>(in.policy);
  out->short_factor = in.short_factor.data();
  out->short_count = static_cast<int64_t>(in.short_factor.size());
  out->long_factor = in.long_factor.data();
  out->long_count = static_cast<int64_t>(in.long_factor.size());
  out->original_positions = in.original_positions;
  out->max_positions = in.max_positions;
  out->context_limit = in.context_limit;
  out->factor = OrZero(in.factor);
  out->attention_factor = OrZero(in.attention_factor);
  out->short_attention_factor = OrZero(in.short_attention_factor);
  out->long_attention_factor = OrZero(in.long_attention_factor);
}

void CParameters::Set(const ProportionalScaling& in) {
  const ropewalk_proportional_scaling init = ROPEWALK_PROPORTIONAL_SCALING_INIT;
  auto* const out = Use(ROPEWALK_PROPORTIONAL, init);
  out->head_dim = in.head_dim;
  out->factor = in.factor;
}

void CParameters::Set(const FrequencyFactors& in) {
  Use(ROPEWALK_FREQUENCY_FACTORS, ListOf(in.factors, in.attention_factor));
}

void CParameters::Set(const GgmlScaling& in) {
  const ropewalk_ggml_scaling init = ROPEWALK_GGML_SCALING_INIT;
  auto* const out = Use(ROPEWALK_GGML, init);
  out->n_ctx_orig = in.n_ctx_orig;
  out->freq_scale = in.freq_scale;
  out->ext_factor = in.ext_factor;
  out->attn_factor = in.attn_factor;
  out->beta_fast = in.beta_fast;
  out->beta_slow = in.beta_slow;
  out->freq_factors = in.freq_factors.data();
  out->freq_factor_count = static_cast<int64_t>(in.freq_factors.size());
}

void CParameters::Set(const ExplicitFrequencies& in) {
  Use(ROPEWALK_EXPLICIT, ListOf(in.inv_freq, in.attention_factor));
}

}  // namespace ropewalk::test
