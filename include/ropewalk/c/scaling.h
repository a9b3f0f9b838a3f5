/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a model's configuration says about RoPE. scaling.h for C. */
#ifndef ROPEWALK_C_SCALING_H_
#define ROPEWALK_C_SCALING_H_

#include <stdint.h>

#include "ropewalk/c/scaling_schemes.h"
#include "ropewalk/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A scheme, and the struct that ropewalk_rope_parameters.scaling is then. The
 *  values are fixed. */
typedef int32_t ropewalk_scheme;
enum {
  ROPEWALK_PLAIN = 0,              /**< None: null. */
  ROPEWALK_LINEAR = 1,             /**< ropewalk_factor_scaling. */
  ROPEWALK_NTK = 2,                /**< ropewalk_factor_scaling. */
  ROPEWALK_NTK_ALPHA = 3,          /**< ropewalk_factor_scaling: alpha. */
  ROPEWALK_DYNAMIC_NTK = 4,        /**< ropewalk_dynamic_ntk_scaling. */
  ROPEWALK_QWEN_DYNAMIC_NTK = 5,   /**< ropewalk_qwen_dynamic_ntk_scaling. */
  ROPEWALK_VLLM_NTK = 6,           /**< ropewalk_vllm_ntk_scaling. */
  ROPEWALK_YARN = 7,               /**< ropewalk_yarn_scaling. */
  ROPEWALK_DEEPSEEK_YARN = 8,      /**< ropewalk_deepseek_yarn_scaling. */
  ROPEWALK_GROK_YARN_LOG = 9,      /**< ropewalk_grok_yarn_log_scaling. */
  ROPEWALK_GROK_THETA = 10,        /**< ropewalk_grok_theta_scaling. */
  ROPEWALK_LLAMA3 = 11,            /**< ropewalk_llama3_scaling. */
  ROPEWALK_LONGROPE = 12,          /**< ropewalk_longrope_scaling. */
  ROPEWALK_PROPORTIONAL = 13,      /**< ropewalk_proportional_scaling. */
  ROPEWALK_FREQUENCY_FACTORS = 14, /**< ropewalk_double_list: divisors. */
  ROPEWALK_GGML = 15,              /**< ropewalk_ggml_scaling. */
  ROPEWALK_EXPLICIT = 16           /**< ropewalk_double_list: inv_freq. */
};

/** What a model's configuration says about RoPE.
 *
 *  Shape:     axis [pairs], the position component of each pair, or null with
 *             a count of 0: component 0.
 *  Requires:  rotary_dim even, 0 to 65536 (ROPEWALK_EXPLICIT: or 0, to take it
 *             from the list); base positive. */
typedef struct ropewalk_rope_parameters {
  uint32_t struct_size;
  int32_t rotary_dim;
  double base;
  ropewalk_scheme scheme;
  const void* scaling; /**< The scheme's struct. */
  const uint8_t* axis;
  int64_t axis_count;
} ropewalk_rope_parameters;
#define ROPEWALK_ROPE_PARAMETERS_INIT \
  { sizeof(ropewalk_rope_parameters), 0, 10000.0, ROPEWALK_PLAIN, 0, 0, 0 }

/** The scheme's name, such as "llama3". Null for an unknown value. */
ROPEWALK_EXPORT const char* ropewalk_scheme_name(ropewalk_scheme scheme);

#ifdef __cplusplus
}
#endif

#endif /* ROPEWALK_C_SCALING_H_ */
