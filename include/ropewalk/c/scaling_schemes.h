/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The scaling schemes for C: one struct each, with the fields of those in
 * scaling_schemes.h, which has formulas, rules and sources. Here an optional
 * factor or magnitude is 0 where it is not given. */
#ifndef ROPEWALK_C_SCALING_SCHEMES_H_
#define ROPEWALK_C_SCALING_SCHEMES_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Position interpolation, NTK-aware, NTK by alpha. */
typedef struct ropewalk_factor_scaling {
  uint32_t struct_size;
  double factor;
} ropewalk_factor_scaling;
#define ROPEWALK_FACTOR_SCALING_INIT \
  { sizeof(ropewalk_factor_scaling), 1.0 }

/** HF's dynamic NTK. Length-dependent. */
typedef struct ropewalk_dynamic_ntk_scaling {
  uint32_t struct_size;
  double factor;
  int64_t max_positions; /**< The model's own maximum. */
} ropewalk_dynamic_ntk_scaling;
#define ROPEWALK_DYNAMIC_NTK_SCALING_INIT \
  { sizeof(ropewalk_dynamic_ntk_scaling), 1.0, 0 }

/** Qwen-1's dynamic NTK. Length-dependent. */
typedef struct ropewalk_qwen_dynamic_ntk_scaling {
  uint32_t struct_size;
  int64_t original_positions;
  double attention_slope;
} ropewalk_qwen_dynamic_ntk_scaling;
#define ROPEWALK_QWEN_DYNAMIC_NTK_SCALING_INIT \
  { sizeof(ropewalk_qwen_dynamic_ntk_scaling), 0, 0 }

/** vLLM's "ntk". */
typedef struct ropewalk_vllm_ntk_scaling {
  uint32_t struct_size;
  double factor;
  double mixed_b; /**< 0: without. */
} ropewalk_vllm_ntk_scaling;
#define ROPEWALK_VLLM_NTK_SCALING_INIT \
  { sizeof(ropewalk_vllm_ntk_scaling), 1.0, 0.0 }

/** YaRN as HF has it. */
typedef struct ropewalk_yarn_scaling {
  uint32_t struct_size;
  int32_t no_truncation; /**< Not 0: the ramp's ends stay as they are. */
  double factor;
  int64_t original_positions;
  double beta_fast;
  double beta_slow;
  double attention_factor;
  double mscale;
  double mscale_all_dim;
  double extrapolation_weight; /**< 0 stands for 1. */
} ropewalk_yarn_scaling;
#define ROPEWALK_YARN_SCALING_INIT \
  { sizeof(ropewalk_yarn_scaling), 0, 1.0, 0, 32.0, 1.0, 0.0, 0.0, 0.0, 1.0 }

/** YaRN of DeepSeek-V2, V3 and Kimi K2. Both mscale are meant as they are:
 *  0 is a value. */
typedef struct ropewalk_deepseek_yarn_scaling {
  uint32_t struct_size;
  double factor;
  int64_t original_positions;
  double beta_fast;
  double beta_slow;
  double mscale;
  double mscale_all_dim;
} ropewalk_deepseek_yarn_scaling;
#define ROPEWALK_DEEPSEEK_YARN_SCALING_INIT \
  { sizeof(ropewalk_deepseek_yarn_scaling), 1.0, 0, 32.0, 1.0, 1.0, 0.0 }

/** Grok-1's "yarn_log". */
typedef struct ropewalk_grok_yarn_log_scaling {
  uint32_t struct_size;
  int32_t no_truncation;
  double factor;
  int64_t original_positions;
  double beta_fast;
  double beta_slow;
} ropewalk_grok_yarn_log_scaling;
#define ROPEWALK_GROK_YARN_LOG_SCALING_INIT \
  { sizeof(ropewalk_grok_yarn_log_scaling), 0, 1.0, 0, 8.0, 1.0 }

/** Grok-1's "theta_scale". */
typedef struct ropewalk_grok_theta_scaling {
  uint32_t struct_size;
  double factor;
  int64_t original_positions;
} ropewalk_grok_theta_scaling;
#define ROPEWALK_GROK_THETA_SCALING_INIT \
  { sizeof(ropewalk_grok_theta_scaling), 1.0, 0 }

/** Llama 3. */
typedef struct ropewalk_llama3_scaling {
  uint32_t struct_size;
  double factor;
  double low_freq_factor;
  double high_freq_factor;
  int64_t original_positions;
} ropewalk_llama3_scaling;
#define ROPEWALK_LLAMA3_SCALING_INIT \
  { sizeof(ropewalk_llama3_scaling), 1.0, 1.0, 4.0, 8192 }

/** Which of LongRoPE's two lists counts. */
enum {
  ROPEWALK_LONGROPE_BY_CONTEXT_LIMIT = 0,   /**< llama.cpp, vLLM. */
  ROPEWALK_LONGROPE_BY_SEQUENCE_LENGTH = 1, /**< HF. Length-dependent. */
  ROPEWALK_LONGROPE_SHORT = 2,
  ROPEWALK_LONGROPE_LONG = 3
};

/** LongRoPE.
 *
 *  Shape:     both lists [pairs]. */
typedef struct ropewalk_longrope_scaling {
  uint32_t struct_size;
  int32_t policy; /**< ROPEWALK_LONGROPE_BY_CONTEXT_LIMIT, ... */
  const double* short_factor;
  const double* long_factor;
  int64_t short_count;
  int64_t long_count;
  int64_t original_positions;
  int64_t max_positions;
  int64_t context_limit;
  double factor;
  double attention_factor;
  double short_attention_factor;
  double long_attention_factor;
} ropewalk_longrope_scaling;
#define ROPEWALK_LONGROPE_SCALING_INIT \
  { sizeof(ropewalk_longrope_scaling), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/** Gemma 4's global layers. */
typedef struct ropewalk_proportional_scaling {
  uint32_t struct_size;
  int32_t head_dim;
  double factor;
} ropewalk_proportional_scaling;
#define ROPEWALK_PROPORTIONAL_SCALING_INIT \
  { sizeof(ropewalk_proportional_scaling), 0, 1.0 }

/** ROPEWALK_FREQUENCY_FACTORS: divisors of the plain frequencies.
 *  ROPEWALK_EXPLICIT: the frequencies, radians per position.
 *
 *  Shape:     values [pairs]. */
typedef struct ropewalk_double_list {
  uint32_t struct_size;
  const double* values;
  int64_t count;
  double attention_factor;
} ropewalk_double_list;
#define ROPEWALK_DOUBLE_LIST_INIT \
  { sizeof(ropewalk_double_list), 0, 0, 1.0 }

/** The arguments of ggml_rope_ext.
 *
 *  Shape:     freq_factors [pairs], or null with a count of 0. */
typedef struct ropewalk_ggml_scaling {
  uint32_t struct_size;
  float freq_scale;
  int64_t n_ctx_orig;
  float ext_factor;
  float attn_factor;
  float beta_fast;
  float beta_slow;
  const float* freq_factors;
  int64_t freq_factor_count;
} ropewalk_ggml_scaling;
#define ROPEWALK_GGML_SCALING_INIT \
  { sizeof(ropewalk_ggml_scaling), 1.0f, 0, 0.0f, 1.0f, 32.0f, 1.0f, 0, 0 }

#ifdef __cplusplus
}
#endif

#endif /* ROPEWALK_C_SCALING_SCHEMES_H_ */
