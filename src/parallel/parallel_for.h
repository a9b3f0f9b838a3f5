// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Splits a range of work as a Parallel says. Serial and Share run on the
// calling thread and allocate nothing.
#pragma once
#include <cstdint>

#include "ropewalk/parallel.h"
#include "ropewalk/status.h"

namespace ropewalk::internal {

// Whether the parallel is one that can be run.
Status ValidateParallel(const Parallel& parallel) noexcept;

// A function over a range [begin, end), not owned.
struct RangeFunction {
  void (*call)(const void* context, int64_t begin, int64_t end);
  const void* context;
  void operator()(int64_t begin, int64_t end) const {
    call(context, begin, end);
  }
};

void ParallelForImpl(const Parallel& parallel, int64_t count, int64_t grain,
                     const RangeFunction& function) noexcept;

// Calls function(begin, end) on disjoint ranges that cover [0, count), or this
// share of it, with at least `grain` items in each range but the last.
// Requires: ValidateParallel(parallel).ok(); the function does not throw.
template <class Function>
void ParallelFor(const Parallel& parallel, int64_t count, int64_t grain,
                 const Function& function) noexcept {
  ParallelForImpl(parallel, count, grain,
                  {[](const void* context, int64_t begin, int64_t end) {
                     (*static_cast<const Function*>(context))(begin, end);
                   },
                   &function});
}

}  // namespace ropewalk::internal
