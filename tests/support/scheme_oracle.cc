// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "support/scheme_oracle.h"

#include <cmath>
#include <vector>

namespace ropewalk::test {
namespace {

bool IsNear(double got, double want, double relative) {
  return std::fabs(got - want) <= std::fabs(want) * relative;
}

}  // namespace

testing::AssertionResult AreNear(const std::vector<double>& got,
                                 const std::vector<double>& want,
                                 double relative) {
  if (got.size() != want.size()) {
    return testing::AssertionFailure()
           << got.size() << " entries, " << want.size() << " are wanted";
  }
  for (size_t i = 0; i < got.size(); ++i) {
    if (IsNear(got[i], want[i], relative)) continue;
    return testing::AssertionFailure()
           << "entry " << i << ": " << got[i] << " is off " << want[i] << " by "
           << got[i] / want[i] - 1 << " of it, allowed " << relative;
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult AgreesWithOracle(const RopeParameters& parameters,
                                          int64_t sequence_length,
                                          double relative) {
  const Result<Frequencies> result =
      ComputeFrequencies(parameters, sequence_length);
  if (!result.ok()) {
    return testing::AssertionFailure() << result.status().message();
  }
  const Frequencies& got = result.value();
  const reference::Scheme want =
      reference::SchemeOf(parameters, sequence_length);
  if (const auto near = AreNear(got.inv_freq, want.inv_freq, relative); !near) {
    return near;
  }
  if (!IsNear(got.attention_factor, want.attention_factor, relative)) {
    return testing::AssertionFailure()
           << "attention_factor " << got.attention_factor << ", wanted "
           << want.attention_factor;
  }
  if (!IsNear(got.softmax_multiplier, want.softmax_multiplier, relative)) {
    return testing::AssertionFailure()
           << "softmax_multiplier " << got.softmax_multiplier << ", wanted "
           << want.softmax_multiplier;
  }
  return testing::AssertionSuccess();
}

}  // namespace ropewalk::test
