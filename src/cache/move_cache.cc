// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <new>
#include <vector>

#include "cache/cache_view.h"
#include "cache/cached_keys.h"
#include "cache/move_order.h"
#include "parallel/parallel_for.h"
#include "ropewalk/kv_cache.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

// The moves of some of the heads, all slots of them by one thread.
class HeadMover {
 public:
  // Borrows everything. Throws std::bad_alloc.
  HeadMover(const RowsJob& job, const MoveOrder& order)
      : job_(job),
        order_(order),
        head_bytes_(job.layout->head_dim * ElementSize(job.in->type)) {
    if (order.cycles.empty()) return;
    aside_.resize(static_cast<size_t>(job.heads * head_bytes_));
  }

  void Move(int64_t begin, int64_t end) noexcept {
    HeadsView view = *job_.in;
    view.data = static_cast<uint8_t*>(view.data) + begin * view.head_stride;
    view.heads = end - begin;
    RunMoves(view, 0, order_.free_moves);
    for (const MoveOrder::Cycle& cycle : order_.cycles) {
      RunCycle(view, cycle, aside_.data() + begin * head_bytes_);
    }
  }

 private:
  RowsJob JobOf(const HeadsView& in, const HeadsView& out, int64_t begin,
                int64_t end) const noexcept {
    RowsJob job = job_;
    job.in = &in;
    job.out = &out;
    job.heads = in.heads;
    job.order = order_.order.data() + begin;
    job.tiles = end - begin;
    return job;
  }

  void RunMoves(const HeadsView& view, int64_t begin,
                int64_t end) const noexcept {
    RotateRows(JobOf(view, view, begin, end), 0, (end - begin) * view.heads);
  }

  void RunCycle(const HeadsView& view, const MoveOrder::Cycle& cycle,
                uint8_t* aside) const noexcept {
    const int64_t last = cycle.end - 1;
    const int64_t slot =
        job_.in_slots->At(order_.order[static_cast<size_t>(last)]);
    const uint8_t* const heads = static_cast<const uint8_t*>(view.data) +
                                 slot / view.tokens * view.batch_stride +
                                 slot % view.tokens * view.token_stride;
    for (int64_t head = 0; head < view.heads; ++head) {
      std::memcpy(aside + head * head_bytes_, heads + head * view.head_stride,
                  static_cast<size_t>(head_bytes_));
    }
    RunMoves(view, cycle.begin, last);
    HeadsView from = view;
    from.data = aside;
    from.batch_stride = from.token_stride = 0;  // every token is this one
    from.head_stride = head_bytes_;
    RowsJob job = JobOf(from, view, last, cycle.end);
    job.in_slots = nullptr;
    RotateRows(job, 0, view.heads);
  }

  const RowsJob& job_;
  const MoveOrder& order_;
  int64_t head_bytes_;
  std::vector<uint8_t> aside_;  // a head for each head
};

Status Validate(const AngleRows& rows, const RotaryLayout& layout,
                const KvCacheView& cache, const SlotReader& from,
                const SlotReader& to) noexcept {
  ROPEWALK_RETURN_IF_ERROR(ValidateKeySlots(cache, "from", from));
  ROPEWALK_RETURN_IF_ERROR(ValidateKeySlots(cache, "to", to));
  if (from.count() != to.count()) {
    return Error(StatusCode::kInvalidArgument,
                 "from has %lld slots, to has %lld: must be as many",
                 static_cast<long long>(from.count()),
                 static_cast<long long>(to.count()));
  }
  // Nothing turns: values, which need no rows.
  if (layout.rotary_dim == 0) return Status();
  return ValidateShiftRows(rows, layout, from.count());
}

Status Move(const AngleRows& rows, const RotaryLayout& layout,
            const KvCacheView& cache, const SlotReader& from,
            const SlotReader& to, const Parallel& parallel) {
  ByteRange range;
  ROPEWALK_RETURN_IF_ERROR(ValidateParallel(parallel));
  ROPEWALK_RETURN_IF_ERROR(ValidateKeys(layout, cache, &range));
  ROPEWALK_RETURN_IF_ERROR(Validate(rows, layout, cache, from, to));
  if (range.empty()) return Status();
  const auto order = FindMoveOrder(from, to);
  if (!order.ok()) return order.status();
  const HeadsView view = ViewOf(cache);
  const RowsJob job = MakeCacheJob(rows, layout, view, from, to);
  HeadMover mover(job, order.value());
  const int64_t moves = static_cast<int64_t>(order.value().order.size());
  if (moves == 0) return Status();
  ParallelFor(parallel, cache.heads, (Grain(job) - 1) / moves + 1,
              [&](int64_t begin, int64_t end) { mover.Move(begin, end); });
  return Status();
}

}  // namespace
}  // namespace internal

Status MoveCache(const AngleRows& rows, const RotaryLayout& layout,
                 const KvCacheView& k_cache, const Slots& from, const Slots& to,
                 Parallel parallel) noexcept {
  try {
    return internal::Move(rows, layout, k_cache, internal::SlotReader(from),
                          internal::SlotReader(to), parallel);
  } catch (const std::bad_alloc&) {
    return internal::Error(
        StatusCode::kOutOfMemory,
        "from of %lld slots: no memory for the order of "
        "the moves, or to set heads aside",
        static_cast<long long>(internal::SlotReader(from).count()));
  }
}

}  // namespace ropewalk
