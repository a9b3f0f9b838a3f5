// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory of an engine's KV cache in pages, and which pages belong to which
// sequence. The library sees views and slots only.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "model.h"
#include "ropewalk/angles.h"
#include "ropewalk/kv_cache.h"
#include "ropewalk/status.h"

namespace ropewalk::test {

// One sequence's tokens that are in the cache, in the order of their positions.
struct Sequence {
  int64_t tokens() const { return static_cast<int64_t>(slots.size()); }

  std::vector<int64_t> slots;      // [tokens]
  std::vector<int64_t> positions;  // [tokens], where each key stands
  int64_t next_position = 0;       // of the token that comes next
  std::vector<int64_t> block_table;
  int64_t unused_in_last_block = 0;
  std::vector<int64_t> vacant;  // slots whose token was evicted
  // The keys were rotated with it; null before the first step.
  std::shared_ptr<const AngleTable> table;
};

// BF16, one buffer a layer: [blocks, 2 (K, V), block_size, kv_heads, head_dim].
class PagedCache {
 public:
  PagedCache(const ModelShape& shape, int64_t blocks, int64_t block_size);

  KvCacheView Keys(int layer) { return View(layer, 0); }
  KvCacheView Values(int layer) { return View(layer, 1); }
  const uint16_t* Key(int layer, int64_t slot, int head) const {
    return buffer(layer) + Offset(slot, head, 0);
  }
  const uint16_t* Value(int layer, int64_t slot, int head) const {
    return buffer(layer) + Offset(slot, head, 1);
  }

  // A slot for the sequence's next token: a vacant one, or the next of its last
  // block, or the first of a new block.
  //
  // Errors:    kOutOfMemory: no block is free.
  Status TakeSlot(Sequence* sequence, int64_t* slot);
  // Gives all blocks back and empties the sequence.
  void Release(Sequence* sequence);
  int64_t free_blocks() const {
    return static_cast<int64_t>(free_blocks_.size());
  }

 private:
  const uint16_t* buffer(int layer) const {
    return buffers_[static_cast<size_t>(layer)].data();
  }
  int64_t Offset(int64_t slot, int head, int part) const;
  KvCacheView View(int layer, int part);

  int64_t blocks_;
  int64_t block_size_;
  int64_t heads_;
  int head_dim_;
  std::vector<std::vector<uint16_t>> buffers_;  // [layers]
  std::vector<int64_t> free_blocks_;            // the last one is taken next
};

}  // namespace ropewalk::test
