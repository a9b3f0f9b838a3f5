// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A buffer of heads that are turned in place, whole, by shares or by tiles.
#pragma once
#include <cstdint>
#include <vector>

#include "bench/pair_benchmark.h"
#include "bench/rotate_shape.h"
#include "ropewalk/angle_rows.h"
#include "ropewalk/parallel.h"
#include "ropewalk/types.h"

namespace ropewalk::bench {

// Zeros: they stay, and cost what other numbers do. Where a call fails, the
// program says why and ends.
class TurnedHeads {
 public:
  // [tokens, 32, 128], or [32, tokens, 128] with heads first.
  TurnedHeads(DataType type, int64_t bytes, bool heads_first);

  int64_t bytes() const { return shape_.BytesRead(); }
  const unsigned char* data() { return memory_.data(); }

  void Turn(Parallel parallel);

  // The rows of tiles of so many tokens.
  std::vector<AngleRows> RowsOfTiles(int64_t tile) const;
  // All heads of a tile in one call, which goes through them one by one up to
  // the library's own tile, or a call for each head.
  void TurnTiles(const std::vector<AngleRows>& tiles, bool call_each_head);

 private:
  HeadsView View();

  Shape shape_;
  RotaryLayout layout_;
  Memory memory_;
  AngleRows rows_;
};

}  // namespace ropewalk::bench
