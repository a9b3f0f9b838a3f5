// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// How a caller describes attention scores, to which biases are added.
#pragma once
#include <cstdint>

#include "ropewalk/types.h"

namespace ropewalk {

/// Scores before the softmax: [heads, queries, keys], keys contiguous. The
/// query in row i stands at first_query + i and the key in column j at
/// first_key + j.
///
/// Units:     strides in bytes, of any sign, multiples of the element size.
/// Requires:  every position, and every key's distance from a query, is an
///            int64. Neither queries nor keys need be any.
struct Scores {
  void* data = nullptr;
  DataType type = DataType::kF32;
  int64_t heads = 0;
  int64_t queries = 0;
  int64_t keys = 0;
  int64_t head_stride = 0;
  int64_t query_stride = 0;
  int64_t first_query = 0;
  int64_t first_key = 0;
};

/// Describes [heads, queries, keys] without gaps, whose last query stands at
/// the last key: a step of a decoder with its cache. Where there are fewer keys
/// than queries, the first query stands at the first key. Sizes that are
/// negative or too large are reported by the call that takes the scores.
inline Scores DenseScores(void* data, DataType type, int64_t heads,
                          int64_t queries, int64_t keys) {
  const int64_t row = internal::MultiplyOrMax(keys, ElementSize(type));
  Scores scores;
  scores.data = data;
  scores.type = type;
  scores.heads = heads;
  scores.queries = queries;
  scores.keys = keys;
  scores.query_stride = row;
  scores.head_stride = internal::MultiplyOrMax(queries, row);
  scores.first_query = keys > queries && queries >= 0 ? keys - queries : 0;
  return scores;
}

/// Describes float32 [heads, queries, keys] without gaps, likewise.
inline Scores DenseScores(float* data, int64_t heads, int64_t queries,
                          int64_t keys) {
  return DenseScores(data, DataType::kF32, heads, queries, keys);
}

/// Which scores get a bias. The values are fixed.
enum class ScoreRange : uint8_t {
  kAll = 0,     ///< Every one.
  kCausal = 1,  ///< Of keys no later than the query; the others are left alone.
};

}  // namespace ropewalk
