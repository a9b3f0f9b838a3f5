// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "angles/levels.h"

#include <algorithm>

#include "angles/exact_angle.h"
#include "parallel/parallel_for.h"

namespace ropewalk::internal {

void Levels::BuildRow(const std::vector<double>& inv_freq,
                      int64_t row) const noexcept {
  const int64_t level = row / kRows;
  const int64_t position = row % kRows << (level * kBits);
  double* cos = data() + row * 2 * padded_;
  double* sin = cos + padded_;
  std::fill(cos, cos + 2 * padded_, 0.0);
  for (size_t i = 0; i < inv_freq.size(); ++i) {
    const CosSin exact = ExactCosSin(position, inv_freq[i]);
    cos[i] = exact.cos;
    sin[i] = exact.sin;
  }
}

bool Levels::Build(const std::vector<double>& inv_freq,
                   const Parallel& parallel) noexcept {
  const int64_t pairs = static_cast<int64_t>(inv_freq.size());
  padded_ = RoundUp(pairs, kFactorUnit);
  bytes_ = static_cast<size_t>(kLevels * kRows * 2 * padded_) * sizeof(double);
  memory_ = AllocateAligned(bytes_);
  if (memory_ == nullptr) return false;
  // About 0.2 ms of work a part.
  const int64_t grain =
      std::max<int64_t>(1, 4096 / std::max<int64_t>(1, pairs));
  ParallelFor(parallel, kLevels * kRows, grain,
              [&](int64_t begin, int64_t end) {
                for (int64_t r = begin; r < end; ++r) BuildRow(inv_freq, r);
              });
  return true;
}

}  // namespace ropewalk::internal
