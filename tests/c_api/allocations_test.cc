// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What of the C interface allocates nothing. An executable of its own: it
// replaces operator new.
#include <cstdint>
#include <functional>
#include <vector>

#include "c_api/arguments.h"
#include "gtest/gtest.h"
#include "support/all_targets.h"
#include "support/operator_new.h"

namespace ropewalk::test {
namespace {

using Call = std::function<ropewalk_status(ropewalk_error* error)>;

// Of a call that must succeed.
int64_t AllocationsOf(const Call& call) {
  ropewalk_error error = UsedError();
  const int64_t before = allocations;
  const ropewalk_status code = call(&error);
  const int64_t after = allocations;
  EXPECT_EQ(code, ROPEWALK_OK) << error.message;
  return after - before;
}

using CAllocationsTest = AllTargets;

ropewalk_parallel SecondShare() {
  ropewalk_parallel share = ROPEWALK_PARALLEL_INIT;
  share.kind = ROPEWALK_SHARE;
  share.index = 1;
  share.count = 2;
  return share;
}

TEST_P(CAllocationsTest, FillAllocatesNothingAfterTheLargestStep) {
  Arguments a;
  for (const int64_t count : {2, 1, 0, 2}) {
    a.positions.count = count;
    EXPECT_EQ(AllocationsOf([&](auto* e) {
                return ropewalk_angle_table_fill(a.table.get(), &a.positions,
                                                 a.rows.get(), 0, e);
              }),
              0);
    EXPECT_EQ(AllocationsOf([&](auto* e) {
                return ropewalk_angle_table_fill_rotation(
                    a.table.get(), &a.positions, a.rows.get(), 0, e);
              }),
              0);
  }
}

TEST_P(CAllocationsTest, CachesAllocateNothing) {
  Arguments a;
  const ropewalk_parallel share = SecondShare();
  const ropewalk_parallel* const ways[] = {nullptr, &share};
  for (const ropewalk_parallel* parallel : ways) {
    EXPECT_EQ(AllocationsOf([&](auto* e) {
                return ropewalk_rotate_into_cache(a.rows.get(), &a.write,
                                                  &a.slots, parallel, e);
              }),
              0);
    EXPECT_EQ(AllocationsOf([&](auto* e) {
                return ropewalk_shift_cache(a.rows.get(), &a.layout, &a.k_cache,
                                            &a.slots, parallel, e);
              }),
              0);
    EXPECT_EQ(AllocationsOf([&](auto* e) {
                return ropewalk_rerotate(a.rows.get(), &a.layout, &a.k_cache,
                                         &a.slots, parallel, e);
              }),
              0);
  }
}

TEST_P(CAllocationsTest, RotationsOfUpToEightTensorsAllocateNothing) {
  Arguments a;
  const ropewalk_parallel share = SecondShare();
  a.rotate_options.parallel = &share;
  std::vector<float> memory(8 * 32, 0.5f);
  std::vector<ropewalk_heads> heads(8, a.heads[0]);
  for (size_t i = 0; i < heads.size(); ++i) heads[i].data = &memory[32 * i];
  for (int32_t count = 0; count <= 8; ++count) {
    EXPECT_EQ(AllocationsOf([&](auto* e) {
                return ropewalk_rotate(a.rows.get(), &a.layout, heads.data(),
                                       count, &a.rotate_options, e);
              }),
              0)
        << count;
  }
  EXPECT_EQ(AllocationsOf([&](auto* e) {
              return ropewalk_rotate_to(a.rows.get(), &a.layout, &a.const_heads,
                                        &a.heads[0], &a.rotate_options, e);
            }),
            0);
}

TEST_P(CAllocationsTest, RowsOfTablesAndHiddenStatesAllocateNothing) {
  Arguments a;
  const ropewalk_parallel share = SecondShare();
  const ropewalk_parallel* const ways[] = {nullptr, &share};
  for (const ropewalk_parallel* parallel : ways) {
    a.lookup_options.parallel = a.sinusoidal_options.parallel = parallel;
    EXPECT_EQ(AllocationsOf([&](auto* e) {
                return ropewalk_lookup(&a.embeddings, &a.token_ids, &a.hidden,
                                       &a.lookup_options, e);
              }),
              0);
    EXPECT_EQ(AllocationsOf([&](auto* e) {
                return ropewalk_tied_logits(&a.embeddings, &a.const_hidden,
                                            a.logits, 12, parallel, e);
              }),
              0);
    EXPECT_EQ(AllocationsOf([&](auto* e) {
                return ropewalk_add_learned(&a.embeddings, &a.positions, 0,
                                            &a.hidden, parallel, e);
              }),
              0);
    EXPECT_EQ(AllocationsOf([&](auto* e) {
                return ropewalk_add_sinusoidal(a.rows.get(), &a.hidden,
                                               &a.sinusoidal_options, e);
              }),
              0);
  }
}

TEST_P(CAllocationsTest, ScoreBiasesAllocateNothing) {
  Arguments a;
  const ropewalk_parallel share = SecondShare();
  const ropewalk_parallel* const ways[] = {nullptr, &share};
  for (const ropewalk_parallel* parallel : ways) {
    EXPECT_EQ(AllocationsOf([&](auto* e) {
                return ropewalk_add_alibi(a.slopes, &a.scores,
                                          ROPEWALK_CAUSAL_SCORES, parallel, e);
              }),
              0);
    EXPECT_EQ(AllocationsOf([&](auto* e) {
                return ropewalk_add_t5_bias(&a.t5_table, &a.t5_rule, &a.scores,
                                            ROPEWALK_ALL_SCORES, parallel, e);
              }),
              0);
    EXPECT_EQ(AllocationsOf([&](auto* e) {
                return ropewalk_add_shaw_scores(
                    &a.embeddings, &a.shaw_rule, &a.const_heads, 1, &a.scores,
                    ROPEWALK_ALL_SCORES, parallel, e);
              }),
              0);
    EXPECT_EQ(AllocationsOf([&](auto* e) {
                return ropewalk_add_shaw_values(
                    &a.embeddings, &a.shaw_rule, &a.scores, &a.heads[0],
                    ROPEWALK_ALL_SCORES, parallel, e);
              }),
              0);
  }
}

TEST_P(CAllocationsTest, FailuresAllocateNothing) {
  Arguments a;
  a.layout.rotary_dim = 7;
  ropewalk_error error = UsedError();
  const int64_t before = allocations;
  const ropewalk_status code =
      ropewalk_rotate(a.rows.get(), &a.layout, a.heads, 2, nullptr, &error);
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(code, ROPEWALK_INVALID_ARGUMENT);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(CAllocationsTest);

}  // namespace
}  // namespace ropewalk::test
