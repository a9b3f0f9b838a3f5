// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Structs of other versions in the calls of encodings.
#include <cstdint>

#include "c_api/struct_size_case.h"
#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

TEST_F(StructSizeTest, OfLookups) {
  Arguments& a = good_;
  const auto lookup =
      [&](const ropewalk_embedding_table* table, const ropewalk_token_ids* ids,
          const ropewalk_hidden_states* out,
          const ropewalk_lookup_options* options, ropewalk_error* error) {
        return ropewalk_lookup(table, ids, out, options, error);
      };
  ExpectRead<ropewalk_embedding_table>(
      "table", a.embeddings, [&](auto* given, auto* error) {
        return lookup(given, &a.token_ids, &a.hidden, nullptr, error);
      });
  ExpectRead<ropewalk_token_ids>(
      "ids", a.token_ids, [&](auto* given, auto* error) {
        return lookup(&a.embeddings, given, &a.hidden, nullptr, error);
      });
  ExpectRead<ropewalk_hidden_states>(
      "out", a.hidden, [&](auto* given, auto* error) {
        return lookup(&a.embeddings, &a.token_ids, given, nullptr, error);
      });
  ExpectRead<ropewalk_lookup_options>(
      "options", a.lookup_options, [&](auto* given, auto* error) {
        return lookup(&a.embeddings, &a.token_ids, &a.hidden, given, error);
      });
  ExpectRead<ropewalk_parallel>(
      "parallel", a.parallel, [&](auto* given, auto* error) {
        ropewalk_lookup_options options = a.lookup_options;
        options.parallel = given;
        return lookup(&a.embeddings, &a.token_ids, &a.hidden, &options, error);
      });
}

TEST_F(StructSizeTest, OfTiedLogits) {
  Arguments& a = good_;
  ExpectRead<ropewalk_embedding_table>(
      "table", a.embeddings, [&](auto* given, auto* error) {
        return ropewalk_tied_logits(given, &a.const_hidden, a.logits, 12,
                                    nullptr, error);
      });
  ExpectRead<ropewalk_const_hidden_states>(
      "hidden", a.const_hidden, [&](auto* given, auto* error) {
        return ropewalk_tied_logits(&a.embeddings, given, a.logits, 12, nullptr,
                                    error);
      });
  ExpectRead<ropewalk_parallel>(
      "parallel", a.parallel, [&](auto* given, auto* error) {
        return ropewalk_tied_logits(&a.embeddings, &a.const_hidden, a.logits,
                                    12, given, error);
      });
}

TEST_F(StructSizeTest, OfAddedPositions) {
  Arguments& a = good_;
  ExpectRead<ropewalk_embedding_table>(
      "table", a.embeddings, [&](auto* given, auto* error) {
        return ropewalk_add_learned(given, &a.positions, 0, &a.hidden, nullptr,
                                    error);
      });
  ExpectRead<ropewalk_positions>(
      "positions", a.positions, [&](auto* given, auto* error) {
        return ropewalk_add_learned(&a.embeddings, given, 0, &a.hidden, nullptr,
                                    error);
      });
  ExpectRead<ropewalk_hidden_states>(
      "hidden", a.hidden, [&](auto* given, auto* error) {
        return ropewalk_add_learned(&a.embeddings, &a.positions, 0, given,
                                    nullptr, error);
      });
  ExpectRead<ropewalk_parallel>(
      "parallel", a.parallel, [&](auto* given, auto* error) {
        return ropewalk_add_learned(&a.embeddings, &a.positions, 0, &a.hidden,
                                    given, error);
      });
  ExpectRead<ropewalk_hidden_states>(
      "hidden", a.hidden, [&](auto* given, auto* error) {
        return ropewalk_add_sinusoidal(a.rows.get(), given, nullptr, error);
      });
  ExpectRead<ropewalk_sinusoidal_options>(
      "options", a.sinusoidal_options, [&](auto* given, auto* error) {
        return ropewalk_add_sinusoidal(a.rows.get(), &a.hidden, given, error);
      });
  ExpectRead<ropewalk_parallel>(
      "parallel", a.parallel, [&](auto* given, auto* error) {
        ropewalk_sinusoidal_options options = a.sinusoidal_options;
        options.parallel = given;
        return ropewalk_add_sinusoidal(a.rows.get(), &a.hidden, &options,
                                       error);
      });
}

TEST_F(StructSizeTest, OfAlibiAndT5) {
  Arguments& a = good_;
  constexpr int32_t kAll = ROPEWALK_ALL_SCORES;
  ExpectRead<ropewalk_scores>(
      "scores", a.scores, [&](auto* given, auto* error) {
        return ropewalk_add_alibi(a.slopes, given, kAll, nullptr, error);
      });
  ExpectRead<ropewalk_parallel>(
      "parallel", a.parallel, [&](auto* given, auto* error) {
        return ropewalk_add_alibi(a.slopes, &a.scores, kAll, given, error);
      });
  ExpectRead<ropewalk_t5_buckets>(
      "rule", a.t5_rule, [&](auto* given, auto* error) {
        int32_t bucket = -7;
        const ropewalk_status code =
            ropewalk_t5_bucket(given, 1, &bucket, error);
        EXPECT_EQ(bucket != -7, code == ROPEWALK_OK);
        return code;
      });
  const auto bias =
      [&](const ropewalk_embedding_table* table,
          const ropewalk_t5_buckets* rule, const ropewalk_scores* scores,
          const ropewalk_parallel* parallel, ropewalk_error* error) {
        return ropewalk_add_t5_bias(table, rule, scores, kAll, parallel, error);
      };
  ExpectRead<ropewalk_embedding_table>(
      "table", a.t5_table, [&](auto* given, auto* error) {
        return bias(given, &a.t5_rule, &a.scores, nullptr, error);
      });
  ExpectRead<ropewalk_t5_buckets>(
      "rule", a.t5_rule, [&](auto* given, auto* error) {
        return bias(&a.t5_table, given, &a.scores, nullptr, error);
      });
  ExpectRead<ropewalk_scores>(
      "scores", a.scores, [&](auto* given, auto* error) {
        return bias(&a.t5_table, &a.t5_rule, given, nullptr, error);
      });
  ExpectRead<ropewalk_parallel>(
      "parallel", a.parallel, [&](auto* given, auto* error) {
        return bias(&a.t5_table, &a.t5_rule, &a.scores, given, error);
      });
}

