// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "c_api/arguments.h"

#include <iterator>

namespace ropewalk::test {
namespace {

// [2 tokens, 2 heads, 8]
template <class Heads, class Data>
void Describe(Data* data, Heads* heads) {
  heads->data = data;
  heads->tokens = heads->heads = 2;
  heads->token_stride = 64;
  heads->head_stride = 32;
}

// 4 slots of 2 heads.
void Describe(float* data, ropewalk_kv_cache* cache) {
  cache->type = ROPEWALK_F32;
  cache->data = data;
  cache->blocks = 1;
  cache->block_size = 4;
  cache->heads = 2;
  cache->head_dim = 8;
  EXPECT_EQ(ropewalk_nhd_cache(cache, nullptr), ROPEWALK_OK);
}

void Describe(float* data, int64_t rows, int64_t width,
              ropewalk_embedding_table* table) {
  table->data = data;
  table->vocabulary = rows;
  table->width = width;
  EXPECT_EQ(ropewalk_dense_table(table, nullptr), ROPEWALK_OK);
}

template <class T>
void Append(const T& memory, std::vector<uint8_t>* bytes) {
  const auto* const begin = reinterpret_cast<const uint8_t*>(&memory);
  bytes->insert(bytes->end(), begin, begin + sizeof(memory));
}

}  // namespace

Arguments::Arguments() {
  for (float* list : {q, k, x, v}) std::fill_n(list, 32, 0.5f);
  for (float* list : {k_slots, v_slots, weights}) std::fill_n(list, 64, 0.25f);
  for (int i = 0; i < 64; i += 3) weights[i] = static_cast<float>(i);
  parameters.rotary_dim = 8;
  frequencies = FrequenciesOf(parameters);
  table = TableOf(frequencies.get());
  positions.kind = ROPEWALK_POSITIONS_CONSECUTIVE;
  positions.count = 2;
  positions.first = 1;
  EXPECT_EQ(ropewalk_angle_table_fill_rotation(table.get(), &positions,
                                               rows.get(), 0, nullptr),
            ROPEWALK_OK);
  ropewalk_angle_cache* made_cache = nullptr;
  EXPECT_EQ(ropewalk_angle_cache_create(1 << 20, &made_cache, nullptr),
            ROPEWALK_OK);
  cache.reset(made_cache);
  ropewalk_multimodal_positions* made = nullptr;
  EXPECT_EQ(ropewalk_multimodal_positions_create(&rules, &made, nullptr),
            ROPEWALK_OK);
  multimodal.reset(made);

  slots.kind = other_slots.kind = ROPEWALK_SLOTS_RANGE;
  slots.count = other_slots.count = 2;
  other_slots.first = 2;
  layout.head_dim = layout.rotary_dim = 8;
  Describe(q, &heads[0]);
  Describe(k, &heads[1]);
  Describe(x, &const_heads);
  Describe(v, &const_values);
  transform.norm = &norm;
  norm.size = 8;
  rotate_options.parallel = &parallel;
  rotate_options.transform = &transform;
  projection.data = weights;
  projection.heads = 2;
  projection.columns = 4;
  Describe(k_slots, &k_cache);
  Describe(v_slots, &v_cache);
  write.q = &heads[0];
  write.q_layout = write.k_layout = &layout;
  write.q_transform = write.k_transform = &transform;
  write.k = &const_heads;
  write.v = &const_values;
  write.k_cache = &k_cache;
  write.v_cache = &v_cache;

  host_table.cos = cos_sin;
  host_table.sin = cos_sin + 4;
  host_table.rows = 2;
  host_table.pairs = 4;
  host_table.pair_stride = 4;
  host_table.row_stride = 32;
  query_scale.rule = ROPEWALK_MISTRAL3_SCALE;
  query_scale.positions = 1;
  query_scale.beta = 1;
  chunk.chunk_size = 4;
  chunk_ids.key = key_ids;
  grid.height = grid.width = 2;
  grid_buffer.components = 2;
  grid_buffer.ids = grid_ids;
  grid_buffer.capacity = 32;
  text_buffer.ids = text_ids;
  text_buffer.capacity = 64;
  span.h = span.w = 2;
  DescribeEncodings();
}

void Arguments::DescribeEncodings() {
  std::fill_n(embedding_data, 24, 0.5f);
  std::fill_n(hidden_data, 16, 0.25f);
  Describe(embedding_data, 3, 8, &embeddings);
  Describe(embedding_data, 4, 2, &t5_table);
  token_ids.kind = ROPEWALK_TOKEN_IDS_INT64;
  token_ids.ids = id_list;
  token_ids.count = 2;
  hidden.data = hidden_data;
  const_hidden.data = x;
  hidden.tokens = const_hidden.tokens = 2;
  hidden.width = const_hidden.width = 8;
  EXPECT_EQ(ropewalk_dense_hidden(&hidden, nullptr), ROPEWALK_OK);
  EXPECT_EQ(ropewalk_dense_const_hidden(&const_hidden, nullptr), ROPEWALK_OK);
  lookup_options.parallel = sinusoidal_options.parallel = &parallel;
  scores.data = score_data;
  scores.heads = scores.queries = 2;
  scores.keys = 4;
  EXPECT_EQ(ropewalk_dense_scores(&scores, nullptr), ROPEWALK_OK);
  t5_rule.buckets = 4;
  shaw_rule.clip = 1;
}

std::vector<uint8_t> Arguments::Memory() const {
  std::vector<uint8_t> bytes;
  Append(q, &bytes);
  Append(k, &bytes);
  Append(k_slots, &bytes);
  Append(v_slots, &bytes);
  Append(weights, &bytes);
  Append(cos_sin, &bytes);
  Append(factors, &bytes);
  Append(key_ids, &bytes);
  Append(grid_ids, &bytes);
  Append(text_ids, &bytes);
  Append(embedding_data, &bytes);
  Append(hidden_data, &bytes);
  Append(logits, &bytes);
  Append(score_data, &bytes);
  Append(slopes, &bytes);
  Append(grid_buffer.count, &bytes);
  Append(text_buffer.count, &bytes);
  Append(ropewalk_multimodal_tokens(multimodal.get()), &bytes);
  Append(ropewalk_vision_tokens_left(multimodal.get()), &bytes);
  const int64_t count = ropewalk_angle_rows_count(rows.get());
  Append(count, &bytes);
  for (int64_t row = 0; row < count; ++row) {
    Append(*ropewalk_angle_rows_cos(rows.get(), row, 0), &bytes);
  }
  return bytes;
}

}  // namespace ropewalk::test
