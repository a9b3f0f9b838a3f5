// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// KV caches: keys rotated on their way in, and cached keys rotated anew in
// place or on their way to other slots. A cached key is a rotated key.
#pragma once
#include <cstdint>
#include <utility>

#include "ropewalk/angle_rows.h"
#include "ropewalk/angles.h"
#include "ropewalk/export.h"
#include "ropewalk/head_transform.h"
#include "ropewalk/parallel.h"
#include "ropewalk/positions.h"
#include "ropewalk/slots.h"
#include "ropewalk/status.h"
#include "ropewalk/types.h"

namespace ropewalk {

/// One layer's K or V: [blocks, block_size, heads, head_dim], head_dim
/// contiguous. Pages are blocks; a contiguous cache or a ring is one block,
/// and so is ggml's [embd, slots].
///
/// Units:     strides in bytes, multiples of the element size, of any sign.
///            NHD and HND order differ in them alone; where K and V share
///            a block, the block_stride spans both.
struct KvCacheView {
  void* data = nullptr;
  DataType type = DataType::kBF16;
  int64_t blocks = 0;
  int64_t block_size = 0;  ///< Slots.
  int64_t heads = 0;
  int head_dim = 0;
  int64_t block_stride = 0;
  int64_t slot_stride = 0;
  int64_t head_stride = 0;
};

/// Describes [blocks, block_size, heads, head_dim] without gaps (NHD): pages,
/// or one block that is a contiguous cache. Sizes that are negative or too
/// large are reported by the call that takes the view.
inline KvCacheView NhdCache(void* data, DataType type, int64_t blocks,
                            int64_t block_size, int64_t heads, int head_dim) {
  const HeadsView view =
      DenseHeads(data, type, blocks, block_size, heads, head_dim);
  return {data,
          type,
          blocks,
          block_size,
          heads,
          head_dim,
          view.batch_stride,
          view.token_stride,
          view.head_stride};
}

/// Describes [blocks, heads, block_size, head_dim] without gaps (HND).
inline KvCacheView HndCache(void* data, DataType type, int64_t blocks,
                            int64_t block_size, int64_t heads, int head_dim) {
  KvCacheView cache = NhdCache(data, type, blocks, heads, block_size, head_dim);
  std::swap(cache.block_size, cache.heads);
  std::swap(cache.slot_stride, cache.head_stride);
  return cache;
}

/// One step of one layer. Any part may be absent: heads 0, or null.
struct CacheWrite {
  HeadsView q;  ///< Rotated in place.
  RotaryLayout q_layout;
  HeadTransform q_transform;
  const ConstHeadsView* k = nullptr;  ///< Rotated into k_cache.
  RotaryLayout k_layout;
  HeadTransform k_transform;
  KvCacheView k_cache;
  const ConstHeadsView* v = nullptr;  ///< Copied or converted into v_cache.
  KvCacheView v_cache;
};

/// Takes the keys of one step through norm, rotation, scale and conversion to
/// their slots, copies or converts the values, and rotates the queries, all in
/// one pass over memory.
///
/// Shape:     q, k and v [batch, tokens, heads, head_dim] with the same batch
///            and tokens; rows and slots one a token, in [batch][token] order;
///            the rows may also be tokens of them, shared by the batch, or
///            none for a part that neither turns nor has a token_scale.
/// Requires:  k and k_cache agree in heads, and head_dim is k_layout's; v and
///            v_cache agree in heads; those of q and k that turn are
///            multiples of rows.heads(). A skipped token (slot -1) leaves no
///            trace in the caches; its query is rotated all the same.
/// Aliasing:  q, k, v and the caches share no element, and no byte with slots.
/// Accuracy:  norm, rotation and scale in float32, rounded once at the store;
///            without a transform the bits of Rotate out of place.
/// Errors:    kInvalidArgument; kOutOfRange: a slot outside the cache;
///            kUnsupported: a head past kMaxTransformDim with a transform. On
///            an error nothing has been written. Duplicate slots are the
///            caller's contract.
/// Threads:   safe on disjoint slots; allocates nothing, takes no lock.
ROPEWALK_EXPORT Status RotateIntoCache(const AngleRows& rows,
                                       const CacheWrite& write,
                                       const Slots& slots,
                                       Parallel parallel) noexcept;

/// Rotates cached keys in place by a difference of positions.
///
/// Shape:     rows from FillRotation: one for all slots, or one a slot; the
///            same rows serve every layer. An identity row leaves the bytes
///            of its slot alone.
/// Requires:  every row's attention_factor is 1: cached keys contain theirs.
///            rows.heads() is 1: what a table with heads does to a key depends
///            on more than the difference of positions.
///            Keys in a cache keep their pairing, here and in the calls below:
///            no other output_pairing.
/// Accuracy:  the bits of Rotate in place. Each shift of a 16-bit cache adds
///            one rounding: coalesce deltas where possible.
/// Errors:    kInvalidArgument, kOutOfRange; on an error nothing has been
///            written. Duplicate slots are the caller's contract.
/// Threads:   safe on disjoint slots; allocates nothing, takes no lock.
ROPEWALK_EXPORT Status ShiftCache(const AngleRows& rows,
                                  const RotaryLayout& layout,
                                  const KvCacheView& k_cache,
                                  const Slots& slots,
                                  Parallel parallel) noexcept;

/// Copies slots to other slots, and rotates the keys on the way, as if all were
/// read before any is written. With rotary_dim 0 it moves values.
///
/// Shape:     from and to one slot a move; rows as for ShiftCache, or none
///            with rotary_dim 0. A move with -1 on either side is skipped.
/// Requires:  no slot is written twice; a slot may be read by many.
/// Errors:    as ShiftCache; kInvalidArgument: a slot that is written twice.
///            kOutOfMemory. On an error this call has written nothing.
/// Threads:   safe on disjoint slots; a Parallel splits the heads. Allocates
///            before it writes.
ROPEWALK_EXPORT Status MoveCache(const AngleRows& rows,
                                 const RotaryLayout& layout,
                                 const KvCacheView& k_cache, const Slots& from,
                                 const Slots& to, Parallel parallel) noexcept;

/// Takes keys that were rotated with one table to what the other would have
/// made of them: LongRoPE past its boundary, dynamic NTK that grew. The
/// attention factors are exchanged, not applied twice.
///
/// Shape:     rows from FillRerotation, one a slot; the same rows serve every
///            layer.
/// Requires:  rows.heads() is 1.
/// Accuracy:  turns by the exact difference of both tables' angles, rounded to
///            the cache's type once; angles that a mode rounded keep their
///            rounding.
/// Errors:    kInvalidArgument, kOutOfRange; on an error nothing has been
///            written. Duplicate slots are the caller's contract.
/// Threads:   safe on disjoint slots; allocates nothing, takes no lock.
ROPEWALK_EXPORT Status Rerotate(const AngleRows& rows,
                                const RotaryLayout& layout,
                                const KvCacheView& k_cache, const Slots& slots,
                                Parallel parallel) noexcept;

/// As FillRerotation and Rerotate, for the cache of one layer.
///
/// Shape:     positions one a slot: where each key stands. Those of skipped
///            slots are read too.
/// Requires:  the tables agree in pairs and axes.
/// Errors:    kInvalidArgument, kOutOfRange, kOutOfMemory; on an error this
///            call has written nothing.
/// Threads:   safe on disjoint slots; allocates before it writes.
ROPEWALK_EXPORT Status Rerotate(const AngleTable& from, const AngleTable& to,
                                const RotaryLayout& layout,
                                const KvCacheView& k_cache, const Slots& slots,
                                const Positions& positions,
                                Parallel parallel) noexcept;

/// Tells whether keys of this cache, rotated with this table, can be shifted;
/// if not, why.
///
/// Errors:    kUnsupported: the frequencies depend on the length (Rerotate is
///            the way), or pairs follow several position components that do
///            not all move by the same delta. kInvalidArgument: a layout or
///            cache against its rules.
ROPEWALK_EXPORT Status CanShift(const AngleTable& table,
                                const RotaryLayout& layout,
                                const KvCacheView& k_cache,
                                bool all_axes_move_together) noexcept;

}  // namespace ropewalk
