/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Angles: the immutable table of one set of frequencies, and the manager that
 * shares tables. angles.h for C. */
#ifndef ROPEWALK_C_ANGLES_H_
#define ROPEWALK_C_ANGLES_H_

#include <stddef.h>
#include <stdint.h>

#include "ropewalk/c/angle_rows.h"
#include "ropewalk/c/frequencies.h"
#include "ropewalk/c/positions.h"
#include "ropewalk/c/scaling.h"
#include "ropewalk/c/status.h"
#include "ropewalk/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How an angle and its cos and sin are rounded. */
enum {
  ROPEWALK_EXACT = 0,
  ROPEWALK_FLOAT32 = 1,           /**< As HF transformers and vLLM. */
  ROPEWALK_FLOAT32_RECURRENCE = 2 /**< As ggml; of ROPEWALK_GGML only. */
};

/** What a table keeps. */
enum {
  ROPEWALK_AUTO_TABLE = 0,
  ROPEWALK_FACTORED_TABLE = 1, /**< Every |position| < 2^30. */
  ROPEWALK_DENSE_TABLE = 2,    /**< Positions 0 to dense_positions - 1. */
  ROPEWALK_DIRECT_TABLE = 3    /**< Nothing. */
};

/** Null is these options with all else 0. */
typedef struct ropewalk_angle_options {
  uint32_t struct_size;
  int32_t mode; /**< ROPEWALK_EXACT, ... */
  int32_t kind; /**< ROPEWALK_AUTO_TABLE, ... */
  int64_t dense_positions;
  ropewalk_data_type round_to; /**< Of cos and sin, for parity; 0: none. */
  int32_t reserved;            /**< 0. */
} ropewalk_angle_options;
#define ROPEWALK_ANGLE_OPTIONS_INIT \
  { sizeof(ropewalk_angle_options), 0, 0, 0, 0, 0 }

/** The angles of one set of frequencies: immutable, shared by layers,
 *  sequences and threads, without a largest position. */
typedef struct ropewalk_angle_table ropewalk_angle_table;

/** Builds a table; options and parallel may be null.
 *
 *  Errors:    as AngleTable::Build in angles.h. */
ROPEWALK_EXPORT ropewalk_status ropewalk_angle_table_build(
    const ropewalk_frequencies* frequencies,
    const ropewalk_angle_options* options, const ropewalk_parallel* parallel,
    ropewalk_angle_table** table, ropewalk_error* error);
/** Lets go of the table: one that a cache gave is shared. */
ROPEWALK_EXPORT void ropewalk_angle_table_destroy(ropewalk_angle_table* table);

/** Writes one row a position, attention_factor included, from first_row on;
 *  rows before it are kept.
 *
 *  Accuracy:  ROPEWALK_EXACT: cos and sin within 0.5 ulp of
 *             m cos(position * inv_freq) plus m 2^-40, at any position.
 *  Errors:    ROPEWALK_INVALID_ARGUMENT, ROPEWALK_OUT_OF_RANGE,
 *             ROPEWALK_OUT_OF_MEMORY; the rows are as they were.
 *  Threads:   safe; takes no lock; allocates only while rows grow. */
ROPEWALK_EXPORT ropewalk_status ropewalk_angle_table_fill(
    const ropewalk_angle_table* table, const ropewalk_positions* positions,
    ropewalk_angle_rows* rows, int64_t first_row, ropewalk_error* error);
/** The same, but exact pure rotations: for shifts by deltas of position. */
ROPEWALK_EXPORT ropewalk_status ropewalk_angle_table_fill_rotation(
    const ropewalk_angle_table* table, const ropewalk_positions* deltas,
    ropewalk_angle_rows* rows, int64_t first_row, ropewalk_error* error);
/** Rows that take keys from the angles of `from` to those of this table, for
 *  ropewalk_rerotate; positions say where each key stands. */
ROPEWALK_EXPORT ropewalk_status ropewalk_angle_table_fill_rerotation(
    const ropewalk_angle_table* table, const ropewalk_angle_table* from,
    const ropewalk_positions* positions, ropewalk_angle_rows* rows,
    ropewalk_error* error);
/** Writes the classical table of positions first to first + count - 1.
 *
 *  Shape:     out has count rows. */
ROPEWALK_EXPORT ropewalk_status ropewalk_angle_table_export(
    const ropewalk_angle_table* table, int64_t first, int64_t count,
    const ropewalk_cos_sin* out, const ropewalk_parallel* parallel,
    ropewalk_error* error);

/** A copy of the table's frequencies, to be destroyed by the caller. */
ROPEWALK_EXPORT ropewalk_status ropewalk_angle_table_frequencies(
    const ropewalk_angle_table* table, ropewalk_frequencies** frequencies,
    ropewalk_error* error);
/** The table's options, with the kind that ROPEWALK_AUTO_TABLE chose. */
ROPEWALK_EXPORT ropewalk_status ropewalk_angle_table_get_options(
    const ropewalk_angle_table* table, ropewalk_angle_options* options,
    ropewalk_error* error);
/** Memory of the table; 0 for null. */
ROPEWALK_EXPORT size_t
ropewalk_angle_table_bytes(const ropewalk_angle_table* table);

/** Shares one immutable table per distinct set of frequencies and options.
 *
 *  Threads:   safe. */
typedef struct ropewalk_angle_cache ropewalk_angle_cache;

/** memory_limit in bytes, 0 for 256 MiB: tables that nobody holds are freed for
 *  it. Where memory lacks for what the cache keeps,
 *  the call succeeds and every get returns ROPEWALK_OUT_OF_MEMORY. */
ROPEWALK_EXPORT ropewalk_status ropewalk_angle_cache_create(
    size_t memory_limit, ropewalk_angle_cache** cache, ropewalk_error* error);
/** Tables that are still held live on. */
ROPEWALK_EXPORT void ropewalk_angle_cache_destroy(ropewalk_angle_cache* cache);

/** Finds the table, or builds it; never fails for the memory limit. options
 *  may be null.
 *
 *  Errors:    those of ropewalk_compute_frequencies and
 *             ropewalk_angle_table_build. */
ROPEWALK_EXPORT ropewalk_status ropewalk_angle_cache_get(
    ropewalk_angle_cache* cache, const ropewalk_rope_parameters* parameters,
    int64_t sequence_length, const ropewalk_angle_options* options,
    ropewalk_angle_table** table, ropewalk_error* error);
ROPEWALK_EXPORT ropewalk_status ropewalk_angle_cache_get_frequencies(
    ropewalk_angle_cache* cache, const ropewalk_frequencies* frequencies,
    const ropewalk_angle_options* options, ropewalk_angle_table** table,
    ropewalk_error* error);

typedef struct ropewalk_angle_cache_stats {
  uint32_t struct_size;
  uint64_t tables; /**< Alive: kept by the cache or held by a caller. */
  uint64_t bytes;  /**< Of those tables. */
  uint64_t hits;
  uint64_t misses;
  uint64_t evictions;        /**< Tables freed for the limit. */
  uint64_t trig_evaluations; /**< Pairs of cos and sin. */
} ropewalk_angle_cache_stats;
#define ROPEWALK_ANGLE_CACHE_STATS_INIT \
  { sizeof(ropewalk_angle_cache_stats), 0, 0, 0, 0, 0, 0 }

ROPEWALK_EXPORT ropewalk_status ropewalk_angle_cache_get_stats(
    const ropewalk_angle_cache* cache, ropewalk_angle_cache_stats* stats,
    ropewalk_error* error);

#ifdef __cplusplus
}
#endif

#endif /* ROPEWALK_C_ANGLES_H_ */
