// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Null where a table, hidden states, ids, scores or a rule must be given.
#include <cstdint>

#include "c_api/arguments_case.h"
#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

TEST_F(CArgumentsTest, NullIsRefusedByRowsOfTables) {
  const auto* const t = &a_.embeddings;
  const auto* const h = &a_.hidden;
  const auto* const ids = &a_.token_ids;
  const auto* const p = &a_.positions;
  ropewalk_frequencies* made = nullptr;
  ROPEWALK_REFUSES("table", ropewalk_lookup(nullptr, ids, h, nullptr, e));
  ROPEWALK_REFUSES("ids", ropewalk_lookup(t, nullptr, h, nullptr, e));
  ROPEWALK_REFUSES("out", ropewalk_lookup(t, ids, nullptr, nullptr, e));
  ROPEWALK_REFUSES("table", ropewalk_tied_logits(nullptr, &a_.const_hidden,
                                                 a_.logits, 12, nullptr, e));
  ROPEWALK_REFUSES("hidden",
                   ropewalk_tied_logits(t, nullptr, a_.logits, 12, nullptr, e));
  ROPEWALK_REFUSES("logits", ropewalk_tied_logits(t, &a_.const_hidden, nullptr,
                                                  12, nullptr, e));
  ROPEWALK_REFUSES("table", ropewalk_add_learned(nullptr, p, 0, h, nullptr, e));
  ROPEWALK_REFUSES("positions",
                   ropewalk_add_learned(t, nullptr, 0, h, nullptr, e));
  ROPEWALK_REFUSES("hidden",
                   ropewalk_add_learned(t, p, 0, nullptr, nullptr, e));
  ROPEWALK_REFUSES("frequencies",
                   ropewalk_sinusoidal_frequencies(
                       8, 1e4, ROPEWALK_LADDER_BY_WIDTH, nullptr, e));
  ROPEWALK_REFUSES("rows", ropewalk_add_sinusoidal(nullptr, h, nullptr, e));
  ROPEWALK_REFUSES("hidden",
                   ropewalk_add_sinusoidal(a_.rows.get(), nullptr, nullptr, e));
  ROPEWALK_REFUSES("table", ropewalk_dense_table(nullptr, e));
  ROPEWALK_REFUSES("hidden", ropewalk_dense_hidden(nullptr, e));
  ROPEWALK_REFUSES("hidden", ropewalk_dense_const_hidden(nullptr, e));
  a_.token_ids.ids = nullptr;
  ROPEWALK_REFUSES("ids", ropewalk_lookup(t, ids, h, nullptr, e));
  EXPECT_EQ(ropewalk_sinusoidal_frequencies(0, 1e4, 1, &made, nullptr),
            ROPEWALK_INVALID_ARGUMENT);
  EXPECT_EQ(made, nullptr);
}

TEST_F(CArgumentsTest, NullIsRefusedByScoreBiases) {
  constexpr int32_t kAll = ROPEWALK_ALL_SCORES;
  const auto* const t = &a_.embeddings;
  const auto* const s = &a_.scores;
  const auto* const t5 = &a_.t5_rule;
  const auto* const shaw = &a_.shaw_rule;
  const auto* const q = &a_.const_heads;
  const auto* const out = &a_.heads[0];
  int32_t bucket = 0;
  int64_t index = 0;
  ROPEWALK_REFUSES("scores", ropewalk_dense_scores(nullptr, e));
  ROPEWALK_REFUSES("slopes", ropewalk_alibi_slopes(8, 8, nullptr, e));
  ROPEWALK_REFUSES("slopes", ropewalk_add_alibi(nullptr, s, kAll, nullptr, e));
  ROPEWALK_REFUSES("scores",
                   ropewalk_add_alibi(a_.slopes, nullptr, kAll, nullptr, e));
  ROPEWALK_REFUSES("rule", ropewalk_t5_bucket(nullptr, 1, &bucket, e));
  ROPEWALK_REFUSES("bucket", ropewalk_t5_bucket(t5, 1, nullptr, e));
  ROPEWALK_REFUSES("table",
                   ropewalk_add_t5_bias(nullptr, t5, s, kAll, nullptr, e));
  ROPEWALK_REFUSES(
      "rule", ropewalk_add_t5_bias(&a_.t5_table, nullptr, s, kAll, nullptr, e));
  ROPEWALK_REFUSES("scores", ropewalk_add_t5_bias(&a_.t5_table, t5, nullptr,
                                                  kAll, nullptr, e));
  ROPEWALK_REFUSES("rule", ropewalk_shaw_index(nullptr, 1, &index, e));
  ROPEWALK_REFUSES("index", ropewalk_shaw_index(shaw, 1, nullptr, e));
  ROPEWALK_REFUSES("table", ropewalk_add_shaw_scores(nullptr, shaw, q, 1, s,
                                                     kAll, nullptr, e));
  ROPEWALK_REFUSES(
      "rule", ropewalk_add_shaw_scores(t, nullptr, q, 1, s, kAll, nullptr, e));
  ROPEWALK_REFUSES("queries", ropewalk_add_shaw_scores(t, shaw, nullptr, 1, s,
                                                       kAll, nullptr, e));
  ROPEWALK_REFUSES("scores", ropewalk_add_shaw_scores(t, shaw, q, 1, nullptr,
                                                      kAll, nullptr, e));
  ROPEWALK_REFUSES("table", ropewalk_add_shaw_values(nullptr, shaw, s, out,
                                                     kAll, nullptr, e));
  ROPEWALK_REFUSES(
      "rule", ropewalk_add_shaw_values(t, nullptr, s, out, kAll, nullptr, e));
  ROPEWALK_REFUSES("weights", ropewalk_add_shaw_values(t, shaw, nullptr, out,
                                                       kAll, nullptr, e));
  ROPEWALK_REFUSES("output", ropewalk_add_shaw_values(t, shaw, s, nullptr, kAll,
                                                      nullptr, e));
}

}  // namespace
}  // namespace ropewalk::test
