// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The factored table: R(a + b) = R(a) R(b), three levels of 1024 rows in
// double hold every |position| < 2^30.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "angles/aligned_memory.h"
#include "angles/fill.h"
#include "ropewalk/parallel.h"

namespace ropewalk::internal {

class Levels {
 public:
  static constexpr int kBits = 10;
  static constexpr int64_t kRows = int64_t{1} << kBits;
  static constexpr int kLevels = 3;
  static constexpr uint64_t kEnd = uint64_t{1} << (kBits * kLevels);

  // Empty: covers nothing.
  Levels() noexcept = default;

  // False where there is no memory.
  bool Build(const std::vector<double>& inv_freq,
             const Parallel& parallel) noexcept;

  bool Covers(int64_t position) const noexcept {
    return memory_ != nullptr && MagnitudeOf(position) < kEnd;
  }

  // What multiplies to the row of a position that is covered, from the given
  // pair on.
  FactoredRow Factors(int64_t position, int64_t first_pair, float* cos,
                      float* sin) const noexcept {
    const uint64_t p = MagnitudeOf(position);
    const uint64_t top = p >> (2 * kBits);
    const double* rows = data() + first_pair;
    return {rows + RowOffset(0, p),
            rows + RowOffset(1, p >> kBits),
            top == 0 ? nullptr : rows + RowOffset(2, top),
            cos,
            sin,
            position < 0};
  }

  // R(0), a third factor for a position below 2^20: it changes no bit of the
  // product.
  const double* Third() const noexcept { return data() + RowOffset(2, 0); }

  int64_t sin_offset() const noexcept { return padded_; }
  size_t bytes() const noexcept { return bytes_; }

 private:
  static uint64_t MagnitudeOf(int64_t position) noexcept {
    const uint64_t bits = static_cast<uint64_t>(position);
    return position < 0 ? uint64_t{0} - bits : bits;
  }

  int64_t RowOffset(int64_t level, uint64_t index) const noexcept {
    return (level * kRows + static_cast<int64_t>(index % kRows)) * 2 * padded_;
  }

  double* data() const noexcept {
    return reinterpret_cast<double*>(memory_.get());
  }

  void BuildRow(const std::vector<double>& inv_freq,
                int64_t row) const noexcept;

  AlignedMemory memory_;
  int64_t padded_ = 0;  // doubles of a row's cos, and of its sin
  size_t bytes_ = 0;
};

}  // namespace ropewalk::internal
