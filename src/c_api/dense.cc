// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "c_api/call.h"
#include "c_api/read_types.h"
#include "c_api/struct_size.h"
#include "ropewalk/c/encodings.h"
#include "ropewalk/c/kv_cache.h"
#include "ropewalk/c/score_biases.h"
#include "ropewalk/c/types.h"
#include "ropewalk/encodings.h"
#include "ropewalk/kv_cache.h"

namespace ropewalk::internal {
namespace {

// The sizes from which strides are made.
struct Sizes {
  const char* name;
  int32_t type;
  int64_t batch;
  int64_t tokens;
  int64_t heads;
  int32_t head_dim;
};

Result<HeadsView> Dense(const Sizes& sizes) noexcept {
  DataType type{};
  ROPEWALK_RETURN_IF_ERROR(ReadType(sizes.name, "type", sizes.type, &type));
  if (sizes.batch < 0 || sizes.tokens < 0 || sizes.heads < 0 ||
      sizes.head_dim < 0) {
    return Error(StatusCode::kInvalidArgument,
                 "[%lld, %lld, %lld, %d]: sizes must not be negative",
                 static_cast<long long>(sizes.batch),
                 static_cast<long long>(sizes.tokens),
                 static_cast<long long>(sizes.heads),
                 static_cast<int>(sizes.head_dim));
  }
  const HeadsView view = DenseHeads(nullptr, type, sizes.batch, sizes.tokens,
                                    sizes.heads, sizes.head_dim);
  if (view.batch_stride == INT64_MAX || view.token_stride == INT64_MAX) {
    return Error(StatusCode::kOutOfRange,
                 "[%lld, %lld, %lld, %d]: a stride is past int64",
                 static_cast<long long>(sizes.batch),
                 static_cast<long long>(sizes.tokens),
                 static_cast<long long>(sizes.heads),
                 static_cast<int>(sizes.head_dim));
  }
  return view;
}

// Of ropewalk_heads and ropewalk_const_heads.
template <class C>
Status SetStrides(C* heads, int32_t head_dim) noexcept {
  C in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct("heads", heads, &in));
  const auto view =
      Dense({"heads", in.type, in.batch, in.tokens, in.heads, head_dim});
  ROPEWALK_RETURN_IF_ERROR(view.status());
  heads->batch_stride = view.value().batch_stride;
  heads->token_stride = view.value().token_stride;
  heads->head_stride = view.value().head_stride;
  return Status();
}

// Of tables and hidden states: `rows` rows of `width`.
Result<int64_t> DenseRow(const char* name, int32_t given, int64_t rows,
                         int64_t width) noexcept {
  DataType type{};
  ROPEWALK_RETURN_IF_ERROR(ReadType(name, "type", given, &type));
  if (rows < 0 || width < 0) {
    return Error(StatusCode::kInvalidArgument,
                 "[%lld, %lld]: sizes must not be negative",
                 static_cast<long long>(rows), static_cast<long long>(width));
  }
  const int64_t stride = DenseTable(nullptr, type, rows, width).row_stride;
  if (stride == INT64_MAX) {
    return Error(StatusCode::kOutOfRange,
                 "[%lld, %lld]: a stride is past int64",
                 static_cast<long long>(rows), static_cast<long long>(width));
  }
  return stride;
}

// Of ropewalk_hidden_states and ropewalk_const_hidden_states.
template <class C>
Status SetTokenStride(C* hidden) noexcept {
  C in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct("hidden", hidden, &in));
  const auto stride = DenseRow("hidden", in.type, in.tokens, in.width);
  ROPEWALK_RETURN_IF_ERROR(stride.status());
  hidden->token_stride = stride.value();
  return Status();
}

