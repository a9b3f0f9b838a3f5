// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "parallel/parallel_for.h"

#include <algorithm>

#include "status/error.h"

#if ROPEWALK_HAVE_TBB
#include <atomic>

#include "oneapi/tbb/blocked_range.h"
#include "oneapi/tbb/parallel_for.h"
#include "oneapi/tbb/task_arena.h"
#include "oneapi/tbb/task_group.h"
#endif

namespace ropewalk::internal {
namespace {

struct Part {
  int64_t begin;
  int64_t end;
};

// Part `index` of `parts`; parts differ by one item at most.
Part PartOf(int64_t count, int64_t index, int64_t parts) {
  const int64_t each = count / parts;
  const int64_t rest = count % parts;  // so many parts have one item more
  const int64_t begin = each * index + std::min(index, rest);
  return {begin, begin + each + (index < rest ? 1 : 0)};
}

#if ROPEWALK_HAVE_TBB
// Enough parts for every core of a large server to steal some, few enough that
// their flags fit on the stack.
constexpr int64_t kMaxParts = 1024;

// Whatever becomes of the tasks, every part has run when this returns: oneTBB
// may fail to allocate one after others have run.
void TbbFor(int64_t count, int64_t parts, const RangeFunction& function) {
  std::atomic<bool> taken[kMaxParts];
  for (int64_t i = 0; i < parts; ++i) taken[i].store(false);
  const auto run = [&](int64_t part) {
    if (taken[part].exchange(true)) return;
    const Part items = PartOf(count, part, parts);
    function(items.begin, items.end);
  };
  try {
    // A group of its own: a host that cancels its group must not be told that
    // work was done. Isolated: a thread that waits here must not take up a task
    // of the host's, which may want a lock that the host holds.
    oneapi::tbb::this_task_arena::isolate([&] {
      oneapi::tbb::task_group_context context(
          oneapi::tbb::task_group_context::isolated);
      using Range = oneapi::tbb::blocked_range<int64_t>;
      oneapi::tbb::parallel_for(
          Range(0, parts),
          [&](const Range& range) {
            for (int64_t i = range.begin(); i != range.end(); ++i) run(i);
          },
          context);
    });
  } catch (...) {
    // What is left runs below.
  }
  for (int64_t i = 0; i < parts; ++i) run(i);
}

// How many parts to make: four a thread, so that a late thread costs little.
int64_t TbbParts(int64_t count, int64_t grain) {
  const int64_t threads = oneapi::tbb::this_task_arena::max_concurrency();
  if (threads < 2) return 1;
  return std::min({count / grain, 4 * threads, kMaxParts});
}
#endif

}  // namespace

Status ValidateParallel(const Parallel& parallel) noexcept {
  if (parallel.kind() > Parallel::Kind::kShare) {
    return Error(StatusCode::kInvalidArgument,
                 "parallel kind = %d: must be Serial, Tbb or Share",
                 static_cast<int>(parallel.kind()));
  }
  if (parallel.index() < 0 || parallel.index() >= parallel.count()) {
    return Error(StatusCode::kInvalidArgument,
                 "Share(%d, %d): the index must be in [0, count)",
                 parallel.index(), parallel.count());
  }
  return Status();
}

void ParallelForImpl(const Parallel& parallel, int64_t count, int64_t grain,
                     const RangeFunction& function) noexcept {
  if (count <= 0) return;
  Part items = {0, count};
  if (parallel.kind() == Parallel::Kind::kShare) {
    items = PartOf(count, parallel.index(), parallel.count());
  }
#if ROPEWALK_HAVE_TBB
  if (parallel.kind() == Parallel::Kind::kTbb && count >= 2 * grain) {
    const int64_t parts = TbbParts(count, grain);
    if (parts >= 2) return TbbFor(count, parts, function);
  }
#else
  static_cast<void>(grain);
#endif
  if (items.begin < items.end) function(items.begin, items.end);
}

}  // namespace ropewalk::internal
