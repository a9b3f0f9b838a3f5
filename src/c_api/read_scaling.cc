// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "c_api/read_scaling.h"

#include "c_api/call.h"
#include "c_api/read_types.h"
#include "c_api/struct_size.h"
#include "frequencies/schemes.h"

namespace ropewalk::internal {
namespace {

// Past it no list is right: the library says which length is.
constexpr int64_t kMaxList = kMaxRotaryDim;

template <class T, class U>
Status ReadList(const char* name, const T* values, int64_t count,
                std::vector<U>* list) {
  if (count < 0 || (count > 0) != (values != nullptr)) {
    return Error(StatusCode::kInvalidArgument,
                 "%s = %p with %lld entries: must be a list, or null with none",
                 name, static_cast<const void*>(values),
                 static_cast<long long>(count));
  }
  if (count > kMaxList) {
    return Error(
        StatusCode::kOutOfRange, "%s has %lld entries: must have at most %lld",
        name, static_cast<long long>(count), static_cast<long long>(kMaxList));
  }
  if (count > 0) list->assign(values, values + count);
  return Status();
}

std::optional<double> Given(double value) {
  return value == 0 ? std::nullopt : std::optional<double>(value);
}

// One a scheme: the fields of its struct.
LinearScaling ToCc(const ropewalk_factor_scaling& in, LinearScaling) {
  return {in.factor};
}
NtkScaling ToCc(const ropewalk_factor_scaling& in, NtkScaling) {
  return {in.factor};
}
NtkAlphaScaling ToCc(const ropewalk_factor_scaling& in, NtkAlphaScaling) {
  return {in.factor};
}
DynamicNtkScaling ToCc(const ropewalk_dynamic_ntk_scaling& in,
                       DynamicNtkScaling) {
  return {in.factor, in.max_positions};
}
QwenDynamicNtkScaling ToCc(const ropewalk_qwen_dynamic_ntk_scaling& in,
                           QwenDynamicNtkScaling) {
  return {in.original_positions, in.attention_slope};
}
VllmNtkScaling ToCc(const ropewalk_vllm_ntk_scaling& in, VllmNtkScaling) {
  return {in.factor, Given(in.mixed_b)};
}
YarnScaling ToCc(const ropewalk_yarn_scaling& in, YarnScaling) {
  return {in.factor,
          in.original_positions,
          in.beta_fast,
          in.beta_slow,
          in.no_truncation == 0,
          Given(in.attention_factor),
          Given(in.mscale),
          Given(in.mscale_all_dim),
          in.extrapolation_weight != 0 ? in.extrapolation_weight : 1};
}
DeepSeekYarnScaling ToCc(const ropewalk_deepseek_yarn_scaling& in,
                         DeepSeekYarnScaling) {
  return {in.factor, in.original_positions, in.beta_fast, in.beta_slow,
          in.mscale, in.mscale_all_dim};
}
GrokYarnLogScaling ToCc(const ropewalk_grok_yarn_log_scaling& in,
                        GrokYarnLogScaling) {
  return {in.factor, in.original_positions, in.beta_fast, in.beta_slow,
          in.no_truncation == 0};
}
GrokThetaScaling ToCc(const ropewalk_grok_theta_scaling& in, GrokThetaScaling) {
  return {in.factor, in.original_positions};
}
Llama3Scaling ToCc(const ropewalk_llama3_scaling& in, Llama3Scaling) {
  return {in.factor, in.low_freq_factor, in.high_freq_factor,
          in.original_positions};
}
ProportionalScaling ToCc(const ropewalk_proportional_scaling& in,
                         ProportionalScaling) {
  return {in.head_dim, in.factor};
}

template <class C, class Scheme>
Status ReadScheme(const void* given, Scheme scheme, Scaling* scaling) {
  C in;
  ROPEWALK_RETURN_IF_ERROR(
      ReadStruct("scaling", static_cast<const C*>(given), &in));
  *scaling = ToCc(in, scheme);
  return Status();
}

Status ReadLongRope(const void* given, Scaling* scaling) {
  ropewalk_longrope_scaling in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(
      "scaling", static_cast<const ropewalk_longrope_scaling*>(given), &in));
  LongRopeScaling out;
  ROPEWALK_RETURN_IF_ERROR(ReadList("short_factor", in.short_factor,
                                    in.short_count, &out.short_factor));
  ROPEWALK_RETURN_IF_ERROR(
      ReadList("long_factor", in.long_factor, in.long_count, &out.long_factor));
  ROPEWALK_RETURN_IF_ERROR(
      ReadEnum("scaling", "policy", in.policy, &out.policy));
  out.original_positions = in.original_positions;
  out.max_positions = in.max_positions;
  out.context_limit = in.context_limit;
  out.factor = Given(in.factor);
  out.attention_factor = Given(in.attention_factor);
  out.short_attention_factor = Given(in.short_attention_factor);
  out.long_attention_factor = Given(in.long_attention_factor);
  *scaling = std::move(out);
  return Status();
}

// FrequencyFactors and ExplicitFrequencies: a list and a factor.
template <class Scheme>
Status ReadDoubles(const void* given, Scaling* scaling) {
  ropewalk_double_list in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(
      "scaling", static_cast<const ropewalk_double_list*>(given), &in));
  std::vector<double> values;
  ROPEWALK_RETURN_IF_ERROR(
      ReadList("scaling.values", in.values, in.count, &values));
  *scaling = Scheme{std::move(values), in.attention_factor};
  return Status();
}

