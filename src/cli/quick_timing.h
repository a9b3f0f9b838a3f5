// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// How long a command measures.
#pragma once
#include "bench/timing.h"

namespace ropewalk::cli {

// quick: enough to see that all of it runs.
inline bench::TimingOptions TimingOf(bool quick, double round_seconds) {
  bench::TimingOptions timing;
  timing.rounds = quick ? 1 : timing.rounds;
  timing.round_seconds = quick ? 1e-3 : round_seconds;
  return timing;
}

}  // namespace ropewalk::cli
