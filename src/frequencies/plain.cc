// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "frequencies/ladder.h"
#include "frequencies/schemes.h"

namespace ropewalk::internal {

Result<Frequencies> Build(const SchemeInput& input, const NoScaling&) {
  auto ladder = Ladder(input.parameters);
  if (!ladder.ok()) return ladder.status();
  Frequencies frequencies;
  frequencies.inv_freq = std::move(ladder).value();
  return frequencies;
}

}  // namespace ropewalk::internal
