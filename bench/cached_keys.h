// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls on the keys of a paged bf16 cache, and their bound.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/pair_benchmark.h"
#include "ropewalk/angle_rows.h"
#include "ropewalk/angles.h"
#include "ropewalk/kv_cache.h"
#include "ropewalk/status.h"

namespace ropewalk::bench {

enum class KeysCall { kShift, kMove, kRerotate };

struct KeysShape {
  KeysCall call = KeysCall::kShift;
  int64_t slots = 256;
  bool row_each = false;  // Else one row for all slots.
  int threads = 1;        // 2: Parallel::Tbb() in an arena of two.

  int64_t BytesReadAndWritten() const;
};

std::string NameOf(const KeysShape& shape);

class CachedKeys {
 public:
  // A shift and a new table take all slots in order; a move takes as many, at
  // random, of a cache of twice the size to the others.
  explicit CachedKeys(const KeysShape& shape);

  // Of the last call that was made.
  const Status& status() const { return status_; }

  // With ordinary numbers.
  void Fill() const;
  void Run();
  // An XOR in place, or the copy of a move, of as many bytes by as many
  // threads.
  void RunBound() const;

 private:
  Status MakeTables();
  void MakeMoves();

  KeysShape shape_;
  RotaryLayout layout_;
  KvCacheView cache_;
  Parallel parallel_;
  AngleRows rows_;
  std::shared_ptr<const AngleTable> table_, other_table_;
  std::vector<int64_t> from_, to_;
  Status status_;
};

}  // namespace ropewalk::bench
