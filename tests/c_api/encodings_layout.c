/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The layout of the structs of encodings, by the rules of struct_layout.c. */
#include "c_api/struct_layout.h"

#include "ropewalk/ropewalk_c.h"

SIZE(embedding_table, 40);
FIELD(embedding_table, struct_size, 0);
FIELD(embedding_table, type, 4);
FIELD(embedding_table, data, 8);
FIELD(embedding_table, vocabulary, 16);
FIELD(embedding_table, width, 24);
FIELD(embedding_table, row_stride, 32);

SIZE(hidden_states, 40);
FIELD(hidden_states, struct_size, 0);
FIELD(hidden_states, type, 4);
FIELD(hidden_states, data, 8);
FIELD(hidden_states, tokens, 16);
FIELD(hidden_states, width, 24);
FIELD(hidden_states, token_stride, 32);

SIZE(const_hidden_states, 40);
FIELD(const_hidden_states, struct_size, 0);
FIELD(const_hidden_states, type, 4);
FIELD(const_hidden_states, data, 8);
FIELD(const_hidden_states, tokens, 16);
FIELD(const_hidden_states, width, 24);
FIELD(const_hidden_states, token_stride, 32);

SIZE(token_ids, 24);
FIELD(token_ids, struct_size, 0);
FIELD(token_ids, kind, 4);
FIELD(token_ids, ids, 8);
FIELD(token_ids, count, 16);

SIZE(lookup_options, 16);
FIELD(lookup_options, struct_size, 0);
FIELD(lookup_options, multiplier, 4);
FIELD(lookup_options, parallel, 8);

SIZE(sinusoidal_options, 16);
FIELD(sinusoidal_options, struct_size, 0);
FIELD(sinusoidal_options, order, 4);
FIELD(sinusoidal_options, parallel, 8);

SIZE(scores, 72);
FIELD(scores, struct_size, 0);
FIELD(scores, type, 4);
FIELD(scores, data, 8);
FIELD(scores, heads, 16);
FIELD(scores, queries, 24);
FIELD(scores, keys, 32);
FIELD(scores, head_stride, 40);
FIELD(scores, query_stride, 48);
FIELD(scores, first_query, 56);
FIELD(scores, first_key, 64);

SIZE(t5_buckets, 24);
FIELD(t5_buckets, struct_size, 0);
FIELD(t5_buckets, buckets, 4);
FIELD(t5_buckets, max_distance, 8);
FIELD(t5_buckets, unidirectional, 16);
FIELD(t5_buckets, reserved, 20);

SIZE(shaw_rule, 16);
FIELD(shaw_rule, struct_size, 0);
FIELD(shaw_rule, reversed, 4);
FIELD(shaw_rule, clip, 8);
