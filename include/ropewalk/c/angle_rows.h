/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The float32 cos and sin rows of one step, and the host's own tables of such.
 * angle_rows.h for C. */
#ifndef ROPEWALK_C_ANGLE_ROWS_H_
#define ROPEWALK_C_ANGLE_ROWS_H_

#include <stdint.h>

#include "ropewalk/c/positions.h"
#include "ropewalk/c/status.h"
#include "ropewalk/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A cos/sin table of the host's: element (row, i) of cos is at
 *  cos + row * row_stride + i * pair_stride, and so for sin; that of head h is
 *  h * head_stride further. ConstCosSinView in angle_rows.h lists the usual
 *  layouts.
 *
 *  Units:     strides and copy_offset in bytes, multiples of the element. */
typedef struct ropewalk_cos_sin {
  uint32_t struct_size;
  ropewalk_data_type type;
  void* cos; /**< Not written where the view is const. */
  void* sin;
  int64_t rows;
  int64_t row_stride;
  int64_t pair_stride;
  int64_t copy_offset; /**< Of the second copy; 0: there is none. */
  int32_t pairs;
  int32_t heads;           /**< With rows of their own; 1: shared by all. */
  int64_t head_stride;     /**< Not looked at with one head. */
  double attention_factor; /**< In cos and sin; of tables that are read. */
} ropewalk_cos_sin;
#define ROPEWALK_COS_SIN_INIT \
  { sizeof(ropewalk_cos_sin), ROPEWALK_F32, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1.0 }

/** cos and sin, float32, of the tokens of one step: filled once, shared by Q,
 *  K, all heads and all layers. Reuses its memory.
 *
 *  Threads:   one writer, or any number of readers. */
typedef struct ropewalk_angle_rows ropewalk_angle_rows;

ROPEWALK_EXPORT ropewalk_status
ropewalk_angle_rows_create(ropewalk_angle_rows** rows, ropewalk_error* error);
ROPEWALK_EXPORT void ropewalk_angle_rows_destroy(ropewalk_angle_rows* rows);

/** Makes room, so that a later fill of so many rows allocates nothing.
 *
 *  Errors:    ROPEWALK_INVALID_ARGUMENT, ROPEWALK_OUT_OF_RANGE,
 *             ROPEWALK_OUT_OF_MEMORY; the rows are as they were. */
ROPEWALK_EXPORT ropewalk_status ropewalk_angle_rows_reserve(
    ropewalk_angle_rows* rows, int64_t count, int32_t pairs, int32_t heads,
    ropewalk_error* error);
/** Takes the rows of the host's table, one a token, in order. Contiguous
 *  float32 pairs are borrowed: the table must then outlive these rows.
 *
 *  Errors:    ROPEWALK_INVALID_ARGUMENT: null, a stride that is no multiple of
 *             the element, a NaN or Inf, a second copy that differs;
 *             ROPEWALK_OUT_OF_MEMORY. The rows are as they were. */
ROPEWALK_EXPORT ropewalk_status
ropewalk_angle_rows_wrap(ropewalk_angle_rows* rows,
                         const ropewalk_cos_sin* table, ropewalk_error* error);
/** Copies the table's row positions[t] for each token t.
 *
 *  Errors:    as above; ROPEWALK_OUT_OF_RANGE: a position outside the table. */
ROPEWALK_EXPORT ropewalk_status ropewalk_angle_rows_gather(
    ropewalk_angle_rows* rows, const ropewalk_cos_sin* table,
    const ropewalk_positions* positions, ropewalk_error* error);

/** 0 for null. */
ROPEWALK_EXPORT int64_t
ropewalk_angle_rows_count(const ropewalk_angle_rows* rows);
ROPEWALK_EXPORT int32_t
ropewalk_angle_rows_pairs(const ropewalk_angle_rows* rows);
ROPEWALK_EXPORT int32_t
ropewalk_angle_rows_heads(const ropewalk_angle_rows* rows);
/** [pairs]; null for a row or head that is not there. */
ROPEWALK_EXPORT const float* ropewalk_angle_rows_cos(
    const ropewalk_angle_rows* rows, int64_t row, int32_t head);
ROPEWALK_EXPORT const float* ropewalk_angle_rows_sin(
    const ropewalk_angle_rows* rows, int64_t row, int32_t head);
/** 1 where this head of the row turns nothing, bit for bit. */
ROPEWALK_EXPORT int32_t ropewalk_angle_rows_identity(
    const ropewalk_angle_rows* rows, int64_t row, int32_t head);
/** In the row's cos and sin; 1 for a row that is not there. */
ROPEWALK_EXPORT double ropewalk_angle_rows_attention_factor(
    const ropewalk_angle_rows* rows, int64_t row);

#ifdef __cplusplus
}
#endif

#endif /* ROPEWALK_C_ANGLE_ROWS_H_ */
