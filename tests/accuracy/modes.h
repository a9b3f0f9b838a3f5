// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What exact angles buy: each AngleMode against the exact angle, far out.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "accuracy/errors.h"

namespace ropewalk::test {

struct ModeCell {
  std::string mode;
  std::string context;  // whose last positions these are
  ErrorCount radians;   // between the row's pair (cos, sin) and the exact one
  ErrorCount bf16;      // of rotated bf16 pairs, in ulp of their length
  double radians_bound;
  double bf16_bound;
};

// Every position with `samples` times as many heads, on the library's own
// choice of a target.
std::vector<ModeCell> MeasureModes(int samples, uint64_t seed);

}  // namespace ropewalk::test
