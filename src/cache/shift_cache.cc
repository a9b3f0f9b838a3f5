// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/cached_keys.h"
#include "ropewalk/kv_cache.h"

namespace ropewalk {

Status ShiftCache(const AngleRows& rows, const RotaryLayout& layout,
                  const KvCacheView& k_cache, const Slots& slots,
                  Parallel parallel) noexcept {
  return internal::TurnKeysBy(internal::ValidateShiftRows, rows, layout,
                              k_cache, internal::SlotReader(slots), parallel);
}

}  // namespace ropewalk
