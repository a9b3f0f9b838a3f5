// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The oracle of vision encoders: what each pair turns by, from plain arguments.
// Includes nothing of the library.
#pragma once
#include <vector>

namespace ropewalk::reference {

struct VisionPairs {
  std::vector<double> inv_freq;
  std::vector<int> component;
};

// Equal parts of a head, each with a ladder of its own: its pairs follow the
// component that parts gives it.
VisionPairs AxialPairs(int head_dim, const std::vector<int>& parts,
                       double base);

// One ladder of the whole head: its even steps follow component 0, and then
// its odd steps component 1.
VisionPairs PixtralPairs(int head_dim, double base);

}  // namespace ropewalk::reference
