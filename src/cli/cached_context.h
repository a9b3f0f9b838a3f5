// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// One layer's paged bf16 cache of a sequence: written token by token, as an
// engine decodes, and shifted once it is full.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cli/step.h"
#include "ropewalk/angle_rows.h"
#include "ropewalk/angles.h"
#include "ropewalk/kv_cache.h"
#include "ropewalk/status.h"

namespace ropewalk::cli {

class CachedContext {
 public:
  // Room for so many tokens, whose blocks lie anywhere.
  CachedContext(const HeadsShape& shape, int64_t tokens);

  // The float32 keys before their rotation.
  const Step& activations() const { return keys_; }
  int64_t tokens() const { return keys_.tokens(); }

  // Writes all tokens, the first one at position 0.
  Status Decode(const AngleTable& table);
  // Writes one token again, by the rows of its position.
  Status Write(int64_t token, const AngleRows& rows);
  // Shifts tokens [first, tokens) by a row.
  Status Shift(const AngleRows& rows, int64_t first);

  // Keys of tokens [first, tokens).
  Step Read(int64_t first) const;
  // Memory of the keys, and the bytes of those of some tokens.
  void* data() { return key_memory_.data(); }
  size_t KeyBytes(int64_t tokens) const {
    return static_cast<size_t>(tokens * key_cache_.slot_stride);
  }

 private:
  struct alignas(64) Line {
    unsigned char bytes[64];
  };

  KvCacheView CacheOf(std::vector<Line>* memory) const;

  HeadsShape shape_;
  Step queries_, values_;  // of one token
  Step keys_;
  std::vector<Line> key_memory_, value_memory_;
  KvCacheView key_cache_, value_cache_;
  std::vector<int32_t> slots_;  // one a token
};

}  // namespace ropewalk::cli
