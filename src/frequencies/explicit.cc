// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "frequencies/explicit.h"

#include "status/error.h"

namespace ropewalk::internal {

Result<Frequencies> FrequenciesOfList(const RopeParameters& parameters,
                                      const ExplicitFrequencies& list) {
  const size_t pairs = static_cast<size_t>(parameters.rotary_dim) / 2;
  if (parameters.rotary_dim != 0 && list.inv_freq.size() != pairs) {
    return Error(StatusCode::kInvalidArgument,
                 "inv_freq has %zu entries: must be %zu, half of rotary_dim",
                 list.inv_freq.size(), pairs);
  }
  Frequencies frequencies;
  frequencies.inv_freq = list.inv_freq;
  frequencies.attention_factor = list.attention_factor;
  return frequencies;
}

}  // namespace ropewalk::internal
