// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Every scheme on its way to C and back. Models' files have some of them only.
#include "c_api/write_scaling.h"

#include <cstdint>
#include <set>
#include <variant>
#include <vector>

#include "c_api/read_scaling.h"
#include "c_api/same_parameters.h"
#include "frequencies/scheme_samples.h"
#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

YarnScaling DistinctYarn() {
  YarnScaling yarn;
  yarn.factor = 4;
  yarn.original_positions = 32768;
  yarn.beta_fast = 24;
  yarn.beta_slow = 2;
  yarn.truncate = false;
  yarn.mscale = 0.5;
  yarn.mscale_all_dim = 0.25;
  yarn.extrapolation_weight = 0.75;
  return yarn;
}

LongRopeScaling DistinctLongRope(LongRopePolicy policy) {
  LongRopeScaling longrope;
  longrope.short_factor = Ascending(32, 0.5);
  longrope.long_factor = Ascending(32, 2);
  longrope.original_positions = 4096;
  longrope.max_positions = 131072;
  longrope.context_limit = 65536;
  longrope.factor = 24;
  longrope.attention_factor = 1.5;
  longrope.short_attention_factor = 1.25;
  longrope.long_attention_factor = 1.75;
  longrope.policy = policy;
  return longrope;
}

GgmlScaling DistinctGgml() {
  GgmlScaling ggml;
  ggml.n_ctx_orig = 4096;
  ggml.freq_scale = 0.25f;
  ggml.ext_factor = 0.75f;
  ggml.attn_factor = 1.125f;
  ggml.beta_fast = 24;
  ggml.beta_slow = 2;
  ggml.freq_factors.assign(32, 1.5f);
  ggml.freq_factors[1] = 2.5f;
  return ggml;
}

// No two fields of a scheme have the same value, nor one its default.
std::vector<Sample> DistinctSamples() {
  YarnScaling absolute = DistinctYarn();
  absolute.attention_factor = 1.125;
  std::vector<Scaling> schemes = {
      DistinctYarn(),
      absolute,
      DeepSeekYarnScaling{40, 4096, 24, 2, 0.5, 0.25},
      GrokYarnLogScaling{16, 8192, 24, 2, false},
      Llama3Scaling{16, 2, 8, 4096},
      ProportionalScaling{512, 4},
      FrequencyFactors{Ascending(32, 0.5), 1.25},
      DistinctGgml()};
  for (const auto policy :
       {LongRopePolicy::kByContextLimit, LongRopePolicy::kBySequenceLength,
        LongRopePolicy::kForceShort, LongRopePolicy::kForceLong}) {
    schemes.emplace_back(DistinctLongRope(policy));
  }
  std::vector<Sample> samples;
  for (const Scaling& scheme : schemes) {
    samples.push_back({Parameters(64, 5e5, scheme), 8192});
    // Of three components.
    std::vector<uint8_t>& axis = samples.back().parameters.axis;
    for (uint8_t pair = 0; pair < 32; ++pair) axis.push_back(pair % 3);
  }
  return samples;
}

std::vector<Sample> Samples() {
  std::vector<Sample> samples = SamplesOfEveryScheme();
  for (Sample& sample : DistinctSamples()) samples.push_back(sample);
  return samples;
}

TEST(WriteScalingTest, SamplesAreOfAllSchemes) {
  std::set<size_t> schemes;
  for (const Sample& sample : Samples()) {
    schemes.insert(sample.parameters.scaling.index());
  }
  EXPECT_EQ(schemes.size(), std::variant_size_v<Scaling>);
}

TEST(WriteScalingTest, EveryFieldIsThatOfCpp) {
  for (const Sample& sample : Samples()) {
    SCOPED_TRACE(Describe(sample.parameters));
    const internal::WrittenParameters written(sample.parameters);
    ExpectSame(written.value(), sample.parameters);
  }
}

TEST(WriteScalingTest, ReadingUndoesWriting) {
  for (const Sample& sample : Samples()) {
    SCOPED_TRACE(Describe(sample.parameters));
    const internal::WrittenParameters written(sample.parameters);
    RopeParameters back;
    const Status status = internal::Read("parameters", &written.value(), &back);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(back.scaling.index(), sample.parameters.scaling.index());
    ExpectSame(written.value(), back);
  }
}

TEST(WriteScalingTest, FrequenciesHaveTheChecksumOfCpp) {
  for (const Sample& sample : Samples()) {
    SCOPED_TRACE(Describe(sample.parameters, sample.sequence_length));
    const internal::WrittenParameters written(sample.parameters);
    ExpectSameFrequencies(written.value(), sample.parameters,
                          sample.sequence_length);
  }
}

// 0 in C is what is not given in C++. Where C++ tells a 0 from that, it must
// be an error, or mean the same.
TEST(WriteScalingTest, ZeroIsNoOtherScheme) {
  YarnScaling yarn;
  yarn.factor = 4;
  yarn.original_positions = 4096;
  YarnScaling zero = yarn;
  zero.mscale = 0;
  zero.mscale_all_dim = 0;
  EXPECT_EQ(Checksum(Computed(Parameters(64, 1e4, yarn))),
            Checksum(Computed(Parameters(64, 1e4, zero))));
  zero.attention_factor = 0;
  LongRopeScaling longrope = DistinctLongRope(LongRopePolicy::kForceLong);
  const auto refused = [](const Scaling& scaling) {
    return ComputeFrequencies(Parameters(64, 1e4, scaling)).status().code() ==
           StatusCode::kInvalidArgument;
  };
  EXPECT_FALSE(refused(longrope));
  EXPECT_TRUE(refused(zero));
  EXPECT_TRUE(refused(VllmNtkScaling{4, 0}));
  for (auto* const field :
       {&longrope.factor, &longrope.attention_factor,
        &longrope.short_attention_factor, &longrope.long_attention_factor}) {
    const auto given = std::exchange(*field, 0.0);
    EXPECT_TRUE(refused(longrope));
    *field = given;
  }
}

}  // namespace
}  // namespace ropewalk::test
