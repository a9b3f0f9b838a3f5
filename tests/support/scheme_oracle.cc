// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "support/scheme_oracle.h"

#include <cmath>
#include <variant>
#include <vector>

namespace ropewalk::test {
namespace {

using reference::Scheme;

template <class Scaling>
reference::YarnRange RangeOf(const Scaling& scaling, bool truncate = true) {
  return {scaling.factor, static_cast<double>(scaling.original_positions),
          scaling.beta_fast, scaling.beta_slow, truncate};
}

struct Oracle {
  Scheme operator()(const NoScaling&) const { return Plain(ladder); }
  Scheme operator()(const LinearScaling& s) const {
    return Linear(ladder, s.factor);
  }
  Scheme operator()(const NtkScaling& s) const { return Ntk(ladder, s.factor); }
  Scheme operator()(const NtkAlphaScaling& s) const {
    return Ntk(ladder, s.alpha);
  }
  Scheme operator()(const DynamicNtkScaling& s) const {
    return DynamicNtk(ladder, s.factor, static_cast<double>(s.max_positions),
                      length);
  }
  Scheme operator()(const QwenDynamicNtkScaling& s) const {
    return QwenNtk(ladder, static_cast<double>(s.original_positions),
                   s.attention_slope, length);
  }
  Scheme operator()(const VllmNtkScaling& s) const {
    return VllmNtk(ladder, s.factor, s.mixed_b);
  }
  Scheme operator()(const YarnScaling& s) const {
    Scheme scheme =
        Yarn(ladder, RangeOf(s, s.truncate), s.extrapolation_weight);
    if (s.attention_factor) {
      scheme.attention_factor = *s.attention_factor;
    } else if (s.mscale.value_or(0) != 0 && s.mscale_all_dim.value_or(0) != 0) {
      scheme.attention_factor =
          reference::Magnitude(s.factor, *s.mscale) /
          reference::Magnitude(s.factor, *s.mscale_all_dim);
    }
    return scheme;
  }
  Scheme operator()(const DeepSeekYarnScaling& s) const {
    return DeepSeekYarn(ladder, RangeOf(s), s.mscale, s.mscale_all_dim);
  }
  Scheme operator()(const GrokYarnLogScaling& s) const {
    return GrokYarnLog(ladder, RangeOf(s, s.truncate));
  }
  Scheme operator()(const GrokThetaScaling& s) const {
    return GrokTheta(ladder, s.factor,
                     static_cast<double>(s.original_positions));
  }
  Scheme operator()(const Llama3Scaling& s) const {
    return Llama3(ladder, {s.factor, s.low_freq_factor, s.high_freq_factor,
                           static_cast<double>(s.original_positions)});
  }
  Scheme operator()(const LongRopeScaling& s) const {
    const bool is_long = TakesLongList(s);
    const double original = static_cast<double>(s.original_positions);
    const double growth =
        s.factor.value_or(static_cast<double>(s.max_positions) / original);
    double m = s.attention_factor.value_or(
        reference::LongRopeAttentionFactor(growth, original));
    m = (is_long ? s.long_attention_factor : s.short_attention_factor)
            .value_or(m);
    return LongRope(ladder, is_long ? s.long_factor : s.short_factor, m);
  }
  Scheme operator()(const ProportionalScaling& s) const {
    return Proportional(ladder, s.head_dim, s.factor);
  }
  Scheme operator()(const FrequencyFactors& s) const {
    return LongRope(ladder, s.factors, s.attention_factor);
  }
  Scheme operator()(const GgmlScaling& s) const {
    return Ggml(ladder, {static_cast<double>(s.n_ctx_orig),
                         s.freq_scale,
                         s.ext_factor,
                         s.attn_factor,
                         s.beta_fast,
                         s.beta_slow,
                         {s.freq_factors.begin(), s.freq_factors.end()}});
  }
  Scheme operator()(const ExplicitFrequencies& s) const {
    return {s.inv_freq, s.attention_factor, 1};
  }

  bool TakesLongList(const LongRopeScaling& s) const {
    const int64_t context =
        s.context_limit == 0 ? s.max_positions : s.context_limit;
    switch (s.policy) {
      case LongRopePolicy::kByContextLimit:
        return context > s.original_positions;
      case LongRopePolicy::kBySequenceLength:
        return length > static_cast<double>(s.original_positions);
      case LongRopePolicy::kForceShort:
        return false;
      case LongRopePolicy::kForceLong:
        break;
    }
    return true;
  }

  reference::Ladder ladder;
  double length;
};

bool IsNear(double got, double want, double relative) {
  return std::fabs(got - want) <= std::fabs(want) * relative;
}

}  // namespace

Scheme OracleOf(const RopeParameters& parameters, int64_t sequence_length) {
  return std::visit(Oracle{{parameters.rotary_dim, parameters.base},
                           static_cast<double>(sequence_length)},
                    parameters.scaling);
}

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
  const Scheme want = OracleOf(parameters, sequence_length);
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
