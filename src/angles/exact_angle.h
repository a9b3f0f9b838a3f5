// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// cos and sin of position * inv_freq, without the rounding of the product
// that costs 2^-22 rad at position 2^31 in plain double.
#pragma once
#include <cstdint>

namespace ropewalk::internal {

struct CosSin {
  double cos;
  double sin;
};

// Each within 2^-51 of the value for the real product; where a product is
// small its sin is also within 2^-51 relative.
// Requires: |position| <= 2^63, |inv_freq| < 2^64, both finite.
CosSin ExactCosSin(int64_t position, double inv_freq) noexcept;
CosSin ExactCosSin(double position, double inv_freq) noexcept;

}  // namespace ropewalk::internal
