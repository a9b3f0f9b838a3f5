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

// Computes pairs rounded up to kFactorUnit; there must be room for them. The
// products are not fused, so that all targets give the same bits.
void FillFactored(const FactoredJob& job) noexcept;

// As FillFactored, but each row is turned back by one of `back`, whose cos,
// sin and sign are not looked at: two tables at one position.
void FillDifferences(const FactoredJob& job, const FactoredRow* back) noexcept;

}  // namespace ropewalk::internal
