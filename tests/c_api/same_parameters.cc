// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "c_api/same_parameters.h"

#include <variant>

#include "c_api/c_model.h"

namespace ropewalk::test {
namespace {

// The struct of a scheme, which the parameters must name.
template <class C>
C StructOf(const ropewalk_rope_parameters& got, ropewalk_scheme scheme) {
  EXPECT_EQ(got.scheme, scheme);
  const auto* const value = static_cast<const C*>(got.scaling);
  if (got.scheme != scheme || value == nullptr) {
    ADD_FAILURE() << "no struct of scheme " << scheme;
    return C{};
  }
  EXPECT_EQ(value->struct_size, sizeof(C));
  return *value;
}

void Compare(const ropewalk_rope_parameters& got, const NoScaling&) {
  EXPECT_EQ(got.scheme, ROPEWALK_PLAIN);
  EXPECT_EQ(got.scaling, nullptr);
}

void Compare(const ropewalk_rope_parameters& got, const LinearScaling& want) {
  const auto c = StructOf<ropewalk_factor_scaling>(got, ROPEWALK_LINEAR);
  EXPECT_EQ(c.factor, want.factor);
}

void Compare(const ropewalk_rope_parameters& got, const NtkScaling& want) {
  const auto c = StructOf<ropewalk_factor_scaling>(got, ROPEWALK_NTK);
  EXPECT_EQ(c.factor, want.factor);
}

void Compare(const ropewalk_rope_parameters& got, const NtkAlphaScaling& want) {
  const auto c = StructOf<ropewalk_factor_scaling>(got, ROPEWALK_NTK_ALPHA);
  EXPECT_EQ(c.factor, want.alpha);
}

void Compare(const ropewalk_rope_parameters& got,
             const DynamicNtkScaling& want) {
  const auto c =
      StructOf<ropewalk_dynamic_ntk_scaling>(got, ROPEWALK_DYNAMIC_NTK);
  EXPECT_EQ(c.factor, want.factor);
  EXPECT_EQ(c.max_positions, want.max_positions);
}

void Compare(const ropewalk_rope_parameters& got,
             const QwenDynamicNtkScaling& want) {
  const auto c = StructOf<ropewalk_qwen_dynamic_ntk_scaling>(
      got, ROPEWALK_QWEN_DYNAMIC_NTK);
  EXPECT_EQ(c.original_positions, want.original_positions);
  EXPECT_EQ(c.attention_slope, want.attention_slope);
}

void Compare(const ropewalk_rope_parameters& got, const VllmNtkScaling& want) {
  const auto c = StructOf<ropewalk_vllm_ntk_scaling>(got, ROPEWALK_VLLM_NTK);
  EXPECT_EQ(c.factor, want.factor);
  EXPECT_EQ(c.mixed_b, want.mixed_b.value_or(0));
}

void Compare(const ropewalk_rope_parameters& got, const YarnScaling& want) {
  const auto c = StructOf<ropewalk_yarn_scaling>(got, ROPEWALK_YARN);
  EXPECT_EQ(c.no_truncation, want.truncate ? 0 : 1);
  EXPECT_EQ(c.factor, want.factor);
  EXPECT_EQ(c.original_positions, want.original_positions);
  EXPECT_EQ(c.beta_fast, want.beta_fast);
  EXPECT_EQ(c.beta_slow, want.beta_slow);
  EXPECT_EQ(c.attention_factor, want.attention_factor.value_or(0));
  EXPECT_EQ(c.mscale, want.mscale.value_or(0));
  EXPECT_EQ(c.mscale_all_dim, want.mscale_all_dim.value_or(0));
  EXPECT_EQ(c.extrapolation_weight, want.extrapolation_weight);
}

void Compare(const ropewalk_rope_parameters& got,
             const DeepSeekYarnScaling& want) {
  const auto c =
      StructOf<ropewalk_deepseek_yarn_scaling>(got, ROPEWALK_DEEPSEEK_YARN);
  EXPECT_EQ(c.factor, want.factor);
  EXPECT_EQ(c.original_positions, want.original_positions);
  EXPECT_EQ(c.beta_fast, want.beta_fast);
  EXPECT_EQ(c.beta_slow, want.beta_slow);
  EXPECT_EQ(c.mscale, want.mscale);
  EXPECT_EQ(c.mscale_all_dim, want.mscale_all_dim);
}

void Compare(const ropewalk_rope_parameters& got,
             const GrokYarnLogScaling& want) {
  const auto c =
      StructOf<ropewalk_grok_yarn_log_scaling>(got, ROPEWALK_GROK_YARN_LOG);
  EXPECT_EQ(c.no_truncation, want.truncate ? 0 : 1);
  EXPECT_EQ(c.factor, want.factor);
  EXPECT_EQ(c.original_positions, want.original_positions);
  EXPECT_EQ(c.beta_fast, want.beta_fast);
  EXPECT_EQ(c.beta_slow, want.beta_slow);
}

void Compare(const ropewalk_rope_parameters& got,
             const GrokThetaScaling& want) {
  const auto c =
      StructOf<ropewalk_grok_theta_scaling>(got, ROPEWALK_GROK_THETA);
  EXPECT_EQ(c.factor, want.factor);
  EXPECT_EQ(c.original_positions, want.original_positions);
}

void Compare(const ropewalk_rope_parameters& got, const Llama3Scaling& want) {
  const auto c = StructOf<ropewalk_llama3_scaling>(got, ROPEWALK_LLAMA3);
  EXPECT_EQ(c.factor, want.factor);
  EXPECT_EQ(c.low_freq_factor, want.low_freq_factor);
  EXPECT_EQ(c.high_freq_factor, want.high_freq_factor);
  EXPECT_EQ(c.original_positions, want.original_positions);
}

void Compare(const ropewalk_rope_parameters& got, const LongRopeScaling& want) {
  const auto c = StructOf<ropewalk_longrope_scaling>(got, ROPEWALK_LONGROPE);
  EXPECT_EQ(c.policy, static_cast<int32_t>(want.policy));
  EXPECT_EQ(ListOf(c.short_factor, c.short_count), want.short_factor);
  EXPECT_EQ(ListOf(c.long_factor, c.long_count), want.long_factor);
  EXPECT_EQ(c.original_positions, want.original_positions);
  EXPECT_EQ(c.max_positions, want.max_positions);
  EXPECT_EQ(c.context_limit, want.context_limit);
  EXPECT_EQ(c.factor, want.factor.value_or(0));
  EXPECT_EQ(c.attention_factor, want.attention_factor.value_or(0));
  EXPECT_EQ(c.short_attention_factor, want.short_attention_factor.value_or(0));
  EXPECT_EQ(c.long_attention_factor, want.long_attention_factor.value_or(0));
}

void Compare(const ropewalk_rope_parameters& got,
             const ProportionalScaling& want) {
  const auto c =
      StructOf<ropewalk_proportional_scaling>(got, ROPEWALK_PROPORTIONAL);
  EXPECT_EQ(c.head_dim, want.head_dim);
  EXPECT_EQ(c.factor, want.factor);
}

void Compare(const ropewalk_rope_parameters& got,
             const FrequencyFactors& want) {
  const auto c =
      StructOf<ropewalk_double_list>(got, ROPEWALK_FREQUENCY_FACTORS);
  EXPECT_EQ(ListOf(c.values, c.count), want.factors);
  EXPECT_EQ(c.attention_factor, want.attention_factor);
}

void Compare(const ropewalk_rope_parameters& got, const GgmlScaling& want) {
  const auto c = StructOf<ropewalk_ggml_scaling>(got, ROPEWALK_GGML);
  EXPECT_EQ(c.freq_scale, want.freq_scale);
  EXPECT_EQ(c.n_ctx_orig, want.n_ctx_orig);
  EXPECT_EQ(c.ext_factor, want.ext_factor);
  EXPECT_EQ(c.attn_factor, want.attn_factor);
  EXPECT_EQ(c.beta_fast, want.beta_fast);
  EXPECT_EQ(c.beta_slow, want.beta_slow);
  EXPECT_EQ(ListOf(c.freq_factors, c.freq_factor_count), want.freq_factors);
}

void Compare(const ropewalk_rope_parameters& got,
             const ExplicitFrequencies& want) {
  const auto c = StructOf<ropewalk_double_list>(got, ROPEWALK_EXPLICIT);
  EXPECT_EQ(ListOf(c.values, c.count), want.inv_freq);
  EXPECT_EQ(c.attention_factor, want.attention_factor);
}

}  // namespace

void ExpectSame(const ropewalk_rope_parameters& got,
                const RopeParameters& want) {
  EXPECT_EQ(got.struct_size, sizeof(got));
  EXPECT_EQ(got.rotary_dim, want.rotary_dim);
  EXPECT_EQ(got.base, want.base);
  EXPECT_EQ(ListOf(got.axis, got.axis_count), want.axis);
  EXPECT_STREQ(ropewalk_scheme_name(got.scheme), SchemeName(want.scaling));
  std::visit([&got](const auto& scheme) { Compare(got, scheme); },
             want.scaling);
}

void ExpectSameFrequencies(const ropewalk_rope_parameters& got,
                           const RopeParameters& want,
                           int64_t sequence_length) {
  const auto expected = ComputeFrequencies(want, sequence_length);
  ASSERT_TRUE(expected.ok()) << expected.status().message();
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  ropewalk_frequencies* made = nullptr;
  ASSERT_EQ(ropewalk_compute_frequencies(&got, sequence_length, &made, &error),
            ROPEWALK_OK)
      << error.message;
  const CFrequencies frequencies(made);
  EXPECT_EQ(ropewalk_frequencies_checksum(frequencies.get()),
            Checksum(expected.value()));
}

}  // namespace ropewalk::test
