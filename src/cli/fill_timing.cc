// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/fill_timing.h"

#include <cmath>
#include <cstring>
#include <random>

namespace ropewalk::cli {
namespace {

constexpr size_t kRowFloats = 2 * kFillPairs;
constexpr size_t kSteps = 1024;

}  // namespace

FillTiming::FillTiming(const AngleTable& table)
    : table_(table),
      positions_(kSteps * kFillTokens),
      dense_(static_cast<size_t>(kFillPositions) * kRowFloats, 0.5f),
      other_rows_(kFillTokens * kRowFloats) {
  std::mt19937_64 random(1);
  for (int64_t& position : positions_) {
    position = static_cast<int64_t>(random() % kFillPositions);
  }
}

const int64_t* FillTiming::NextStep() {
  const int64_t* const step = positions_.data() + next_ * kFillTokens;
  next_ = (next_ + 1) % kSteps;
  kept_ = other_rows_[next_];
  return step;
}

void FillTiming::Fill() {
  status_ = table_.Fill({NextStep(), kFillTokens}, &rows_);
}

void FillTiming::CopyDenseRows() {
  const int64_t* const positions = NextStep();
  float* row = other_rows_.data();
  for (int64_t t = 0; t < kFillTokens; ++t, row += kRowFloats) {
    std::memcpy(row,
                dense_.data() + static_cast<size_t>(positions[t]) * kRowFloats,
                kRowFloats * sizeof(float));
  }
}

void FillTiming::ComputeByLibm() {
  const int64_t* const positions = NextStep();
  const double* const inv_freq = table_.frequencies().inv_freq.data();
  float* row = other_rows_.data();
  for (int64_t t = 0; t < kFillTokens; ++t, row += kRowFloats) {
    for (int i = 0; i < kFillPairs; ++i) {
      const double angle = static_cast<double>(positions[t]) * inv_freq[i];
      row[i] = static_cast<float>(std::cos(angle));
      row[kFillPairs + i] = static_cast<float>(std::sin(angle));
    }
  }
}

Status FillTiming::Measure(bench::TimingOptions timing, FillResult* result) {
  // Of some calls: each sample finds in L2 what the other one needed.
  timing.sample_seconds = 300e-6;
  Fill();
  if (!status_.ok()) return status_;
  result->copy =
      bench::MeasurePair([&] { Fill(); }, [&] { CopyDenseRows(); }, timing);
  result->libm =
      bench::MeasurePair([&] { Fill(); }, [&] { ComputeByLibm(); }, timing);
  return status_;
}

}  // namespace ropewalk::cli
