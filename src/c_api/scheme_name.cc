// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/c/scaling.h"

#include "ropewalk/scaling.h"

namespace rw = ropewalk;

const char* ropewalk_scheme_name(ropewalk_scheme scheme) {
  switch (scheme) {
    case ROPEWALK_PLAIN:
      return rw::SchemeName(rw::NoScaling());
    case ROPEWALK_LINEAR:
      return rw::SchemeName(rw::LinearScaling());
    case ROPEWALK_NTK:
      return rw::SchemeName(rw::NtkScaling());
    case ROPEWALK_NTK_ALPHA:
      return rw::SchemeName(rw::NtkAlphaScaling());
    case ROPEWALK_DYNAMIC_NTK:
      return rw::SchemeName(rw::DynamicNtkScaling());
    case ROPEWALK_QWEN_DYNAMIC_NTK:
      return rw::SchemeName(rw::QwenDynamicNtkScaling());
    case ROPEWALK_VLLM_NTK:
      return rw::SchemeName(rw::VllmNtkScaling());
    case ROPEWALK_YARN:
      return rw::SchemeName(rw::YarnScaling());
    case ROPEWALK_DEEPSEEK_YARN:
      return rw::SchemeName(rw::DeepSeekYarnScaling());
    case ROPEWALK_GROK_YARN_LOG:
      return rw::SchemeName(rw::GrokYarnLogScaling());
    case ROPEWALK_GROK_THETA:
      return rw::SchemeName(rw::GrokThetaScaling());
    case ROPEWALK_LLAMA3:
      return rw::SchemeName(rw::Llama3Scaling());
    case ROPEWALK_LONGROPE:
      return rw::SchemeName(rw::LongRopeScaling());
    case ROPEWALK_PROPORTIONAL:
      return rw::SchemeName(rw::ProportionalScaling());
    case ROPEWALK_FREQUENCY_FACTORS:
      return rw::SchemeName(rw::FrequencyFactors());
    case ROPEWALK_GGML:
      return rw::SchemeName(rw::GgmlScaling());
    case ROPEWALK_EXPLICIT:
      return rw::SchemeName(rw::ExplicitFrequencies());
    default:
      return nullptr;
  }
}
