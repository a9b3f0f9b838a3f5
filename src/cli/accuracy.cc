// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/accuracy.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ropewalk::cli {
namespace {

// Targets whose MulAdd is a product and a sum.
bool HasFma(std::string_view target) {
  for (const char* without : {"SSE2", "SSSE3", "SSE4", "SCALAR", "EMU128"}) {
    if (target == without) return false;
  }
  return true;
}

// The bits of a type's numbers, the leading one included, and the exponent of
// its smallest normal one.
struct Format {
  int bits;
  int min_exponent;
};

constexpr Format kFloat32 = {24, -126};

Format FormatOf(DataType type) {
  switch (type) {
    case DataType::kBF16:
      return {8, -126};
    case DataType::kF16:
      return {11, -14};
    case DataType::kF32:
      break;
  }
  return kFloat32;
}

// Spacing of a format's numbers around a value. By the bits: frexp and ldexp
// would take longer than the rest of the demo.
double Ulp(double value, const Format& format) {
  uint64_t word;
  std::memcpy(&word, &value, sizeof(word));
  const int exponent = static_cast<int>((word >> 52) & 0x7FF) - 1023;
  const int ulp_exponent =
      std::max(exponent, format.min_exponent) - (format.bits - 1);
  word = static_cast<uint64_t>(ulp_exponent + 1023) << 52;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

struct Limits {
  DataType type;
  double float_ulps;
};

Limits LimitsOf(DataType type, double m, std::string_view target) {
  return {type, (m == 1 ? 2.5 : 3.0) + (HasFma(target) ? 0.0 : 0.5)};
}

// A member of a pair as it became and as it should; what an ulp is of, and
// how far the angles alone may move it.
struct Member {
  double got;
  double exact;
  double magnitude;
  double moved;
};

double MemberError(const Member& member, const Limits& limits) {
  const double difference = std::abs(member.got - member.exact);
  // NaN counts as the worst.
  if (!(difference < INFINITY)) return INFINITY;
  const double apart = std::max(difference - member.moved, 0.0);
  const double float_ulp = Ulp(member.magnitude, kFloat32);
  if (limits.type == DataType::kF32) return apart / float_ulp;
  const double rest = apart - limits.float_ulps * float_ulp;
  return std::max(rest, 0.0) / Ulp(member.got, FormatOf(limits.type));
}

reference::Window WindowOf(const RotaryLayout& layout) {
  const int pairs = layout.rotary_dim / 2;
  return {pairs, layout.pairing == Pairing::kInterleaved, layout.rotary_offset,
          layout.pair_distance != 0 ? layout.pair_distance : pairs};
}

// The dims that no pair of the window has.
std::vector<int> StillDims(const reference::Window& window, int head_dim) {
  std::vector<bool> turns(static_cast<size_t>(head_dim), false);
  for (int i = 0; i < window.pairs; ++i) {
    turns[static_cast<size_t>(reference::Member0(window, i))] = true;
    turns[static_cast<size_t>(reference::Member1(window, i))] = true;
  }
  std::vector<int> still;
  for (int d = 0; d < head_dim; ++d) {
    if (!turns[static_cast<size_t>(d)]) still.push_back(d);
  }
  return still;
}

// A head before, as it must become, and as it became.
struct Heads {
  std::vector<double> input;
  std::vector<double> exact;
  std::vector<double> got;
};

double WorstOfPairs(const Heads& heads, const reference::Window& window,
                    double m, const double* allowance, const Limits& limits) {
  double worst = 0;
  for (int i = 0; i < window.pairs; ++i) {
    const auto d0 = static_cast<size_t>(reference::Member0(window, i));
    const auto d1 = static_cast<size_t>(reference::Member1(window, i));
    const double x0 = std::abs(heads.input[d0]);
    const double x1 = std::abs(heads.input[d1]);
    const double moved = allowance[i] * m * std::sqrt(x0 * x0 + x1 * x1);
    for (const size_t d : {d0, d1}) {
      const Member member = {heads.got[d], heads.exact[d], std::max(x0, x1) * m,
                             moved};
      worst = std::max(worst, MemberError(member, limits));
    }
  }
  return worst;
}

double RelativeError(double oracle, double used) {
  const double difference = std::abs(oracle - used);
  if (difference == 0) return 0;
  const double relative = difference / std::abs(oracle);
  return std::isnan(relative) ? INFINITY : relative;
}

}  // namespace

FrequencyErrors CompareFrequencies(const reference::Scheme& oracle,
                                   const Frequencies& used) {
  FrequencyErrors errors = {
      0, RelativeError(oracle.attention_factor, used.attention_factor),
      RelativeError(oracle.softmax_multiplier, used.softmax_multiplier)};
  if (oracle.inv_freq.size() != used.inv_freq.size()) {
    errors.inv_freq = INFINITY;
    return errors;
  }
  for (size_t i = 0; i < oracle.inv_freq.size(); ++i) {
    errors.inv_freq = std::max(
        errors.inv_freq, RelativeError(oracle.inv_freq[i], used.inv_freq[i]));
  }
  return errors;
}

ExactRotation ComputeExactRotation(const reference::Scheme& oracle,
                                   const Frequencies& used,
                                   const std::vector<int64_t>& positions) {
  return ComputeExactRotation(oracle, used, TokenPositions{positions, 1, {}});
}

ExactRotation ComputeExactRotation(const reference::Scheme& oracle,
                                   const Frequencies& used,
                                   const TokenPositions& positions) {
  ExactRotation exact;
  exact.pairs = static_cast<int>(oracle.inv_freq.size());
  exact.attention_factor = oracle.attention_factor;
  for (int64_t t = 0; t < positions.tokens(); ++t) {
    for (size_t i = 0; i < oracle.inv_freq.size(); ++i) {
      const int axis = positions.axis.empty() ? 0 : positions.axis[i];
      const auto position = static_cast<double>(
          positions.ids[static_cast<size_t>(axis * positions.tokens() + t)]);
      const double inv_freq = oracle.inv_freq[i];
      const double apart =
          i < used.inv_freq.size() ? std::abs(inv_freq - used.inv_freq[i]) : 0;
      exact.angles.push_back(reference::ExactAngle(position, inv_freq));
      exact.allowance.push_back(
          std::abs(position) *
          std::min(apart, kFrequencyLimit * std::abs(inv_freq)));
    }
  }
  return exact;
}

Error WorstError(const Step& input, const Step& rotated,
                 const ExactRotation& exact, std::string_view target) {
  const double m = exact.attention_factor;
  const Limits limits = LimitsOf(rotated.type(), m, target);
  const RotaryLayout& layout = input.shape().layout;
  const reference::Window window = WindowOf(layout);
  const std::vector<int> still = StillDims(window, layout.head_dim);
  Heads heads;
  heads.input.resize(static_cast<size_t>(layout.head_dim));
  heads.got = heads.input;
  double worst = 0;
  for (int64_t t = 0; t < input.tokens(); ++t) {
    const int64_t first = t * exact.pairs + layout.first_pair;
    for (int64_t h = 0; h < input.heads(); ++h) {
      input.ReadHead(t, h, heads.input.data());
      rotated.ReadHead(t, h, heads.got.data());
      heads.exact = heads.input;
      reference::RotateHead(window, exact.angles.data() + first, m,
                            reference::Turn::kForward, heads.exact.data());
      worst =
          std::max(worst, WorstOfPairs(heads, window, m,
                                       exact.allowance.data() + first, limits));
      for (const int d : still) {
        if (input.Bits(t, h, d) != rotated.Bits(t, h, d)) worst = INFINITY;
      }
    }
  }
  return {worst, rotated.type() == DataType::kF32 ? limits.float_ulps : 0.5};
}

Error WorstShiftError(const Step& input, int64_t first, const Step& shifted,
                      const ExactRotation& exact) {
  const RotaryLayout& layout = input.shape().layout;
  const reference::Window window = WindowOf(layout);
  std::vector<double> want(static_cast<size_t>(layout.head_dim));
  std::vector<double> got = want;
  double worst = 0;
  for (int64_t t = 0; t < shifted.tokens(); ++t) {
    for (int64_t h = 0; h < shifted.heads(); ++h) {
      input.ReadHead(first + t, h, want.data());
      shifted.ReadHead(t, h, got.data());
      reference::RotateHead(
          window, exact.angles.data() + t * exact.pairs + layout.first_pair, 1,
          reference::Turn::kForward, want.data());
      for (int i = 0; i < window.pairs; ++i) {
        const auto d0 = static_cast<size_t>(reference::Member0(window, i));
        const auto d1 = static_cast<size_t>(reference::Member1(window, i));
        const double length = std::hypot(want[d0], want[d1]);
        const double error = std::max(std::abs(got[d0] - want[d0]),
                                      std::abs(got[d1] - want[d1]));
        const double ulp =
            Ulp(length * (1 + 0x1p-7), FormatOf(DataType::kBF16));
        worst = error < INFINITY ? std::max(worst, error / ulp) : INFINITY;
      }
    }
  }
  // The store before the shift, half an ulp of each member, turned: sqrt(1/2)
  // of an ulp; the store after it, half an ulp; the float32 share.
  return {worst, 0.5 + std::sqrt(0.5) + 0x1p-12};
}

}  // namespace ropewalk::cli
