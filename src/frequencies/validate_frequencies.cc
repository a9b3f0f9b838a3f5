// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "frequencies/validate_frequencies.h"

#include <algorithm>
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

// The lists have one entry a pair or none, and no angle of the recurrence may
// pass the range of float32 at any position.
Status ValidateRecurrence(const Float32Recurrence& recurrence,
                          size_t pairs) noexcept {
  for (const std::vector<float>* list :
       {&recurrence.freq_factors, &recurrence.ramp_mix}) {
    if (list->empty() || list->size() == pairs) continue;
    return Error(StatusCode::kInvalidArgument,
                 "recurrence has a list of %zu entries: must be 0 or the "
                 "number of pairs, %zu",
                 list->size(), pairs);
  }
  double power = 1;
  for (size_t i = 0; i < pairs; ++i) {
    const double divisor = recurrence.freq_factors.empty()
                               ? 1.0
                               : double{recurrence.freq_factors[i]};
    const double scale = double{recurrence.freq_scale};
    const double mix =
        recurrence.ramp_mix.empty() ? 0.0 : double{recurrence.ramp_mix[i]};
    const double largest = std::max(
        {1.0, std::fabs(1.0 / divisor), std::fabs(scale / divisor),
         std::fabs(scale / divisor * (1 - mix)), std::fabs(mix / divisor)});
    if (!(power * largest < kInvFreqLimit)) {
      return Error(StatusCode::kOutOfRange,
                   "recurrence: pair %zu turns by 2^64 or more a position", i);
    }
    power *= double{recurrence.step};
  }
  return ValidateAttentionFactor(double{recurrence.attention_factor});
}

}  // namespace

Status ValidateEvenDims(const char* name, int dims, int most) noexcept {
  if (dims <= 0 || dims % 2 != 0) {
    return Error(StatusCode::kInvalidArgument,
                 "%s = %d: must be even and positive", name, dims);
  }
  if (dims > most) {
    return Error(StatusCode::kOutOfRange, "%s = %d: must be at most %d", name,
                 dims, most);
  }
  return Status();
}

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
  if (!frequencies.recurrence.has_value()) return Status();
  return ValidateRecurrence(*frequencies.recurrence, pairs);
}

}  // namespace ropewalk::internal
