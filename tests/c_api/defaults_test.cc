// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The initialisers mean the defaults of C++; those of schemes are compared
// where frequencies are.
#include <cstring>

#include "c_api/c_call.h"
#include "c_api/c_encodings.h"
#include "gtest/gtest.h"
#include "ropewalk/grid_positions.h"
#include "ropewalk/multimodal_positions.h"
#include "ropewalk/position_transforms.h"
#include "ropewalk/query_scale.h"
#include "ropewalk/rotate.h"
#include "ropewalk/weights.h"

namespace ropewalk::test {
namespace {

// Of structs without padding.
template <class T>
bool SameBytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

TEST(CDefaultsTest, OfLayoutsAndTensors) {
  const ropewalk_rotary_layout layout = ROPEWALK_ROTARY_LAYOUT_INIT;
  EXPECT_TRUE(SameBytes(layout, ToC(RotaryLayout{})));
  const ropewalk_heads heads = ROPEWALK_HEADS_INIT;
  EXPECT_TRUE(SameBytes(heads, ToC(HeadsView{})));
  const ropewalk_const_heads const_heads = ROPEWALK_CONST_HEADS_INIT;
  EXPECT_TRUE(SameBytes(const_heads, ToCConst(ConstHeadsView{})));
  const ropewalk_parallel parallel = ROPEWALK_PARALLEL_INIT;
  EXPECT_EQ(parallel.kind, static_cast<int32_t>(Parallel::Kind::kSerial));
  const ropewalk_cos_sin table = ROPEWALK_COS_SIN_INIT;
  EXPECT_TRUE(SameBytes(table, ToC(ConstCosSinView{})));
  const ropewalk_kv_cache cache = ROPEWALK_KV_CACHE_INIT;
  EXPECT_EQ(cache.type, TypeToC(KvCacheView{}.type));
  EXPECT_EQ(cache.blocks | cache.block_size | cache.heads | cache.head_dim, 0);
}

TEST(CDefaultsTest, OfOptions) {
  const ropewalk_head_norm norm = ROPEWALK_HEAD_NORM_INIT;
  const HeadNorm cc_norm;
  EXPECT_EQ(norm.kind, static_cast<int32_t>(cc_norm.kind));
  EXPECT_EQ(norm.weight_type, TypeToC(cc_norm.weight_type));
  EXPECT_EQ(norm.offset, cc_norm.offset);
  EXPECT_EQ(norm.size, cc_norm.size);
  EXPECT_EQ(norm.epsilon, cc_norm.epsilon);
  EXPECT_EQ(norm.one_plus_weight, int32_t{cc_norm.one_plus_weight});
  const ropewalk_head_transform transform = ROPEWALK_HEAD_TRANSFORM_INIT;
  EXPECT_EQ(transform.scale, HeadTransform{}.scale);
  EXPECT_EQ(transform.norm, nullptr);
  const ropewalk_rotate_options options = ROPEWALK_ROTATE_OPTIONS_INIT;
  EXPECT_EQ(options.direction, static_cast<int32_t>(RotateOptions{}.direction));
  const ropewalk_angle_options angles = ROPEWALK_ANGLE_OPTIONS_INIT;
  EXPECT_EQ(angles.mode, static_cast<int32_t>(AngleOptions{}.mode));
  EXPECT_EQ(angles.kind, static_cast<int32_t>(AngleOptions{}.kind));
  EXPECT_EQ(angles.dense_positions, AngleOptions{}.dense_positions);
  EXPECT_EQ(angles.round_to, 0);  // as float32
  const ropewalk_rope_parameters parameters = ROPEWALK_ROPE_PARAMETERS_INIT;
  EXPECT_EQ(parameters.rotary_dim, RopeParameters{}.rotary_dim);
  EXPECT_EQ(parameters.base, RopeParameters{}.base);
  EXPECT_EQ(parameters.scheme, ROPEWALK_PLAIN);
  const ropewalk_projection projection = ROPEWALK_PROJECTION_INIT;
  EXPECT_EQ(projection.type, TypeToC(ProjectionView{}.type));
}

TEST(CDefaultsTest, OfPositions) {
  const ropewalk_position_buffer buffer = ROPEWALK_POSITION_BUFFER_INIT;
  EXPECT_EQ(buffer.components, PositionBuffer{}.components);
  EXPECT_EQ(buffer.count | buffer.capacity, 0);
  const ropewalk_patch_grid grid = ROPEWALK_PATCH_GRID_INIT;
  EXPECT_EQ(grid.merge_size, PatchGrid{}.merge_size);
  EXPECT_EQ(grid.first, PatchGrid{}.first);
  EXPECT_EQ(grid.class_token, static_cast<int32_t>(PatchGrid{}.class_token));
  const ropewalk_multimodal_rules rules = ROPEWALK_MULTIMODAL_RULES_INIT;
  EXPECT_EQ(rules.video_time,
            static_cast<int32_t>(MultimodalRules{}.video_time));
  EXPECT_EQ(rules.merge_size, MultimodalRules{}.merge_size);
  EXPECT_EQ(rules.tokens_per_second, MultimodalRules{}.tokens_per_second);
  const ropewalk_vision_span span = ROPEWALK_VISION_SPAN_INIT;
  EXPECT_EQ(span.t, VisionSpan{}.t);
  EXPECT_EQ(span.h | span.w, 0);
  EXPECT_EQ(span.seconds_per_frame, VisionSpan{}.seconds_per_frame);
  const ropewalk_query_scale scale = ROPEWALK_QUERY_SCALE_INIT;
  EXPECT_EQ(scale.rule, static_cast<int32_t>(QueryScale{}.rule));
  EXPECT_EQ(scale.positions, QueryScale{}.positions);
  EXPECT_EQ(scale.beta, QueryScale{}.beta);
}

TEST(CDefaultsTest, OfEncodings) {
  const ropewalk_embedding_table table = ROPEWALK_EMBEDDING_TABLE_INIT;
  EXPECT_TRUE(SameBytes(table, ToC(EmbeddingTable{})));
  const ropewalk_hidden_states hidden = ROPEWALK_HIDDEN_STATES_INIT;
  EXPECT_TRUE(SameBytes(hidden, ToC(HiddenStates{})));
  const ropewalk_const_hidden_states const_hidden =
      ROPEWALK_CONST_HIDDEN_STATES_INIT;
  EXPECT_TRUE(SameBytes(const_hidden, ToCConst(ConstHiddenStates{})));
  const ropewalk_scores scores = ROPEWALK_SCORES_INIT;
  EXPECT_TRUE(SameBytes(scores, ToC(Scores{})));
  const ropewalk_t5_buckets buckets = ROPEWALK_T5_BUCKETS_INIT;
  EXPECT_TRUE(SameBytes(buckets, ToC(T5Buckets{})));
  const ropewalk_shaw_rule rule = ROPEWALK_SHAW_RULE_INIT;
  EXPECT_TRUE(SameBytes(rule, ToC(ShawRule{})));
  const ropewalk_lookup_options lookup = ROPEWALK_LOOKUP_OPTIONS_INIT;
  EXPECT_TRUE(SameBytes(lookup, ToC(LookupOptions{}, nullptr)));
  const ropewalk_sinusoidal_options sinusoidal =
      ROPEWALK_SINUSOIDAL_OPTIONS_INIT;
  EXPECT_TRUE(SameBytes(sinusoidal, ToC(SinusoidalOptions{}, nullptr)));
  const ropewalk_token_ids ids = ROPEWALK_TOKEN_IDS_INIT;
  EXPECT_EQ(ids.kind, 0);  // must be set
}

}  // namespace
}  // namespace ropewalk::test
