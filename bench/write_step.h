// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// One layer's step, from float32 activations into a paged bf16 cache: by
// RotateIntoCache, and by the passes that an engine makes without it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "bench/pair_benchmark.h"
#include "ropewalk/angle_rows.h"
#include "ropewalk/kv_cache.h"
#include "ropewalk/rotate.h"
#include "ropewalk/status.h"

namespace ropewalk::bench {

// The heads are those of a layer of Llama-3-8B.
struct WriteShape {
  bool prefill = false;  // One sequence from position 0, else one token each.
  int64_t tokens = 1;
  bool norm = false;  // RMS norm of Q and K, as Qwen3's.
  int64_t query_heads = 32;
  int64_t key_heads = 8;  // And as many of V.

  int64_t QueryBytes() const;           // Float32.
  int64_t KeyBytes() const;             // Float32; V's are as many.
  int64_t BytesReadAndWritten() const;  // By the step in one pass.
};

std::string NameOf(const WriteShape& shape);

class WriteStep {
 public:
  // Numbers in [-1, 1); sequences at random positions below 131072, tokens in
  // random slots, pages of them in a prefill.
  explicit WriteStep(const WriteShape& shape);

  // Of the last call that was made.
  const Status& status() const { return status_; }

  void RunFused();
  // Norm of Q in place and of K into a buffer, rotation of both in place,
  // conversion of K and V to bf16, and their rows into the caches: each a
  // vectorised pass of this library, or memcpy.
  void RunSeparate();
  // Reads and writes what the fused call does.
  void RunBound();

 private:
  void MakeRows();
  void MakeSlots();
  void Check(const Status& status);
  void Norm(const HeadsView& in, const HeadsView& out,
            const HeadTransform& transform);
  void Convert(const HeadsView& in, const HeadsView& out);
  // From converted rows into the cache.
  void Scatter(const HeadsView& from, const KvCacheView& cache);

  WriteShape shape_;
  Memory q_memory_, k_memory_, v_memory_, weight_memory_;
  Memory normed_memory_, converted_memory_;
  Memory k_cache_memory_, v_cache_memory_;
  HeadsView q_, k_, v_, normed_, converted_;
  ConstHeadsView k_in_, v_in_;
  RotaryLayout layout_, still_;
  HeadTransform transform_;
  CacheWrite write_;
  AngleRows rows_;
  std::vector<int64_t> slots_;
  Status status_;
};

}  // namespace ropewalk::bench
