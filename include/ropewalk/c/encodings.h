/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tables of embeddings, and what is added to hidden states in the place of a
 * rotation. embedding_table.h, hidden_states.h, learned.h and sinusoidal.h in
 * encodings/ for C; they have each call's accuracy. */
#ifndef ROPEWALK_C_ENCODINGS_H_
#define ROPEWALK_C_ENCODINGS_H_

#include <stdint.h>

#include "ropewalk/c/angle_rows.h"
#include "ropewalk/c/frequencies.h"
#include "ropewalk/c/positions.h"
#include "ropewalk/c/status.h"
#include "ropewalk/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** [vocabulary, width], only read; also a table of learned positions, or of
 *  score_biases.h.
 *
 *  Units:     row_stride in bytes, of any sign, a multiple of the element size.
 *  Requires:  width positive; row_stride not 0 where there are several rows; a
 *             vocabulary of 0 is legal where nothing is read. */
typedef struct ropewalk_embedding_table {
  uint32_t struct_size;
  ropewalk_data_type type;
  const void* data;
  int64_t vocabulary;
  int64_t width;
  int64_t row_stride;
} ropewalk_embedding_table;
#define ROPEWALK_EMBEDDING_TABLE_INIT \
  { sizeof(ropewalk_embedding_table), ROPEWALK_F32, 0, 0, 0, 0 }

/** One row of `width` contiguous elements a token.
 *
 *  Units:     token_stride in bytes, of any sign, a multiple of the element
 *             size.
 *  Requires:  width positive; no tokens are legal. */
typedef struct ropewalk_hidden_states {
  uint32_t struct_size;
  ropewalk_data_type type;
  void* data;
  int64_t tokens;
  int64_t width;
  int64_t token_stride;
} ropewalk_hidden_states;
#define ROPEWALK_HIDDEN_STATES_INIT \
  { sizeof(ropewalk_hidden_states), ROPEWALK_F32, 0, 0, 0, 0 }

/** A ropewalk_hidden_states that is only read. A zero stride broadcasts. */
typedef struct ropewalk_const_hidden_states {
  uint32_t struct_size;
  ropewalk_data_type type;
  const void* data;
  int64_t tokens;
  int64_t width;
  int64_t token_stride;
} ropewalk_const_hidden_states;
#define ROPEWALK_CONST_HIDDEN_STATES_INIT \
  { sizeof(ropewalk_const_hidden_states), ROPEWALK_F32, 0, 0, 0, 0 }

/** Set the stride of rows without gaps, from the type and the width that are
 *  set.
 *
 *  Errors:    ROPEWALK_INVALID_ARGUMENT: a negative size, an unknown type;
 *             ROPEWALK_OUT_OF_RANGE: a stride past int64. */
ROPEWALK_EXPORT ropewalk_status
ropewalk_dense_table(ropewalk_embedding_table* table, ropewalk_error* error);
ROPEWALK_EXPORT ropewalk_status
ropewalk_dense_hidden(ropewalk_hidden_states* hidden, ropewalk_error* error);
ROPEWALK_EXPORT ropewalk_status ropewalk_dense_const_hidden(
    ropewalk_const_hidden_states* hidden, ropewalk_error* error);

enum {
  ROPEWALK_TOKEN_IDS_INT32 = 1, /**< ids of int32_t. */
  ROPEWALK_TOKEN_IDS_INT64 = 2
};

/** Token ids. Borrowed until the call returns. */
typedef struct ropewalk_token_ids {
  uint32_t struct_size;
  int32_t kind; /**< ROPEWALK_TOKEN_IDS_INT32, ...; must be set. */
  const void* ids;
  int64_t count;
} ropewalk_token_ids;
#define ROPEWALK_TOKEN_IDS_INIT \
  { sizeof(ropewalk_token_ids), 0, 0, 0 }

/** Null is a multiplier of 1, serial. */
typedef struct ropewalk_lookup_options {
  uint32_t struct_size;
  float multiplier; /**< Of each element, such as sqrt(width); not 0. */
  const ropewalk_parallel* parallel; /**< Null: serial. */
} ropewalk_lookup_options;
#define ROPEWALK_LOOKUP_OPTIONS_INIT \
  { sizeof(ropewalk_lookup_options), 1.0f, 0 }

/** Copies or converts the table's row of each token.
 *
 *  Shape:     out [ids->count, table->width].
 *  Aliasing:  out shares no element with the table, and no byte with the ids.
 *  Errors:    ROPEWALK_INVALID_ARGUMENT; ROPEWALK_OUT_OF_RANGE: an id outside
 *             the table. On an error nothing is written.
 *  Threads:   safe on disjoint outputs; allocates nothing, takes no lock. */
