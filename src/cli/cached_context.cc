// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/cached_context.h"

#include <cstring>

namespace ropewalk::cli {
namespace {

constexpr int64_t kBlockSize = 16;  // vLLM's default.

HeadsShape OnlyQueries(HeadsShape shape) {
  shape.key_heads = 0;
  return shape;
}

HeadsShape OnlyKeys(HeadsShape shape) {
  shape.query_heads = 0;
  return shape;
}

}  // namespace

CachedContext::CachedContext(const HeadsShape& shape, int64_t tokens)
    : shape_(shape),
      queries_(OnlyQueries(shape), 1, DataType::kF32),
      values_(OnlyKeys(shape), 1, DataType::kF32),
      keys_(OnlyKeys(shape), tokens, DataType::kF32) {
  const int64_t blocks = (tokens + kBlockSize - 1) / kBlockSize;
  const int64_t bytes =
      blocks * kBlockSize * shape.key_heads * shape.layout.head_dim * 2;
  key_memory_.resize(static_cast<size_t>(bytes) / sizeof(Line) + 1);
  value_memory_.resize(key_memory_.size());
  key_cache_ = CacheOf(&key_memory_);
  value_cache_ = CacheOf(&value_memory_);
  // Blocks as a pool hands them out that was used before: the one after the
  // next, and so on, then the others.
  for (int64_t t = 0; t < tokens; ++t) {
    const int64_t index = 2 * (t / kBlockSize);
    const int64_t block =
        index < blocks ? index : (index - blocks) | int64_t{1};
    slots_.push_back(static_cast<int32_t>(block * kBlockSize + t % kBlockSize));
  }
}

KvCacheView CachedContext::CacheOf(std::vector<Line>* memory) const {
  KvCacheView cache;
  cache.data = memory->data();
  cache.blocks = (tokens() + kBlockSize - 1) / kBlockSize;
  cache.block_size = kBlockSize;
  cache.heads = shape_.key_heads;
  cache.head_dim = shape_.layout.head_dim;
  cache.head_stride = cache.head_dim * ElementSize(cache.type);
  cache.slot_stride = cache.heads * cache.head_stride;
  cache.block_stride = kBlockSize * cache.slot_stride;
  return cache;
}

Status CachedContext::Write(int64_t token, const AngleRows& rows) {
  const int head_dim = shape_.layout.head_dim;
  const int64_t heads = shape_.key_heads;
  const ConstHeadsView key =
      DenseHeads(static_cast<float*>(keys_.data()) + token * heads * head_dim,
                 1, heads, head_dim);
  const ConstHeadsView value =
      DenseHeads(static_cast<float*>(values_.data()), 1, heads, head_dim);
  CacheWrite write;
  write.q = DenseHeads(static_cast<float*>(queries_.data()), 1,
                       shape_.query_heads, head_dim);
  write.q_layout = write.k_layout = shape_.layout;
  write.k = &key;
  write.v = &value;
  write.k_cache = key_cache_;
  write.v_cache = value_cache_;
  return RotateIntoCache(rows, write, Slots(slots_.data() + token, 1),
                         Parallel::Serial());
}

Status CachedContext::Decode(const AngleTable& table) {
  AngleRows rows;
  for (int64_t t = 0; t < tokens(); ++t) {
    Status s = table.Fill(Positions::Consecutive(t, 1), &rows);
    if (s.ok()) s = Write(t, rows);
    if (!s.ok()) return s;
  }
  return Status();
}

Status CachedContext::Shift(const AngleRows& rows, int64_t first) {
  return ShiftCache(rows, shape_.layout, key_cache_,
                    Slots(slots_.data() + first, tokens() - first),
                    Parallel::Serial());
}

Step CachedContext::Read(int64_t first) const {
  Step step(OnlyKeys(shape_), tokens() - first, DataType::kBF16);
  const auto bytes = KeyBytes(1);
  const auto* const from = static_cast<const unsigned char*>(key_cache_.data);
  auto* to = static_cast<unsigned char*>(step.data());
  for (int64_t t = first; t < tokens(); ++t, to += bytes) {
    std::memcpy(to, from + KeyBytes(slots_[static_cast<size_t>(t)]), bytes);
  }
  return step;
}

}  // namespace ropewalk::cli
