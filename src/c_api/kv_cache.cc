// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/c/kv_cache.h"

#include "c_api/call.h"
#include "c_api/handles.h"
#include "c_api/read_types.h"
#include "c_api/struct_size.h"
#include "ropewalk/kv_cache.h"

namespace ropewalk::internal {
namespace {

// A CacheWrite with what it points to.
struct OwnedWrite {
  CacheWrite write;
  ConstHeadsView k;
  ConstHeadsView v;
};

// A cache into which nothing is to go.
Status NothingFor(const char* name, const ropewalk_kv_cache* cache) noexcept {
  if (cache == nullptr) return Status();
  return Error(StatusCode::kInvalidArgument,
               "%s = null: must be given with its cache", name);
}

Status ReadQueries(const ropewalk_cache_write& in, CacheWrite* write) noexcept {
  if (in.q == nullptr) return Status();
  ROPEWALK_RETURN_IF_ERROR(Read("q", in.q, &write->q));
  ROPEWALK_RETURN_IF_ERROR(Read("q_layout", in.q_layout, &write->q_layout));
  return Read("q_transform", in.q_transform, &write->q_transform);
}

Status ReadKeys(const ropewalk_cache_write& in, OwnedWrite* owned) noexcept {
  if (in.k == nullptr) return NothingFor("k", in.k_cache);
  CacheWrite* const write = &owned->write;
  ROPEWALK_RETURN_IF_ERROR(Read("k", in.k, &owned->k));
  ROPEWALK_RETURN_IF_ERROR(Read("k_layout", in.k_layout, &write->k_layout));
  ROPEWALK_RETURN_IF_ERROR(
      Read("k_transform", in.k_transform, &write->k_transform));
  write->k = &owned->k;
  return Read("k_cache", in.k_cache, &write->k_cache);
}

Status ReadWrite(const ropewalk_cache_write* given,
                 OwnedWrite* owned) noexcept {
  ropewalk_cache_write in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct("write", given, &in));
  ROPEWALK_RETURN_IF_ERROR(ReadQueries(in, &owned->write));
  ROPEWALK_RETURN_IF_ERROR(ReadKeys(in, owned));
  if (in.v == nullptr) return NothingFor("v", in.v_cache);
  ROPEWALK_RETURN_IF_ERROR(Read("v", in.v, &owned->v));
  owned->write.v = &owned->v;
  return Read("v_cache", in.v_cache, &owned->write.v_cache);
}

// What all calls on cached keys take.
struct CachedKeys {
  RotaryLayout layout;
  KvCacheView k_cache;
  Parallel parallel = Parallel::Serial();
};

Status ReadKeysOf(const ropewalk_rotary_layout* layout,
                  const ropewalk_kv_cache* k_cache,
                  const ropewalk_parallel* parallel,
                  CachedKeys* keys) noexcept {
  ROPEWALK_RETURN_IF_ERROR(Read("layout", layout, &keys->layout));
  ROPEWALK_RETURN_IF_ERROR(Read("k_cache", k_cache, &keys->k_cache));
  return Read("parallel", parallel, &keys->parallel);
}

// ShiftCache, or Rerotate by rows.
using TurnCall = Status (*)(const AngleRows&, const RotaryLayout&,
                            const KvCacheView&, const Slots&, Parallel);

Status TurnKeys(TurnCall call, const ropewalk_angle_rows* rows,
                const ropewalk_rotary_layout* layout,
                const ropewalk_kv_cache* k_cache, const ropewalk_slots* slots,
                const ropewalk_parallel* parallel) noexcept {
  CachedKeys keys;
  ROPEWALK_RETURN_IF_ERROR(NotNull("rows", rows));
  ROPEWALK_RETURN_IF_ERROR(ReadKeysOf(layout, k_cache, parallel, &keys));
  const auto cc_slots = ReadSlots("slots", slots);
  ROPEWALK_RETURN_IF_ERROR(cc_slots.status());
  return call(rows->value, keys.layout, keys.k_cache, cc_slots.value(),
              keys.parallel);
}

}  // namespace
}  // namespace ropewalk::internal

namespace rw = ropewalk;
namespace internal = ropewalk::internal;

