// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// KV caches and slots from a fuzzer's bytes, with their shadows.
#pragma once
#include <cstdint>
#include <vector>

#include "fuzz/draw_heads.h"
#include "ropewalk/c/kv_cache.h"

namespace ropewalk::fuzz {

class DrawnCache {
 public:
  DrawnCache(Draw* draw, int32_t heads, int32_t head_dim, const Part& part,
             const Arena& arena);

  const ropewalk_kv_cache* get() const { return c_.get(); }
  const ropewalk_kv_cache& value() const { return c_.value(); }
  const Verdict& verdict() const { return verdict_; }
  const Shadow& shadow() const { return shadow_; }
  int64_t capacity() const { return capacity_; }
  bool Has(int64_t slot) const { return slot >= 0 && slot < capacity_; }
  uint8_t* Head(int64_t slot, int64_t head) const {
    return shadow_.heads[static_cast<size_t>(slot * value().heads + head)];
  }

 private:
  Sized<ropewalk_kv_cache> c_;
  Verdict verdict_;
  Shadow shadow_;
  int64_t capacity_ = 0;
};

class DrawnSlots {
 public:
  // So many slots, mostly, of a cache of that capacity.
  DrawnSlots(Draw* draw, int64_t count, int64_t capacity);

  const ropewalk_slots* get() const { return c_.get(); }
  int64_t count() const { return c_.value().count; }
  int64_t At(int64_t i) const;
  // Of the struct alone.
  const Verdict& verdict() const { return verdict_; }
  // Of the slots, in a cache that has heads.
  Verdict Judge(int64_t capacity) const;
  bool HasDuplicates() const;

 private:
  std::vector<int32_t> int32_;
  std::vector<int64_t> int64_;
  Sized<ropewalk_slots> c_;
  Verdict verdict_;
};

// The rules of heads that turn by rows: how many rows, pairs, and heads.
Verdict JudgePairs(const ropewalk_angle_rows* rows,
                   const ropewalk_rotary_layout& layout);

}  // namespace ropewalk::fuzz
