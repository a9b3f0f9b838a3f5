// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/c/angle_rows.h"

#include "c_api/call.h"
#include "c_api/handles.h"
#include "c_api/read_types.h"

namespace rw = ropewalk;
namespace internal = ropewalk::internal;

namespace {

bool Has(const ropewalk_angle_rows* rows, int64_t row, int32_t head) {
  return rows != nullptr && row >= 0 && row < rows->value.rows() && head >= 0 &&
         head < rows->value.heads();
}

}  // namespace

ropewalk_status ropewalk_angle_rows_create(ropewalk_angle_rows** rows,
                                           ropewalk_error* error) {
  if (rows != nullptr) *rows = nullptr;
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("rows", rows));
    *rows = new ropewalk_angle_rows;
    return rw::Status();
  });
}

void ropewalk_angle_rows_destroy(ropewalk_angle_rows* rows) { delete rows; }

ropewalk_status ropewalk_angle_rows_reserve(ropewalk_angle_rows* rows,
                                            int64_t count, int32_t pairs,
                                            int32_t heads,
                                            ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("rows", rows));
    return rows->value.Reserve(count, pairs, heads);
  });
}

ropewalk_status ropewalk_angle_rows_wrap(ropewalk_angle_rows* rows,
                                         const ropewalk_cos_sin* table,
                                         ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::ConstCosSinView view;
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("rows", rows));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("table", table, &view));
    auto wrapped = rw::AngleRows::Wrap(view);
    ROPEWALK_RETURN_IF_ERROR(wrapped.status());
    rows->value = std::move(wrapped).value();
    return rw::Status();
  });
}

ropewalk_status ropewalk_angle_rows_gather(ropewalk_angle_rows* rows,
                                           const ropewalk_cos_sin* table,
                                           const ropewalk_positions* positions,
                                           ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::ConstCosSinView view;
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("rows", rows));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("table", table, &view));
    const auto ids = internal::ReadPositions("positions", positions);
    ROPEWALK_RETURN_IF_ERROR(ids.status());
    return rows->value.Gather(view, ids.value());
  });
}

int64_t ropewalk_angle_rows_count(const ropewalk_angle_rows* rows) {
  return rows != nullptr ? rows->value.rows() : 0;
}

int32_t ropewalk_angle_rows_pairs(const ropewalk_angle_rows* rows) {
  return rows != nullptr ? rows->value.pairs() : 0;
}

int32_t ropewalk_angle_rows_heads(const ropewalk_angle_rows* rows) {
  return rows != nullptr ? rows->value.heads() : 0;
}

const float* ropewalk_angle_rows_cos(const ropewalk_angle_rows* rows,
                                     int64_t row, int32_t head) {
  return Has(rows, row, head) ? rows->value.cos(row, head) : nullptr;
}

const float* ropewalk_angle_rows_sin(const ropewalk_angle_rows* rows,
                                     int64_t row, int32_t head) {
  return Has(rows, row, head) ? rows->value.sin(row, head) : nullptr;
}

int32_t ropewalk_angle_rows_identity(const ropewalk_angle_rows* rows,
                                     int64_t row, int32_t head) {
  return Has(rows, row, head) && rows->value.identity(row, head) ? 1 : 0;
}

double ropewalk_angle_rows_attention_factor(const ropewalk_angle_rows* rows,
                                            int64_t row) {
  return Has(rows, row, 0) ? rows->value.attention_factor(row) : 1;
}