TEST_F(StructSizeTest, OfShawScores) {
  Arguments& a = good_;
  const auto add =
      [&](const ropewalk_embedding_table* table, const ropewalk_shaw_rule* rule,
          const ropewalk_const_heads* queries, const ropewalk_scores* scores,
          const ropewalk_parallel* parallel, ropewalk_error* error) {
        return ropewalk_add_shaw_scores(table, rule, queries, 1, scores,
                                        ROPEWALK_ALL_SCORES, parallel, error);
      };
  ExpectRead<ropewalk_embedding_table>(
      "table", a.embeddings, [&](auto* given, auto* error) {
        return add(given, &a.shaw_rule, &a.const_heads, &a.scores, nullptr,
                   error);
      });
  ExpectRead<ropewalk_shaw_rule>(
      "rule", a.shaw_rule, [&](auto* given, auto* error) {
        return add(&a.embeddings, given, &a.const_heads, &a.scores, nullptr,
                   error);
      });
  ExpectRead<ropewalk_const_heads>(
      "queries", a.const_heads, [&](auto* given, auto* error) {
        return add(&a.embeddings, &a.shaw_rule, given, &a.scores, nullptr,
                   error);
      });
  ExpectRead<ropewalk_scores>(
      "scores", a.scores, [&](auto* given, auto* error) {
        return add(&a.embeddings, &a.shaw_rule, &a.const_heads, given, nullptr,
                   error);
      });
  ExpectRead<ropewalk_parallel>(
      "parallel", a.parallel, [&](auto* given, auto* error) {
        return add(&a.embeddings, &a.shaw_rule, &a.const_heads, &a.scores,
                   given, error);
      });
  ExpectRead<ropewalk_shaw_rule>(
      "rule", a.shaw_rule, [&](auto* given, auto* error) {
        int64_t index = -7;
        const ropewalk_status code =
            ropewalk_shaw_index(given, 1, &index, error);
        EXPECT_EQ(index != -7, code == ROPEWALK_OK);
        return code;
      });
}

TEST_F(StructSizeTest, OfShawValues) {
  Arguments& a = good_;
  const auto add =
      [&](const ropewalk_embedding_table* table, const ropewalk_shaw_rule* rule,
          const ropewalk_scores* weights, const ropewalk_heads* output,
          const ropewalk_parallel* parallel, ropewalk_error* error) {
        return ropewalk_add_shaw_values(table, rule, weights, output,
                                        ROPEWALK_ALL_SCORES, parallel, error);
      };
  ExpectRead<ropewalk_embedding_table>(
      "table", a.embeddings, [&](auto* given, auto* error) {
        return add(given, &a.shaw_rule, &a.scores, &a.heads[0], nullptr, error);
      });
  ExpectRead<ropewalk_shaw_rule>("rule", a.shaw_rule,
                                 [&](auto* given, auto* error) {
                                   return add(&a.embeddings, given, &a.scores,
                                              &a.heads[0], nullptr, error);
                                 });
  ExpectRead<ropewalk_scores>("weights", a.scores,
                              [&](auto* given, auto* error) {
                                return add(&a.embeddings, &a.shaw_rule, given,
                                           &a.heads[0], nullptr, error);
                              });
  ExpectRead<ropewalk_heads>("output", a.heads[0],
                             [&](auto* given, auto* error) {
                               return add(&a.embeddings, &a.shaw_rule,
                                          &a.scores, given, nullptr, error);
                             });
  ExpectRead<ropewalk_parallel>(
      "parallel", a.parallel, [&](auto* given, auto* error) {
        return add(&a.embeddings, &a.shaw_rule, &a.scores, &a.heads[0], given,
                   error);
      });
}

TEST_F(StructSizeTest, OfViewsWithoutGaps) {
  ExpectReadInPlace<ropewalk_embedding_table>(
      "table", good_.embeddings, [](auto* given, auto* error) {
        return ropewalk_dense_table(given, error);
      });
  ExpectReadInPlace<ropewalk_hidden_states>(
      "hidden", good_.hidden, [](auto* given, auto* error) {
        return ropewalk_dense_hidden(given, error);
      });
  ExpectReadInPlace<ropewalk_const_hidden_states>(
      "hidden", good_.const_hidden, [](auto* given, auto* error) {
        return ropewalk_dense_const_hidden(given, error);
      });
  ExpectReadInPlace<ropewalk_scores>(
      "scores", good_.scores, [](auto* given, auto* error) {
        return ropewalk_dense_scores(given, error);
      });
}

}  // namespace
}  // namespace ropewalk::test
