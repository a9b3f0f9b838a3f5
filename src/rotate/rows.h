// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the front (validation, splitting) hands to the kernels.
#pragma once
#include <cstdint>

#include "ropewalk/angle_rows.h"
#include "ropewalk/rotate.h"
#include "ropewalk/types.h"

namespace ropewalk::internal {

// Half pairing: dims between the members of a pair.
inline int PairDistance(const RotaryLayout& layout) {
  return layout.pair_distance != 0 ? layout.pair_distance
                                   : layout.rotary_dim / 2;
}

// How many tensors share a job: Q, K and some to spare.
constexpr int kMaxTensors = 8;

// The rotation of tensors of one type, batch and tokens, such as Q and K, in
// the terms of the kernels; valid. The heads of a token count through all of
// them, so that its cos and sin are loaded once.
struct RowsJob {
  const AngleRows* rows;
  const RotaryLayout* layout;
  const HeadsView* in;   // [tensors], only read
  const HeadsView* out;  // [tensors]
  int tensors;           // at most kMaxTensors
  int64_t heads;         // of all tensors
  Direction direction;
  bool in_place;
  bool rows_per_batch;  // else the batch shares the rows
  // The unit of work is one head of `tile` consecutive tokens. Units count
  // through heads, then tiles, then batch, so that they follow memory where
  // heads are the inner dimension (tile 1); where tokens are, a tile keeps its
  // angle rows in L1 while it passes from head to head.
  int64_t tile;
  int64_t tiles;  // ceil(tokens / tile)
};

inline int64_t Units(const RowsJob& job) {
  if (job.heads == 0 || job.tiles == 0) return 0;  // the others may be any size
  return job.in->batch * job.tiles * job.heads;
}

// Rotates units [begin, end). One function, and one file, per input type.
void RotateRowsF32(const RowsJob& job, int64_t begin, int64_t end);
void RotateRowsBF16(const RowsJob& job, int64_t begin, int64_t end);
void RotateRowsF16(const RowsJob& job, int64_t begin, int64_t end);

}  // namespace ropewalk::internal
