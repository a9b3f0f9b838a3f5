// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "c_api/write_scaling.h"

#include <cstdint>
#include <optional>
#include <type_traits>

#include "c_api/list.h"

namespace ropewalk::internal {
namespace {

struct Written {
  ropewalk_scheme scheme;
  SchemeStruct value;
};

// 0 stands for what is not given. Nowhere does it differ from a 0 that is: a
// factor of 0 breaks its rule, and of an mscale both mean the same.
double OrZero(const std::optional<double>& value) noexcept {
  return value.value_or(0);
}

ropewalk_factor_scaling Factor(double factor) noexcept {
  ropewalk_factor_scaling out = ROPEWALK_FACTOR_SCALING_INIT;
  out.factor = factor;
  return out;
}

ropewalk_double_list Doubles(const std::vector<double>& values,
                             double attention_factor) noexcept {
  ropewalk_double_list out = ROPEWALK_DOUBLE_LIST_INIT;
  out.values = DataOf(values);
  out.count = static_cast<int64_t>(values.size());
  out.attention_factor = attention_factor;
  return out;
}

// One a scheme, so that the compiler asks for that of a new one.
Written Write(const NoScaling&) noexcept {
  return {ROPEWALK_PLAIN, std::monostate()};
}
Written Write(const LinearScaling& in) noexcept {
  return {ROPEWALK_LINEAR, Factor(in.factor)};
}
Written Write(const NtkScaling& in) noexcept {
  return {ROPEWALK_NTK, Factor(in.factor)};
}
Written Write(const NtkAlphaScaling& in) noexcept {
  return {ROPEWALK_NTK_ALPHA, Factor(in.alpha)};
}
Written Write(const DynamicNtkScaling& in) noexcept {
  ropewalk_dynamic_ntk_scaling out = ROPEWALK_DYNAMIC_NTK_SCALING_INIT;
  out.factor = in.factor;
  out.max_positions = in.max_positions;
  return {ROPEWALK_DYNAMIC_NTK, out};
}
Written Write(const QwenDynamicNtkScaling& in) noexcept {
  ropewalk_qwen_dynamic_ntk_scaling out =
      ROPEWALK_QWEN_DYNAMIC_NTK_SCALING_INIT;
  out.original_positions = in.original_positions;
  out.attention_slope = in.attention_slope;
  return {ROPEWALK_QWEN_DYNAMIC_NTK, out};
}
Written Write(const VllmNtkScaling& in) noexcept {
  ropewalk_vllm_ntk_scaling out = ROPEWALK_VLLM_NTK_SCALING_INIT;
  out.factor = in.factor;
  out.mixed_b = OrZero(in.mixed_b);
  return {ROPEWALK_VLLM_NTK, out};
}
Written Write(const YarnScaling& in) noexcept {
  ropewalk_yarn_scaling out = ROPEWALK_YARN_SCALING_INIT;
  out.no_truncation = in.truncate ? 0 : 1;
  out.factor = in.factor;
  out.original_positions = in.original_positions;
  out.beta_fast = in.beta_fast;
  out.beta_slow = in.beta_slow;
  out.attention_factor = OrZero(in.attention_factor);
  out.mscale = OrZero(in.mscale);
  out.mscale_all_dim = OrZero(in.mscale_all_dim);
  out.extrapolation_weight = in.extrapolation_weight;
  return {ROPEWALK_YARN, out};
}
Written Write(const DeepSeekYarnScaling& in) noexcept {
  ropewalk_deepseek_yarn_scaling out = ROPEWALK_DEEPSEEK_YARN_SCALING_INIT;
  out.factor = in.factor;
  out.original_positions = in.original_positions;
  out.beta_fast = in.beta_fast;
  out.beta_slow = in.beta_slow;
  out.mscale = in.mscale;
  out.mscale_all_dim = in.mscale_all_dim;
  return {ROPEWALK_DEEPSEEK_YARN, out};
}
Written Write(const GrokYarnLogScaling& in) noexcept {
  ropewalk_grok_yarn_log_scaling out = ROPEWALK_GROK_YARN_LOG_SCALING_INIT;
  out.no_truncation = in.truncate ? 0 : 1;
  out.factor = in.factor;
  out.original_positions = in.original_positions;
  out.beta_fast = in.beta_fast;
  out.beta_slow = in.beta_slow;
  return {ROPEWALK_GROK_YARN_LOG, out};
}
Written Write(const GrokThetaScaling& in) noexcept {
  ropewalk_grok_theta_scaling out = ROPEWALK_GROK_THETA_SCALING_INIT;
  out.factor = in.factor;
  out.original_positions = in.original_positions;
  return {ROPEWALK_GROK_THETA, out};
}
Written Write(const Llama3Scaling& in) noexcept {
  ropewalk_llama3_scaling out = ROPEWALK_LLAMA3_SCALING_INIT;
  out.factor = in.factor;
  out.low_freq_factor = in.low_freq_factor;
  out.high_freq_factor = in.high_freq_factor;
  out.original_positions = in.original_positions;
  return {ROPEWALK_LLAMA3, out};
}
Written Write(const LongRopeScaling& in) noexcept {
  ropewalk_longrope_scaling out = ROPEWALK_LONGROPE_SCALING_INIT;
  out.policy = static_cast<int32_t>(in.policy);
  out.short_factor = DataOf(in.short_factor);
  out.long_factor = DataOf(in.long_factor);
  out.short_count = static_cast<int64_t>(in.short_factor.size());
  out.long_count = static_cast<int64_t>(in.long_factor.size());
  out.original_positions = in.original_positions;
  out.max_positions = in.max_positions;
  out.context_limit = in.context_limit;
  out.factor = OrZero(in.factor);
  out.attention_factor = OrZero(in.attention_factor);
  out.short_attention_factor = OrZero(in.short_attention_factor);
  out.long_attention_factor = OrZero(in.long_attention_factor);
  return {ROPEWALK_LONGROPE, out};
}
Written Write(const ProportionalScaling& in) noexcept {
  ropewalk_proportional_scaling out = ROPEWALK_PROPORTIONAL_SCALING_INIT;
  out.head_dim = in.head_dim;
  out.factor = in.factor;
  return {ROPEWALK_PROPORTIONAL, out};
}
Written Write(const FrequencyFactors& in) noexcept {
  return {ROPEWALK_FREQUENCY_FACTORS, Doubles(in.factors, in.attention_factor)};
}
Written Write(const GgmlScaling& in) noexcept {
  ropewalk_ggml_scaling out = ROPEWALK_GGML_SCALING_INIT;
  out.freq_scale = in.freq_scale;
  out.n_ctx_orig = in.n_ctx_orig;
  out.ext_factor = in.ext_factor;
  out.attn_factor = in.attn_factor;
  out.beta_fast = in.beta_fast;
  out.beta_slow = in.beta_slow;
  out.freq_factors = DataOf(in.freq_factors);
  out.freq_factor_count = static_cast<int64_t>(in.freq_factors.size());
  return {ROPEWALK_GGML, out};
}
Written Write(const ExplicitFrequencies& in) noexcept {
  return {ROPEWALK_EXPLICIT, Doubles(in.inv_freq, in.attention_factor)};
}

const void* Address(const SchemeStruct& scheme) {
  return std::visit(
      [](const auto& value) -> const void* {
        constexpr bool kNone =
            std::is_same_v<decltype(value), const std::monostate&>;
        return kNone ? nullptr : &value;
      },
      scheme);
}

}  // namespace

WrittenParameters::WrittenParameters(const RopeParameters& from) {
  const Written written = std::visit(
      [](const auto& scheme) { return Write(scheme); }, from.scaling);
  scheme_ = written.value;
  value_.rotary_dim = from.rotary_dim;
  value_.base = from.base;
  value_.scheme = written.scheme;
  value_.scaling = Address(scheme_);
  value_.axis = DataOf(from.axis);
  value_.axis_count = static_cast<int64_t>(from.axis.size());
}

}  // namespace ropewalk::internal
