// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "frequencies/schemes.h"
#include "frequencies/validate_parameters.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

constexpr float kPi = 3.14159265358979323846f;

// float32 functions that are rounded correctly but for near ties, as good libms
// have them.
float LogF32(float x) {
  return static_cast<float>(std::log(static_cast<double>(x)));
}
float PowF32(float x, float y) {
  return static_cast<float>(
      std::pow(static_cast<double>(x), static_cast<double>(y)));
}

Status ValidateExtrapolation(const GgmlScaling& scheme, double base) noexcept {
  ROPEWALK_RETURN_IF_ERROR(
      ValidatePositive("beta_fast", double{scheme.beta_fast}));
  ROPEWALK_RETURN_IF_ERROR(
      ValidatePositive("beta_slow", double{scheme.beta_slow}));
  if (!(base > 1)) {
    return Error(StatusCode::kInvalidArgument,
                 "base = %g: must be above 1 where ext_factor is not 0", base);
  }
  return Status();
}

Status Validate(const GgmlScaling& scheme, const RopeParameters& parameters) {
  ROPEWALK_RETURN_IF_ERROR(
      ValidatePositions("n_ctx_orig", scheme.n_ctx_orig, 0));
  ROPEWALK_RETURN_IF_ERROR(
      ValidatePositive("freq_scale", double{scheme.freq_scale}));
  ROPEWALK_RETURN_IF_ERROR(
      ValidatePositive("attn_factor", double{scheme.attn_factor}));
  if (!std::isfinite(scheme.ext_factor)) {
    return Error(StatusCode::kInvalidArgument,
                 "ext_factor = %g: must be finite", double{scheme.ext_factor});
  }
  const double base = static_cast<double>(static_cast<float>(parameters.base));
  if (!std::isfinite(base) || base <= 0) {
    return Error(StatusCode::kInvalidArgument,
                 "base = %g: must be finite and positive as a float32",
                 parameters.base);
  }
  if (scheme.ext_factor != 0) {
    ROPEWALK_RETURN_IF_ERROR(ValidateExtrapolation(scheme, base));
  }
  if (scheme.freq_factors.empty()) return Status();
  return ValidateDivisors("freq_factors", scheme.freq_factors,
                          parameters.rotary_dim);
}

// The pair that turns that often; -inf for n_ctx_orig 0.
float PairOfRotations(const GgmlScaling& scheme, float base, int rotary_dim,
                      float rotations) {
  const float turns =
      static_cast<float>(scheme.n_ctx_orig) / (rotations * 2 * kPi);
  return static_cast<float>(rotary_dim) * LogF32(turns) / (2 * LogF32(base));
}

// ext_factor times how far each pair keeps its frequency, with the roundings of
// Real; the ends are ggml's own, as they are rounded to whole pairs.
template <class Real>
std::vector<Real> RampMix(const GgmlScaling& scheme, float base,
                          int rotary_dim) {
  const float low = std::max(
      0.0f,
      std::floor(PairOfRotations(scheme, base, rotary_dim, scheme.beta_fast)));
  const float high = std::min(
      static_cast<float>(rotary_dim - 1),
      std::ceil(PairOfRotations(scheme, base, rotary_dim, scheme.beta_slow)));
  const Real width = std::max(0.001f, high - low);
  std::vector<Real> mix;
  mix.reserve(static_cast<size_t>(rotary_dim) / 2);
  for (int pair = 0; pair < rotary_dim / 2; ++pair) {
    const Real y = (static_cast<Real>(pair) - Real{low}) / width;
    mix.push_back((1 - std::min<Real>(1, std::max<Real>(0, y))) *
                  Real{scheme.ext_factor});
  }
  return mix;
}

Float32Recurrence RecurrenceOf(const GgmlScaling& scheme,
                               const RopeParameters& parameters) {
  const auto base = static_cast<float>(parameters.base);
  const int rotary_dim = parameters.rotary_dim;
  Float32Recurrence recurrence;
  recurrence.freq_scale = scheme.freq_scale;
  recurrence.attention_factor = scheme.attn_factor;
  recurrence.freq_factors = scheme.freq_factors;
  if (rotary_dim == 0) return recurrence;
  recurrence.step = PowF32(base, -2.0f / static_cast<float>(rotary_dim));
  if (scheme.ext_factor != 0) {
    recurrence.ramp_mix = RampMix<float>(scheme, base, rotary_dim);
    recurrence.attention_factor *=
        1.0f + 0.1f * LogF32(1.0f / scheme.freq_scale);
  }
  return recurrence;
}

}  // namespace

// What the arguments mean, in double.
Result<Frequencies> Build(const SchemeInput& input, const GgmlScaling& scheme) {
  ROPEWALK_RETURN_IF_ERROR(Validate(scheme, input.parameters));
  auto frequencies = Build(input, NoScaling{});
  if (!frequencies.ok()) return frequencies;
  Frequencies& result = frequencies.value();
  result.recurrence = RecurrenceOf(scheme, input.parameters);
  const double scale = double{scheme.freq_scale};
  std::vector<double> ramp_mix;
  if (scheme.ext_factor != 0) {
    ramp_mix =
        RampMix<double>(scheme, static_cast<float>(input.parameters.base),
                        input.parameters.rotary_dim);
  }
  for (size_t i = 0; i < result.inv_freq.size(); ++i) {
    double& w = result.inv_freq[i];
    if (!scheme.freq_factors.empty()) w /= double{scheme.freq_factors[i]};
    const double mix = ramp_mix.empty() ? 0.0 : ramp_mix[i];
    w *= scale * (1.0 - mix) + mix;
  }
  result.attention_factor = double{scheme.attn_factor};
  if (scheme.ext_factor != 0) {
    result.attention_factor *= 1.0 - 0.1 * std::log(scale);
  }
  return frequencies;
}

}  // namespace ropewalk::internal
