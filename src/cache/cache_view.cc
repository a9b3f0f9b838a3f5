// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/cache_view.h"

#include "rotate/overlap.h"
#include "status/error.h"

namespace ropewalk::internal {

HeadsView ViewOf(const KvCacheView& cache) noexcept {
  return {cache.data,        cache.type,       cache.blocks,
          cache.block_size,  cache.heads,      cache.block_stride,
          cache.slot_stride, cache.head_stride};
}

Status ValidateCache(const KvCacheView& cache, const char* name,
                     ByteRange* range) noexcept {
  if (cache.head_dim <= 0) {
    return Error(StatusCode::kInvalidArgument,
                 "%s.head_dim = %d: must be positive", name, cache.head_dim);
  }
  const TensorName as_cache = {name, -1, TensorKind::kCache};
  const HeadsView view = ViewOf(cache);
  if (IsUsualView(view, cache.head_dim, range)) return Status();
  ROPEWALK_RETURN_IF_ERROR(ValidateView(view, cache.head_dim, as_cache, range));
  if (range->empty()) return Status();
  return ValidateDistinctHeads({&view, cache.head_dim, as_cache});
}

// The product does not overflow: a view with heads can be addressed.
Status ValidateSlots(const KvCacheView& cache, const char* name,
                     const SlotReader& slots) noexcept {
  if (cache.heads == 0) return Status();
  return slots.Validate(name, cache.blocks * cache.block_size);
}

Status ValidateApart(const ByteView& read, const KvCacheView& cache,
                     const char* cache_name) noexcept {
  const HeadsView view = ViewOf(cache);
  if (view.batch == 0 || view.tokens == 0 || view.heads == 0) return Status();
  return ValidateApart(
      read, {&view, cache.head_dim, {cache_name, -1, TensorKind::kCache}});
}

Status ValidateKeySlots(const KvCacheView& k_cache, const char* name,
                        const SlotReader& slots) noexcept {
  ROPEWALK_RETURN_IF_ERROR(ValidateSlots(k_cache, name, slots));
  if (k_cache.heads == 0) return Status();  // slots of any number pass
  return ValidateApart(ByteView(slots.data(), slots.bytes(), name), k_cache,
                       "k_cache");
}

}  // namespace ropewalk::internal
