// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// From RopeParameters to ropewalk_rope_parameters: read_scaling.h undoes it.
#pragma once
#include <variant>

#include "ropewalk/c/scaling.h"
#include "ropewalk/scaling.h"

namespace ropewalk::internal {

// Of ROPEWALK_PLAIN there is no struct.
using SchemeStruct = std::variant<
    std::monostate, ropewalk_factor_scaling, ropewalk_dynamic_ntk_scaling,
    ropewalk_qwen_dynamic_ntk_scaling, ropewalk_vllm_ntk_scaling,
    ropewalk_yarn_scaling, ropewalk_deepseek_yarn_scaling,
    ropewalk_grok_yarn_log_scaling, ropewalk_grok_theta_scaling,
    ropewalk_llama3_scaling, ropewalk_longrope_scaling,
    ropewalk_proportional_scaling, ropewalk_double_list, ropewalk_ggml_scaling>;

// Parameters for C and the scheme's struct. Allocates nothing: lists are those
// of the RopeParameters it was made from, which must stay where they are.
class WrittenParameters {
 public:
  explicit WrittenParameters(const RopeParameters& from);
  // value_ points to scheme_.
  WrittenParameters(const WrittenParameters&) = delete;
  WrittenParameters& operator=(const WrittenParameters&) = delete;

  const ropewalk_rope_parameters& value() const noexcept { return value_; }

 private:
  SchemeStruct scheme_;
  ropewalk_rope_parameters value_ = ROPEWALK_ROPE_PARAMETERS_INIT;
};

}  // namespace ropewalk::internal
