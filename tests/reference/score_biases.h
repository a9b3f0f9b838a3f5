// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What biases of attention scores are, one element at a time, from the papers.
// Includes nothing of the library.
#pragma once
#include <cstdint>
#include <vector>

namespace ropewalk::reference {

// Of head h, counted from 0.
long double AlibiSlope(int heads, int h, long double max_bias);

// The bucket of key - query, in real arithmetic.
int T5BucketOf(int buckets, int64_t max_distance, bool bidirectional,
               int64_t key_minus_query);

// The row of key - query, or of query - key.
int64_t ShawRow(int64_t clip, bool reversed, int64_t query, int64_t key);

// A sum, and that of its magnitudes, by which its rounding is judged.
struct Sum {
  double value = 0;
  double magnitude = 0;
  void Add(double term);
};

Sum Product(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace ropewalk::reference
