// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "frequencies/schemes.h"
#include "status/error.h"

namespace ropewalk::internal {

Result<Frequencies> Build(const SchemeInput& input,
                          const ExplicitFrequencies& scheme) {
  const int rotary_dim = input.parameters.rotary_dim;
  const size_t pairs = static_cast<size_t>(rotary_dim) / 2;
  if (rotary_dim != 0 && scheme.inv_freq.size() != pairs) {
    return Error(StatusCode::kInvalidArgument,
                 "inv_freq has %zu entries: must have %zu, half of rotary_dim",
                 scheme.inv_freq.size(), pairs);
  }
  Frequencies frequencies;
  frequencies.inv_freq = scheme.inv_freq;
  frequencies.attention_factor = scheme.attention_factor;
  return frequencies;
}

}  // namespace ropewalk::internal
