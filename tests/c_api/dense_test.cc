// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Strides of tensors, caches, tables and scores without gaps.
#include <cstdint>

#include "c_api/c_call.h"
#include "c_api/c_encodings.h"
#include "gtest/gtest.h"
#include "ropewalk/kv_cache.h"
#include "support/heads.h"

namespace ropewalk::test {
namespace {

TEST(CDenseTest, StridesAreThoseOfCpp) {
  for (const DataType type : kAllTypes) {
    ropewalk_heads heads = ROPEWALK_HEADS_INIT;
    heads.type = TypeToC(type);
    heads.batch = 2;
    heads.tokens = 3;
    heads.heads = 5;
    ropewalk_const_heads const_heads = ROPEWALK_CONST_HEADS_INIT;
    const_heads.type = heads.type;
    const_heads.batch = 2;
    const_heads.tokens = 3;
    const_heads.heads = 5;
    const HeadsView want = DenseHeads(nullptr, type, 2, 3, 5, 7);
    ASSERT_EQ(ropewalk_dense_heads(&heads, 7, nullptr), ROPEWALK_OK);
    ASSERT_EQ(ropewalk_dense_const_heads(&const_heads, 7, nullptr),
              ROPEWALK_OK);
    EXPECT_EQ(heads.batch_stride, want.batch_stride);
    EXPECT_EQ(heads.token_stride, want.token_stride);
    EXPECT_EQ(heads.head_stride, want.head_stride);
    EXPECT_EQ(const_heads.batch_stride, want.batch_stride);
    EXPECT_EQ(const_heads.token_stride, want.token_stride);
    EXPECT_EQ(const_heads.head_stride, want.head_stride);
    for (const bool nhd : {true, false}) {
      const KvCacheView view = nhd ? NhdCache(nullptr, type, 2, 3, 5, 7)
                                   : HndCache(nullptr, type, 2, 3, 5, 7);
      ropewalk_kv_cache cache = ToC(view);
      cache.block_stride = cache.slot_stride = cache.head_stride = -1;
      ASSERT_EQ(nhd ? ropewalk_nhd_cache(&cache, nullptr)
                    : ropewalk_hnd_cache(&cache, nullptr),
                ROPEWALK_OK);
      EXPECT_EQ(cache.block_stride, view.block_stride);
      EXPECT_EQ(cache.slot_stride, view.slot_stride);
      EXPECT_EQ(cache.head_stride, view.head_stride);
    }
  }
}

TEST(CDenseTest, SizesThatCannotBeAreRefused) {
  for (const int64_t size : {int64_t{-1}, INT64_MAX}) {
    ropewalk_heads heads = ROPEWALK_HEADS_INIT;
    heads.tokens = heads.heads = size;
    ropewalk_kv_cache cache = ROPEWALK_KV_CACHE_INIT;
    cache.blocks = 1;
    cache.heads = cache.block_size = size;
    cache.head_dim = 8;
    const ropewalk_status want =
        size < 0 ? ROPEWALK_INVALID_ARGUMENT : ROPEWALK_OUT_OF_RANGE;
    ropewalk_error error = UsedError();
    EXPECT_TRUE(Fails(ropewalk_dense_heads(&heads, 8, &error), error, want));
    EXPECT_TRUE(Fails(ropewalk_nhd_cache(&cache, &error), error, want));
    EXPECT_TRUE(Fails(ropewalk_hnd_cache(&cache, &error), error, want));
    EXPECT_EQ(heads.token_stride, 0);
    EXPECT_EQ(cache.slot_stride, 0);
  }
}

TEST(CDenseTest, RowsAndScoresAreThoseOfCpp) {
  for (const DataType type : kAllTypes) {
    ropewalk_embedding_table table =
        ToC(EmbeddingTable{nullptr, type, 5, 7, -1});
    ropewalk_hidden_states hidden = ToC(HiddenStates{nullptr, type, 5, 7, -1});
    ropewalk_const_hidden_states const_hidden =
        ToCConst(HiddenStates{nullptr, type, 5, 7, -1});
    ASSERT_EQ(ropewalk_dense_table(&table, nullptr), ROPEWALK_OK);
    ASSERT_EQ(ropewalk_dense_hidden(&hidden, nullptr), ROPEWALK_OK);
    ASSERT_EQ(ropewalk_dense_const_hidden(&const_hidden, nullptr), ROPEWALK_OK);
    EXPECT_EQ(table.row_stride, DenseTable(nullptr, type, 5, 7).row_stride);
    const HiddenStates want = DenseHidden(nullptr, type, 5, 7);
    EXPECT_EQ(hidden.token_stride, want.token_stride);
    EXPECT_EQ(const_hidden.token_stride, want.token_stride);
    // A prompt, a step of a decoder, fewer keys than queries, none.
    const int64_t sizes[][2] = {{9, 9}, {1, 40}, {6, 4}, {0, 3}, {3, 0}};
    for (const auto& [queries, keys] : sizes) {
      ropewalk_scores scores =
          ToC(Scores{nullptr, type, 3, queries, keys, -1, -1, -1, -1});
      ASSERT_EQ(ropewalk_dense_scores(&scores, nullptr), ROPEWALK_OK);
      const Scores view = DenseScores(nullptr, type, 3, queries, keys);
      EXPECT_EQ(scores.head_stride, view.head_stride);
      EXPECT_EQ(scores.query_stride, view.query_stride);
      EXPECT_EQ(scores.first_query, view.first_query);
      EXPECT_EQ(scores.first_key, view.first_key);
      EXPECT_EQ(scores.heads, 3);
      EXPECT_EQ(scores.queries, queries);
      EXPECT_EQ(scores.keys, keys);
    }
  }
}

TEST(CDenseTest, RowsAndScoresThatCannotBeAreRefused) {
  for (const int64_t size : {int64_t{-1}, INT64_MAX}) {
    ropewalk_embedding_table table = ToC(EmbeddingTable{});
    table.width = size;
    ropewalk_hidden_states hidden = ToC(HiddenStates{});
    hidden.width = size;
    ropewalk_scores scores = ToC(Scores{});
    scores.keys = size;
    ropewalk_scores many = ToC(Scores{});
    many.queries = size;
    many.keys = 4;
    const ropewalk_status want =
        size < 0 ? ROPEWALK_INVALID_ARGUMENT : ROPEWALK_OUT_OF_RANGE;
    ropewalk_error error = UsedError();
    EXPECT_TRUE(Fails(ropewalk_dense_table(&table, &error), error, want));
    EXPECT_TRUE(Fails(ropewalk_dense_hidden(&hidden, &error), error, want));
    EXPECT_TRUE(Fails(ropewalk_dense_scores(&scores, &error), error, want));
    EXPECT_TRUE(Fails(ropewalk_dense_scores(&many, &error), error, want));
    EXPECT_EQ(table.row_stride | hidden.token_stride, 0);
    EXPECT_EQ(scores.query_stride | many.head_stride | many.first_query, 0);
  }
  ropewalk_embedding_table table = ToC(EmbeddingTable{});
  table.vocabulary = -1;
  ropewalk_const_hidden_states hidden = ToCConst(ConstHiddenStates{});
  hidden.tokens = -1;
  ropewalk_scores scores = ToC(Scores{});
  scores.heads = -1;
  ropewalk_error error = UsedError();
  EXPECT_TRUE(Fails(ropewalk_dense_table(&table, &error), error,
                    ROPEWALK_INVALID_ARGUMENT));
  EXPECT_TRUE(Fails(ropewalk_dense_const_hidden(&hidden, &error), error,
                    ROPEWALK_INVALID_ARGUMENT));
  EXPECT_TRUE(Fails(ropewalk_dense_scores(&scores, &error), error,
                    ROPEWALK_INVALID_ARGUMENT));
}

}  // namespace
}  // namespace ropewalk::test
