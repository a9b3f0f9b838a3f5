// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Positions that some attentions use in the place of a token's own.
#pragma once
#include <cstdint>

#include "ropewalk/export.h"
#include "ropewalk/positions.h"
#include "ropewalk/status.h"

namespace ropewalk {

/// The lengths of dual chunk attention. Tokens stand in chunks of
/// chunk_size - local_size; a query that is not critical is never further than
/// chunk_size from a key.
///
/// Requires:  0 <= local_size < chunk_size <= 2^62. Qwen2.5-1M: 262144 and
///            8192.
struct DualChunk {
  int64_t chunk_size = 0;
  int64_t local_size = 0;
};

/// Where the positions of keys and queries go; null: not wanted. For a token
/// at p, with n = chunk_size - local_size:
///
/// Shape:     each [positions].
struct DualChunkIds {
  int64_t* key = nullptr;               ///< p mod n
  int64_t* query_intra = nullptr;       ///< p mod n: keys of its own chunk
  int64_t* query_successive = nullptr;  ///< min(p mod n + n, chunk_size):
                                        ///< keys of the chunk before
  int64_t* query_inter = nullptr;       ///< min(2 n - 1, chunk_size) for
                                        ///< every p: older keys
  int64_t* query_successive_critical = nullptr;  ///< p mod n + n
  int64_t* query_inter_critical = nullptr;       ///< p mod n + chunk_size
};

/// Writes the positions with which dual chunk attention rotates keys, and
/// queries once a kind of chunk; all of them turn by the same table. The
/// critical ones, which are not clamped, choose blocks of sparse attention.
///
/// Requires:  positions are integers >= 0 of one component.
/// Aliasing:  the arrays share no element with each other or the positions.
/// Errors:    kInvalidArgument; kOutOfRange: more positions than any array
///            holds. On an error nothing is written.
/// Threads:   safe on disjoint outputs; allocates nothing.
/// Source:    An et al. 2024, arXiv:2402.17463; vLLM's rotary embedding for
///            Qwen2.5-1M.
ROPEWALK_EXPORT Status DualChunkPositions(const Positions& positions,
                                          const DualChunk& chunk,
                                          const DualChunkIds& ids) noexcept;

}  // namespace ropewalk
