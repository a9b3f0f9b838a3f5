// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <new>

#include "frequencies/ladder.h"
#include "frequencies/validate_frequencies.h"
#include "ropewalk/vision.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

Result<Frequencies> ComputePixtral(int head_dim, double base) {
  ROPEWALK_RETURN_IF_ERROR(
      ValidateEvenDims("head_dim", head_dim, kMaxRotaryDim));
  const auto ladder = Ladder(base, head_dim, head_dim);
  if (!ladder.ok()) return ladder.status();
  const std::vector<double>& w = ladder.value();
  Frequencies frequencies;
  for (uint8_t component = 0; component < 2; ++component) {
    for (size_t k = component; k < w.size(); k += 2) {
      frequencies.inv_freq.push_back(w[k]);
      frequencies.axis.push_back(component);
    }
  }
  ROPEWALK_RETURN_IF_ERROR(ValidateFrequencies(frequencies));
  return frequencies;
}

}  // namespace
}  // namespace internal

Result<Frequencies> PixtralFrequencies(int head_dim, double base) noexcept {
  try {
    return internal::ComputePixtral(head_dim, base);
  } catch (const std::bad_alloc&) {
    return internal::Error(StatusCode::kOutOfMemory,
                           "frequencies of head_dim = %d: out of memory",
                           head_dim);
  }
}

}  // namespace ropewalk
