// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Parameters for the tests of this folder: each scheme as some model has it,
// and the ladders and factors from which grids are made.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/scaling.h"

namespace ropewalk::test {

inline constexpr int kRotaryDims[] = {2, 4, 20, 64, 96, 128, 256};
inline constexpr double kBases[] = {1e4, 5e5, 1e6, 999999.4420358813, 1e8};
inline constexpr double kFactors[] = {1, 2, 8, 40, 0.5};
inline constexpr int64_t kOriginals[] = {1024,  2048,   4096,  8192,
                                         32768, 131072, 262144};

struct Sample {
  RopeParameters parameters;
  int64_t sequence_length = 0;
};

// Two of every scheme that has a choice of branches, one of the others.
std::vector<Sample> SamplesOfEveryScheme();

inline RopeParameters Parameters(int rotary_dim, double base,
                                 const Scaling& scaling) {
  return {rotary_dim, base, scaling};
}

// 1, 1 + step, ...
std::vector<double> Ascending(int count, double step);

// The frequencies, or none with a failure.
Frequencies Computed(const RopeParameters& parameters,
                     int64_t sequence_length = 0);

// For messages: the scheme, its ladder and the length.
std::string Describe(const RopeParameters& parameters,
                     int64_t sequence_length = 0);

}  // namespace ropewalk::test
