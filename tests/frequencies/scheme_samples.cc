// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "frequencies/scheme_samples.h"

#include <sstream>
#include <utility>

namespace ropewalk::test {
namespace {

// Qwen's, DeepSeek's and gpt-oss's.
std::vector<Sample> YarnSamples() {
  YarnScaling qwen;
  qwen.factor = 4;
  qwen.original_positions = 32768;
  YarnScaling gpt_oss;
  gpt_oss.factor = 32;
  gpt_oss.original_positions = 4096;
  gpt_oss.truncate = false;
  DeepSeekYarnScaling deepseek;
  deepseek.factor = 40;
  deepseek.original_positions = 4096;
  deepseek.mscale = 1;
  deepseek.mscale_all_dim = 0.707;
  GrokYarnLogScaling grok;
  grok.factor = 16;
  grok.original_positions = 8192;
  return {{Parameters(128, 1e6, qwen)},
          {Parameters(64, 150000, gpt_oss)},
          {Parameters(64, 1e4, deepseek)},
          {Parameters(128, 1e4, grok)}};
}

std::vector<Sample> ListSamples() {
  LongRopeScaling longrope;
  longrope.short_factor = Ascending(48, 0.04);
  longrope.long_factor = Ascending(48, 1.3);
  longrope.original_positions = 4096;
  longrope.max_positions = 131072;
  LongRopeScaling by_length = longrope;
  by_length.policy = LongRopePolicy::kBySequenceLength;
  GgmlScaling ggml;
  ggml.n_ctx_orig = 4096;
  ggml.freq_scale = 1.0f / 16;
  ggml.ext_factor = 1;
  GgmlScaling divided;
  divided.freq_factors.assign(32, 1.5f);
  return {{Parameters(96, 1e4, longrope)},
          {Parameters(96, 1e4, by_length), 4097},
          {Parameters(96, 1e4, FrequencyFactors{Ascending(48, 1), 1.25})},
          {Parameters(64, 5e5, ggml)},
          {Parameters(64, 1e4, divided)},
          {Parameters(0, 1e4, ExplicitFrequencies{{1, 0.5, -0.25, 0}, 1.5})}};
}

}  // namespace

std::vector<double> Ascending(int count, double step) {
  std::vector<double> list;
  for (int i = 0; i < count; ++i) list.push_back(1 + step * i);
  return list;
}

std::vector<Sample> SamplesOfEveryScheme() {
  VllmNtkScaling mixed;
  mixed.factor = 8;
  mixed.mixed_b = 0.625;
  VllmNtkScaling unmixed;
  unmixed.factor = 8;
  std::vector<Sample> samples = {
      {Parameters(128, 5e5, NoScaling{})},
      {Parameters(256, 1e6, LinearScaling{8})},
      {Parameters(128, 1e4, NtkScaling{8})},
      {Parameters(128, 1e4, NtkAlphaScaling{1000})},
      {Parameters(128, 1e4, DynamicNtkScaling{2, 2048}), 5000},
      {Parameters(128, 1e4, QwenDynamicNtkScaling{2048, 0.1}), 5000},
      {Parameters(128, 1e4, unmixed)},
      {Parameters(128, 1e4, mixed)},
      {Parameters(128, 1e4, GrokThetaScaling{16, 8192})},
      {Parameters(128, 5e5, Llama3Scaling{8, 1, 4, 8192})},
      {Parameters(128, 5e5, Llama3Scaling{16, 1, 1, 8192})},
      {Parameters(128, 1e6, ProportionalScaling{512, 1})}};
  for (Sample& sample : YarnSamples()) samples.push_back(std::move(sample));
  for (Sample& sample : ListSamples()) samples.push_back(std::move(sample));
  return samples;
}

Frequencies Computed(const RopeParameters& parameters,
                     int64_t sequence_length) {
  auto result = ComputeFrequencies(parameters, sequence_length);
  EXPECT_TRUE(result.ok()) << result.status().message();
  return result.ok() ? std::move(result).value() : Frequencies();
}

std::string Describe(const RopeParameters& parameters,
                     int64_t sequence_length) {
  std::ostringstream text;
  text << SchemeName(parameters.scaling) << ", rotary_dim "
       << parameters.rotary_dim << ", base " << parameters.base << ", length "
       << sequence_length;
  return text.str();
}

}  // namespace ropewalk::test
