// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/c/angles.h"

#include "c_api/call.h"
#include "c_api/handles.h"
#include "c_api/read_scaling.h"
#include "c_api/read_types.h"
#include "c_api/struct_size.h"

namespace ropewalk::internal {
namespace {

Status ReadAngleOptions(const ropewalk_angle_options* given,
                        AngleOptions* options) noexcept {
  if (given == nullptr) return Status();
  ropewalk_angle_options in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct("options", given, &in));
  ROPEWALK_RETURN_IF_ERROR(
      ReadEnum("options", "mode", in.mode, &options->mode));
  ROPEWALK_RETURN_IF_ERROR(
      ReadEnum("options", "kind", in.kind, &options->kind));
  options->dense_positions = in.dense_positions;
  ROPEWALK_RETURN_IF_ERROR(ReadReserved("options", in.reserved));
  if (in.round_to == 0) return Status();
  return ReadType("options", "round_to", in.round_to, &options->round_to);
}

// Fill and FillRotation.
using FillCall = Status (AngleTable::*)(const Positions&, AngleRows*,
                                        int64_t) const;

Status FillBy(FillCall call, const ropewalk_angle_table* table,
              const char* name, const ropewalk_positions* positions,
              ropewalk_angle_rows* rows, int64_t first_row) noexcept {
  ROPEWALK_RETURN_IF_ERROR(NotNull("table", table));
  ROPEWALK_RETURN_IF_ERROR(NotNull("rows", rows));
  const auto ids = ReadPositions(name, positions);
  ROPEWALK_RETURN_IF_ERROR(ids.status());
  return ((*table->value).*call)(ids.value(), &rows->value, first_row);
}

ropewalk_angle_options OptionsOf(const AngleOptions& options) noexcept {
  ropewalk_angle_options out = ROPEWALK_ANGLE_OPTIONS_INIT;
  out.mode = static_cast<int32_t>(options.mode);
  out.kind = static_cast<int32_t>(options.kind);
  out.dense_positions = options.dense_positions;
  out.round_to = ToC(options.round_to);
  return out;
}

ropewalk_angle_cache_stats StatsOf(const AngleCacheStats& stats) noexcept {
  ropewalk_angle_cache_stats out = ROPEWALK_ANGLE_CACHE_STATS_INIT;
  out.tables = stats.tables;
  out.bytes = stats.bytes;
  out.hits = stats.hits;
  out.misses = stats.misses;
  out.evictions = stats.evictions;
  out.trig_evaluations = stats.trig_evaluations;
  return out;
}

}  // namespace
}  // namespace ropewalk::internal

namespace rw = ropewalk;
namespace internal = ropewalk::internal;

ropewalk_status ropewalk_angle_table_build(
    const ropewalk_frequencies* frequencies,
    const ropewalk_angle_options* options, const ropewalk_parallel* parallel,
    ropewalk_angle_table** table, ropewalk_error* error) {
  if (table != nullptr) *table = nullptr;
  return internal::Call(error, [&]() -> rw::Status {
    rw::AngleOptions cc_options;
    rw::Parallel cc_parallel = rw::Parallel::Serial();
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("table", table));
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("frequencies", frequencies));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadAngleOptions(options, &cc_options));
    ROPEWALK_RETURN_IF_ERROR(
        internal::Read("parallel", parallel, &cc_parallel));
    return internal::HandOut(
        rw::AngleTable::Build(frequencies->value, cc_options, cc_parallel),
        table);
  });
}

void ropewalk_angle_table_destroy(ropewalk_angle_table* table) { delete table; }

ropewalk_status ropewalk_angle_table_fill(const ropewalk_angle_table* table,
                                          const ropewalk_positions* positions,
                                          ropewalk_angle_rows* rows,
                                          int64_t first_row,
                                          ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    return internal::FillBy(&rw::AngleTable::Fill, table, "positions",
                            positions, rows, first_row);
  });
}

ropewalk_status ropewalk_angle_table_fill_rotation(
    const ropewalk_angle_table* table, const ropewalk_positions* deltas,
    ropewalk_angle_rows* rows, int64_t first_row, ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    return internal::FillBy(&rw::AngleTable::FillRotation, table, "deltas",
                            deltas, rows, first_row);
  });
}

