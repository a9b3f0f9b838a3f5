// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything is formed in long double and rounded once at the end, so that
// where long double is wider than double the oracle's own error is no more
// than that one rounding.
#include "reference/schemes.h"

#include <algorithm>
#include <cmath>

namespace ropewalk::reference {
namespace {

using Real = long double;

constexpr Real kTwoPi = 6.283185307179586476925286766559005768L;

// base^(-2 pair / denominator)
Real Power(Real base, int pair, int denominator) {
  return std::pow(base, Real{-2} * pair / denominator);
}

// A scheme whose inv_freq are value(pair).
template <class Value>
Scheme OfPairs(int rotary_dim, const Value& value) {
  Scheme scheme;
  for (int i = 0; i < rotary_dim / 2; ++i) {
    scheme.inv_freq.push_back(static_cast<double>(value(i)));
  }
  return scheme;
}

Scheme OfBase(const Ladder& ladder, Real base) {
  return OfPairs(ladder.rotary_dim,
                 [&](int i) { return Power(base, i, ladder.rotary_dim); });
}

// The base whose last pair is `growth` times slower. One pair turns by 1
// radian a position whatever the base.
Real NtkBase(const Ladder& ladder, Real growth) {
  const Real r = ladder.rotary_dim;
  return r <= 2 ? ladder.base : ladder.base * std::pow(growth, r / (r - 2));
}

// The pair, as a real number, that turns `turns` times within `original`.
Real PairOfTurns(const Ladder& ladder, Real original, Real turns) {
  return ladder.rotary_dim * std::log(original / (kTwoPi * turns)) /
         (2 * std::log(Real{ladder.base}));
}

Real Clamp01(Real x) { return std::min<Real>(1, std::max<Real>(0, x)); }

// YaRN's t: 0 where a pair keeps its frequency, 1 where it is divided.
Real Ramp(const YarnBounds& bounds, int pair) {
  const Real low = bounds.low;
  const Real high =
      bounds.high == bounds.low ? low + Real(0.001) : Real{bounds.high};
  return Clamp01((pair - low) / (high - low));
}

Real MagnitudeOf(Real s, Real k) {
  return s <= 1 ? Real{1} : 1 + Real(0.1) * k * std::log(s);
}

}  // namespace

Scheme Plain(const Ladder& ladder) { return OfBase(ladder, ladder.base); }

Scheme Linear(const Ladder& ladder, double factor) {
  return OfPairs(ladder.rotary_dim, [&](int i) {
    return Power(ladder.base, i, ladder.rotary_dim) / factor;
  });
}

Scheme Ntk(const Ladder& ladder, double factor) {
  return OfBase(ladder, NtkBase(ladder, factor));
}

Scheme DynamicNtk(const Ladder& ladder, double factor, double max_positions,
                  double length) {
  // f L / M - (f - 1), exactly 1 for L = M.
  const Real longer = std::max(length, max_positions);
  const Real growth = 1 + factor * (longer - max_positions) / max_positions;
  return OfBase(ladder, NtkBase(ladder, growth));
}

Scheme QwenNtk(const Ladder& ladder, double original, double attention_slope,
               double length) {
  // 2^ceil(log2(L / original) + 1) without a logarithm.
  double reach = original;
  double power = 2;
  for (; reach < length; reach *= 2) power *= 2;
  Scheme scheme = OfBase(ladder, NtkBase(ladder, power - 1));
  if (length > original) {
    scheme.attention_factor = static_cast<double>(
        1 + attention_slope * std::log(Real{length} / original));
  }
  return scheme;
}

Scheme VllmNtk(const Ladder& ladder, double factor,
               std::optional<double> mixed_b) {
  const Real f = factor;
  const int r = ladder.rotary_dim;
  if (!mixed_b) {
    return OfPairs(r, [&](int i) {
      return Power(ladder.base * f, i, r) / std::pow(f, Real{2} / r);
    });
  }
  const Real a = std::log(f) / std::pow(Real{0.5} * r, Real{*mixed_b});
  return OfPairs(r, [&](int i) {
    return Power(ladder.base, i, r) /
           std::exp(a * std::pow(Real{1} * (i + 1), Real{*mixed_b}));
  });
}

YarnBounds BoundsOf(const Ladder& ladder, const YarnRange& range) {
  Real low = PairOfTurns(ladder, range.original, range.beta_fast);
  Real high = PairOfTurns(ladder, range.original, range.beta_slow);
  if (range.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  return {static_cast<double>(std::max<Real>(low, 0)),
          static_cast<double>(std::min<Real>(high, ladder.rotary_dim - 1))};
}

Scheme Yarn(const Ladder& ladder, const YarnRange& range,
            double extrapolation_weight) {
  const YarnBounds bounds = BoundsOf(ladder, range);
  Scheme scheme = OfPairs(ladder.rotary_dim, [&](int i) {
    const Real e = Power(ladder.base, i, ladder.rotary_dim);
    const Real kept = (1 - Ramp(bounds, i)) * extrapolation_weight;
    return e / range.factor * (1 - kept) + e * kept;
  });
  scheme.attention_factor = Magnitude(range.factor, 1);
  return scheme;
}

Scheme DeepSeekYarn(const Ladder& ladder, const YarnRange& range, double mscale,
                    double mscale_all_dim) {
  Scheme scheme = Yarn(ladder, range);
  const Real all_dim = MagnitudeOf(range.factor, mscale_all_dim);
  scheme.attention_factor =
      static_cast<double>(MagnitudeOf(range.factor, mscale) / all_dim);
  scheme.softmax_multiplier = static_cast<double>(all_dim * all_dim);
  return scheme;
}

Scheme GrokYarnLog(const Ladder& ladder, const YarnRange& range) {
  const YarnBounds bounds = BoundsOf(ladder, range);
  return OfPairs(ladder.rotary_dim, [&](int i) {
    const Real e = Power(ladder.base, i, ladder.rotary_dim);
    const Real t = Ramp(bounds, i);
    return std::exp((1 - t) * std::log(e) + t * std::log(e / range.factor));
  });
}

Scheme GrokTheta(const Ladder& ladder, double factor, double original) {
  const Real exponent =
      std::log(original * Real{factor} / kTwoPi) / std::log(original / kTwoPi);
  return OfBase(ladder, std::pow(Real{ladder.base}, exponent));
}

double Magnitude(double s, double k) {
  return static_cast<double>(MagnitudeOf(s, k));
}

Scheme Llama3(const Ladder& ladder, const Llama3Range& range) {
  return OfPairs(ladder.rotary_dim, [&](int i) {
    const Real e = Power(ladder.base, i, ladder.rotary_dim);
    const Real divided = e / range.factor;
    const Real turns = range.original * e / kTwoPi;  // original / wavelength
    if (range.low == range.high) return turns > range.low ? e : divided;
    if (turns < range.low) return divided;
    if (turns > range.high) return e;
    const Real s = (turns - range.low) / (Real{range.high} - range.low);
    return (1 - s) * divided + s * e;
  });
}

Scheme LongRope(const Ladder& ladder, const std::vector<double>& list,
                double attention_factor) {
  Scheme scheme = Divided(ladder, list);
  scheme.attention_factor = attention_factor;
  return scheme;
}

double LongRopeAttentionFactor(double s, double original) {
  if (s <= 1) return 1;
  return static_cast<double>(
      std::sqrt(1 + std::log(Real{s}) / std::log(Real{original})));
}

Scheme Proportional(const Ladder& ladder, int head_dim, double factor) {
  return OfPairs(ladder.rotary_dim, [&](int i) {
    return Power(ladder.base, i, head_dim) / factor;
  });
}

Scheme Divided(const Ladder& ladder, const std::vector<double>& factors) {
  return OfPairs(ladder.rotary_dim, [&](int i) {
    return Power(ladder.base, i, ladder.rotary_dim) /
           factors.at(static_cast<size_t>(i));
  });
}

Scheme Ggml(const Ladder& ladder, const GgmlArguments& arguments) {
  // log(0) makes both bounds -inf: low is cut to 0, high stays.
  const YarnBounds bounds =
      BoundsOf(ladder, {1, arguments.n_ctx_orig, arguments.beta_fast,
                        arguments.beta_slow, true});
  const Real width =
      std::max<Real>(Real(0.001), Real{bounds.high} - bounds.low);
  Scheme scheme = OfPairs(ladder.rotary_dim, [&](int i) {
    Real e = Power(ladder.base, i, ladder.rotary_dim);
    if (!arguments.freq_factors.empty()) {
      e /= arguments.freq_factors.at(static_cast<size_t>(i));
    }
    const Real r = 1 - Clamp01((i - bounds.low) / width);
    const Real mix = arguments.ext_factor == 0 ? 0 : r * arguments.ext_factor;
    return arguments.freq_scale * e * (1 - mix) + e * mix;
  });
  Real m = arguments.attn_factor;
  if (arguments.ext_factor != 0) {
    m *= 1 + Real(0.1) * std::log(1 / Real{arguments.freq_scale});
  }
  scheme.attention_factor = static_cast<double>(m);
  return scheme;
}

double LogNQueryScale(double position, double original) {
  if (position < original) return 1;
  return static_cast<double>(std::log(Real{position} + 1) /
                             std::log(Real{original}));
}

}  // namespace ropewalk::reference