Result<Scores> Dense(const ropewalk_scores& in) noexcept {
  DataType type{};
  ROPEWALK_RETURN_IF_ERROR(ReadType("scores", "type", in.type, &type));
  if (in.heads < 0 || in.queries < 0 || in.keys < 0) {
    return Error(StatusCode::kInvalidArgument,
                 "[%lld, %lld, %lld]: sizes must not be negative",
                 static_cast<long long>(in.heads),
                 static_cast<long long>(in.queries),
                 static_cast<long long>(in.keys));
  }
  const Scores view = DenseScores(nullptr, type, in.heads, in.queries, in.keys);
  if (view.head_stride == INT64_MAX || view.query_stride == INT64_MAX) {
    return Error(
        StatusCode::kOutOfRange, "[%lld, %lld, %lld]: a stride is past int64",
        static_cast<long long>(in.heads), static_cast<long long>(in.queries),
        static_cast<long long>(in.keys));
  }
  return view;
}

}  // namespace
}  // namespace ropewalk::internal

namespace rw = ropewalk;
namespace internal = ropewalk::internal;

ropewalk_status ropewalk_dense_heads(ropewalk_heads* heads, int32_t head_dim,
                                     ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    return internal::SetStrides(heads, head_dim);
  });
}

ropewalk_status ropewalk_dense_const_heads(ropewalk_const_heads* heads,
                                           int32_t head_dim,
                                           ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    return internal::SetStrides(heads, head_dim);
  });
}

ropewalk_status ropewalk_nhd_cache(ropewalk_kv_cache* cache,
                                   ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ropewalk_kv_cache in;
    ROPEWALK_RETURN_IF_ERROR(internal::ReadStruct("cache", cache, &in));
    const auto view = internal::Dense(
        {"cache", in.type, in.blocks, in.block_size, in.heads, in.head_dim});
    ROPEWALK_RETURN_IF_ERROR(view.status());
    cache->block_stride = view.value().batch_stride;
    cache->slot_stride = view.value().token_stride;
    cache->head_stride = view.value().head_stride;
    return rw::Status();
  });
}

ropewalk_status ropewalk_hnd_cache(ropewalk_kv_cache* cache,
                                   ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ropewalk_kv_cache in;
    ROPEWALK_RETURN_IF_ERROR(internal::ReadStruct("cache", cache, &in));
    const auto view = internal::Dense(
        {"cache", in.type, in.blocks, in.heads, in.block_size, in.head_dim});
    ROPEWALK_RETURN_IF_ERROR(view.status());
    cache->block_stride = view.value().batch_stride;
    cache->head_stride = view.value().token_stride;
    cache->slot_stride = view.value().head_stride;
    return rw::Status();
  });
}

ropewalk_status ropewalk_dense_table(ropewalk_embedding_table* table,
                                     ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ropewalk_embedding_table in;
    ROPEWALK_RETURN_IF_ERROR(internal::ReadStruct("table", table, &in));
    const auto stride =
        internal::DenseRow("table", in.type, in.vocabulary, in.width);
    ROPEWALK_RETURN_IF_ERROR(stride.status());
    table->row_stride = stride.value();
    return rw::Status();
  });
}

ropewalk_status ropewalk_dense_hidden(ropewalk_hidden_states* hidden,
                                      ropewalk_error* error) {
  return internal::Call(
      error, [&]() -> rw::Status { return internal::SetTokenStride(hidden); });
}

ropewalk_status ropewalk_dense_const_hidden(
    ropewalk_const_hidden_states* hidden, ropewalk_error* error) {
  return internal::Call(
      error, [&]() -> rw::Status { return internal::SetTokenStride(hidden); });
}

ropewalk_status ropewalk_dense_scores(ropewalk_scores* scores,
                                      ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ropewalk_scores in;
    ROPEWALK_RETURN_IF_ERROR(internal::ReadStruct("scores", scores, &in));
    const auto view = internal::Dense(in);
    ROPEWALK_RETURN_IF_ERROR(view.status());
    scores->head_stride = view.value().head_stride;
    scores->query_stride = view.value().query_stride;
    scores->first_query = view.value().first_query;
    scores->first_key = view.value().first_key;
    return rw::Status();
  });
}
