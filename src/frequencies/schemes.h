// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The builders of the schemes, each in the file that has its name. All expect
// an even rotary_dim from 0 to kMaxRotaryDim, check their own parameters, and
// throw nothing but std::bad_alloc.
#pragma once
#include <cstdint>

#include "ropewalk/scaling.h"

namespace ropewalk::internal {

// What every builder gets beside its scheme.
struct SchemeInput {
  const RopeParameters& parameters;
  int64_t sequence_length;
};

Result<Frequencies> Build(const SchemeInput& input, const NoScaling& scheme);
Result<Frequencies> Build(const SchemeInput& input,
                          const LinearScaling& scheme);
Result<Frequencies> Build(const SchemeInput& input, const NtkScaling& scheme);
Result<Frequencies> Build(const SchemeInput& input,
                          const NtkAlphaScaling& scheme);
Result<Frequencies> Build(const SchemeInput& input,
                          const DynamicNtkScaling& scheme);
Result<Frequencies> Build(const SchemeInput& input,
                          const QwenDynamicNtkScaling& scheme);
Result<Frequencies> Build(const SchemeInput& input,
                          const VllmNtkScaling& scheme);
Result<Frequencies> Build(const SchemeInput& input, const YarnScaling& scheme);
Result<Frequencies> Build(const SchemeInput& input,
                          const DeepSeekYarnScaling& scheme);
Result<Frequencies> Build(const SchemeInput& input,
                          const GrokYarnLogScaling& scheme);
Result<Frequencies> Build(const SchemeInput& input,
                          const GrokThetaScaling& scheme);
Result<Frequencies> Build(const SchemeInput& input,
                          const Llama3Scaling& scheme);
Result<Frequencies> Build(const SchemeInput& input,
                          const LongRopeScaling& scheme);
Result<Frequencies> Build(const SchemeInput& input,
                          const ProportionalScaling& scheme);
Result<Frequencies> Build(const SchemeInput& input,
                          const FrequencyFactors& scheme);
Result<Frequencies> Build(const SchemeInput& input, const GgmlScaling& scheme);
Result<Frequencies> Build(const SchemeInput& input,
                          const ExplicitFrequencies& scheme);

// By how much the dynamic schemes multiply their context at a length; 1 within
// the original. Both are 1 + something not negative.
double DynamicGrowth(const DynamicNtkScaling& scheme, int64_t sequence_length);
double QwenGrowth(const QwenDynamicNtkScaling& scheme, int64_t sequence_length);

}  // namespace ropewalk::internal
