// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/vision.h"

#include <cmath>
#include <cstddef>

namespace ropewalk::reference {
namespace {

void Add(double base, double exponent, int component, VisionPairs* pairs) {
  pairs->inv_freq.push_back(std::pow(base, -exponent));
  pairs->component.push_back(component);
}

}  // namespace

VisionPairs AxialPairs(int head_dim, const std::vector<int>& parts,
                       double base) {
  VisionPairs pairs;
  const auto count = static_cast<int>(parts.size());
  const int pairs_of_part = head_dim / (2 * count);
  for (const int component : parts) {
    for (int j = 0; j < pairs_of_part; ++j) {
      Add(base, static_cast<double>(j) / pairs_of_part, component, &pairs);
    }
  }
  return pairs;
}

VisionPairs PixtralPairs(int head_dim, double base) {
  VisionPairs pairs;
  for (const int first : {0, 1}) {
    for (int k = first; k < head_dim / 2; k += 2) {
      Add(base, 2.0 * k / head_dim, first, &pairs);
    }
  }
  return pairs;
}

}  // namespace ropewalk::reference
