// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/cached_keys.h"

#include "cache/cache_view.h"
#include "parallel/parallel_for.h"
#include "status/error.h"

namespace ropewalk::internal {

Status ValidateKeys(const RotaryLayout& layout, const KvCacheView& cache,
                    ByteRange* range) noexcept {
  ROPEWALK_RETURN_IF_ERROR(ValidateLayout(layout));
  if (layout.head_dim != cache.head_dim) {
    return Error(StatusCode::kInvalidArgument,
                 "head_dim = %d: must be that of k_cache, %d", layout.head_dim,
                 cache.head_dim);
  }
  if (ChangesPairing(layout)) {
    return Error(StatusCode::kInvalidArgument,
                 "output_pairing = %d: must be unset or pairing = %d: keys in "
                 "a cache keep their pairing",
                 static_cast<int>(*layout.output_pairing),
                 static_cast<int>(layout.pairing));
  }
  return ValidateCache(cache, "k_cache", range);
}

Status ValidateKeyRows(const AngleRows& rows, const RotaryLayout& layout,
                       int64_t slots) noexcept {
  if (rows.rows() != 1 && rows.rows() != slots) {
    return Error(StatusCode::kInvalidArgument,
                 "rows = %lld: must be 1, or one a slot, %lld",
                 static_cast<long long>(rows.rows()),
                 static_cast<long long>(slots));
  }
  if (rows.heads() != 1) {
    return Error(StatusCode::kInvalidArgument,
                 "rows of %d heads: must be of 1; cached keys turn by angles, "
                 "which rows of a table with heads are not",
                 rows.heads());
  }
  return ValidatePairs(rows, layout);
}

Status ValidateShiftRows(const AngleRows& rows, const RotaryLayout& layout,
                         int64_t slots) noexcept {
  ROPEWALK_RETURN_IF_ERROR(ValidateKeyRows(rows, layout, slots));
  for (int64_t row = 0; row < rows.rows(); ++row) {
    if (rows.attention_factor(row) == 1.0) continue;
    return Error(StatusCode::kInvalidArgument,
                 "rows: row %lld has attention_factor = %g, must be 1, which "
                 "FillRotation makes it: cached keys contain theirs",
                 static_cast<long long>(row), rows.attention_factor(row));
  }
  return Status();
}

Status ValidateWindow(const Frequencies& frequencies,
                      const RotaryLayout& layout) noexcept {
  const int64_t pairs = int64_t{layout.first_pair} + layout.rotary_dim / 2;
  if (static_cast<int64_t>(frequencies.inv_freq.size()) >= pairs) {
    return Status();
  }
  return Error(StatusCode::kInvalidArgument,
               "first_pair = %d, rotary_dim = %d: the table has %zu pairs, "
               "%lld are needed",
               layout.first_pair, layout.rotary_dim,
               frequencies.inv_freq.size(), static_cast<long long>(pairs));
}

RowsJob MakeCacheJob(const AngleRows& rows, const RotaryLayout& layout,
                     const HeadsView& cache, const SlotReader& from,
                     const SlotReader& to) noexcept {
  RowsJob job{};
  job.rows = &rows;
  job.row_steps = {0, rows.rows() == 1 ? 0 : 1};
  job.layout = &layout;
  job.in = &cache;
  job.out = &cache;
  job.tensors = 1;
  job.in_slots = &from;
  job.out_slots = &to;
  job.batch = 1;
  job.tokens = from.count();
  job.heads = cache.heads;
  job.direction = Direction::kForward;
  job.tile = 1;
  job.tiles = job.tokens;
  return job;
}

Status TurnKeysBy(RowsRule rule, const AngleRows& rows,
                  const RotaryLayout& layout, const KvCacheView& cache,
                  const SlotReader& slots, const Parallel& parallel) noexcept {
  ByteRange range;
  ROPEWALK_RETURN_IF_ERROR(ValidateParallel(parallel));
  ROPEWALK_RETURN_IF_ERROR(ValidateKeys(layout, cache, &range));
  ROPEWALK_RETURN_IF_ERROR(ValidateKeySlots(cache, "slots", slots));
  if (range.empty() || layout.rotary_dim == 0) return Status();
  ROPEWALK_RETURN_IF_ERROR(rule(rows, layout, slots.count()));
  TurnKeys(rows, layout, cache, slots, parallel);
  return Status();
}

void TurnKeys(const AngleRows& rows, const RotaryLayout& layout,
              const KvCacheView& cache, const SlotReader& slots,
              const Parallel& parallel) noexcept {
  const HeadsView view = ViewOf(cache);
  RowsJob job = MakeCacheJob(rows, layout, view, slots, slots);
  job.in_place = true;
  ParallelFor(parallel, Units(job), Grain(job),
              [&](int64_t begin, int64_t end) { RotateRows(job, begin, end); });
}

}  // namespace ropewalk::internal
