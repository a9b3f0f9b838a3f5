// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the calls on cached keys share: their rules, and the job from slots to
// slots.
#pragma once
#include "ropewalk/frequencies.h"
#include "ropewalk/kv_cache.h"
#include "rotate/rows.h"
#include "rotate/slot_reader.h"
#include "rotate/validate.h"

namespace ropewalk::internal {

// Layout and cache of calls on cached keys.
Status ValidateKeys(const RotaryLayout& layout, const KvCacheView& cache,
                    ByteRange* range) noexcept;

// Whether the window's pairs exist.
Status ValidateWindow(const Frequencies& frequencies,
                      const RotaryLayout& layout) noexcept;

// Whether the rows are one for all slots or one each.
Status ValidateKeyRows(const AngleRows& rows, const RotaryLayout& layout,
                       int64_t slots) noexcept;

// And whether they are pure rotations.
Status ValidateShiftRows(const AngleRows& rows, const RotaryLayout& layout,
                         int64_t slots) noexcept;

// The job of cached keys, from slots to as many slots. Borrows everything.
RowsJob MakeCacheJob(const AngleRows& rows, const RotaryLayout& layout,
                     const HeadsView& cache, const SlotReader& from,
                     const SlotReader& to) noexcept;

// Validates all of a call, its rows by the rule, and turns the keys.
using RowsRule = Status (*)(const AngleRows& rows, const RotaryLayout& layout,
                            int64_t slots);
Status TurnKeysBy(RowsRule rule, const AngleRows& rows,
                  const RotaryLayout& layout, const KvCacheView& cache,
                  const SlotReader& slots, const Parallel& parallel) noexcept;

// Turns the keys of a valid call in place.
void TurnKeys(const AngleRows& rows, const RotaryLayout& layout,
              const KvCacheView& cache, const SlotReader& slots,
              const Parallel& parallel) noexcept;

}  // namespace ropewalk::internal
