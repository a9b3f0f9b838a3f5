// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// One step of a layer, f32 with 32 + 8 heads of 128, turned by the members of
// an OpenMP team: by shares of one call, or each by a call of its own on its
// own part.
#pragma once
#include <cstdint>
#include <vector>

#include "bench/pair_benchmark.h"
#include "bench/timing.h"
#include "ropewalk/angle_rows.h"
#include "ropewalk/kv_cache.h"
#include "ropewalk/parallel.h"
#include "ropewalk/types.h"

namespace ropewalk::bench {

enum class TeamCall {
  kRotate,           // Q and K in place
  kRotateIntoCache,  // Q in place, K and V to slots of a bf16 cache
};

// Zeros: they stay, and cost what other numbers do. Where a call fails, the
// program says why and ends.
class TeamStep {
 public:
  // Made for so many members: some 8 at most, who all get heads of K.
  TeamStep(TeamCall call, int64_t tokens, int members);

  // A member's part as Parallel::Share(), of the whole.
  void TurnShare(int member);
  // As Parallel::Serial(), on a view of its own: some of the tokens, or of the
  // heads where there is one token.
  void TurnOwn(int member);
  // All of it, on the calling thread.
  void TurnAll();

 private:
  // Some tokens or heads of a step, or all of them.
  struct Part {
    HeadsView q, k, v;
    KvCacheView k_cache, v_cache;
    const int64_t* slots;  // one a token
    AngleRows rows;        // one a token
  };

  Part MakeAll();
  Part SomeTokens(int64_t first, int64_t count) const;
  Part SomeHeads(int member) const;
  void Turn(const Part& part, Parallel parallel) const;

  const TeamCall call_;
  const int64_t tokens_;
  const int members_;
  RotaryLayout layout_;
  Memory q_memory_, k_memory_, v_memory_, k_cache_memory_, v_cache_memory_;
  std::vector<int64_t> slots_;
  Part all_;
  std::vector<Part> parts_;
};

// Shares against calls of one's own, by the threads of a saturated team, as
// many as there are cores: of the slowest member, since a step is over when
// that is done. Starting and joining the team is not in it.
PairTiming MeasureShares(TeamStep* step, int members,
                         const TimingOptions& timing);

}  // namespace ropewalk::bench
