// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The tests' random numbers, the same on every platform. The one seed is
// --gtest_random_seed; each test makes its own stream of it and its name.
#pragma once
#include <cstdint>

namespace ropewalk::test {

// SplitMix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  // The stream of the running test; its seed is printed if the test fails.
  static Random ForTest();

  uint64_t Next();
  // In [0, bound).
  int64_t Below(int64_t bound);
  // In [first, last].
  int64_t Between(int64_t first, int64_t last);
  // In (0, 1].
  double Uniform();
  // Mean 0, variance 1 (Box-Muller).
  double Gaussian();

 private:
  uint64_t state_;
};

}  // namespace ropewalk::test
