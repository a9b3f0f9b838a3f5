// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "frequencies/validate_frequencies.h"

#include <cmath>

#include "status/error.h"

namespace ropewalk::internal {
namespace {

// The reduction of an angle is exact for |inv_freq| below this.
constexpr double kInvFreqLimit = 18446744073709551616.0;  // 2^64

Status ValidateInvFreq(const std::vector<double>& inv_freq) noexcept {
  if (inv_freq.size() > kMaxRotaryDim / 2) {
    return Error(StatusCode::kOutOfRange,
                 "inv_freq has %zu entries: must be at most %d",
                 inv_freq.size(), kMaxRotaryDim / 2);
  }
  for (size_t i = 0; i < inv_freq.size(); ++i) {
    if (!std::isfinite(inv_freq[i])) {
      return Error(StatusCode::kInvalidArgument,
                   "inv_freq[%zu] = %g: must be finite", i, inv_freq[i]);
    }
    if (!(std::fabs(inv_freq[i]) < kInvFreqLimit)) {
      return Error(StatusCode::kOutOfRange,
                   "inv_freq[%zu] = %g: must be below 2^64 in magnitude", i,
                   inv_freq[i]);
    }
  }
  return Status();
}

}  // namespace

Status ValidateAttentionFactor(double factor) noexcept {
  if (!std::isfinite(factor) || factor <= 0.0) {
    return Error(StatusCode::kInvalidArgument,
                 "attention_factor = %g: must be finite and positive", factor);
  }
  if (factor < kMinAttentionFactor || factor > kMaxAttentionFactor) {
    return Error(StatusCode::kOutOfRange,
                 "attention_factor = %g: must be in [2^-60, 2^60]", factor);
  }
  return Status();
}

Status ValidateFrequencies(const Frequencies& frequencies) noexcept {
  ROPEWALK_RETURN_IF_ERROR(ValidateInvFreq(frequencies.inv_freq));
  const size_t pairs = frequencies.inv_freq.size();
  if (!frequencies.axis.empty() && frequencies.axis.size() != pairs) {
    return Error(StatusCode::kInvalidArgument,
                 "axis has %zu entries: must be 0 or the number of pairs, %zu",
                 frequencies.axis.size(), pairs);
  }
  ROPEWALK_RETURN_IF_ERROR(
      ValidateAttentionFactor(frequencies.attention_factor));
  if (!std::isfinite(frequencies.softmax_multiplier)) {
    return Error(StatusCode::kInvalidArgument,
                 "softmax_multiplier = %g: must be finite",
                 frequencies.softmax_multiplier);
  }
  return Status();
}

}  // namespace ropewalk::internal