ropewalk_status ropewalk_angle_table_fill_rerotation(
    const ropewalk_angle_table* table, const ropewalk_angle_table* from,
    const ropewalk_positions* positions, ropewalk_angle_rows* rows,
    ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("table", table));
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("from", from));
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("rows", rows));
    const auto ids = internal::ReadPositions("positions", positions);
    ROPEWALK_RETURN_IF_ERROR(ids.status());
    return table->value->FillRerotation(*from->value, ids.value(),
                                        &rows->value);
  });
}

ropewalk_status ropewalk_angle_table_export(const ropewalk_angle_table* table,
                                            int64_t first, int64_t count,
                                            const ropewalk_cos_sin* out,
                                            const ropewalk_parallel* parallel,
                                            ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::CosSinView view;
    rw::Parallel cc_parallel = rw::Parallel::Serial();
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("table", table));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("out", out, &view));
    ROPEWALK_RETURN_IF_ERROR(
        internal::Read("parallel", parallel, &cc_parallel));
    return table->value->Export(first, count, view, cc_parallel);
  });
}

ropewalk_status ropewalk_angle_table_frequencies(
    const ropewalk_angle_table* table, ropewalk_frequencies** frequencies,
    ropewalk_error* error) {
  if (frequencies != nullptr) *frequencies = nullptr;
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("frequencies", frequencies));
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("table", table));
    *frequencies = new ropewalk_frequencies{table->value->frequencies()};
    return rw::Status();
  });
}

ropewalk_status ropewalk_angle_table_get_options(
    const ropewalk_angle_table* table, ropewalk_angle_options* options,
    ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("table", table));
    ROPEWALK_RETURN_IF_ERROR(internal::CheckSize("options", options));
    internal::WriteStruct(internal::OptionsOf(table->value->options()),
                          options);
    return rw::Status();
  });
}

size_t ropewalk_angle_table_bytes(const ropewalk_angle_table* table) {
  return table != nullptr ? table->value->bytes() : 0;
}

ropewalk_status ropewalk_angle_cache_create(size_t memory_limit,
                                            ropewalk_angle_cache** cache,
                                            ropewalk_error* error) {
  if (cache != nullptr) *cache = nullptr;
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("cache", cache));
    rw::AngleCacheOptions options;
    if (memory_limit != 0) options.memory_limit = memory_limit;
    *cache = new ropewalk_angle_cache{rw::AngleCache(options)};
    return rw::Status();
  });
}

void ropewalk_angle_cache_destroy(ropewalk_angle_cache* cache) { delete cache; }

ropewalk_status ropewalk_angle_cache_get(
    ropewalk_angle_cache* cache, const ropewalk_rope_parameters* parameters,
    int64_t sequence_length, const ropewalk_angle_options* options,
    ropewalk_angle_table** table, ropewalk_error* error) {
  if (table != nullptr) *table = nullptr;
  return internal::Call(error, [&]() -> rw::Status {
    rw::RopeParameters cc_parameters;
    rw::AngleOptions cc_options;
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("table", table));
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("cache", cache));
    ROPEWALK_RETURN_IF_ERROR(
        internal::Read("parameters", parameters, &cc_parameters));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadAngleOptions(options, &cc_options));
    return internal::HandOut(
        cache->value.Get(cc_parameters, sequence_length, cc_options), table);
  });
}

ropewalk_status ropewalk_angle_cache_get_frequencies(
    ropewalk_angle_cache* cache, const ropewalk_frequencies* frequencies,
    const ropewalk_angle_options* options, ropewalk_angle_table** table,
    ropewalk_error* error) {
  if (table != nullptr) *table = nullptr;
  return internal::Call(error, [&]() -> rw::Status {
    rw::AngleOptions cc_options;
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("table", table));
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("cache", cache));
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("frequencies", frequencies));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadAngleOptions(options, &cc_options));
    return internal::HandOut(cache->value.Get(frequencies->value, cc_options),
                             table);
  });
}

ropewalk_status ropewalk_angle_cache_get_stats(
    const ropewalk_angle_cache* cache, ropewalk_angle_cache_stats* stats,
    ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("cache", cache));
    ROPEWALK_RETURN_IF_ERROR(internal::CheckSize("stats", stats));
    internal::WriteStruct(internal::StatsOf(cache->value.stats()), stats);
    return rw::Status();
  });
}
