// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/draw_cache.h"

#include <algorithm>

namespace ropewalk::fuzz {
namespace {

constexpr auto kInvalid = ROPEWALK_INVALID_ARGUMENT;

Tensor TensorOf(const ropewalk_kv_cache& cache) {
  Tensor tensor;
  tensor.data = cache.data;
  tensor.type = cache.type;
  tensor.batch = cache.blocks;
  tensor.tokens = cache.block_size;
  tensor.heads = cache.heads;
  tensor.batch_stride = cache.block_stride;
  tensor.token_stride = cache.slot_stride;
  tensor.head_stride = cache.head_stride;
  return tensor;
}

}  // namespace

DrawnCache::DrawnCache(Draw* draw, int32_t heads, int32_t head_dim,
                       const Part& part, const Arena& arena) {
  const Sizes sizes = {draw->In(0, 4), draw->In(1, 8), heads};
  const Tensor tensor = DrawTensor(draw, sizes, head_dim, DrawType(draw), part);
  ropewalk_kv_cache cache = ROPEWALK_KV_CACHE_INIT;
  cache.type = tensor.type;
  cache.data = tensor.data;
  cache.blocks = tensor.batch;
  cache.block_size = tensor.tokens;
  cache.heads = tensor.heads;
  cache.block_stride = tensor.batch_stride;
  cache.slot_stride = tensor.token_stride;
  cache.head_stride = tensor.head_stride;
  cache.head_dim = draw->Value(head_dim);
  cache.reserved = draw->Value(0);
  c_ = Sized<ropewalk_kv_cache>(draw, cache, &verdict_);
  const Tensor given = TensorOf(cache);
  shadow_ = Inspect(given, cache.head_dim, arena);
  shadow_.RequireDistinct(given);
  verdict_.MustIf(cache.reserved != 0, ROPEWALK_UNSUPPORTED);
  verdict_.MustIf(cache.head_dim <= 0, kInvalid);
  verdict_.Add(shadow_.verdict);
  if (verdict_.MustFail() || shadow_.leaves) return;
  // Of a cache without heads the product may be any.
  if (cache.heads != 0) {
    capacity_ = cache.blocks * cache.block_size;
  }
}

DrawnSlots::DrawnSlots(Draw* draw, int64_t count, int64_t capacity) {
  ropewalk_slots slots = ROPEWALK_SLOTS_INIT;
  slots.count = draw->Rarely() ? draw->In(0, 9) : std::min(count, INT64_C(99));
  slots.count = std::max(slots.count, int64_t{0});
  slots.kind = draw->Int(1, 3);
  const int64_t room = std::max(capacity, int64_t{1});
  const int64_t first = draw->In(0, room - 1);
  const int64_t step = draw->Flag() ? 1 : room - 1;
  for (int64_t i = 0; i < slots.count; ++i) {
    int64_t slot = draw->Size((first + i * step) % room);
    if (draw->In(0, 7) == 7) slot = draw->Flag() ? -1 : draw->In(0, room - 1);
    int64_.push_back(slot);
    int32_.push_back(static_cast<int32_t>(slot));
  }
  int32_.shrink_to_fit();
  int64_.shrink_to_fit();
  slots.first = std::max(room - slots.count, int64_t{0});
  if (slots.kind == ROPEWALK_SLOTS_INT32) slots.slots = int32_.data();
  if (slots.kind == ROPEWALK_SLOTS_INT64) slots.slots = int64_.data();
  const bool range = slots.kind == ROPEWALK_SLOTS_RANGE;
  // An array has as many slots as it says: that is the caller's contract.
  if (range) {
    slots.first = draw->Size(slots.first);
    slots.count = draw->Size(slots.count);
  } else if (draw->Rarely()) {
    slots.count = draw->Pick<int64_t>({-1, INT64_MIN});
  } else if (draw->Rarely()) {
    slots.slots = nullptr;
  }
  if (draw->Rarely()) slots.kind = draw->Pick<int32_t>({0, 4, -1, 259});
  verdict_.MustIf(slots.kind < 1 || slots.kind > 3, kInvalid);
  verdict_.MustIf(range && slots.first < 0, kInvalid);
  c_ = Sized<ropewalk_slots>(draw, slots, &verdict_);
}

int64_t DrawnSlots::At(int64_t i) const {
  const ropewalk_slots& slots = c_.value();
  const auto at = static_cast<size_t>(i);
  if (slots.kind == ROPEWALK_SLOTS_INT32) return int32_[at];
  if (slots.kind == ROPEWALK_SLOTS_INT64) return int64_[at];
  // Of ranges that must be refused it may pass int64.
  return static_cast<int64_t>(static_cast<uint64_t>(slots.first) + at);
}

Verdict DrawnSlots::Judge(int64_t capacity) const {
  Verdict verdict;
  const ropewalk_slots& slots = c_.value();
  verdict.MustIf(slots.count < 0, kInvalid);
  if (verdict_.MustFail() || slots.count <= 0) return verdict;
  if (slots.kind == ROPEWALK_SLOTS_RANGE) {
    const auto end = static_cast<__int128>(slots.first) + slots.count;
    verdict.MustIf(end > capacity, ROPEWALK_OUT_OF_RANGE);
    return verdict;
  }
  verdict.MustIf(slots.slots == nullptr, kInvalid);
  for (int64_t i = 0; i < slots.count; ++i) {
    // With null they are not looked at.
    verdict.MustIf(At(i) < -1, kInvalid);
    verdict.MustIf(At(i) >= capacity, ROPEWALK_OUT_OF_RANGE);
  }
  return verdict;
}

bool DrawnSlots::HasDuplicates() const {
  if (c_.value().kind == ROPEWALK_SLOTS_RANGE) return false;
  std::vector<int64_t> sorted;
  for (int64_t i = 0; i < count(); ++i) {
    if (At(i) != -1) sorted.push_back(At(i));
  }
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

Verdict JudgePairs(const ropewalk_angle_rows* rows,
                   const ropewalk_rotary_layout& layout) {
  Verdict verdict;
  verdict.MustIf(int64_t{layout.first_pair} + layout.rotary_dim / 2 >
                     ropewalk_angle_rows_pairs(rows),
                 kInvalid);
  return verdict;
}

}  // namespace ropewalk::fuzz
