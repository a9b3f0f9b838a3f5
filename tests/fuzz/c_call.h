// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a call of the C interface and holds its status, its error and its
// allocations against the contract.
#pragma once
#include <functional>

#include "fuzz/draw.h"
#include "fuzz/verdict.h"
#include "ropewalk/c/types.h"

namespace ropewalk::fuzz {

using CCall = std::function<ropewalk_status(ropewalk_error*)>;

// Draws where the error is written, and rarely an allocation that fails.
ropewalk_status MakeCall(Draw* draw, const Verdict& verdict, const CCall& call);

// A ropewalk_parallel, or null; for every share of it the same call is made.
class DrawnParallel {
 public:
  explicit DrawnParallel(Draw* draw);
  ~DrawnParallel();
  DrawnParallel(const DrawnParallel&) = delete;
  DrawnParallel& operator=(const DrawnParallel&) = delete;

  const ropewalk_parallel* get() const { return parallel_; }
  const Verdict& verdict() const { return verdict_; }

  // All shares of a valid call, or the one call. They must end alike.
  ropewalk_status MakeCalls(Draw* draw, const Verdict& verdict,
                            const CCall& call);

 private:
  ropewalk_parallel* parallel_ = nullptr;
  Verdict verdict_;
  int shares_ = 1;
};

// Makes the target that the input chooses the active one.
void DrawTarget(Draw* draw);

}  // namespace ropewalk::fuzz
