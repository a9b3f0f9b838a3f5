// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What is measured: bands of positions, and the pairs of a step's heads with
// what they must become.
#pragma once
#include <cstdint>
#include <vector>

#include "accuracy/exact_rows.h"
#include "ropewalk/types.h"
#include "support/random.h"

namespace ropewalk::test {

// Positions above `after`, up to `last`.
struct Band {
  const char* name;
  int64_t after;
  int64_t last;
};

inline constexpr Band kBands[] = {
    {"2^10", 0, int64_t{1} << 10},
    {"2^17", int64_t{1} << 10, int64_t{1} << 17},
    {"2^20", int64_t{1} << 17, int64_t{1} << 20},
    {"2^24", int64_t{1} << 20, int64_t{1} << 24},
    {"2^31", int64_t{1} << 24, int64_t{1} << 31},
};

// Both ends of the band and their neighbours, then others at random, of either
// sign. Requires: count >= 4.
std::vector<int64_t> DrawPositions(const Band& band, int count, Random* random);

// Pairs of [positions][heads][pairs].
struct Pairs {
  std::vector<double> x0;
  std::vector<double> x1;
};

inline constexpr int kHeads = 2;

// Gaussian pairs times 2^-12 to 2^12, which takes f16 to its denormals. Every
// fourth head's are just below a power of two after m: there roundings weigh
// most.
Pairs DrawPairs(size_t positions, size_t pairs, double m, Random* random);

// Pairs in a type, and the exact rotation of these, in double: within 2^-51 of
// the pair's length.
struct TypedPairs {
  DataType type;
  Pairs before;
  Pairs exact;
};

TypedPairs RotateExactly(const Pairs& pairs, DataType type,
                         const std::vector<ExactPair>& rows, size_t row_pairs);

}  // namespace ropewalk::test
