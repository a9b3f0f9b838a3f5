// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Weights that were trained for one pairing, made ready for the other.
#pragma once
#include <cstdint>

#include "ropewalk/export.h"
#include "ropewalk/parallel.h"
#include "ropewalk/status.h"
#include "ropewalk/types.h"

namespace ropewalk {

/// A Q or K projection as checkpoints store it: output dims by input dims,
/// [heads, head_dim, columns]. A bias has one column.
///
/// Units:     row_stride in bytes, 0 for rows without gaps; columns elements.
struct ProjectionView {
  void* data = nullptr;
  DataType type = DataType::kF32;
  int64_t heads = 0;
  int64_t columns = 0;
  int64_t row_stride = 0;
};

/// Re-orders the rows of each head in place, so that a model that was rotated
/// with layout.pairing can be rotated with `pairing`, and q . k stays the
/// same; both Q and K must be permuted, or neither. The same pairing changes
/// nothing. Rows outside the rotary window keep their place.
///
/// Requires:  layout.pair_distance 0 or rotary_dim / 2: else both pairings do
///            not cover the same rows. Its output_pairing plays no part.
/// Errors:    kInvalidArgument, kOutOfRange; on an error nothing is written.
/// Threads:   safe on disjoint weights; allocates nothing.
/// Source:    the permutation of HF's Llama conversion, per head.
ROPEWALK_EXPORT Status PermutePairing(
    const ProjectionView& projection, const RotaryLayout& layout,
    Pairing pairing, Parallel parallel = Parallel::Serial()) noexcept;

}  // namespace ropewalk
