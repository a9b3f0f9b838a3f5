// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Every scheme's parameters reach the oracle: it agrees with the library, and
// each field that is set here matters to it.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "cli/accuracy.h"
#include "cli/scheme_parameters.h"
#include "gtest/gtest.h"
#include "reference/scaling_oracle.h"
#include "ropewalk/scaling.h"

namespace ropewalk::cli {
namespace {

constexpr int kRotaryDim = 16;
constexpr double kBase = 1e4;

template <class Yarn>
Yarn MakeYarn() {
  Yarn yarn;
  yarn.factor = 8;
  yarn.original_positions = 4096;
  yarn.beta_fast = 24;
  yarn.beta_slow = 2;
  return yarn;
}

LongRopeScaling MakeLongRope(LongRopePolicy policy) {
  LongRopeScaling scaling;
  for (int i = 0; i < kRotaryDim / 2; ++i) {
    scaling.short_factor.push_back(1 + 0.125 * i);
    scaling.long_factor.push_back(2 + 0.5 * i);
  }
  scaling.original_positions = 4096;
  scaling.max_positions = 131072;
  scaling.policy = policy;
  return scaling;
}

struct Case {
  Scaling scaling;
  int64_t length = 0;
};

std::vector<Case> YarnCases() {
  std::vector<Case> cases;
  YarnScaling yarn = MakeYarn<YarnScaling>();
  cases.push_back({yarn});
  yarn.truncate = false;
  yarn.extrapolation_weight = 0.5;
  cases.push_back({yarn});
  yarn.mscale = 0.707;
  cases.push_back({yarn});
  yarn.mscale_all_dim = 0.5;
  cases.push_back({yarn});
  yarn.attention_factor = 1.5;
  cases.push_back({yarn});
  DeepSeekYarnScaling deepseek = MakeYarn<DeepSeekYarnScaling>();
  cases.push_back({deepseek});
  deepseek.mscale = 0.707;
  deepseek.mscale_all_dim = 1;
  cases.push_back({deepseek});
  GrokYarnLogScaling grok = MakeYarn<GrokYarnLogScaling>();
  cases.push_back({grok});
  grok.truncate = false;
  cases.push_back({grok});
  return cases;
}

std::vector<Case> LongRopeCases() {
  std::vector<Case> cases;
  for (const LongRopePolicy policy :
       {LongRopePolicy::kByContextLimit, LongRopePolicy::kBySequenceLength,
        LongRopePolicy::kForceShort, LongRopePolicy::kForceLong}) {
    for (const int64_t length : {int64_t{0}, int64_t{4096}, int64_t{4097}}) {
      LongRopeScaling scaling = MakeLongRope(policy);
      cases.push_back({scaling, length});
      scaling.context_limit = 4096;
      cases.push_back({scaling, length});
      scaling.factor = 3;
      cases.push_back({scaling, length});
      scaling.attention_factor = 1.5;
      cases.push_back({scaling, length});
      scaling.short_attention_factor = 1.25;
      cases.push_back({scaling, length});
      scaling.long_attention_factor = 1.75;
      cases.push_back({scaling, length});
    }
  }
  return cases;
}

std::vector<Case> OtherCases() {
  const std::vector<double> factors = {1, 1, 1, 2, 4, 8, 8, 8};
  GgmlScaling ggml;
  ggml.n_ctx_orig = 4096;
  ggml.freq_scale = 0.125f;
  ggml.ext_factor = 0.75f;
  ggml.attn_factor = 1.5f;
  ggml.beta_fast = 24;
  ggml.beta_slow = 2;
  ggml.freq_factors.assign(factors.begin(), factors.end());
  return {{NoScaling{}},
          {LinearScaling{4}},
          {NtkScaling{4}},
          {NtkAlphaScaling{1000}},
          {DynamicNtkScaling{2, 2048}},
          {DynamicNtkScaling{2, 2048}, 8192},
          {QwenDynamicNtkScaling{2048, 0.1}},
          {QwenDynamicNtkScaling{2048, 0.1}, 8192},
          {VllmNtkScaling{8, {}}},
          {VllmNtkScaling{8, 0.625}},
          {GrokThetaScaling{4, 8192}},
          {Llama3Scaling{8, 1.5, 3, 2048}},
          {ProportionalScaling{64, 2}},
          {FrequencyFactors{factors, 1.25}},
          {ggml},
          {ExplicitFrequencies{factors, 1.25}}};
}

std::vector<Case> AllCases() {
  std::vector<Case> cases = OtherCases();
  for (const auto& more : {YarnCases(), LongRopeCases()}) {
    cases.insert(cases.end(), more.begin(), more.end());
  }
  return cases;
}

TEST(ReferenceFrequenciesTest, CasesHaveEveryScheme) {
  std::vector<bool> seen(std::variant_size_v<Scaling>, false);
  for (const Case& one : AllCases()) seen[one.scaling.index()] = true;
  for (size_t i = 0; i < seen.size(); ++i) EXPECT_TRUE(seen[i]) << i;
}

TEST(ReferenceFrequenciesTest, AgreesWithTheLibrary) {
  int index = 0;
  for (const Case& one : AllCases()) {
    SCOPED_TRACE(std::string(SchemeName(one.scaling)) + ", case " +
                 std::to_string(index++));
    const RopeParameters parameters = {kRotaryDim, kBase, one.scaling};
    const auto used = ComputeFrequencies(parameters, one.length);
    ASSERT_TRUE(used.ok()) << used.status().message();
    const FrequencyErrors errors = CompareFrequencies(
        reference::SchemeOf(parameters, one.length), used.value());
    EXPECT_LE(errors.inv_freq, kFrequencyLimit);
    EXPECT_LE(errors.attention_factor, kFrequencyLimit);
    EXPECT_LE(errors.softmax_multiplier, kFrequencyLimit);
  }
}

bool Differ(const Scaling& a, const Scaling& b) {
  const auto one = reference::SchemeOf({kRotaryDim, kBase, a}, 0);
  const auto two = reference::SchemeOf({kRotaryDim, kBase, b}, 0);
  return one.inv_freq != two.inv_freq ||
         one.attention_factor != two.attention_factor ||
         one.softmax_multiplier != two.softmax_multiplier;
}

TEST(ReferenceFrequenciesTest, EveryFieldOfYarnMatters) {
  const YarnScaling yarn = MakeYarn<YarnScaling>();
  std::vector<YarnScaling> others(7, yarn);
  others[0].factor = 9;
  others[1].original_positions = 8192;
  others[2].beta_fast = 6;
  others[3].beta_slow = 0.5;
  others[4].truncate = false;
  others[5].attention_factor = 1;
  others[6].extrapolation_weight = 0.9;
  for (size_t i = 0; i < others.size(); ++i) {
    EXPECT_TRUE(Differ(yarn, others[i])) << i;
  }
}

TEST(SchemeParametersTest, NamesTheFieldsThatAreGiven) {
  YarnScaling yarn = MakeYarn<YarnScaling>();
  yarn.mscale = 0.5;
  std::vector<std::string> names;
  for (const SchemeParameter& parameter : ParametersOf(yarn)) {
    names.push_back(parameter.name);
  }
  EXPECT_EQ(names,
            std::vector<std::string>({"factor", "original_positions",
                                      "beta_fast", "beta_slow", "truncate",
                                      "mscale", "extrapolation_weight"}));
  const auto llama = ParametersOf(Llama3Scaling{8, 1, 4, 8192});
  ASSERT_EQ(llama.size(), 4u);
  EXPECT_EQ(std::get<double>(llama[0].value), 8);
  EXPECT_EQ(std::get<int64_t>(llama[3].value), 8192);
}

}  // namespace
}  // namespace ropewalk::cli
