// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include "cache/validate_write.h"
#include "parallel/parallel_for.h"
#include "ropewalk/kv_cache.h"
#include "rotate/make_job.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

// The jobs of a call.
class Jobs {
 public:
  void Add(const RowsJob& job) noexcept { list_[count_++] = job; }

  // A share has its part of every job, since a head of K takes longer than one
  // of Q: of one job after the other the first of eight shares took 1.3 times
  // as long. Tasks of oneTBB are many, which evens them out.
  void Split(const Parallel& parallel) const noexcept {
    if (parallel.kind() == Parallel::Kind::kTbb) {
      return ParallelFor(parallel, units(), grain(),
                         [&](int64_t begin, int64_t end) { Run(begin, end); });
    }
    for (int i = 0; i < count_; ++i) {
      const RowsJob& job = list_[i];
      ParallelFor(
          parallel, Units(job), /*grain=*/1,
          [&](int64_t begin, int64_t end) { RotateRows(job, begin, end); });
    }
  }

 private:
  int64_t units() const noexcept {
    int64_t sum = 0;
    for (int i = 0; i < count_; ++i) sum += Units(list_[i]);
    return sum;
  }
  int64_t grain() const noexcept {
    int64_t most = 1;
    for (int i = 0; i < count_; ++i) most = std::max(most, Grain(list_[i]));
    return most;
  }
  // Units that count through one job after the other.
  void Run(int64_t begin, int64_t end) const noexcept {
    int64_t first = 0;  // of the job
    for (int i = 0; i < count_; ++i) {
      const int64_t units = Units(list_[i]);
      const int64_t from = std::max(begin - first, int64_t{0});
      const int64_t to = std::min(end - first, units);
      if (from < to) RotateRows(list_[i], from, to);
      first += units;
    }
  }

  RowsJob list_[3];
  int count_ = 0;
};

void AddIncoming(const WriteParts& parts, const Incoming& incoming,
                 Jobs* jobs) noexcept {
  if (!incoming.present()) return;
  const Turning turning = MakeTurning(*parts.rows, incoming.layout,
                                      *incoming.transform, Direction::kForward);
  RowsJob job = MakeJob(turning, incoming.view, incoming.cache_view);
  job.in_place = false;
  job.out_slots = &parts.slots;
  // Slots may be anywhere: there is no inner dimension but the heads.
  job.tile = 1;
  job.tiles = job.tokens;
  jobs->Add(job);
}

void AddQueries(const WriteParts& parts, Jobs* jobs) noexcept {
  const CacheWrite& write = *parts.write;
  const HeadsView& q = write.q;
  if (q.heads == 0 || q.tokens == 0 || q.batch == 0) return;
  const Turning turning = MakeTurning(*parts.rows, write.q_layout,
                                      write.q_transform, Direction::kForward);
  if (turning.changes()) jobs->Add(MakeJob(turning, q, q));
}

}  // namespace
}  // namespace internal

Status RotateIntoCache(const AngleRows& rows, const CacheWrite& write,
                       const Slots& slots, Parallel parallel) noexcept {
  const internal::WriteParts parts = internal::PartsOf(rows, write, slots);
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateParallel(parallel));
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateWrite(parts));
  internal::Jobs jobs;
  internal::AddIncoming(parts, parts.k, &jobs);
  internal::AddIncoming(parts, parts.v, &jobs);
  internal::AddQueries(parts, &jobs);
  jobs.Split(parallel);
  return Status();
}

}  // namespace ropewalk
