/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * All of the library for C99, and for what speaks C: ropewalk::c. Its rules
 * are in c/status.h. A complete program:
 *
 *   #include <math.h>
 *   #include <stdio.h>
 *
 *   #include "ropewalk/ropewalk_c.h"
 *
 *   static float q[3 * 32 * 128], k[3 * 8 * 128];
 *
 *   int main(void) {
 *     ropewalk_error error = ROPEWALK_ERROR_INIT;
 *
 *     // When the model is loaded.
 *     ropewalk_llama3_scaling llama3 = ROPEWALK_LLAMA3_SCALING_INIT;
 *     llama3.factor = 8;
 *     ropewalk_rope_parameters rope = ROPEWALK_ROPE_PARAMETERS_INIT;
 *     rope.rotary_dim = 128;
 *     rope.base = 500000;
 *     rope.scheme = ROPEWALK_LLAMA3;
 *     rope.scaling = &llama3;
 *     ropewalk_angle_cache* angles = NULL;  // owned by the engine
 *     ropewalk_angle_table* table = NULL;
 *     ropewalk_angle_rows* rows = NULL;
 *     if (ropewalk_angle_cache_create(256 << 20, &angles, &error) ||
 *         ropewalk_angle_cache_get(angles, &rope, 0, NULL, &table, &error) ||
 *         ropewalk_angle_rows_create(&rows, &error)) {
 *       fprintf(stderr, "%s\n", error.message);
 *       return 1;
 *     }
 *
 *     // Once per step, for all layers.
 *     const int64_t ids[] = {0, 1, 131071};
 *     ropewalk_positions positions = ROPEWALK_POSITIONS_INIT;
 *     positions.kind = ROPEWALK_POSITIONS_INT64;
 *     positions.ids = ids;
 *     positions.count = 3;
 *     if (ropewalk_angle_table_fill(table, &positions, rows, 0, &error)) {
 *       fprintf(stderr, "%s\n", error.message);
 *       return 1;
 *     }
 *
 *     // Once per layer: Q with 32 heads and K with 8, [tokens, heads, 128].
 *     q[32 * 128] = 1;
 *     ropewalk_heads heads[2] = {ROPEWALK_HEADS_INIT, ROPEWALK_HEADS_INIT};
 *     heads[0].data = q;
 *     heads[1].data = k;
 *     heads[0].heads = 32;
 *     heads[1].heads = 8;
 *     heads[0].tokens = heads[1].tokens = 3;
 *     ropewalk_rotary_layout layout = ROPEWALK_ROTARY_LAYOUT_INIT;
 *     layout.head_dim = layout.rotary_dim = 128;
 *     if (ropewalk_dense_heads(&heads[0], 128, &error) ||
 *         ropewalk_dense_heads(&heads[1], 128, &error) ||
 *         ropewalk_rotate(rows, &layout, heads, 2, NULL, &error)) {
 *       fprintf(stderr, "%s\n", error.message);
 *       return 1;
 *     }
 *
 *     ropewalk_angle_rows_destroy(rows);
 *     ropewalk_angle_table_destroy(table);
 *     ropewalk_angle_cache_destroy(angles);
 *     // Pair 0 of the second token turned by one radian.
 *     return fabs(q[32 * 128] - cos(1.0)) < 1e-6 ? 0 : 1;
 *   }
 */
#ifndef ROPEWALK_ROPEWALK_C_H_
#define ROPEWALK_ROPEWALK_C_H_

#include "ropewalk/c/angle_rows.h"
#include "ropewalk/c/angles.h"
#include "ropewalk/c/config.h"
#include "ropewalk/c/encodings.h"
#include "ropewalk/c/frequencies.h"
#include "ropewalk/c/kv_cache.h"
#include "ropewalk/c/model.h"
#include "ropewalk/c/multimodal_positions.h"
#include "ropewalk/c/positions.h"
#include "ropewalk/c/rotate.h"
#include "ropewalk/c/scaling.h"
#include "ropewalk/c/scaling_schemes.h"
#include "ropewalk/c/score_biases.h"
#include "ropewalk/c/status.h"
#include "ropewalk/c/target.h"
#include "ropewalk/c/types.h"
#include "ropewalk/export.h"
#include "ropewalk/version.h"

#endif /* ROPEWALK_ROPEWALK_C_H_ */
