// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// From the structs of the encodings in C to those of C++. Null is an error;
// names go into messages.
#pragma once
#include <cstdint>

#include "ropewalk/c/encodings.h"
#include "ropewalk/c/score_biases.h"
#include "ropewalk/encodings.h"
#include "ropewalk/status.h"
#include "status/error.h"

namespace ropewalk::internal {

// Of an enumeration that counts from 1 in C, where 0 is none, and from 0 in
// C++.
template <class E>
Status ReadFromOne(const char* name, int32_t value, E last, E* out) noexcept {
  if (value < 1 || value > static_cast<int32_t>(last) + 1) {
    return Error(StatusCode::kInvalidArgument, "%s = %d: no such value", name,
                 static_cast<int>(value));
  }
  *out = static_cast<E>(value - 1);
  return Status();
}

Status Read(const char* name, const ropewalk_embedding_table* given,
            EmbeddingTable* table) noexcept;
Status Read(const char* name, const ropewalk_hidden_states* given,
            HiddenStates* hidden) noexcept;
Status Read(const char* name, const ropewalk_const_hidden_states* given,
            ConstHiddenStates* hidden) noexcept;
Result<TokenIds> ReadTokenIds(const char* name,
                              const ropewalk_token_ids* given) noexcept;
Status Read(const char* name, const ropewalk_scores* given,
            Scores* scores) noexcept;
Status Read(const char* name, const ropewalk_t5_buckets* given,
            T5Buckets* rule) noexcept;
Status Read(const char* name, const ropewalk_shaw_rule* given,
            ShawRule* rule) noexcept;

}  // namespace ropewalk::internal
