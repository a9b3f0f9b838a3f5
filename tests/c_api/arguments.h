// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// One good argument of every type, small enough for any call of the C
// interface; tests spoil one at a time.
#pragma once
#include <cstdint>
#include <vector>

#include "c_api/c_call.h"

namespace ropewalk::test {

struct Arguments {
  Arguments();
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  // All memory that any call could write.
  std::vector<uint8_t> Memory() const;

  ropewalk_rope_parameters parameters = ROPEWALK_ROPE_PARAMETERS_INIT;
  CFrequencies frequencies;
  CTable table;
  CRows rows = MakeRows();  // [2], 4 pairs
  CAngleCache cache;
  CMultimodal multimodal;

  ropewalk_positions positions = ROPEWALK_POSITIONS_INIT;  // [2]
  ropewalk_slots slots = ROPEWALK_SLOTS_INIT;              // [2]
  ropewalk_slots other_slots = ROPEWALK_SLOTS_INIT;
  ropewalk_rotary_layout layout = ROPEWALK_ROTARY_LAYOUT_INIT;
  ropewalk_heads heads[2] = {ROPEWALK_HEADS_INIT, ROPEWALK_HEADS_INIT};
  ropewalk_const_heads const_heads = ROPEWALK_CONST_HEADS_INIT;
  ropewalk_const_heads const_values = ROPEWALK_CONST_HEADS_INIT;
  ropewalk_parallel parallel = ROPEWALK_PARALLEL_INIT;
  ropewalk_head_norm norm = ROPEWALK_HEAD_NORM_INIT;
  ropewalk_head_transform transform = ROPEWALK_HEAD_TRANSFORM_INIT;
  ropewalk_rotate_options rotate_options = ROPEWALK_ROTATE_OPTIONS_INIT;
  ropewalk_projection projection = ROPEWALK_PROJECTION_INIT;
  ropewalk_kv_cache k_cache = ROPEWALK_KV_CACHE_INIT;
  ropewalk_kv_cache v_cache = ROPEWALK_KV_CACHE_INIT;
  ropewalk_cache_write write = ROPEWALK_CACHE_WRITE_INIT;
  ropewalk_cos_sin host_table = ROPEWALK_COS_SIN_INIT;  // [2], 4 pairs
  ropewalk_angle_options angle_options = ROPEWALK_ANGLE_OPTIONS_INIT;
  ropewalk_query_scale query_scale = ROPEWALK_QUERY_SCALE_INIT;
  ropewalk_dual_chunk chunk = ROPEWALK_DUAL_CHUNK_INIT;
  ropewalk_dual_chunk_ids chunk_ids = ROPEWALK_DUAL_CHUNK_IDS_INIT;
  ropewalk_patch_grid grid = ROPEWALK_PATCH_GRID_INIT;
  ropewalk_position_buffer grid_buffer = ROPEWALK_POSITION_BUFFER_INIT;
  ropewalk_position_buffer text_buffer = ROPEWALK_POSITION_BUFFER_INIT;
  ropewalk_multimodal_rules rules = ROPEWALK_MULTIMODAL_RULES_INIT;
  ropewalk_vision_span span = ROPEWALK_VISION_SPAN_INIT;
  ropewalk_embedding_table embeddings =
      ROPEWALK_EMBEDDING_TABLE_INIT;                            // [3, 8]
  ropewalk_token_ids token_ids = ROPEWALK_TOKEN_IDS_INIT;       // [2]
  ropewalk_hidden_states hidden = ROPEWALK_HIDDEN_STATES_INIT;  // [2, 8]
  ropewalk_const_hidden_states const_hidden = ROPEWALK_CONST_HIDDEN_STATES_INIT;
  ropewalk_lookup_options lookup_options = ROPEWALK_LOOKUP_OPTIONS_INIT;
  ropewalk_sinusoidal_options sinusoidal_options =
      ROPEWALK_SINUSOIDAL_OPTIONS_INIT;
  ropewalk_scores scores = ROPEWALK_SCORES_INIT;  // [2, 2, 4]
  ropewalk_embedding_table t5_table = ROPEWALK_EMBEDDING_TABLE_INIT;  // [4, 2]
  ropewalk_t5_buckets t5_rule = ROPEWALK_T5_BUCKETS_INIT;
  ropewalk_shaw_rule shaw_rule = ROPEWALK_SHAW_RULE_INIT;  // of 3 embeddings

  float q[32] = {};
  float k[32] = {};
  float x[32] = {};
  float v[32] = {};
  float k_slots[64] = {};
  float v_slots[64] = {};
  float weights[64] = {};
  float cos_sin[16] = {};
  float factors[2] = {};
  int64_t key_ids[2] = {};
  int64_t grid_ids[64] = {};
  int64_t text_ids[192] = {};
  int64_t id_list[2] = {2, 0};
  float embedding_data[24] = {};
  float hidden_data[16] = {};
  float logits[6] = {};
  float score_data[16] = {};
  float slopes[2] = {0.5f, 0.25f};

 private:
  void DescribeEncodings();
};

}  // namespace ropewalk::test
