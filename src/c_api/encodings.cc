// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/c/encodings.h"

#include "c_api/call.h"
#include "c_api/handles.h"
#include "c_api/read_encodings.h"
#include "c_api/read_types.h"
#include "c_api/struct_size.h"

namespace ropewalk::internal {
namespace {

Status ReadLookupOptions(const ropewalk_lookup_options* given,
                         LookupOptions* options) noexcept {
  if (given == nullptr) return Status();
  ropewalk_lookup_options in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct("options", given, &in));
  if (in.multiplier == 0) {
    return Error(StatusCode::kInvalidArgument,
                 "options.multiplier = 0: must be 1 for none");
  }
  options->multiplier = in.multiplier;
  return Read("parallel", in.parallel, &options->parallel);
}

Status ReadSinusoidalOptions(const ropewalk_sinusoidal_options* given,
                             SinusoidalOptions* options) noexcept {
  if (given == nullptr) return Status();
  ropewalk_sinusoidal_options in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct("options", given, &in));
  ROPEWALK_RETURN_IF_ERROR(ReadFromOne(
      "options.order", in.order, SinusoidalOrder::kCosSin, &options->order));
  return Read("parallel", in.parallel, &options->parallel);
}

}  // namespace
}  // namespace ropewalk::internal

namespace rw = ropewalk;
namespace internal = ropewalk::internal;

ropewalk_status ropewalk_lookup(const ropewalk_embedding_table* table,
                                const ropewalk_token_ids* ids,
                                const ropewalk_hidden_states* out,
                                const ropewalk_lookup_options* options,
                                ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::EmbeddingTable cc_table;
    rw::HiddenStates cc_out;
    rw::LookupOptions cc_options;
    ROPEWALK_RETURN_IF_ERROR(internal::Read("table", table, &cc_table));
    const auto cc_ids = internal::ReadTokenIds("ids", ids);
    ROPEWALK_RETURN_IF_ERROR(cc_ids.status());
    ROPEWALK_RETURN_IF_ERROR(internal::Read("out", out, &cc_out));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadLookupOptions(options, &cc_options));
    return rw::Lookup(cc_table, cc_ids.value(), cc_out, cc_options);
  });
}

ropewalk_status ropewalk_tied_logits(const ropewalk_embedding_table* table,
                                     const ropewalk_const_hidden_states* hidden,
                                     float* logits, int64_t logits_stride,
                                     const ropewalk_parallel* parallel,
                                     ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::EmbeddingTable cc_table;
    rw::ConstHiddenStates cc_hidden;
    rw::Parallel cc_parallel = rw::Parallel::Serial();
    ROPEWALK_RETURN_IF_ERROR(internal::Read("table", table, &cc_table));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("hidden", hidden, &cc_hidden));
    ROPEWALK_RETURN_IF_ERROR(
        internal::Read("parallel", parallel, &cc_parallel));
    return rw::TiedLogits(cc_table, cc_hidden, logits, logits_stride,
                          cc_parallel);
  });
}

ropewalk_status ropewalk_add_learned(const ropewalk_embedding_table* table,
                                     const ropewalk_positions* positions,
                                     int64_t offset,
                                     const ropewalk_hidden_states* hidden,
                                     const ropewalk_parallel* parallel,
                                     ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::EmbeddingTable cc_table;
    rw::HiddenStates cc_hidden;
    rw::Parallel cc_parallel = rw::Parallel::Serial();
    ROPEWALK_RETURN_IF_ERROR(internal::Read("table", table, &cc_table));
    const auto ids = internal::ReadPositions("positions", positions);
    ROPEWALK_RETURN_IF_ERROR(ids.status());
    ROPEWALK_RETURN_IF_ERROR(internal::Read("hidden", hidden, &cc_hidden));
    ROPEWALK_RETURN_IF_ERROR(
        internal::Read("parallel", parallel, &cc_parallel));
    return rw::AddLearned(cc_table, ids.value(), offset, cc_hidden,
                          cc_parallel);
  });
}

ropewalk_status ropewalk_sinusoidal_frequencies(
    int32_t width, double base, ropewalk_sinusoidal_ladder ladder,
    ropewalk_frequencies** frequencies, ropewalk_error* error) {
  if (frequencies != nullptr) *frequencies = nullptr;
  return internal::Call(error, [&]() -> rw::Status {
    rw::SinusoidalLadder cc_ladder{};
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("frequencies", frequencies));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadFromOne(
        "ladder", ladder, rw::SinusoidalLadder::kByPairs, &cc_ladder));
    return internal::HandOut(rw::SinusoidalFrequencies(width, base, cc_ladder),
                             frequencies);
  });
}

ropewalk_status ropewalk_add_sinusoidal(
    const ropewalk_angle_rows* rows, const ropewalk_hidden_states* hidden,
    const ropewalk_sinusoidal_options* options, ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::HiddenStates cc_hidden;
    rw::SinusoidalOptions cc_options;
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("rows", rows));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("hidden", hidden, &cc_hidden));
    ROPEWALK_RETURN_IF_ERROR(
        internal::ReadSinusoidalOptions(options, &cc_options));
    return rw::AddSinusoidal(rows->value, cc_hidden, cc_options);
  });
}
