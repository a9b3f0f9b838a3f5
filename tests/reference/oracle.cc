// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/oracle.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ropewalk::reference {
namespace {

// An IEEE format of 16 bits.
struct Format {
  int fraction_bits;
  int min_exponent;  // of the smallest normal number
  int max_exponent;  // of the largest finite number
};

constexpr Format kBF16 = {7, -126, 127};
constexpr Format kF16 = {10, -14, 15};

uint16_t Encode(const Format& format, double value) {
  const unsigned sign = std::signbit(value) ? 0x8000u : 0u;
  const unsigned infinity =
      static_cast<unsigned>(format.max_exponent - format.min_exponent + 2)
      << format.fraction_bits;
  if (std::isnan(value)) {
    return static_cast<uint16_t>(sign | infinity |
                                 (1u << (format.fraction_bits - 1)));
  }
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return static_cast<uint16_t>(sign);
  if (std::isinf(magnitude)) return static_cast<uint16_t>(sign | infinity);
  const int exponent = std::max(std::ilogb(magnitude), format.min_exponent);
  // nearbyint rounds to even in the default rounding mode.
  const double steps =
      std::nearbyint(std::ldexp(magnitude, format.fraction_bits - exponent));
  if (std::ldexp(steps, exponent - format.fraction_bits) >=
      std::ldexp(1.0, format.max_exponent + 1)) {
    return static_cast<uint16_t>(sign | infinity);
  }
  // A denormal has exponent field 0 and no hidden one; a carry out of the
  // fraction moves to the exponent by itself.
  const unsigned field = static_cast<unsigned>(exponent - format.min_exponent)
                         << format.fraction_bits;
  return static_cast<uint16_t>(sign | (field + static_cast<unsigned>(steps)));
}

double Decode(const Format& format, uint16_t bits) {
  const int fraction = bits & ((1 << format.fraction_bits) - 1);
  const int field = (bits & 0x7FFF) >> format.fraction_bits;
  const double sign = (bits & 0x8000) ? -1.0 : 1.0;
  if (field == format.max_exponent - format.min_exponent + 2) {
    return fraction ? std::numeric_limits<double>::quiet_NaN()
                    : sign * std::numeric_limits<double>::infinity();
  }
  const int hidden = field ? 1 << format.fraction_bits : 0;
  return sign * std::ldexp(fraction + hidden, std::max(field, 1) - 1 +
                                                  format.min_exponent -
                                                  format.fraction_bits);
}

}  // namespace

CosSin ExactAngle(double position, double inv_freq) {
  const double high = position * inv_freq;
  const double low = std::fma(position, inv_freq, -high);
  return {std::cos(high) * std::cos(low) - std::sin(high) * std::sin(low),
          std::sin(high) * std::cos(low) + std::cos(high) * std::sin(low)};
}

std::vector<double> PlainInvFreq(int rotary_dim, double base) {
  std::vector<double> inv_freq;
  for (int i = 0; i < rotary_dim / 2; ++i) {
    inv_freq.push_back(std::pow(base, -2.0 * i / rotary_dim));
  }
  return inv_freq;
}

int Member0(const Window& window, int pair) {
  return window.offset + (window.interleaved ? 2 * pair : pair);
}

int Member1(const Window& window, int pair) {
  return Member0(window, pair) + (window.interleaved ? 1 : window.distance);
}

void RotateHead(const Window& window, const CosSin* angles, double m, Turn turn,
                double* head) {
  const double scale = turn == Turn::kInverse ? 1 / m : m;
  const double sense = turn == Turn::kForward ? 1 : -1;
  for (int i = 0; i < window.pairs; ++i) {
    double& x0 = head[Member0(window, i)];
    double& x1 = head[Member1(window, i)];
    const double c = scale * angles[i].cos;
    const double s = scale * sense * angles[i].sin;
    const double y0 = x0 * c - x1 * s;
    x1 = x0 * s + x1 * c;
    x0 = y0;
  }
}

uint16_t ToBF16(double value) { return Encode(kBF16, value); }
uint16_t ToF16(double value) { return Encode(kF16, value); }
double FromBF16(uint16_t bits) { return Decode(kBF16, bits); }
double FromF16(uint16_t bits) { return Decode(kF16, bits); }

}  // namespace ropewalk::reference
