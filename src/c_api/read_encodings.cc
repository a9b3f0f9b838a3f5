// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "c_api/read_encodings.h"

#include "c_api/read_types.h"
#include "c_api/struct_size.h"

namespace ropewalk::internal {
namespace {

// ropewalk_hidden_states and ropewalk_const_hidden_states have the same fields.
template <class C, class View>
Status ReadHidden(const char* name, const C* given, View* hidden) noexcept {
  C in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  ROPEWALK_RETURN_IF_ERROR(ReadType(name, "type", in.type, &hidden->type));
  hidden->data = in.data;
  hidden->tokens = in.tokens;
  hidden->width = in.width;
  hidden->token_stride = in.token_stride;
  return Status();
}

}  // namespace

Status Read(const char* name, const ropewalk_embedding_table* given,
            EmbeddingTable* table) noexcept {
  ropewalk_embedding_table in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  ROPEWALK_RETURN_IF_ERROR(ReadType(name, "type", in.type, &table->type));
  table->data = in.data;
  table->vocabulary = in.vocabulary;
  table->width = in.width;
  table->row_stride = in.row_stride;
  return Status();
}

Status Read(const char* name, const ropewalk_hidden_states* given,
            HiddenStates* hidden) noexcept {
  return ReadHidden(name, given, hidden);
}

Status Read(const char* name, const ropewalk_const_hidden_states* given,
            ConstHiddenStates* hidden) noexcept {
  return ReadHidden(name, given, hidden);
}

Result<TokenIds> ReadTokenIds(const char* name,
                              const ropewalk_token_ids* given) noexcept {
  ropewalk_token_ids in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  switch (in.kind) {
    case ROPEWALK_TOKEN_IDS_INT32:
      return TokenIds(static_cast<const int32_t*>(in.ids), in.count);
    case ROPEWALK_TOKEN_IDS_INT64:
      return TokenIds(static_cast<const int64_t*>(in.ids), in.count);
    default:
      return Error(StatusCode::kInvalidArgument, "%s.kind = %d: no such value",
                   name, static_cast<int>(in.kind));
  }
}

Status Read(const char* name, const ropewalk_scores* given,
            Scores* scores) noexcept {
  ropewalk_scores in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  ROPEWALK_RETURN_IF_ERROR(ReadType(name, "type", in.type, &scores->type));
  scores->data = in.data;
  scores->heads = in.heads;
  scores->queries = in.queries;
  scores->keys = in.keys;
  scores->head_stride = in.head_stride;
  scores->query_stride = in.query_stride;
  scores->first_query = in.first_query;
  scores->first_key = in.first_key;
  return Status();
}

Status Read(const char* name, const ropewalk_t5_buckets* given,
            T5Buckets* rule) noexcept {
  ropewalk_t5_buckets in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  ROPEWALK_RETURN_IF_ERROR(ReadReserved(name, in.reserved));
  rule->buckets = in.buckets;
  rule->max_distance = in.max_distance;
  rule->bidirectional = in.unidirectional == 0;
  return Status();
}

Status Read(const char* name, const ropewalk_shaw_rule* given,
            ShawRule* rule) noexcept {
  ropewalk_shaw_rule in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  rule->clip = in.clip;
  rule->reversed = in.reversed != 0;
  return Status();
}

}  // namespace ropewalk::internal