ropewalk_status ropewalk_rotate_into_cache(const ropewalk_angle_rows* rows,
                                           const ropewalk_cache_write* write,
                                           const ropewalk_slots* slots,
                                           const ropewalk_parallel* parallel,
                                           ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    internal::OwnedWrite owned;
    rw::Parallel cc_parallel = rw::Parallel::Serial();
    ROPEWALK_RETURN_IF_ERROR(internal::ReadWrite(write, &owned));
    const auto cc_slots = internal::ReadSlots("slots", slots);
    ROPEWALK_RETURN_IF_ERROR(cc_slots.status());
    ROPEWALK_RETURN_IF_ERROR(
        internal::Read("parallel", parallel, &cc_parallel));
    const rw::AngleRows none;
    return rw::RotateIntoCache(rows != nullptr ? rows->value : none,
                               owned.write, cc_slots.value(), cc_parallel);
  });
}

ropewalk_status ropewalk_shift_cache(const ropewalk_angle_rows* rows,
                                     const ropewalk_rotary_layout* layout,
                                     const ropewalk_kv_cache* k_cache,
                                     const ropewalk_slots* slots,
                                     const ropewalk_parallel* parallel,
                                     ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    return internal::TurnKeys(rw::ShiftCache, rows, layout, k_cache, slots,
                              parallel);
  });
}

ropewalk_status ropewalk_move_cache(const ropewalk_angle_rows* rows,
                                    const ropewalk_rotary_layout* layout,
                                    const ropewalk_kv_cache* k_cache,
                                    const ropewalk_slots* from,
                                    const ropewalk_slots* to,
                                    const ropewalk_parallel* parallel,
                                    ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    internal::CachedKeys keys;
    ROPEWALK_RETURN_IF_ERROR(
        internal::ReadKeysOf(layout, k_cache, parallel, &keys));
    const auto cc_from = internal::ReadSlots("from", from);
    ROPEWALK_RETURN_IF_ERROR(cc_from.status());
    const auto cc_to = internal::ReadSlots("to", to);
    ROPEWALK_RETURN_IF_ERROR(cc_to.status());
    const rw::AngleRows none;
    return rw::MoveCache(rows != nullptr ? rows->value : none, keys.layout,
                         keys.k_cache, cc_from.value(), cc_to.value(),
                         keys.parallel);
  });
}

ropewalk_status ropewalk_rerotate(const ropewalk_angle_rows* rows,
                                  const ropewalk_rotary_layout* layout,
                                  const ropewalk_kv_cache* k_cache,
                                  const ropewalk_slots* slots,
                                  const ropewalk_parallel* parallel,
                                  ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    return internal::TurnKeys(rw::Rerotate, rows, layout, k_cache, slots,
                              parallel);
  });
}

ropewalk_status ropewalk_rerotate_tables(
    const ropewalk_angle_table* from, const ropewalk_angle_table* to,
    const ropewalk_rotary_layout* layout, const ropewalk_kv_cache* k_cache,
    const ropewalk_slots* slots, const ropewalk_positions* positions,
    const ropewalk_parallel* parallel, ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    internal::CachedKeys keys;
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("from", from));
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("to", to));
    ROPEWALK_RETURN_IF_ERROR(
        internal::ReadKeysOf(layout, k_cache, parallel, &keys));
    const auto cc_slots = internal::ReadSlots("slots", slots);
    ROPEWALK_RETURN_IF_ERROR(cc_slots.status());
    const auto cc_positions = internal::ReadPositions("positions", positions);
    ROPEWALK_RETURN_IF_ERROR(cc_positions.status());
    return rw::Rerotate(*from->value, *to->value, keys.layout, keys.k_cache,
                        cc_slots.value(), cc_positions.value(), keys.parallel);
  });
}

ropewalk_status ropewalk_can_shift(const ropewalk_angle_table* table,
                                   const ropewalk_rotary_layout* layout,
                                   const ropewalk_kv_cache* k_cache,
                                   int32_t all_axes_move_together,
                                   ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    internal::CachedKeys keys;
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("table", table));
    ROPEWALK_RETURN_IF_ERROR(
        internal::ReadKeysOf(layout, k_cache, nullptr, &keys));
    return rw::CanShift(*table->value, keys.layout, keys.k_cache,
                        all_axes_move_together != 0);
  });
}
