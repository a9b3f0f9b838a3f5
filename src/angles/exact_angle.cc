// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "angles/exact_angle.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace ropewalk::internal {
namespace {

// |x| = bits * 2^exponent.
struct Magnitude {
  uint64_t bits;
  int exponent;
};

// An angle in [-pi/4, pi/4] past so many quarter turns.
struct Reduced {
  double angle;
  unsigned quadrant;
};

// Little-endian limbs of 32 bits.
template <size_t kLimbs>
using Limbs = std::array<uint32_t, kLimbs>;

// floor(2^256 / (2 pi)). From integers: pi = 16 atan(1/5) - 4 atan(1/239)
// (Machin) to 400 bits, then one long division.
constexpr Limbs<8> kInverseTwoPi = {0xf7aef158, 0x7f9458ea, 0x4f10e410,
                                    0x36d8a566, 0x7d4d3770, 0x7f09d5f4,
                                    0x9391054a, 0x28be60db};
constexpr int kFractionBits = 256;
constexpr double kTwoPi = 6.283185307179586476925286766559;

Limbs<2> Split(uint64_t x) {
  return {static_cast<uint32_t>(x), static_cast<uint32_t>(x >> 32)};
}

template <size_t kA, size_t kB>
Limbs<kA + kB> Multiply(const Limbs<kA>& a, const Limbs<kB>& b) {
  Limbs<kA + kB> product{};
  for (size_t i = 0; i < kA; ++i) {
    uint64_t carry = 0;
    for (size_t j = 0; j < kB; ++j) {
      // At most (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1.
      carry += uint64_t{a[i]} * b[j] + product[i + j];
      product[i + j] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    product[i + kB] = static_cast<uint32_t>(carry);
  }
  return product;
}

// Bits [bit, bit + 64).
template <size_t kLimbs>
uint64_t Extract(const Limbs<kLimbs>& limbs, int bit) {
  const size_t limb = static_cast<size_t>(bit) / 32;
  const int shift = bit % 32;
  const auto at = [&](size_t i) { return uint64_t{i < kLimbs ? limbs[i] : 0}; };
  const uint64_t low = at(limb) | at(limb + 1) << 32;
  return shift == 0 ? low : low >> shift | at(limb + 2) << (64 - shift);
}

// The signed number hi:lo * 2^-128 as a double, to 2^-53 relative.
double SignedFraction(uint64_t hi, uint64_t lo) {
  const bool negative = (hi >> 63) != 0;
  if (negative) {
    lo = ~lo + 1;
    hi = ~hi + (lo == 0 ? 1 : 0);
  }
  if (hi == 0) {
    const double tiny = std::ldexp(static_cast<double>(lo), -128);
    return negative ? -tiny : tiny;
  }
  int zeros = 0;
  while ((hi << zeros >> 63) == 0) ++zeros;
  const uint64_t top = zeros == 0 ? hi : hi << zeros | lo >> (64 - zeros);
  const double value = std::ldexp(static_cast<double>(top), -64 - zeros);
  return negative ? -value : value;
}

// Reduces the product of two magnitudes, at least 1/2, at most 2^127.
//
// The product is K * 2^e with an integer K < 2^117, so -118 < e <= 23. With
// F = kInverseTwoPi, K * F has 384 bits and K * F * 2^(e - 256) is the number
// of turns, less than K * 2^e * 2^-256 < 2^-129 too low. Its binary point
// stands above bit 256 - e, in [233, 374), so that 128 fractional bits are
// there, and the bits above the point are whole turns, which are dropped.
Reduced Reduce(const Magnitude& a, const Magnitude& b) {
  const auto turns =
      Multiply(Multiply(Split(a.bits), Split(b.bits)), kInverseTwoPi);
  const int point = kFractionBits - (a.exponent + b.exponent);
  const uint64_t hi = Extract(turns, point - 64);
  const uint64_t lo = Extract(turns, point - 128);
  // To the nearest quarter: half a quarter is 2^61, and the sum wraps as turns
  // do.
  const uint64_t quarters = (hi + (uint64_t{1} << 61)) >> 62;
  const double rest = SignedFraction(hi - (quarters << 62), lo);
  return {kTwoPi * rest, static_cast<unsigned>(quarters)};
}

CosSin Turn(const Reduced& reduced) {
  const double c = std::cos(reduced.angle);
  const double s = std::sin(reduced.angle);
  switch (reduced.quadrant) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    default:
      return {s, -c};
  }
}

Magnitude MagnitudeOf(double x) {
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(x), &exponent);
  return {static_cast<uint64_t>(std::ldexp(fraction, 53)), exponent - 53};
}

// `product` is the rounded |position * inv_freq|. Small angles are taken from
// it: they need no reduction, and the rounding is relative.
CosSin OfMagnitudes(const Magnitude& position, double inv_freq, double product,
                    bool negative) {
  const CosSin result = product < 0.5
                            ? Turn({product, 0})
                            : Turn(Reduce(position, MagnitudeOf(inv_freq)));
  return negative ? CosSin{result.cos, -result.sin} : result;
}

}  // namespace

CosSin ExactCosSin(int64_t position, double inv_freq) noexcept {
  if (position == 0 || inv_freq == 0.0) return {1.0, 0.0};
  const uint64_t bits = position < 0
                            ? uint64_t{0} - static_cast<uint64_t>(position)
                            : static_cast<uint64_t>(position);
  return OfMagnitudes({bits, 0}, inv_freq,
                      static_cast<double>(bits) * std::fabs(inv_freq),
                      (position < 0) != (inv_freq < 0.0));
}

CosSin ExactCosSin(double position, double inv_freq) noexcept {
  if (position == 0.0 || inv_freq == 0.0) return {1.0, 0.0};
  return OfMagnitudes(MagnitudeOf(position), inv_freq,
                      std::fabs(position) * std::fabs(inv_freq),
                      (position < 0.0) != (inv_freq < 0.0));
}

}  // namespace ropewalk::internal
