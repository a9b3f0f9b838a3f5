// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Splits a range of work as a Parallel says. Serial and Share run on the
// calling thread and allocate nothing.
#pragma once
#include <cstdint>

#include "ropewalk/export.h"
#include "ropewalk/parallel.h"
#include "ropewalk/status.h"

namespace ropewalk::internal {

// Whether the parallel is one that can be run.
ROPEWALK_EXPORT Status ValidateParallel(const Parallel& parallel) noexcept;

// What a task must read and write at least for a second thread to pay: two
// tasks of so much took 0.84 of the time of one thread (AVX-512 Xeon, in L2).
constexpr int64_t kMinTaskBytes = int64_t{256} << 10;

// The items of a + b bytes that make a task. Requires: neither is negative,
// and one is positive.
constexpr int64_t GrainOf(int64_t a, int64_t b = 0) noexcept {
  const uint64_t bytes = static_cast<uint64_t>(a) + static_cast<uint64_t>(b);
  return static_cast<int64_t>(
      (static_cast<uint64_t>(kMinTaskBytes) - 1) / bytes + 1);
}

// A function over a range [begin, end), not owned.
struct RangeFunction {
  void (*call)(const void* context, int64_t begin, int64_t end);
  const void* context;
  void operator()(int64_t begin, int64_t end) const {
    call(context, begin, end);
  }
};

ROPEWALK_EXPORT void ParallelForImpl(const Parallel& parallel, int64_t count,
                                     int64_t grain,
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
