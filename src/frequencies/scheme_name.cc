// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/scaling.h"

namespace ropewalk {
namespace {

struct Namer {
  const char* operator()(const NoScaling&) const { return "default"; }
  const char* operator()(const LinearScaling&) const { return "linear"; }
  const char* operator()(const NtkScaling&) const { return "ntk"; }
  const char* operator()(const NtkAlphaScaling&) const { return "ntk_alpha"; }
  const char* operator()(const DynamicNtkScaling&) const { return "dynamic"; }
  const char* operator()(const QwenDynamicNtkScaling&) const {
    return "qwen_dynamic";
  }
  const char* operator()(const VllmNtkScaling&) const { return "vllm_ntk"; }
  const char* operator()(const YarnScaling&) const { return "yarn"; }
  const char* operator()(const DeepSeekYarnScaling&) const {
    return "deepseek_yarn";
  }
  const char* operator()(const GrokYarnLogScaling&) const {
    return "grok_yarn_log";
  }
  const char* operator()(const GrokThetaScaling&) const { return "grok_theta"; }
  const char* operator()(const Llama3Scaling&) const { return "llama3"; }
  const char* operator()(const LongRopeScaling&) const { return "longrope"; }
  const char* operator()(const ProportionalScaling&) const {
    return "proportional";
  }
  const char* operator()(const FrequencyFactors&) const {
    return "frequency_factors";
  }
  const char* operator()(const GgmlScaling&) const { return "ggml"; }
  const char* operator()(const ExplicitFrequencies&) const {
    return "explicit";
  }
};

}  // namespace

const char* SchemeName(const Scaling& scaling) noexcept {
  if (scaling.valueless_by_exception()) return "none";
  return std::visit(Namer{}, scaling);
}

}  // namespace ropewalk
