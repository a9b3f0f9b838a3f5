// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the front (validation, splitting) hands to the kernels.
#pragma once
#include <cstdint>

#include "ropewalk/angle_rows.h"
#include "ropewalk/head_transform.h"
#include "ropewalk/rotate.h"
#include "ropewalk/types.h"
#include "rotate/slot_reader.h"

namespace ropewalk::internal {

// Half pairing: dims between the members of a pair.
inline int PairDistance(const RotaryLayout& layout) {
  return layout.pair_distance != 0 ? layout.pair_distance
                                   : layout.rotary_dim / 2;
}

// Whether pairs are written elsewhere than where they are read.
inline bool ChangesPairing(const RotaryLayout& layout) {
  return layout.output_pairing.has_value() &&
         *layout.output_pairing != layout.pairing && layout.rotary_dim != 0;
}

// How many tensors share a job: Q, K and some to spare.
constexpr int kMaxTensors = 8;

// Which row turns a token: one for all, one a token, or one a token of each
// batch.
struct RowSteps {
  int64_t batch;
  int64_t token;
};

// The rotation of tensors of one type, batch and tokens, such as Q and K, in
// the terms of the kernels; valid. The heads of a token count through all of
// them, so that its cos and sin are loaded once.
//
// A cache is a tensor whose batch are its blocks and whose tokens their slots;
// SlotReader says which of them a token of the job is.
struct RowsJob {
  // The token that comes i-th.
  int64_t TokenAt(int64_t i) const { return order == nullptr ? i : order[i]; }

  const AngleRows* rows;
  RowSteps row_steps;
  const RotaryLayout* layout;
  const HeadTransform* transform;  // null: none
  const HeadsView* in;             // [tensors], only read
  const HeadsView* out;            // [tensors]
  int tensors;                     // at most kMaxTensors
  const SlotReader* in_slots;      // null: in is not a cache
  const SlotReader* out_slots;
  const int64_t* order;  // which token is the next; null: as they come
  int64_t batch;
  int64_t tokens;
  int64_t heads;  // of all tensors
  Direction direction;
  bool in_place;  // an identity row has nothing to do
  bool buffered;  // a transform, or a change of pairing
  // The unit of work is one head of `tile` consecutive tokens. Units count
  // through heads, then tiles, then batch, so that they follow memory where
  // heads are the inner dimension (tile 1); where tokens are, a tile keeps its
  // angle rows in L1 while it passes from head to head.
  int64_t tile;
  int64_t tiles;  // ceil(tokens / tile)
};

inline int64_t Units(const RowsJob& job) {
  if (job.heads == 0 || job.tiles == 0) return 0;  // the others may be any size
  return job.batch * job.tiles * job.heads;
}

// Rotates units [begin, end). One function, and one file, per input type.
void RotateRowsF32(const RowsJob& job, int64_t begin, int64_t end);
void RotateRowsBF16(const RowsJob& job, int64_t begin, int64_t end);
void RotateRowsF16(const RowsJob& job, int64_t begin, int64_t end);

// The job of each head of the rows in turn, of the heads that take it. The
// units count through one after the other.
void RotateByRowHeads(const RowsJob& job, int64_t begin, int64_t end);

// The one of the job's input type.
inline void RotateRows(const RowsJob& job, int64_t begin, int64_t end) {
  if (job.rows->heads() != 1) return RotateByRowHeads(job, begin, end);
  switch (job.in->type) {
    case DataType::kF32:
      return RotateRowsF32(job, begin, end);
    case DataType::kBF16:
      return RotateRowsBF16(job, begin, end);
    case DataType::kF16:
      return RotateRowsF16(job, begin, end);
  }
}

// The fewest units that are worth a task of their own.
int64_t Grain(const RowsJob& job) noexcept;

}  // namespace ropewalk::internal
