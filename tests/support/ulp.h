// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Distances between neighbouring numbers, from which every tolerance is made.
#pragma once
#include <algorithm>
#include <cmath>

#include "ropewalk/types.h"

namespace ropewalk::test {

// The step of a binary format at a magnitude.
inline double UlpOfFormat(double magnitude, int fraction_bits,
                          int min_exponent) {
  const int exponent = magnitude == 0
                           ? min_exponent
                           : std::max(std::ilogb(magnitude), min_exponent);
  return std::ldexp(1.0, exponent - fraction_bits);
}

inline double UlpF32(double magnitude) {
  return UlpOfFormat(magnitude, 23, -126);
}
inline double UlpBF16(double magnitude) {
  return UlpOfFormat(magnitude, 7, -126);
}
inline double UlpF16(double magnitude) {
  return UlpOfFormat(magnitude, 10, -14);
}

inline double Ulp(DataType type, double magnitude) {
  switch (type) {
    case DataType::kBF16:
      return UlpBF16(magnitude);
    case DataType::kF16:
      return UlpF16(magnitude);
    case DataType::kF32:
      break;
  }
  return UlpF32(magnitude);
}

}  // namespace ropewalk::test
