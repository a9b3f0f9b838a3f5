/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * KV caches: keys rotated on their way in, and cached keys rotated anew in
 * place or on their way to other slots. kv_cache.h for C. */
#ifndef ROPEWALK_C_KV_CACHE_H_
#define ROPEWALK_C_KV_CACHE_H_

#include <stdint.h>

#include "ropewalk/c/angles.h"
#include "ropewalk/c/positions.h"
#include "ropewalk/c/status.h"
#include "ropewalk/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One layer's K or V: [blocks, block_size, heads, head_dim], head_dim
 *  contiguous. Pages are blocks; a contiguous cache or a ring is one block,
 *  and so is ggml's [embd, slots].
 *
 *  Units:     strides in bytes, of any sign. */
typedef struct ropewalk_kv_cache {
  uint32_t struct_size;
  ropewalk_data_type type; /**< ROPEWALK_KV_CACHE_INIT: ROPEWALK_BF16. */
  void* data;
  int64_t blocks;
  int64_t block_size; /**< Slots. */
  int64_t heads;
  int64_t block_stride;
  int64_t slot_stride;
  int64_t head_stride;
  int32_t head_dim;
  int32_t reserved; /**< 0. */
} ropewalk_kv_cache;
#define ROPEWALK_KV_CACHE_INIT \
  { sizeof(ropewalk_kv_cache), ROPEWALK_BF16, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/** Sets the strides of a cache without gaps from the type and the sizes that
 *  are set: [blocks, block_size, heads, head_dim] (NHD), or
 *  [blocks, heads, block_size, head_dim] (HND).
 *
 *  Errors:    as ropewalk_dense_heads. */
ROPEWALK_EXPORT ropewalk_status ropewalk_nhd_cache(ropewalk_kv_cache* cache,
                                                   ropewalk_error* error);
ROPEWALK_EXPORT ropewalk_status ropewalk_hnd_cache(ropewalk_kv_cache* cache,
                                                   ropewalk_error* error);

/** One step of one layer. Parts may be absent: q, or k and its cache, or v and
 *  its cache. */
typedef struct ropewalk_cache_write {
  uint32_t struct_size;
  const ropewalk_heads* q; /**< Rotated in place. */
  const ropewalk_rotary_layout* q_layout;
  const ropewalk_head_transform* q_transform;
  const ropewalk_const_heads* k; /**< Rotated into k_cache. */
  const ropewalk_rotary_layout* k_layout;
  const ropewalk_head_transform* k_transform;
  const ropewalk_kv_cache* k_cache;
  const ropewalk_const_heads* v; /**< Copied or converted into v_cache. */
  const ropewalk_kv_cache* v_cache;
} ropewalk_cache_write;
#define ROPEWALK_CACHE_WRITE_INIT \
  { sizeof(ropewalk_cache_write), 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/** Takes the keys of one step through norm, rotation, scale and conversion to
 *  their slots, copies or converts the values, and rotates the queries, all in
 *  one pass over memory.
 *
 *  Shape:     q, k and v with the same batch and tokens; rows and slots one a
 *             token, in [batch][token] order; the rows may also be shared by
 *             the batch. rows may be null where nothing turns and nothing
 *             has a token_scale.
 *  Requires:  k and k_cache agree in heads, and head_dim is k_layout's; v and
 *             v_cache agree in heads; heads that turn are multiples of those
 *             of the rows. A slot of -1 skips a key, not its query.
 *  Aliasing:  q, k, v and the caches share no element.
 *  Errors:    ROPEWALK_INVALID_ARGUMENT; ROPEWALK_OUT_OF_RANGE: a slot outside
 *             the cache; ROPEWALK_UNSUPPORTED. On an error nothing has been
 *             written. Duplicate slots are the caller's contract.
 *  Threads:   safe on disjoint slots; allocates nothing, takes no lock. */
ROPEWALK_EXPORT ropewalk_status ropewalk_rotate_into_cache(
    const ropewalk_angle_rows* rows, const ropewalk_cache_write* write,
    const ropewalk_slots* slots, const ropewalk_parallel* parallel,
    ropewalk_error* error);

/** Rotates cached keys in place by a difference of positions.
 *
 *  Shape:     rows from ropewalk_angle_table_fill_rotation: one for all slots,
 *             or one a slot; the same rows serve every layer.
 *  Requires:  rows of attention_factor 1 and one head; no other
 *             output_pairing, here and in the calls below. Duplicate slots are
 *             the caller's contract.
 *  Errors:    ROPEWALK_INVALID_ARGUMENT, ROPEWALK_OUT_OF_RANGE; on an error
 *             nothing has been written.
 *  Threads:   safe on disjoint slots; allocates nothing, takes no lock. */
ROPEWALK_EXPORT ropewalk_status ropewalk_shift_cache(
    const ropewalk_angle_rows* rows, const ropewalk_rotary_layout* layout,
    const ropewalk_kv_cache* k_cache, const ropewalk_slots* slots,
    const ropewalk_parallel* parallel, ropewalk_error* error);

/** Copies slots to other slots, and rotates the keys on the way, as if all
 *  were read before any is written. With rotary_dim 0 it moves values, and
 *  rows may be null.
 *
 *  Shape:     from and to one slot a move; rows as for ropewalk_shift_cache. A
 *             move with -1 on either side is skipped.
 *  Requires:  no slot is written twice.
 *  Errors:    as ropewalk_shift_cache; ROPEWALK_OUT_OF_MEMORY.
 *  Threads:   safe on disjoint slots; allocates before it writes. */
ROPEWALK_EXPORT ropewalk_status ropewalk_move_cache(
    const ropewalk_angle_rows* rows, const ropewalk_rotary_layout* layout,
    const ropewalk_kv_cache* k_cache, const ropewalk_slots* from,
    const ropewalk_slots* to, const ropewalk_parallel* parallel,
    ropewalk_error* error);

/** Takes keys that were rotated with one table to what another would have made
 *  of them.
 *
 *  Shape:     rows from ropewalk_angle_table_fill_rerotation, one a slot.
 *  Errors:    as ropewalk_shift_cache. */
ROPEWALK_EXPORT ropewalk_status ropewalk_rerotate(
    const ropewalk_angle_rows* rows, const ropewalk_rotary_layout* layout,
    const ropewalk_kv_cache* k_cache, const ropewalk_slots* slots,
    const ropewalk_parallel* parallel, ropewalk_error* error);

/** Fills those rows and rerotates the cache of one layer.
 *
 *  Shape:     positions one a slot: where each key stands.
 *  Errors:    as ropewalk_shift_cache; ROPEWALK_OUT_OF_MEMORY. */
ROPEWALK_EXPORT ropewalk_status ropewalk_rerotate_tables(
    const ropewalk_angle_table* from, const ropewalk_angle_table* to,
    const ropewalk_rotary_layout* layout, const ropewalk_kv_cache* k_cache,
    const ropewalk_slots* slots, const ropewalk_positions* positions,
    const ropewalk_parallel* parallel, ropewalk_error* error);

/** Tells whether keys of this cache, rotated with this table, can be shifted;
 *  if not, why.
 *
 *  Errors:    ROPEWALK_UNSUPPORTED: the frequencies depend on the length, or
 *             pairs follow several components that do not all move by the same
 *             delta (all_axes_move_together 0). ROPEWALK_INVALID_ARGUMENT. */
ROPEWALK_EXPORT ropewalk_status ropewalk_can_shift(
    const ropewalk_angle_table* table, const ropewalk_rotary_layout* layout,
    const ropewalk_kv_cache* k_cache, int32_t all_axes_move_together,
    ropewalk_error* error);

#ifdef __cplusplus
}
#endif

#endif /* ROPEWALK_C_KV_CACHE_H_ */
