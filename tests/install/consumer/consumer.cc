// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/ropewalk.h"

int main() {
  ropewalk::RopeParameters rope;
  rope.rotary_dim = 4;
  const auto frequencies = ropewalk::ComputeFrequencies(rope);
  const bool right =
      frequencies.ok() && frequencies.value().inv_freq[1] == 0.01;
  return right && ropewalk::ActiveTarget()[0] != '\0' ? 0 : 1;
}
