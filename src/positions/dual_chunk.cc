// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The positions of dual chunk attention.
#include <algorithm>

#include "angles/position_reader.h"
#include "ropewalk/position_transforms.h"
#include "status/error.h"

namespace ropewalk {
namespace {

using internal::Error;

// The largest position is 2 * chunk_size - 1 at most.
constexpr int64_t kMaxChunkSize = int64_t{1} << 62;

Status ValidateChunk(const DualChunk& chunk) noexcept {
  if (chunk.chunk_size < 1 || chunk.chunk_size > kMaxChunkSize) {
    return Error(StatusCode::kInvalidArgument,
                 "chunk.chunk_size = %lld: must be from 1 to 2^62",
                 static_cast<long long>(chunk.chunk_size));
  }
  if (chunk.local_size < 0 || chunk.local_size >= chunk.chunk_size) {
    return Error(StatusCode::kInvalidArgument,
                 "chunk.local_size = %lld: must be from 0 to chunk_size - 1 = "
                 "%lld",
                 static_cast<long long>(chunk.local_size),
                 static_cast<long long>(chunk.chunk_size - 1));
  }
  return Status();
}

Status ValidatePositions(internal::PositionReader* reader) noexcept {
  ROPEWALK_RETURN_IF_ERROR(reader->Validate());
  if (reader->components() != 1) {
    return Error(StatusCode::kInvalidArgument,
                 "positions of %d components: must have 1",
                 reader->components());
  }
  if (reader->is_real()) {
    return Error(StatusCode::kInvalidArgument,
                 "positions of doubles: must be integers");
  }
  // Run by run: there may be more positions than memory has room for.
  for (int64_t left = reader->count(); left > 0; left -= reader->RunLength()) {
    const int64_t t = reader->count() - left;
    if (const int64_t p = reader->Integer(0, t); p < 0) {
      return Error(StatusCode::kInvalidArgument,
                   "position[%lld] = %lld: must not be negative",
                   static_cast<long long>(t), static_cast<long long>(p));
    }
  }
  return Status();
}

bool IsWanted(const DualChunkIds& ids) noexcept {
  return ids.key != nullptr || ids.query_intra != nullptr ||
         ids.query_successive != nullptr || ids.query_inter != nullptr ||
         ids.query_successive_critical != nullptr ||
         ids.query_inter_critical != nullptr;
}

void Store(int64_t* ids, int64_t token, int64_t position) noexcept {
  if (ids != nullptr) ids[token] = position;
}

}  // namespace

Status DualChunkPositions(const Positions& positions, const DualChunk& chunk,
                          const DualChunkIds& ids) noexcept {
  internal::PositionReader reader(positions);
  ROPEWALK_RETURN_IF_ERROR(ValidatePositions(&reader));
  ROPEWALK_RETURN_IF_ERROR(ValidateChunk(chunk));
  if (!IsWanted(ids)) return Status();
  constexpr int64_t kMost = INT64_MAX / static_cast<int64_t>(sizeof(int64_t));
  if (reader.count() > kMost) {
    return Error(StatusCode::kOutOfRange,
                 "%lld positions: their ids' size does not fit int64",
                 static_cast<long long>(reader.count()));
  }
  const int64_t size = chunk.chunk_size;
  const int64_t length = size - chunk.local_size;
  const int64_t inter = std::min(length + (length - 1), size);
  for (int64_t t = 0; t < reader.count(); ++t) {
    const int64_t in_chunk = reader.Integer(0, t) % length;
    Store(ids.key, t, in_chunk);
    Store(ids.query_intra, t, in_chunk);
    Store(ids.query_successive, t, std::min(in_chunk + length, size));
    Store(ids.query_inter, t, inter);
    Store(ids.query_successive_critical, t, in_chunk + length);
    Store(ids.query_inter_critical, t, in_chunk + size);
  }
  return Status();
}

}  // namespace ropewalk
