// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A cache as the kernels take it: a tensor whose batch are the blocks and whose
// tokens the slots.
#pragma once
#include "ropewalk/kv_cache.h"
#include "rotate/overlap.h"
#include "rotate/slot_reader.h"
#include "rotate/validate.h"

namespace ropewalk::internal {

HeadsView ViewOf(const KvCacheView& cache) noexcept;

// Whether every element can be addressed and no two slots share one. Sets where
// the cache lies.
Status ValidateCache(const KvCacheView& cache, const char* name,
                     ByteRange* range) noexcept;

// Whether every slot is -1 or in the cache, which is valid.
Status ValidateSlots(const KvCacheView& cache, const char* name,
                     const SlotReader& slots) noexcept;

// Whether the cache leaves alone what a call reads beside it.
Status ValidateApart(const ByteView& read, const KvCacheView& cache,
                     const char* cache_name) noexcept;

// Both, of slots of cached keys.
Status ValidateKeySlots(const KvCacheView& k_cache, const char* name,
                        const SlotReader& slots) noexcept;

}  // namespace ropewalk::internal
