/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Turns a head by one radian. */
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
  /* Pair 0 is dims 0 and 2; float32 carries 2^-24. */
  return fabs(head[2] - sin(1.0)) < 0x1p-22 ? 0 : 8;
}
