// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The (y, x) of patches, worked by hand and by the rule.
#include "ropewalk/grid_positions.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cache/refusal.h"
#include "gtest/gtest.h"
#include "positions/room.h"
#include "support/operator_new.h"

namespace ropewalk::test {
namespace {

PatchGrid GridOf(int64_t height, int64_t width, int64_t merge_size = 1) {
  PatchGrid grid;
  grid.height = height;
  grid.width = width;
  grid.merge_size = merge_size;
  return grid;
}

TEST(GridPositionsTest, RowByRow) {
  Room room(6, 2);
  ExpectOk(AppendGridPositions(GridOf(2, 3), room.buffer()));
  EXPECT_EQ(room.Component(0), (Ids{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(room.Component(1), (Ids{0, 1, 2, 0, 1, 2}));
}

// The four patches of a block stand together; blocks go row by row.
TEST(GridPositionsTest, BlockByBlock) {
  Room room(16, 2);
  ExpectOk(AppendGridPositions(GridOf(4, 4, 2), room.buffer()));
  EXPECT_EQ(room.Component(0),
            (Ids{0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3}));
  EXPECT_EQ(room.Component(1),
            (Ids{0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3}));
}

// Every patch once; the blocks, and the patches inside one, row by row.
TEST(GridPositionsTest, BlocksOfAnySize) {
  for (const PatchGrid& grid :
       {GridOf(4, 6, 2), GridOf(6, 4, 2), GridOf(9, 3, 3), GridOf(6, 12, 6),
        GridOf(5, 7, 1)}) {
    SCOPED_TRACE(testing::Message()
                 << grid.height << "x" << grid.width << "/" << grid.merge_size);
    const int64_t m = grid.merge_size;
    const int64_t tokens = grid.height * grid.width;
    Room room(tokens, 2);
    ExpectOk(AppendGridPositions(grid, room.buffer()));
    const Ids y = room.Component(0);
    const Ids x = room.Component(1);
    std::set<std::pair<int64_t, int64_t>> seen;
    for (int64_t i = 0; i < tokens; ++i) {
      const auto at = static_cast<size_t>(i);
      seen.insert({y[at], x[at]});
      EXPECT_EQ(y[at] / m * (grid.width / m) + x[at] / m, i / (m * m)) << i;
      EXPECT_EQ(y[at] % m * m + x[at] % m, i % (m * m)) << i;
    }
    EXPECT_EQ(seen.size(), static_cast<size_t>(tokens));
  }
}

// Rows and columns from 1 on, and the class token at 0 behind them.
TEST(GridPositionsTest, Llama4) {
  PatchGrid grid = GridOf(2, 2);
  grid.first = 1;
  grid.class_token = ClassToken::kLast;
  Room room(5, 2);
  ExpectOk(AppendGridPositions(grid, room.buffer()));
  EXPECT_EQ(room.Component(0), (Ids{1, 1, 2, 2, 0}));
  EXPECT_EQ(room.Component(1), (Ids{1, 2, 1, 2, 0}));
}

TEST(GridPositionsTest, AClassTokenInFront) {
  PatchGrid grid = GridOf(1, 2);
  grid.first = 7;
  grid.class_token = ClassToken::kFirst;
  Room room(3, 2);
  ExpectOk(AppendGridPositions(grid, room.buffer()));
  EXPECT_EQ(room.Component(0), (Ids{0, 7, 7}));
  EXPECT_EQ(room.Component(1), (Ids{0, 7, 8}));
}

TEST(GridPositionsTest, ImagesFollowEachOther) {
  Room room(9, 2);
  const int64_t before = allocations;
  const bool ok = AppendGridPositions(GridOf(1, 2), room.buffer()).ok() &&
                  AppendGridPositions(GridOf(2, 2, 2), room.buffer()).ok() &&
                  AppendGridPositions(GridOf(2, 1), room.buffer()).ok();
  EXPECT_EQ(allocations, before);
  EXPECT_TRUE(ok);
  EXPECT_EQ(room.Component(0), (Ids{0, 0, 0, 0, 1, 1, 0, 1}));
  EXPECT_EQ(room.Component(1), (Ids{0, 1, 0, 1, 0, 1, 0, 0}));
}

TEST(GridPositionsTest, UpToTheLastPosition) {
  Room room(5, 2);
  PatchGrid grid = GridOf(2, 2);
  grid.first = INT64_MAX - 1;
  ExpectOk(AppendGridPositions(grid, room.buffer()));
  grid = GridOf(1, 1);
  grid.first = INT64_MAX;
  ExpectOk(AppendGridPositions(grid, room.buffer()));
  EXPECT_EQ(room.Component(0), (Ids{INT64_MAX - 1, INT64_MAX - 1, INT64_MAX,
                                    INT64_MAX, INT64_MAX}));
  EXPECT_EQ(room.Component(1), (Ids{INT64_MAX - 1, INT64_MAX, INT64_MAX - 1,
                                    INT64_MAX, INT64_MAX}));
}

struct GridCall {
  PatchGrid grid;
  PositionBuffer buffer;
};

TEST(GridPositionsTest, Errors) {
  constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;
  constexpr StatusCode kRange = StatusCode::kOutOfRange;
  const std::vector<Refusal<GridCall>> refusals = {
      {kInvalid,
       {"grid.height = 3", "multiple of merge_size = 2"},
       [](GridCall* call) { call->grid.height = 3; }},
      {kInvalid,
       {"grid.width = -2", "at least 1"},
       [](GridCall* call) { call->grid.width = -2; }},
      {kInvalid,
       {"grid.height = 0", "at least 1"},
       [](GridCall* call) { call->grid.height = 0; }},
      {kInvalid,
       {"grid.merge_size = 0", "at least 1"},
       [](GridCall* call) { call->grid.merge_size = 0; }},
      {kInvalid,
       {"grid.class_token = 3"},
       [](GridCall* call) {
         call->grid.class_token = static_cast<ClassToken>(3);
       }},
      {kRange,
       {"grid.first = 9223372036854775807", "pass 2^63 - 1"},
       [](GridCall* call) { call->grid.first = INT64_MAX; }},
      {kRange,
       {"4294967296 * 4294967296", "does not fit int64"},
       [](GridCall* call) {
         call->grid.height = call->grid.width = int64_t{1} << 32;
       }},
      {kRange,
       {"1 * 9223372036854775807", "does not fit int64"},
       [](GridCall* call) {
         call->grid = GridOf(1, INT64_MAX);
         call->grid.class_token = ClassToken::kFirst;
       }},
      {kInvalid,
       {"9223372036854775807 tokens after the 2 in use"},
       [](GridCall* call) { call->grid = GridOf(1, INT64_MAX); }},
      {kInvalid,
       {"buffer.components = 3", "must be 2 (y, x)"},
       [](GridCall* call) { call->buffer.components = 3; }},
      {kInvalid,
       {"buffer.capacity = 5", "4 tokens after the 2 in use"},
       [](GridCall* call) { call->buffer.capacity = 5; }},
      {kInvalid,
       {"buffer.capacity = 6", "5 tokens after the 2 in use"},
       [](GridCall* call) { call->grid.class_token = ClassToken::kLast; }},
      {kInvalid,
       {"buffer.ids = null", "4 tokens"},
       [](GridCall* call) { call->buffer.ids = nullptr; }},
  };
  for (const Refusal<GridCall>& refusal : refusals) {
    Room room(6, 2);
    GridCall call = {GridOf(2, 2, 2), *room.buffer()};
    call.buffer.count = 2;
    refusal.change(&call);
    ExpectRefused(AppendGridPositions(call.grid, &call.buffer), refusal.code,
                  refusal.words);
    EXPECT_EQ(room.all(), Ids(12, kUnwritten));
    EXPECT_EQ(call.buffer.count, 2);
  }
  ExpectRefused(AppendGridPositions(GridOf(2, 2), nullptr), kInvalid,
                {"buffer = null"});
}

}  // namespace
}  // namespace ropewalk::test
