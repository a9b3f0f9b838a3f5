/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Positions and slots of the tokens of one step, and what is computed from
 * positions: positions.h, slots.h, query_scale.h and position_transforms.h for
 * C. */
#ifndef ROPEWALK_C_POSITIONS_H_
#define ROPEWALK_C_POSITIONS_H_

#include <stdint.h>

#include "ropewalk/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  ROPEWALK_POSITIONS_INT32 = 1, /**< ids of int32_t. */
  ROPEWALK_POSITIONS_INT64 = 2,
  ROPEWALK_POSITIONS_DOUBLE = 3, /**< Their rows are computed directly. */
  /** first, first + 1, ... in every component. */
  ROPEWALK_POSITIONS_CONSECUTIVE = 4,
  /** count_each consecutive positions for each of `count` sequences, from
   *  ids[sequence] (int64_t) on. */
  ROPEWALK_POSITIONS_CONSECUTIVE_EACH = 5,
  ROPEWALK_POSITIONS_CONSTANT = 6 /**< first, for every token. */
};

/** Token positions, one angle row each. Borrowed until the call returns.
 *  Component c of token t (M-RoPE, vision) is
 *  ids[c * component_stride + t * token_stride].
 *
 *  Units:     positions count tokens; any int64 is legal. Strides in elements,
 *             of any sign.
 *  Requires:  components >= 1. */
typedef struct ropewalk_positions {
  uint32_t struct_size;
  int32_t kind; /**< ROPEWALK_POSITIONS_INT32, ...; must be set. */
  const void* ids;
  int64_t count; /**< Tokens; sequences of ..._CONSECUTIVE_EACH. */
  int32_t components;
  int64_t component_stride; /**< 0: all components the same. */
  int64_t token_stride;     /**< 0 stands for 1: one after the other. */
  int64_t first;
  int64_t count_each;
} ropewalk_positions;
#define ROPEWALK_POSITIONS_INIT \
  { sizeof(ropewalk_positions), 0, 0, 0, 1, 0, 1, 0, 0 }

enum {
  ROPEWALK_SLOTS_INT32 = 1, /**< slots of int32_t. */
  ROPEWALK_SLOTS_INT64 = 2,
  ROPEWALK_SLOTS_RANGE = 3 /**< first, first + 1, ... */
};

/** One cache slot a token; -1 skips the token. Slot s is slot s % block_size
 *  of block s / block_size. Borrowed until the call returns; not from memory
 *  that it writes. */
typedef struct ropewalk_slots {
  uint32_t struct_size;
  int32_t kind; /**< ROPEWALK_SLOTS_INT32, ...; must be set. */
  const void* slots;
  int64_t count;
  int64_t first;
} ropewalk_slots;
#define ROPEWALK_SLOTS_INIT \
  { sizeof(ropewalk_slots), 0, 0, 0, 0 }

enum {
  ROPEWALK_NO_QUERY_SCALE = 0, /**< 1 for every token. */
  /** Qwen-1: max(1, ln(position + 1) / ln(positions)). */
  ROPEWALK_LOG_N_SCALE = 1,
  /** Llama 4: 1 + beta ln(floor((position + 1) / positions) + 1). */
  ROPEWALK_LLAMA4_SCALE = 2,
  /** Mistral 3: 1 + beta ln(floor(position / positions) + 1). */
  ROPEWALK_MISTRAL3_SCALE = 3
};

/** By what some models multiply a query. query_scale.h has the rules. */
typedef struct ropewalk_query_scale {
  uint32_t struct_size;
  int32_t rule; /**< ROPEWALK_NO_QUERY_SCALE, ... */
  int64_t positions;
  double beta;
} ropewalk_query_scale;
#define ROPEWALK_QUERY_SCALE_INIT \
  { sizeof(ropewalk_query_scale), 0, 0, 0 }

/** Writes each token's factor, for ropewalk_head_transform.token_scale.
 *
 *  Shape:     factors [positions]; one component.
 *  Errors:    ROPEWALK_INVALID_ARGUMENT; on an error nothing is written. */
ROPEWALK_EXPORT ropewalk_status ropewalk_write_query_scale(
    const ropewalk_positions* positions, const ropewalk_query_scale* scale,
    float* factors, ropewalk_error* error);

/** Dual chunk attention: its lengths, and where the positions of keys and
 *  queries go, each [positions], null: not wanted. DualChunkIds in
 *  position_transforms.h has the formulas.
 *
 *  Requires:  0 <= local_size < chunk_size <= 2^62. */
typedef struct ropewalk_dual_chunk {
  uint32_t struct_size;
  int64_t chunk_size;
  int64_t local_size;
} ropewalk_dual_chunk;
#define ROPEWALK_DUAL_CHUNK_INIT \
  { sizeof(ropewalk_dual_chunk), 0, 0 }

typedef struct ropewalk_dual_chunk_ids {
  uint32_t struct_size;
  int64_t* key;
  int64_t* query_intra;
  int64_t* query_successive;
  int64_t* query_inter;
  int64_t* query_successive_critical;
  int64_t* query_inter_critical;
} ropewalk_dual_chunk_ids;
#define ROPEWALK_DUAL_CHUNK_IDS_INIT \
  { sizeof(ropewalk_dual_chunk_ids), 0, 0, 0, 0, 0, 0 }

/** Writes the positions by which dual chunk attention rotates.
 *
 *  Requires:  positions are integers >= 0 of one component.
 *  Aliasing:  the arrays share no element with each other or the positions.
 *  Errors:    ROPEWALK_INVALID_ARGUMENT, ROPEWALK_OUT_OF_RANGE; on an error
 *             nothing is written. */
ROPEWALK_EXPORT ropewalk_status ropewalk_dual_chunk_positions(
    const ropewalk_positions* positions, const ropewalk_dual_chunk* chunk,
    const ropewalk_dual_chunk_ids* ids, ropewalk_error* error);

#ifdef __cplusplus
}
#endif

#endif /* ROPEWALK_C_POSITIONS_H_ */
