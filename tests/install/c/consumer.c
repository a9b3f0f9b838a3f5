/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Turns a head by one radian, and looks up a token: a call of each library
 * behind the C interface but the readers. */
#include <math.h>

#include "ropewalk/ropewalk_c.h"

int main(void) {
  if (ropewalk_version() != ROPEWALK_VERSION) return 1;
  ropewalk_rope_parameters rope = ROPEWALK_ROPE_PARAMETERS_INIT;
  rope.rotary_dim = 4;
  ropewalk_angle_cache* cache = NULL;
  ropewalk_angle_table* table = NULL;
  ropewalk_angle_rows* rows = NULL;
  if (ropewalk_angle_cache_create(1 << 20, &cache, NULL)) return 2;
  if (ropewalk_angle_cache_get(cache, &rope, 0, NULL, &table, NULL)) return 3;
  if (ropewalk_angle_rows_create(&rows, NULL)) return 4;

  const int64_t position = 1;
  ropewalk_positions positions = ROPEWALK_POSITIONS_INIT;
  positions.kind = ROPEWALK_POSITIONS_INT64;
  positions.ids = &position;
  positions.count = 1;
  if (ropewalk_angle_table_fill(table, &positions, rows, 0, NULL)) return 5;

  float head[4] = {1, 0, 0, 0};
  ropewalk_heads heads = ROPEWALK_HEADS_INIT;
  heads.data = head;
  heads.tokens = heads.heads = 1;
  if (ropewalk_dense_heads(&heads, 4, NULL)) return 6;
  ropewalk_rotary_layout layout = ROPEWALK_ROTARY_LAYOUT_INIT;
  layout.head_dim = layout.rotary_dim = 4;
  if (ropewalk_rotate(rows, &layout, &heads, 1, NULL, NULL)) return 7;

  ropewalk_angle_rows_destroy(rows);
  ropewalk_angle_table_destroy(table);
  ropewalk_angle_cache_destroy(cache);

  const float rows_of_tokens[2][2] = {{1, 2}, {3, 4}};
  float hidden[2] = {0, 0};
  const int32_t id = 1;
  ropewalk_embedding_table embeddings = ROPEWALK_EMBEDDING_TABLE_INIT;
  embeddings.data = rows_of_tokens;
  embeddings.vocabulary = embeddings.width = 2;
  ropewalk_token_ids ids = ROPEWALK_TOKEN_IDS_INIT;
  ids.kind = ROPEWALK_TOKEN_IDS_INT32;
  ids.ids = &id;
  ids.count = 1;
  ropewalk_hidden_states out = ROPEWALK_HIDDEN_STATES_INIT;
  out.data = hidden;
  out.tokens = 1;
  out.width = 2;
  if (ropewalk_dense_table(&embeddings, NULL)) return 8;
  if (ropewalk_dense_hidden(&out, NULL)) return 9;
  if (ropewalk_lookup(&embeddings, &ids, &out, NULL, NULL)) return 10;
  if (hidden[0] != 3 || hidden[1] != 4) return 11;

  /* Pair 0 is dims 0 and 2; float32 carries 2^-24. */
  return fabs(head[2] - sin(1.0)) < 0x1p-22 ? 0 : 12;
}
