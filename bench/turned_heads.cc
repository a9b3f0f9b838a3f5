// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/turned_heads.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "ropewalk/angles.h"
#include "ropewalk/rotate.h"

namespace ropewalk::bench {
namespace {

void Require(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "failed: %s\n", status.message());
  std::exit(1);
}

// Position 0 is left out: its row turns nothing.
AngleRows RowsOf(int64_t token, int64_t count) {
  static AngleCache cache{AngleCacheOptions{}};
  RopeParameters parameters;
  parameters.rotary_dim = 128;
  const auto table =
      cache.Get(parameters, /*sequence_length=*/0, AngleOptions{});
  Require(table.status());
  AngleRows rows;
  Require(table.value()->Fill(Positions::Consecutive(1 + token, count), &rows));
  return rows;
}

}  // namespace

TurnedHeads::TurnedHeads(DataType type, int64_t bytes, bool heads_first)
    : memory_(bytes) {
  shape_.type = type;
  shape_.tokens = bytes / (shape_.Heads() * shape_.HeadBytes());
  shape_.heads_first = heads_first;
  layout_.head_dim = shape_.head_dim;
  layout_.rotary_dim = shape_.rotary_dim;
  rows_ = RowsOf(0, shape_.tokens);
}

HeadsView TurnedHeads::View() {
  return ViewOf(shape_, memory_.data(), shape_.query_heads);
}

void TurnedHeads::Turn(Parallel parallel) {
  RotateOptions options;
  options.parallel = parallel;
  Require(Rotate(rows_, layout_, {View()}, options));
}

std::vector<AngleRows> TurnedHeads::RowsOfTiles(int64_t tile) const {
  std::vector<AngleRows> tiles;
  for (int64_t token = 0; token < shape_.tokens; token += tile) {
    tiles.push_back(RowsOf(token, std::min(tile, shape_.tokens - token)));
  }
  return tiles;
}

void TurnedHeads::TurnTiles(const std::vector<AngleRows>& tiles,
                            bool call_each_head) {
  HeadsView view = View();
  if (call_each_head) view.heads = 1;
  int64_t token = 0;
  for (const AngleRows& rows : tiles) {
    view.tokens = rows.rows();
    for (int64_t head = 0; head < shape_.Heads(); head += view.heads) {
      view.data =
          memory_.data() + token * view.token_stride + head * view.head_stride;
      Require(Rotate(rows, layout_, {view}, RotateOptions{}));
    }
    token += rows.rows();
  }
}

}  // namespace ropewalk::bench
