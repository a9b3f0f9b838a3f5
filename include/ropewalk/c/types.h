/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How a caller describes memory and threads: types.h, parallel.h and
 * head_transform.h for C. */
#ifndef ROPEWALK_C_TYPES_H_
#define ROPEWALK_C_TYPES_H_

#include <stdint.h>

#include "ropewalk/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Element type of a tensor or table. 0 is none. */
typedef int32_t ropewalk_data_type;
enum {
  ROPEWALK_F32 = 1,  /**< IEEE binary32. */
  ROPEWALK_BF16 = 2, /**< The upper half of a binary32. */
  ROPEWALK_F16 = 3   /**< IEEE binary16. */
};

/** Which dims of the rotary window form pair i. 0 is none, and legal only where
 *  it is said what it stands for. */
typedef int32_t ropewalk_pairing;
enum {
  ROPEWALK_HALF = 1,       /**< Dims (i, i + pairs): NeoX, rotate_half. */
  ROPEWALK_INTERLEAVED = 2 /**< Dims (2i, 2i + 1): GPT-J, complex numbers. */
};

/** Where the rotated pairs sit inside one head. rotary_dim dims turn; the
 *  others are left alone in place, and copied bit for bit (or converted) out
 *  of place.
 *
 *  Requires:  head_dim > 0; rotary_dim even and >= 0 (0: nothing turns, a
 *             layer without RoPE); the window inside the head. */
typedef struct ropewalk_rotary_layout {
  uint32_t struct_size;
  int32_t head_dim;
  int32_t rotary_dim;
  ropewalk_pairing pairing;
  int32_t rotary_offset; /**< First dim of the window (MLA: 512 of 576). */
  /** ROPEWALK_HALF only: between the members of a pair, at least
   *  rotary_dim / 2, which 0 stands for (Gemma 4: head_dim / 2). */
  int32_t pair_distance;
  int32_t first_pair; /**< The window's first pair in the angle row. */
  /** Where the rotated pairs are written, inside the same window; 0: where they
   *  were. With another pairing, pair_distance belongs to the side that is
   *  half, and must be 0 or rotary_dim / 2. */
  ropewalk_pairing output_pairing;
} ropewalk_rotary_layout;
#define ROPEWALK_ROTARY_LAYOUT_INIT \
  { sizeof(ropewalk_rotary_layout), 0, 0, ROPEWALK_HALF, 0, 0, 0, 0 }

/** Q, K or V of one step: [batch, tokens, heads, head_dim], head_dim
 *  contiguous.
 *
 *  Units:     strides in bytes, of any sign, multiples of the element size.
 *  Requires:  batch >= 1; no tokens or no heads is legal. */
typedef struct ropewalk_heads {
  uint32_t struct_size;
  ropewalk_data_type type;
  void* data;
  int64_t batch;
  int64_t tokens;
  int64_t heads;
  int64_t batch_stride;
  int64_t token_stride;
  int64_t head_stride;
} ropewalk_heads;
#define ROPEWALK_HEADS_INIT \
  { sizeof(ropewalk_heads), ROPEWALK_F32, 0, 1, 0, 0, 0, 0, 0 }

/** A ropewalk_heads that is only read. A zero stride broadcasts. */
typedef struct ropewalk_const_heads {
  uint32_t struct_size;
  ropewalk_data_type type;
  const void* data;
  int64_t batch;
  int64_t tokens;
  int64_t heads;
  int64_t batch_stride;
  int64_t token_stride;
  int64_t head_stride;
} ropewalk_const_heads;
#define ROPEWALK_CONST_HEADS_INIT \
  { sizeof(ropewalk_const_heads), ROPEWALK_F32, 0, 1, 0, 0, 0, 0, 0 }

/** Sets the strides of [batch, tokens, heads, head_dim] without gaps, from the
 *  type and the sizes that are set.
 *
 *  Errors:    ROPEWALK_INVALID_ARGUMENT: a negative size, an unknown type;
 *             ROPEWALK_OUT_OF_RANGE: a stride past int64. */
ROPEWALK_EXPORT ropewalk_status ropewalk_dense_heads(ropewalk_heads* heads,
                                                     int32_t head_dim,
                                                     ropewalk_error* error);
ROPEWALK_EXPORT ropewalk_status ropewalk_dense_const_heads(
    ropewalk_const_heads* heads, int32_t head_dim, ropewalk_error* error);

/** The threads a call may use. Where a call takes a pointer to one, null is
 *  ROPEWALK_SERIAL. Every way of splitting gives the same bits. */
typedef struct ropewalk_parallel {
  uint32_t struct_size;
  int32_t kind;  /**< ROPEWALK_SERIAL, ... */
  int32_t index; /**< ROPEWALK_SHARE only: which share, below count. */
  int32_t count;
} ropewalk_parallel;
enum {
  ROPEWALK_SERIAL = 0, /**< The calling thread only. */
  /** The calling thread for small work, else oneTBB in the caller's arena;
   *  serial in a build without oneTBB. The first such call starts oneTBB,
   *  which allocates, and ends the process where it cannot. */
  ROPEWALK_TBB = 1,
  /** Only share index of count, for the host's own threads: each makes the
   *  same call with its own index, and the host joins them. All fail or none
   *  does, but one that returns ROPEWALK_OUT_OF_MEMORY has done nothing,
   *  whatever the others did, and can be called again. */
  ROPEWALK_SHARE = 2
};
#define ROPEWALK_PARALLEL_INIT \
  { sizeof(ropewalk_parallel), 0, 0, 0 }

enum { ROPEWALK_RMS_NORM = 0, ROPEWALK_LAYER_NORM = 1 };

/** A norm over dims [offset, offset + size) of each head, before the rotation:
 *  x / sqrt(mean(x^2) + epsilon) * weight, or
 *  (x - mean(x)) / sqrt(var(x) + epsilon) * weight + bias. HeadNorm in
 *  head_transform.h has its accuracy.
 *
 *  Shape:     weight and bias [size], borrowed until the call returns; null
 *             multiplies by 1 and adds 0.
 *  Requires:  epsilon positive; a bias only with ROPEWALK_LAYER_NORM; neither
 *             weight nor bias with a size of 0. */
typedef struct ropewalk_head_norm {
  uint32_t struct_size;
  int32_t kind; /**< ROPEWALK_RMS_NORM, ROPEWALK_LAYER_NORM. */
  const void* weight;
  const void* bias;
  ropewalk_data_type weight_type; /**< Of weight and bias. */
  int32_t offset;
  int32_t size; /**< 0: no norm. */
  float epsilon;
  int32_t one_plus_weight; /**< Not 0: times 1 + weight (Gemma). */
  int32_t reserved;        /**< 0. */
} ropewalk_head_norm;
#define ROPEWALK_HEAD_NORM_INIT \
  { sizeof(ropewalk_head_norm), 0, 0, 0, ROPEWALK_F32, 0, 0, 1e-6f, 0, 0 }

/** Norm, then rotation; the scales multiply all dims of the head.
 *
 *  Requires:  head_dim <= 4096 where there is anything to do; scale not 0
 *             (1 is none). */
typedef struct ropewalk_head_transform {
  uint32_t struct_size;
  float scale;
  const ropewalk_head_norm* norm; /**< Null: none. */
  const float* token_scale;       /**< One an angle row; null: none. */
} ropewalk_head_transform;
#define ROPEWALK_HEAD_TRANSFORM_INIT \
  { sizeof(ropewalk_head_transform), 1.0f, 0, 0 }

#ifdef __cplusplus
}
#endif

#endif /* ROPEWALK_C_TYPES_H_ */