Status ReadGgml(const void* given, Scaling* scaling) {
  ropewalk_ggml_scaling in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(
      "scaling", static_cast<const ropewalk_ggml_scaling*>(given), &in));
  GgmlScaling out;
  ROPEWALK_RETURN_IF_ERROR(ReadList("freq_factors", in.freq_factors,
                                    in.freq_factor_count, &out.freq_factors));
  out.n_ctx_orig = in.n_ctx_orig;
  out.freq_scale = in.freq_scale;
  out.ext_factor = in.ext_factor;
  out.attn_factor = in.attn_factor;
  out.beta_fast = in.beta_fast;
  out.beta_slow = in.beta_slow;
  *scaling = std::move(out);
  return Status();
}

Status ReadScaling(ropewalk_scheme scheme, const void* given, Scaling* out) {
  switch (scheme) {
    case ROPEWALK_PLAIN:
      if (given == nullptr) return Status();
      return Error(StatusCode::kInvalidArgument,
                   "scaling: must be null with ROPEWALK_PLAIN");
    case ROPEWALK_LINEAR:
      return ReadScheme<ropewalk_factor_scaling>(given, LinearScaling(), out);
    case ROPEWALK_NTK:
      return ReadScheme<ropewalk_factor_scaling>(given, NtkScaling(), out);
    case ROPEWALK_NTK_ALPHA:
      return ReadScheme<ropewalk_factor_scaling>(given, NtkAlphaScaling(), out);
    case ROPEWALK_DYNAMIC_NTK:
      return ReadScheme<ropewalk_dynamic_ntk_scaling>(given,
                                                      DynamicNtkScaling(), out);
    case ROPEWALK_QWEN_DYNAMIC_NTK:
      return ReadScheme<ropewalk_qwen_dynamic_ntk_scaling>(
          given, QwenDynamicNtkScaling(), out);
    case ROPEWALK_VLLM_NTK:
      return ReadScheme<ropewalk_vllm_ntk_scaling>(given, VllmNtkScaling(),
                                                   out);
    case ROPEWALK_YARN:
      return ReadScheme<ropewalk_yarn_scaling>(given, YarnScaling(), out);
    case ROPEWALK_DEEPSEEK_YARN:
      return ReadScheme<ropewalk_deepseek_yarn_scaling>(
          given, DeepSeekYarnScaling(), out);
    case ROPEWALK_GROK_YARN_LOG:
      return ReadScheme<ropewalk_grok_yarn_log_scaling>(
          given, GrokYarnLogScaling(), out);
    case ROPEWALK_GROK_THETA:
      return ReadScheme<ropewalk_grok_theta_scaling>(given, GrokThetaScaling(),
                                                     out);
    case ROPEWALK_LLAMA3:
      return ReadScheme<ropewalk_llama3_scaling>(given, Llama3Scaling(), out);
    case ROPEWALK_LONGROPE:
      return ReadLongRope(given, out);
    case ROPEWALK_PROPORTIONAL:
      return ReadScheme<ropewalk_proportional_scaling>(
          given, ProportionalScaling(), out);
    case ROPEWALK_FREQUENCY_FACTORS:
      return ReadDoubles<FrequencyFactors>(given, out);
    case ROPEWALK_GGML:
      return ReadGgml(given, out);
    case ROPEWALK_EXPLICIT:
      return ReadDoubles<ExplicitFrequencies>(given, out);
    default:
      return Error(StatusCode::kInvalidArgument, "scheme = %d: no such value",
                   static_cast<int>(scheme));
  }
}

}  // namespace

Status Read(const char* name, const ropewalk_rope_parameters* given,
            RopeParameters* parameters) {
  ropewalk_rope_parameters in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  ROPEWALK_RETURN_IF_ERROR(
      ReadScaling(in.scheme, in.scaling, &parameters->scaling));
  ROPEWALK_RETURN_IF_ERROR(
      ReadList("axis", in.axis, in.axis_count, &parameters->axis));
  parameters->rotary_dim = in.rotary_dim;
  parameters->base = in.base;
  return Status();
}

}  // namespace ropewalk::internal
