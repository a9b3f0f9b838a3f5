// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "angles/axis_selection.h"

#include <algorithm>

#include "angles/aligned_memory.h"

namespace ropewalk::internal {

void AxisSelection::Build(const std::vector<uint8_t>& axis,
                          const std::vector<uint8_t>& used) {
  if (axis.empty() || used.size() < 2 || used.size() > kMaxFactorAxes) return;
  constexpr size_t kUnit = kFactorUnit;
  axes_ = static_cast<int>(used.size());
  const size_t padded = RoundUp(axis.size(), kUnit);
  unit_axis_.assign(padded / kUnit, 0);
  masks_.assign(used.size() * padded, 0);
  for (size_t i = 0; i < padded; ++i) {
    // What lies behind the last pair follows it.
    const uint8_t of = axis[std::min(i, axis.size() - 1)];
    const auto index = static_cast<size_t>(
        std::find(used.begin(), used.end(), of) - used.begin());
    masks_[index * padded + i] = ~uint64_t{0};
    uint8_t& unit = unit_axis_[i / kUnit];
    if (i % kUnit == 0) unit = static_cast<uint8_t>(index);
    if (unit != index) unit = kMixedUnit;
  }
}

}  // namespace ropewalk::internal
