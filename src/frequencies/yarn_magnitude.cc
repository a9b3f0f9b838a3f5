// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "frequencies/yarn_magnitude.h"

#include <cmath>

namespace ropewalk::internal {

double YarnMagnitude(double s, double k) noexcept {
  return s <= 1 ? 1.0 : 1.0 + 0.1 * k * std::log(s);
}

}  // namespace ropewalk::internal
