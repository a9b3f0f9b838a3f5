/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Biases of attention scores by distance: ALiBi, T5's and Shaw's. scores.h,
 * alibi.h, t5_bias.h and shaw.h in encodings/ for C; they have each call's
 * accuracy. */
#ifndef ROPEWALK_C_SCORE_BIASES_H_
#define ROPEWALK_C_SCORE_BIASES_H_

#include <stdint.h>

#include "ropewalk/c/encodings.h"
#include "ropewalk/c/status.h"
#include "ropewalk/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Scores before the softmax: [heads, queries, keys], keys contiguous. The
 *  query in row i stands at first_query + i and the key in column j at
 *  first_key + j.
 *
 *  Units:     strides in bytes, of any sign, multiples of the element size.
 *             Where the scores are only read, a zero stride broadcasts.
 *  Requires:  every position, and every key's distance from a query, is an
 *             int64. Neither queries nor keys need be any. */
typedef struct ropewalk_scores {
  uint32_t struct_size;
  ropewalk_data_type type;
  void* data;
  int64_t heads;
  int64_t queries;
  int64_t keys;
  int64_t head_stride;
  int64_t query_stride;
  int64_t first_query;
  int64_t first_key;
} ropewalk_scores;
#define ROPEWALK_SCORES_INIT \
  { sizeof(ropewalk_scores), ROPEWALK_F32, 0, 0, 0, 0, 0, 0, 0, 0 }

/** Sets the strides of scores without gaps, from the type and the sizes that
 *  are set, and the positions of a decoder's step: first_key is 0, and the last
 *  query stands at the last key. Where there are fewer keys than queries, the
 *  first query stands at the first key.
 *
 *  Errors:    ROPEWALK_INVALID_ARGUMENT: a negative size, an unknown type;
 *             ROPEWALK_OUT_OF_RANGE: a stride past int64. */
ROPEWALK_EXPORT ropewalk_status ropewalk_dense_scores(ropewalk_scores* scores,
                                                      ropewalk_error* error);

/** Which scores get a bias. 0 is none: every call must be told. */
typedef int32_t ropewalk_score_range;
enum {
  ROPEWALK_ALL_SCORES = 1,
  ROPEWALK_CAUSAL_SCORES = 2 /**< Of keys no later than the query. */
};

/** Writes ALiBi's slope of each head.
 *
 *  Shape:     slopes [heads].
 *  Requires:  heads from 1 to 65536; max_bias finite and not negative (8 in the
 *             paper; 0 makes every slope 0).
 *  Errors:    ROPEWALK_INVALID_ARGUMENT; nothing is written. */
ROPEWALK_EXPORT ropewalk_status ropewalk_alibi_slopes(int32_t heads,
                                                      double max_bias,
                                                      float* slopes,
                                                      ropewalk_error* error);

/** Adds -slope |query - key| to each score.
 *
 *  Shape:     slopes [scores->heads].
 *  Requires:  slopes from -2^60 to 2^60.
 *  Aliasing:  of all calls here: no two elements that are written are one, nor
 *             is any of them one that is read.
 *  Errors:    of all calls here: ROPEWALK_INVALID_ARGUMENT,
 *             ROPEWALK_OUT_OF_RANGE; on an error nothing is written.
 *  Threads:   of all calls here: safe on disjoint memory; allocates nothing,
 *             takes no lock. */
ROPEWALK_EXPORT ropewalk_status
ropewalk_add_alibi(const float* slopes, const ropewalk_scores* scores,
                   ropewalk_score_range range,
                   const ropewalk_parallel* parallel, ropewalk_error* error);

/** How distances fall into buckets; T5Buckets in t5_bias.h.
 *
 *  Requires:  buckets from 2 (4 where keys after the query have their own) to
 *             1024, even with those; max_distance above half the buckets of one
 *             direction, at most 2^30. */
typedef struct ropewalk_t5_buckets {
  uint32_t struct_size;
  int32_t buckets;
  int64_t max_distance;
  /** Not 0: keys after the query share bucket 0, as in decoders. 0: they have
   *  the upper half of the buckets, as in encoders. */
  int32_t unidirectional;
  int32_t reserved; /**< 0. */
} ropewalk_t5_buckets;
#define ROPEWALK_T5_BUCKETS_INIT \
  { sizeof(ropewalk_t5_buckets), 32, 128, 0, 0 }

/** Writes the bucket of key - query.
 *
 *  Errors:    ROPEWALK_INVALID_ARGUMENT; nothing is written. */
ROPEWALK_EXPORT ropewalk_status
ropewalk_t5_bucket(const ropewalk_t5_buckets* rule, int64_t key_minus_query,
                   int32_t* bucket, ropewalk_error* error);

/** Adds the bias of its bucket to each score.
 *
 *  Shape:     table [rule->buckets, scores->heads]. */
ROPEWALK_EXPORT ropewalk_status ropewalk_add_t5_bias(
    const ropewalk_embedding_table* table, const ropewalk_t5_buckets* rule,
    const ropewalk_scores* scores, ropewalk_score_range range,
    const ropewalk_parallel* parallel, ropewalk_error* error);

/** The row of key - query = d: clip(d, -clip, clip) + clip, of 2 clip + 1 rows;
 *  reversed, that of query - key.
 *
 *  Requires:  clip from 0 to 2^30. */
typedef struct ropewalk_shaw_rule {
  uint32_t struct_size;
  int32_t reversed; /**< Not 0: BERT's relative_key. */
  int64_t clip;
} ropewalk_shaw_rule;
#define ROPEWALK_SHAW_RULE_INIT \
  { sizeof(ropewalk_shaw_rule), 0, 0 }

/** Writes the row of key - query.
 *
 *  Errors:    ROPEWALK_INVALID_ARGUMENT; nothing is written. */
ROPEWALK_EXPORT ropewalk_status
ropewalk_shaw_index(const ropewalk_shaw_rule* rule, int64_t key_minus_query,
                    int64_t* index, ropewalk_error* error);

/** Adds multiplier * (query . row) to each score, for the row of its distance.
 *
 *  Shape:     table [2 clip + 1, head_dim], shared by the heads; queries
 *             [1, scores->queries, scores->heads, head_dim].
 *  Units:     multiplier is that of the scores: 1 / sqrt(head_dim) where they
 *             have it already.
 *  Requires:  the multiplier is finite. */
ROPEWALK_EXPORT ropewalk_status ropewalk_add_shaw_scores(
    const ropewalk_embedding_table* table, const ropewalk_shaw_rule* rule,
    const ropewalk_const_heads* queries, float multiplier,
    const ropewalk_scores* scores, ropewalk_score_range range,
    const ropewalk_parallel* parallel, ropewalk_error* error);

/** Adds the sum over keys of weight * row to each query's output.
 *
 *  Shape:     weights [heads, queries, keys]: the scores after the softmax,
 *             only read; output [1, queries, heads, head_dim]. */
ROPEWALK_EXPORT ropewalk_status ropewalk_add_shaw_values(
    const ropewalk_embedding_table* table, const ropewalk_shaw_rule* rule,
    const ropewalk_scores* weights, const ropewalk_heads* output,
    ropewalk_score_range range, const ropewalk_parallel* parallel,
    ropewalk_error* error);

#ifdef __cplusplus
}
#endif

#endif /* ROPEWALK_C_SCORE_BIASES_H_ */
