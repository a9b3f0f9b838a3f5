// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/c/positions.h"

#include "c_api/call.h"
#include "c_api/read_types.h"
#include "c_api/struct_size.h"
#include "ropewalk/position_transforms.h"
#include "ropewalk/query_scale.h"

namespace rw = ropewalk;
namespace internal = ropewalk::internal;

ropewalk_status ropewalk_write_query_scale(const ropewalk_positions* positions,
                                           const ropewalk_query_scale* scale,
                                           float* factors,
                                           ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ropewalk_query_scale in;
    rw::QueryScale cc_scale;
    const auto ids = internal::ReadPositions("positions", positions);
    ROPEWALK_RETURN_IF_ERROR(ids.status());
    ROPEWALK_RETURN_IF_ERROR(internal::ReadStruct("scale", scale, &in));
    ROPEWALK_RETURN_IF_ERROR(
        internal::ReadEnum("scale", "rule", in.rule, &cc_scale.rule));
    cc_scale.positions = in.positions;
    cc_scale.beta = in.beta;
    return rw::WriteQueryScale(ids.value(), cc_scale, factors);
  });
}

ropewalk_status ropewalk_dual_chunk_positions(
    const ropewalk_positions* positions, const ropewalk_dual_chunk* chunk,
    const ropewalk_dual_chunk_ids* ids, ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ropewalk_dual_chunk in;
    ropewalk_dual_chunk_ids out;
    const auto cc_positions = internal::ReadPositions("positions", positions);
    ROPEWALK_RETURN_IF_ERROR(cc_positions.status());
    ROPEWALK_RETURN_IF_ERROR(internal::ReadStruct("chunk", chunk, &in));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadStruct("ids", ids, &out));
    return rw::DualChunkPositions(
        cc_positions.value(), {in.chunk_size, in.local_size},
        {out.key, out.query_intra, out.query_successive, out.query_inter,
         out.query_successive_critical, out.query_inter_critical});
  });
}
