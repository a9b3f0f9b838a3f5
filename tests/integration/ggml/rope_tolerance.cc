// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// How far ggml and this library may be apart, from the roundings of both. The
// frequencies here are the formulas again, in double.
#include <algorithm>
#include <cmath>

#include "integration/ggml/rope_case.h"

namespace ropewalk::test {
namespace {

using ropewalk_ggml::RopeArguments;

constexpr double kEpsilon = 0x1p-24;  // half an ulp of a float32 above 1

// Where both have the same angle, in epsilons of m max(|x0|, |x1|):
//   3      our cos and sin: half an ulp below 1 each, and times m;
//   4      ggml's: its libm's within an ulp each, and times m;
//   2.9    m itself, 1 + 0.1 log: an ulp of the log, and fused or not, in both
//          members of the pair;
//   4      two products on each side;
//   2.9    the sum on each side, at most sqrt(2) m max(|x0|, |x1|).
constexpr double kRotationRoundings = 16.8;

// ggml's ramp: how far pair i keeps its frequency, times ext_factor.
double RampMix(const RopeArguments& arguments, int pair) {
  if (arguments.ext_factor == 0) return 0;
  float ends[2];
  ggml_rope_yarn_corr_dims(arguments.n_dims, arguments.n_ctx_orig,
                           arguments.freq_base, arguments.beta_fast,
                           arguments.beta_slow, ends);
  const double width = double{std::max(0.001f, ends[1] - ends[0])};
  const double y = (pair - double{ends[0]}) / width;
  return (1 - std::clamp(y, 0.0, 1.0)) * double{arguments.ext_factor};
}

double AttentionFactor(const RopeArguments& arguments) {
  double m = double{arguments.attn_factor};
  if (arguments.ext_factor != 0) {
    m *= 1 - 0.1 * std::log(double{arguments.freq_scale});
  }
  return m;
}

// The step of the running product: what this process's powf makes of it, with
// which ggml is linked too, beside the exact one and the one rounded correctly.
struct Step {
  explicit Step(const RopeArguments& arguments) {
    const float exponent = -2.0f / static_cast<float>(arguments.n_dims);
    const auto base = double{arguments.freq_base};
    exact = std::pow(base, -2.0 / arguments.n_dims);
    const auto libm = double{std::pow(arguments.freq_base, exponent)};
    const auto rounded =
        double{static_cast<float>(std::pow(base, double{exponent}))};
    from_exact = std::fabs(libm / exact - 1);
    from_rounded = std::fabs(libm / rounded - 1);
  }
  double exact;
  double from_exact;
  double from_rounded;
};

// How far the two angles of a pair may be apart that is `steps` steps down its
// ladder, from a position of at most so much.
double AngleDifference(const RopeCase& rope_case, const Step& step, int pair,
                       int steps, double position, double divisor) {
  const RopeArguments& arguments = rope_case.arguments;
  const double mix = RampMix(arguments, pair);
  const double plain = position * std::pow(step.exact, steps) / divisor;
  const double angle = plain * (double{arguments.freq_scale} * (1 - mix) + mix);
  double relative;
  if (rope_case.mode == AngleMode::kExact) {
    // Ours is exact. Of ggml's, each step adds its own error and a rounding,
    // and so do divisor, scale, 1 - mix, two products and a sum.
    relative = steps * (step.from_exact + kEpsilon) + 6 * kEpsilon;
  } else {
    // The same operations, but for a libm that does not round correctly, and
    // the sum of the blend, fused or not: a product, and the sum on each side.
    relative = steps * step.from_rounded;
    if (mix != 0 && mix != 1) relative += 3 * kEpsilon;
  }
  // A part in a million more for what is of second order.
  return angle * relative * (1 + 1e-6);
}

}  // namespace

std::vector<double> PairTolerances(const RopeCase& rope_case,
                                   const RopeOperands& operands,
                                   int64_t token) {
  const RopeArguments& arguments = rope_case.arguments;
  const bool vision = arguments.mode == GGML_ROPE_TYPE_VISION;
  const double m = AttentionFactor(arguments);
  const Step step(arguments);
  const std::vector<float> factors = operands.Factors();
  std::vector<double> tolerances;
  const double position = operands.PositionBound(token);
  for (int i = 0; i < ropewalk_ggml::PairsOf(arguments); ++i) {
    // VISION's sections here are two, of as many pairs.
    const int steps = vision ? i % arguments.sections[0] : i;
    const double divisor =
        factors.empty() ? 1 : double{factors[static_cast<size_t>(i)]};
    const double angle =
        AngleDifference(rope_case, step, i, steps, position, divisor);
    // By so much a unit vector turns less or more; a pair is sqrt(2) of its
    // larger member at most.
    tolerances.push_back(
        m * (kRotationRoundings * kEpsilon + std::sqrt(2.0) * angle));
  }
  return tolerances;
}

}  // namespace ropewalk::test
