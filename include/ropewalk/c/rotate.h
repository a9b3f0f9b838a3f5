/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rotation of query and key heads, and of the weights that make them: rotate.h
 * and weights.h for C. */
#ifndef ROPEWALK_C_ROTATE_H_
#define ROPEWALK_C_ROTATE_H_

#include <stdint.h>

#include "ropewalk/c/angles.h"
#include "ropewalk/c/status.h"
#include "ropewalk/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which way the pairs turn, m being the rows' attention_factor. */
enum {
  ROPEWALK_FORWARD = 0,  /**< Times m R(angle). */
  ROPEWALK_INVERSE = 1,  /**< Times R(-angle) / m: undoes the rotation. */
  ROPEWALK_TRANSPOSE = 2 /**< Times m R(-angle): the gradient. */
};

/** Null is these options with all else 0. */
typedef struct ropewalk_rotate_options {
  uint32_t struct_size;
  int32_t direction;                        /**< ROPEWALK_FORWARD, ... */
  const ropewalk_parallel* parallel;        /**< Null: serial. */
  const ropewalk_head_transform* transform; /**< Null: none. */
} ropewalk_rotate_options;
#define ROPEWALK_ROTATE_OPTIONS_INIT \
  { sizeof(ropewalk_rotate_options), 0, 0, 0 }

/** Rotates heads in place; several tensors, such as Q and K, in one call.
 *
 *  Shape:     tensors [count], each with the struct_size of tensors[0]; rows
 *             holds batch * tokens rows in [batch][token] order, or tokens
 *             rows shared by the batch.
 *  Requires:  rows have first_pair + rotary_dim / 2 pairs; heads a multiple of
 *             those of the rows; data aligned to its element size.
 *  Aliasing:  no two addressed heads share an element.
 *  Accuracy:  f32 within 2.5 ulp (3 on targets without FMA) of
 *             max(|x0|, |x1|) where m is 1; Rotate in rotate.h has the rest.
 *             bf16 and f16 are that result rounded once.
 *  Errors:    ROPEWALK_INVALID_ARGUMENT, ROPEWALK_OUT_OF_RANGE,
 *             ROPEWALK_UNSUPPORTED. On an error nothing has been written.
 *  Threads:   safe on disjoint tensors; allocates nothing, takes no lock. */
ROPEWALK_EXPORT ropewalk_status ropewalk_rotate(
    const ropewalk_angle_rows* rows, const ropewalk_rotary_layout* layout,
    const ropewalk_heads* tensors, int32_t count,
    const ropewalk_rotate_options* options, ropewalk_error* error);

/** Rotates out of place, between strides and data types; dims outside the
 *  rotary window are copied bit for bit, or converted.
 *
 *  Shape:     in and out agree in batch, tokens and heads.
 *  Aliasing:  out may equal in exactly; any other overlap is refused. */
ROPEWALK_EXPORT ropewalk_status ropewalk_rotate_to(
    const ropewalk_angle_rows* rows, const ropewalk_rotary_layout* layout,
    const ropewalk_const_heads* in, const ropewalk_heads* out,
    const ropewalk_rotate_options* options, ropewalk_error* error);

/** A Q or K projection as checkpoints store it: [heads, head_dim, columns]. A
 *  bias has one column.
 *
 *  Units:     row_stride in bytes, 0 for rows without gaps. */
typedef struct ropewalk_projection {
  uint32_t struct_size;
  ropewalk_data_type type;
  void* data;
  int64_t heads;
  int64_t columns;
  int64_t row_stride;
} ropewalk_projection;
#define ROPEWALK_PROJECTION_INIT \
  { sizeof(ropewalk_projection), ROPEWALK_F32, 0, 0, 0, 0 }

/** Re-orders the rows of each head in place, so that a model that was rotated
 *  with layout's pairing can be rotated with `pairing`: of Q and K both, or of
 *  neither.
 *
 *  Errors:    ROPEWALK_INVALID_ARGUMENT, ROPEWALK_OUT_OF_RANGE; on an error
 *             nothing is written. */
ROPEWALK_EXPORT ropewalk_status ropewalk_permute_pairing(
    const ropewalk_projection* projection, const ropewalk_rotary_layout* layout,
    ropewalk_pairing pairing, const ropewalk_parallel* parallel,
    ropewalk_error* error);

#ifdef __cplusplus
}
#endif

#endif /* ROPEWALK_C_ROTATE_H_ */