ROPEWALK_EXPORT ropewalk_status ropewalk_lookup(
    const ropewalk_embedding_table* table, const ropewalk_token_ids* ids,
    const ropewalk_hidden_states* out, const ropewalk_lookup_options* options,
    ropewalk_error* error);

/** Writes the output layer of a model whose embeddings are tied:
 *  logits[t, v] = sum over i of hidden[t, i] * table[v, i].
 *
 *  Shape:     logits [hidden->tokens, table->vocabulary], float32, contiguous
 *             in the vocabulary.
 *  Units:     logits_stride in bytes, from token to token.
 *  Aliasing:  logits share no element with each other, hidden or table.
 *  Errors:    ROPEWALK_INVALID_ARGUMENT, ROPEWALK_OUT_OF_RANGE; on an error
 *             nothing is written.
 *  Threads:   safe on disjoint logits; allocates nothing, takes no lock. */
ROPEWALK_EXPORT ropewalk_status
ropewalk_tied_logits(const ropewalk_embedding_table* table,
                     const ropewalk_const_hidden_states* hidden, float* logits,
                     int64_t logits_stride, const ropewalk_parallel* parallel,
                     ropewalk_error* error);

/** Adds row position + offset of the table to each token, in place.
 *
 *  Shape:     hidden [positions, table->width]; integer positions of one
 *             component. The offset is 2 for OPT and BART.
 *  Aliasing:  no two tokens share an element, nor do hidden states and table,
 *             nor a byte the positions.
 *  Errors:    ROPEWALK_INVALID_ARGUMENT; ROPEWALK_OUT_OF_RANGE: a row outside
 *             the table. On an error nothing is written.
 *  Threads:   safe on disjoint hidden states; allocates nothing, takes no
 *             lock. */
ROPEWALK_EXPORT ropewalk_status ropewalk_add_learned(
    const ropewalk_embedding_table* table, const ropewalk_positions* positions,
    int64_t offset, const ropewalk_hidden_states* hidden,
    const ropewalk_parallel* parallel, ropewalk_error* error);

/** Where sin and cos of pair i stand in a row of width d, with h = floor(d / 2)
 *  pairs. 0 is none. */
typedef int32_t ropewalk_sinusoidal_order;
enum {
  ROPEWALK_SINUSOIDAL_INTERLEAVED = 1, /**< 2i, 2i + 1: the original. */
  ROPEWALK_SINUSOIDAL_SIN_COS = 2,     /**< i, h + i: Marian, Tensor2Tensor. */
  ROPEWALK_SINUSOIDAL_COS_SIN = 3 /**< h + i, i: time steps of diffusion. */
};

/** How the frequencies of such a row fall from 1. 0 is none. */
typedef int32_t ropewalk_sinusoidal_ladder;
enum {
  ROPEWALK_LADDER_BY_WIDTH = 1, /**< base^(-2i / d): the original, Marian. */
  ROPEWALK_LADDER_TO_BASE = 2,  /**< base^(-i / (h - 1)): Tensor2Tensor. */
  ROPEWALK_LADDER_BY_PAIRS = 3  /**< base^(-i / h): time steps. */
};

/** Computes the frequencies of a row, for ropewalk_angle_table_build.
 *
 *  Requires:  width at least 2; base finite and positive (10000 in the paper).
 *  Errors:    those of ropewalk_compute_frequencies. */
ROPEWALK_EXPORT ropewalk_status ropewalk_sinusoidal_frequencies(
    int32_t width, double base, ropewalk_sinusoidal_ladder ladder,
    ropewalk_frequencies** frequencies, ropewalk_error* error);

/** Null is the original order, serial. */
typedef struct ropewalk_sinusoidal_options {
  uint32_t struct_size;
  ropewalk_sinusoidal_order order;
  const ropewalk_parallel* parallel; /**< Null: serial. */
} ropewalk_sinusoidal_options;
#define ROPEWALK_SINUSOIDAL_OPTIONS_INIT \
  { sizeof(ropewalk_sinusoidal_options), ROPEWALK_SINUSOIDAL_INTERLEAVED, 0 }

/** Adds each token's sin and cos to its hidden state, in place.
 *
 *  Shape:     hidden [rows, d], rows of floor(d / 2) pairs and one head, as
 *             ropewalk_angle_table_fill makes them.
 *  Errors:    ROPEWALK_INVALID_ARGUMENT, ROPEWALK_OUT_OF_RANGE; on an error
 *             nothing is written.
 *  Threads:   safe on disjoint hidden states; allocates nothing, takes no
 *             lock. */
ROPEWALK_EXPORT ropewalk_status ropewalk_add_sinusoidal(
    const ropewalk_angle_rows* rows, const ropewalk_hidden_states* hidden,
    const ropewalk_sinusoidal_options* options, ropewalk_error* error);

#ifdef __cplusplus
}
#endif

#endif /* ROPEWALK_C_ENCODINGS_H_ */
