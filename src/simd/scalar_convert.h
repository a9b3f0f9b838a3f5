// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// bf16 and f16 from and to float32, one element at a time, in integers: the
// same bits on every target and under every floating-point environment. The
// vector forms live in codec-inl.h.
#pragma once
#include <cstdint>
#include <cstring>

namespace ropewalk::internal {

inline uint32_t BitsOfFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float FloatOfBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

inline float FloatFromBF16(uint16_t bits) {
  return FloatOfBits(uint32_t{bits} << 16);
}

// To nearest even; a NaN stays a NaN and becomes quiet.
inline uint16_t BF16FromFloat(float value) {
  const uint32_t bits = BitsOfFloat(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) {
    return static_cast<uint16_t>(bits >> 16 | 0x40u);
  }
  return static_cast<uint16_t>((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
}

// Exact; a NaN becomes quiet.
inline float FloatFromF16(uint16_t half) {
  const uint32_t sign = uint32_t{half} >> 15 << 31;
  uint32_t exponent = half >> 10 & 0x1Fu;
  uint32_t mantissa = half & 0x3FFu;
  if (exponent == 0x1Fu) {
    const uint32_t quiet = mantissa != 0 ? 0x400000u : 0;
    return FloatOfBits(sign | 0x7F800000u | mantissa << 13 | quiet);
  }
  if (exponent == 0) {
    if (mantissa == 0) return FloatOfBits(sign);
    // A subnormal is a normal float32: move its leading one to bit 10.
    exponent = 1;
    while ((mantissa & 0x400u) == 0) {
      mantissa <<= 1;
      --exponent;
    }
    mantissa &= 0x3FFu;
  }
  return FloatOfBits(sign | (exponent + 112u) << 23 | mantissa << 13);
}

// To nearest even, subnormals included; a NaN stays a NaN and becomes quiet.
inline uint16_t F16FromFloat(float value) {
  const uint32_t bits = BitsOfFloat(value);
  const uint32_t sign = bits >> 31 << 15;
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) {
    return static_cast<uint16_t>(sign | 0x7E00u | (magnitude >> 13 & 0x3FFu));
  }
  // 65520 is half-way between the largest f16 and 2^16, and rounds up.
  if (magnitude >= 0x477FF000u) return static_cast<uint16_t>(sign | 0x7C00u);
  const uint32_t exponent = magnitude >> 23;
  uint32_t mantissa = magnitude;
  uint32_t shift = 13;
  if (exponent >= 113) {
    mantissa -= uint32_t{112} << 23;
  } else {
    // Below 2^-14 the unit is 2^-24; below 2^-25 everything rounds to zero.
    if (exponent < 102) return static_cast<uint16_t>(sign);
    mantissa = (magnitude & 0x7FFFFFu) | 0x800000u;
    shift = 126 - exponent;
  }
  const uint32_t half = uint32_t{1} << (shift - 1);
  const uint32_t even = mantissa >> shift & 1u;
  return static_cast<uint16_t>(sign | (mantissa + half - 1 + even) >> shift);
}

}  // namespace ropewalk::internal
