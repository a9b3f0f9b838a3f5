// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <utility>

#include "frequencies/ladder.h"
#include "frequencies/validate_frequencies.h"
#include "ropewalk/encodings/sinusoidal.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

Status ValidateArguments(int width, SinusoidalLadder ladder) noexcept {
  if (width < 2) {
    return Error(StatusCode::kInvalidArgument, "width = %d: must be at least 2",
                 width);
  }
  if (width > kMaxRotaryDim) {
    return Error(StatusCode::kOutOfRange, "width = %d: must be at most %d",
                 width, kMaxRotaryDim);
  }
  if (ladder > SinusoidalLadder::kByPairs) {
    return Error(StatusCode::kInvalidArgument,
                 "ladder = %d: must be kByWidth, kToBase or kByPairs",
                 static_cast<int>(ladder));
  }
  return Status();
}

// The d of base^(-2i / d).
int DivisorOf(int width, SinusoidalLadder ladder) noexcept {
  const int pairs = width / 2;
  switch (ladder) {
    case SinusoidalLadder::kByWidth:
      break;
    case SinusoidalLadder::kToBase:
      // A single pair has the frequency 1 whatever the divisor.
      return pairs == 1 ? 2 : 2 * (pairs - 1);
    case SinusoidalLadder::kByPairs:
      return 2 * pairs;
  }
  return width;
}

}  // namespace
}  // namespace internal

Result<Frequencies> SinusoidalFrequencies(int width, double base,
                                          SinusoidalLadder ladder) noexcept {
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateArguments(width, ladder));
  try {
    Result<std::vector<double>> inv_freq = internal::Ladder(
        base, width / 2 * 2, internal::DivisorOf(width, ladder));
    if (!inv_freq.ok()) return inv_freq.status();
    Frequencies frequencies;
    frequencies.inv_freq = std::move(inv_freq).value();
    ROPEWALK_RETURN_IF_ERROR(internal::ValidateFrequencies(frequencies));
    return frequencies;
  } catch (const std::bad_alloc&) {
    return internal::Error(StatusCode::kOutOfMemory,
                           "width = %d: no memory for its frequencies", width);
  }
}

}  // namespace ropewalk
