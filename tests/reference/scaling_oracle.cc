// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/scaling_oracle.h"

#include <cmath>
#include <variant>
#include <vector>

namespace ropewalk::reference {
namespace {

// The fields by which HF, DeepSeek and Grok give YaRN's ramp.
template <class Yarn>
YarnRange RangeOf(const Yarn& scaling) {
  YarnRange range = {};
  range.factor = scaling.factor;
  range.original = static_cast<double>(scaling.original_positions);
  range.beta_fast = scaling.beta_fast;
  range.beta_slow = scaling.beta_slow;
  return range;
}

bool TakesLongList(const LongRopeScaling& scaling, int64_t sequence_length) {
  switch (scaling.policy) {
    case LongRopePolicy::kForceShort:
      return false;
    case LongRopePolicy::kForceLong:
      return true;
    case LongRopePolicy::kBySequenceLength:
      return sequence_length > scaling.original_positions;
    case LongRopePolicy::kByContextLimit:
      break;
  }
  const int64_t context = scaling.context_limit != 0 ? scaling.context_limit
                                                     : scaling.max_positions;
  return context > scaling.original_positions;
}

double FactorOf(const LongRopeScaling& scaling, bool takes_long) {
  const auto& own = takes_long ? scaling.long_attention_factor
                               : scaling.short_attention_factor;
  if (own) return *own;
  if (scaling.attention_factor) return *scaling.attention_factor;
  const auto original = static_cast<double>(scaling.original_positions);
  return LongRopeAttentionFactor(
      scaling.factor.value_or(static_cast<double>(scaling.max_positions) /
                              original),
      original);
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
                      static_cast<double>(length));
  }
  Scheme operator()(const QwenDynamicNtkScaling& s) const {
    return QwenNtk(ladder, static_cast<double>(s.original_positions),
                   s.attention_slope, static_cast<double>(length));
  }
  Scheme operator()(const VllmNtkScaling& s) const {
    return VllmNtk(ladder, s.factor, s.mixed_b);
  }
  Scheme operator()(const YarnScaling& s) const;
  Scheme operator()(const DeepSeekYarnScaling& s) const {
    return DeepSeekYarn(ladder, RangeOf(s), s.mscale, s.mscale_all_dim);
  }
  Scheme operator()(const GrokYarnLogScaling& s) const {
    YarnRange range = RangeOf(s);
    range.truncate = s.truncate;
    return GrokYarnLog(ladder, range);
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
    const bool takes_long = TakesLongList(s, length);
    return LongRope(ladder, takes_long ? s.long_factor : s.short_factor,
                    FactorOf(s, takes_long));
  }
  Scheme operator()(const ProportionalScaling& s) const {
    return Proportional(ladder, s.head_dim, s.factor);
  }
  Scheme operator()(const FrequencyFactors& s) const {
    Scheme scheme = Divided(ladder, s.factors);
    scheme.attention_factor = s.attention_factor;
    return scheme;
  }
  Scheme operator()(const GgmlScaling& s) const;
  Scheme operator()(const ExplicitFrequencies& s) const {
    return {s.inv_freq, s.attention_factor, 1};
  }

  Ladder ladder;
  int64_t length;
};

Scheme Oracle::operator()(const YarnScaling& s) const {
  YarnRange range = RangeOf(s);
  range.truncate = s.truncate;
  Scheme scheme = Yarn(ladder, range, s.extrapolation_weight);
  const double mscale = s.mscale.value_or(0);
  const double mscale_all_dim = s.mscale_all_dim.value_or(0);
  if (s.attention_factor) {
    scheme.attention_factor = *s.attention_factor;
  } else if (mscale != 0 && mscale_all_dim != 0) {
    scheme.attention_factor =
        Magnitude(s.factor, mscale) / Magnitude(s.factor, mscale_all_dim);
  }
  return scheme;
}

Scheme Oracle::operator()(const GgmlScaling& s) const {
  GgmlArguments arguments;
  arguments.n_ctx_orig = static_cast<double>(s.n_ctx_orig);
  arguments.freq_scale = static_cast<double>(s.freq_scale);
  arguments.ext_factor = static_cast<double>(s.ext_factor);
  arguments.attn_factor = static_cast<double>(s.attn_factor);
  arguments.beta_fast = static_cast<double>(s.beta_fast);
  arguments.beta_slow = static_cast<double>(s.beta_slow);
  arguments.freq_factors.assign(s.freq_factors.begin(), s.freq_factors.end());
  return Ggml(ladder, arguments);
}

}  // namespace

Scheme SchemeOf(const RopeParameters& parameters, int64_t sequence_length) {
  return std::visit(
      Oracle{{parameters.rotary_dim, parameters.base}, sequence_length},
      parameters.scaling);
}

}  // namespace ropewalk::reference
