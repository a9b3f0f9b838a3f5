// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Products of factored rows, by the chosen target.
#pragma once
#include <cstdint>

namespace ropewalk::internal {

// Doubles to which factored rows are padded, and the widest vector used.
constexpr int64_t kFactorUnit = 8;

// One row to make: R(a) R(b), or R(a) R(b) R(c). a, b and c point at cos in
// double; their sin lie FactoredJob::sin_offset further.
struct FactoredRow {
  const double* a;
  const double* b;
  const double* c;  // null: only two
  float* cos;
  float* sin;
  bool negative;  // the inverse rotation
};

struct FactoredJob {
  const FactoredRow* rows;
  int64_t count;
  int64_t pairs;
  int64_t sin_offset;  // in doubles
  double attention_factor;
};

// The axes among which pairs choose.
constexpr int kMaxFactorAxes = 4;
// Of a unit whose pairs do not all follow one axis.
constexpr uint8_t kMixedUnit = 255;

// Which of several rows each pair takes.
struct FactorChoice {
  int axes;
  const uint8_t* unit_axis;  // of each kFactorUnit of pairs, or kMixedUnit
  const uint64_t* masks;     // [axes][pairs, padded]: all bits, or none
};

// Computes pairs rounded up to kFactorUnit; there must be room for them. The
// products are not fused, so that all targets give the same bits.
void FillFactored(const FactoredJob& job) noexcept;

// As FillFactored, but each row made takes its pairs from as many of job.rows
// as there are axes: all of them have c, or all have two factors and one sign.
// cos and sin are those of the first. The bits are those of the rows chosen.
void FillChosen(const FactoredJob& job, const FactorChoice& choice) noexcept;

// As FillFactored, but each row is turned back by one of `back`, whose cos,
// sin and sign are not looked at: two tables at one position.
void FillDifferences(const FactoredJob& job, const FactoredRow* back) noexcept;

}  // namespace ropewalk::internal
