// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "paged_cache.h"

#include "ropewalk/types.h"

namespace ropewalk::test {
namespace {

// What is never written reads as NaN, which no output survives.
constexpr uint16_t kNaN = 0x7FC1;

}  // namespace

PagedCache::PagedCache(const ModelShape& shape, int64_t blocks,
                       int64_t block_size)
    : blocks_(blocks),
      block_size_(block_size),
      heads_(shape.kv_heads),
      head_dim_(shape.head_dim) {
  const int64_t elements = blocks * 2 * block_size * heads_ * head_dim_;
  for (int layer = 0; layer < shape.layers; ++layer) {
    buffers_.emplace_back(static_cast<size_t>(elements), kNaN);
  }
  // Odd blocks come after even ones, so that neighbours in a sequence are no
  // neighbours in memory.
  for (const int64_t first : {1, 0}) {
    for (int64_t block = first; block < blocks; block += 2) {
      free_blocks_.push_back(block);
    }
  }
}

int64_t PagedCache::Offset(int64_t slot, int head, int part) const {
  const int64_t row =
      (slot / block_size_ * 2 + part) * block_size_ + slot % block_size_;
  return (row * heads_ + head) * head_dim_;
}

KvCacheView PagedCache::View(int layer, int part) {
  KvCacheView view;
  view.data = buffers_[static_cast<size_t>(layer)].data() + Offset(0, 0, part);
  view.type = DataType::kBF16;
  view.blocks = blocks_;
  view.block_size = block_size_;
  view.heads = heads_;
  view.head_dim = head_dim_;
  view.head_stride = head_dim_ * ElementSize(view.type);
  view.slot_stride = heads_ * view.head_stride;
  view.block_stride = 2 * block_size_ * view.slot_stride;
  return view;
}

Status PagedCache::TakeSlot(Sequence* sequence, int64_t* slot) {
  if (!sequence->vacant.empty()) {
    *slot = sequence->vacant.back();
    sequence->vacant.pop_back();
    return Status();
  }
  if (sequence->unused_in_last_block == 0) {
    if (free_blocks_.empty()) {
      return Status(StatusCode::kOutOfMemory, "cache: no block is free");
    }
    sequence->block_table.push_back(free_blocks_.back());
    free_blocks_.pop_back();
    sequence->unused_in_last_block = block_size_;
  }
  *slot = (sequence->block_table.back() + 1) * block_size_ -
          sequence->unused_in_last_block--;
  return Status();
}

void PagedCache::Release(Sequence* sequence) {
  free_blocks_.insert(free_blocks_.end(), sequence->block_table.begin(),
                      sequence->block_table.end());
  *sequence = Sequence{};
}

}  // namespace ropewalk::test
