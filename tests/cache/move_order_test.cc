// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The order of moves: carried out on a row of numbers, it must give what
// reading everything first gives.
#include "cache/move_order.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "support/cache.h"
#include "support/random.h"

namespace ropewalk::test {
namespace {

using internal::FindMoveOrder;
using internal::MoveOrder;
using internal::SlotReader;

struct Moves {
  std::vector<int64_t> from;
  std::vector<int64_t> to;
};

Result<MoveOrder> OrderOf(const Moves& moves) {
  return FindMoveOrder(SlotReader(SlotsOf(moves.from)),
                       SlotReader(SlotsOf(moves.to)));
}

// Cells that hold their own index.
std::vector<int64_t> Cells(int64_t count) {
  std::vector<int64_t> cells(static_cast<size_t>(count));
  std::iota(cells.begin(), cells.end(), 0);
  return cells;
}

int64_t& At(std::vector<int64_t>* list, int64_t i) {
  return list->at(static_cast<size_t>(i));
}

std::vector<int64_t> ReadFirst(const Moves& moves, int64_t capacity) {
  std::vector<int64_t> cells = Cells(capacity);
  for (size_t i = 0; i < moves.from.size(); ++i) {
    if (moves.from[i] < 0 || moves.to[i] < 0) continue;
    At(&cells, moves.to[i]) = moves.from[i];
  }
  return cells;
}

// As HeadMover does it.
std::vector<int64_t> CarriedOut(const Moves& moves, const MoveOrder& order,
                                int64_t capacity) {
  std::vector<int64_t> cells = Cells(capacity);
  const auto move_at = [&](int64_t place) {
    return order.order.at(static_cast<size_t>(place));
  };
  const auto from = [&](int64_t place) {
    return moves.from.at(static_cast<size_t>(move_at(place)));
  };
  const auto to = [&](int64_t place) {
    return moves.to.at(static_cast<size_t>(move_at(place)));
  };
  for (int64_t i = 0; i < order.free_moves; ++i) {
    At(&cells, to(i)) = At(&cells, from(i));
  }
  for (const MoveOrder::Cycle& cycle : order.cycles) {
    const int64_t aside = At(&cells, from(cycle.end - 1));
    for (int64_t i = cycle.begin; i < cycle.end - 1; ++i) {
      At(&cells, to(i)) = At(&cells, from(i));
    }
    At(&cells, to(cycle.end - 1)) = aside;
  }
  return cells;
}

// Whether the order holds each move that is not skipped once, and its cycles
// follow the free moves without a gap.
void ExpectWhole(const Moves& moves, const MoveOrder& order) {
  std::vector<int64_t> want;
  for (size_t i = 0; i < moves.from.size(); ++i) {
    if (moves.from[i] >= 0 && moves.to[i] >= 0) {
      want.push_back(static_cast<int64_t>(i));
    }
  }
  std::vector<int64_t> sorted = order.order;
  std::sort(sorted.begin(), sorted.end());
  ASSERT_EQ(sorted, want);
  int64_t end = order.free_moves;
  for (const MoveOrder::Cycle& cycle : order.cycles) {
    ASSERT_EQ(cycle.begin, end);
    ASSERT_GE(cycle.end, cycle.begin + 2) << "a move to itself is no ring";
    end = cycle.end;
  }
  ASSERT_EQ(end, static_cast<int64_t>(order.order.size()));
}

void ExpectReadsBeforeItOverwrites(const Moves& moves, int64_t capacity) {
  const auto order = OrderOf(moves);
  ASSERT_TRUE(order.ok()) << order.status().message();
  ExpectWhole(moves, order.value());
  ASSERT_EQ(CarriedOut(moves, order.value(), capacity),
            ReadFirst(moves, capacity));
}

// Any targets, any sources: chains, trees, rings and all that hangs on them.
TEST(MoveOrderTest, RandomMovesReadBeforeTheyOverwrite) {
  Random random = Random::ForTest();
  for (int run = 0; run < 20000; ++run) {
    const int64_t capacity = random.Between(1, 24);
    const int64_t count = random.Between(0, capacity);
    Moves moves;
    moves.to = DrawSlots(count, capacity, &random);
    for (int64_t i = 0; i < count; ++i) {
      moves.from.push_back(random.Below(capacity));
      if (random.Below(8) == 0) moves.from.back() = -1;
      if (random.Below(8) == 0) moves.to[static_cast<size_t>(i)] = -1;
    }
    ExpectReadsBeforeItOverwrites(moves, capacity);
    if (HasFatalFailure()) return;
  }
}

TEST(MoveOrderTest, PermutationsReadBeforeTheyOverwrite) {
  Random random = Random::ForTest();
  for (int run = 0; run < 5000; ++run) {
    const int64_t capacity = random.Between(1, 40);
    const Moves moves = {DrawSlots(capacity, capacity, &random),
                         DrawSlots(capacity, capacity, &random)};
    ExpectReadsBeforeItOverwrites(moves, capacity);
    if (HasFatalFailure()) return;
  }
}

TEST(MoveOrderTest, OnlyRingsArePutAside) {
  const struct {
    Moves moves;
    size_t cycles;
    int64_t free_moves;
  } cases[] = {
      {{{}, {}}, 0, 0},
      {{{3}, {3}}, 0, 1},              // itself
      {{{3, 3}, {3, 4}}, 0, 2},        // itself, and a copy
      {{{0, 1, 2}, {1, 2, 3}}, 0, 3},  // a chain
      {{{1, 2, 3}, {0, 1, 2}}, 0, 3},  // backwards
      {{{0, 1}, {1, 0}}, 1, 0},        // an exchange
      {{{0, 1, 1}, {1, 0, 5}}, 1, 1},  // and a copy
      {{{0, 1, 2, 5, 4}, {1, 2, 0, 4, 5}}, 2, 0},
      {{{0, 0, 0}, {0, 1, 2}}, 0, 3},
      {{{-1, 2}, {2, -1}}, 0, 0},
      {{{0, 1}, {1, -1}}, 0, 1},  // skipped: no ring
  };
  for (const auto& one : cases) {
    ExpectReadsBeforeItOverwrites(one.moves, 8);
    const auto order = OrderOf(one.moves);
    ASSERT_TRUE(order.ok());
    EXPECT_EQ(order.value().cycles.size(), one.cycles);
    EXPECT_EQ(order.value().free_moves, one.free_moves);
  }
}

TEST(MoveOrderTest, LongChainsAndRingsAreNoRecursion) {
  constexpr int64_t kMany = 200000;
  Moves moves;
  for (int64_t i = 0; i < kMany; ++i) {
    moves.from.push_back(i);
    moves.to.push_back(i + 1);
  }
  ExpectReadsBeforeItOverwrites(moves, kMany + 1);
  moves.to.back() = 0;
  ExpectReadsBeforeItOverwrites(moves, kMany + 1);
}

TEST(MoveOrderTest, ASlotThatIsWrittenTwiceIsRefused) {
  const auto order = OrderOf({{0, 1, 2, 3}, {7, 5, -1, 7}});
  ASSERT_FALSE(order.ok());
  EXPECT_EQ(order.status().code(), StatusCode::kInvalidArgument);
  const std::string message = order.status().message();
  EXPECT_NE(message.find("to[0] = to[3] = 7"), std::string::npos) << message;
  // A move that is skipped writes nothing.
  EXPECT_TRUE(OrderOf({{0, 1, 2, -1}, {7, 5, -1, 7}}).ok());
}

}  // namespace
}  // namespace ropewalk::test
