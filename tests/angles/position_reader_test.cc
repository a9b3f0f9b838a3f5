// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Where Positions find the component of a token: the rows are those of the same
// positions, written out one component after the other.
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "angles/position_reader.h"
#include "angles/table_cases.h"
#include "gtest/gtest.h"
#include "ropewalk/query_scale.h"
#include "support/guarded_buffer.h"
#include "support/random.h"

namespace ropewalk::test {
namespace {

template <class T>
class PositionStridesTest : public testing::Test {};

using Types = testing::Types<int32_t, int64_t, double>;
TYPED_TEST_SUITE(PositionStridesTest, Types);

constexpr int kComponents = 3;
constexpr int64_t kTokens = 5;

// Six pairs that follow components 2, 0, 1 in turn.
const AngleTable& ThreeAxes() {
  static const TablePointer table = [] {
    Frequencies frequencies = PlainOf(12, 1e4);
    frequencies.axis = {2, 0, 1, 2, 0, 1};
    return Build(frequencies);
  }();
  return *table;
}

template <class T>
T Draw(Random* random) {
  const auto whole = static_cast<T>(random->Between(-70000, 70000));
  return std::is_same_v<T, double> ? whole + T{1} / T{4} : whole;
}

// Memory order of the ids, in elements.
struct Order {
  std::string name;
  int64_t component_stride;
  int64_t token_stride;
  int64_t first;  // where component 0 of token 0 is
  int64_t size;
};

std::vector<Order> Orders() {
  constexpr int64_t kLast = kComponents * kTokens - 1;
  return {
      {"component by component", kTokens, 1, 0, kLast + 1},
      {"token by token", 1, kComponents, 0, kLast + 1},
      {"components backwards", -kTokens, 1, (kComponents - 1) * kTokens,
       kLast + 1},
      {"tokens backwards", kTokens, -1, kTokens - 1, kLast + 1},
      {"all backwards", -1, -kComponents, kLast, kLast + 1},
      {"equal components", 0, 1, 0, kTokens},
      {"equal tokens", 1, 0, 0, kComponents},
      {"one id", 0, 0, 0, 1},
      {"with gaps", 2 * kTokens + 1, 2, 0,
       2 * (2 * kTokens + 1) + 2 * (kTokens - 1) + 1},
  };
}

// The ids end where memory ends.
template <class T>
struct Ids {
  Ids(const Order& order, Random* random)
      : memory(static_cast<size_t>(order.size) * sizeof(T), GuardSide::kEnd),
        first(reinterpret_cast<const T*>(memory.data()) + order.first) {
    auto* ids = reinterpret_cast<T*>(memory.data());
    for (int64_t i = 0; i < order.size; ++i) ids[i] = Draw<T>(random);
    memory.MakeReadOnly();
  }

  GuardedBuffer memory;
  const T* first;
};

TYPED_TEST(PositionStridesTest, EveryOrderOfTheIds) {
  using T = TypeParam;
  Random random = Random::ForTest();
  for (const Order& order : Orders()) {
    const Ids<T> ids(order, &random);
    std::vector<T> written;
    for (int c = 0; c < kComponents; ++c) {
      for (int64_t t = 0; t < kTokens; ++t) {
        written.push_back(
            ids.first[c * order.component_stride + t * order.token_stride]);
      }
    }
    const AngleRows got = Filled(
        ThreeAxes(),
        Positions::Components(ids.first, kComponents, kTokens,
                              order.component_stride, order.token_stride));
    const AngleRows want = Filled(
        ThreeAxes(),
        Positions::Components(written.data(), kComponents, kTokens, kTokens));
    EXPECT_EQ(Values(got), Values(want)) << order.name;
  }
}

TYPED_TEST(PositionStridesTest, OneComponentOfEveryToken) {
  using T = TypeParam;
  Random random = Random::ForTest();
  const TablePointer table = Build(PlainOf(12, 1e4));
  for (const int64_t stride : {-3, -1, 0, 1, 2, 7}) {
    std::vector<T> all(static_cast<size_t>(7 * (kTokens - 1) + 1));
    for (T& id : all) id = Draw<T>(&random);
    const T* first = stride < 0 ? &all.back() : all.data();
    std::vector<T> written;
    for (int64_t t = 0; t < kTokens; ++t) written.push_back(first[t * stride]);
    // The stride of a single component may be any number.
    const Positions strided =
        Positions::Components(first, 1, kTokens, INT64_MIN, stride);
    EXPECT_EQ(Values(Filled(*table, strided)),
              Values(Filled(*table, Positions(written.data(), kTokens))))
        << stride;
  }
}

TYPED_TEST(PositionStridesTest, ExtremeStridesOfNothing) {
  const TypeParam id = 3;
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  AngleRows rows;
  EXPECT_TRUE(ThreeAxes()
                  .Fill(Positions::Components(&id, 3, 0, kMax, kMax), &rows)
                  .ok());
  EXPECT_EQ(rows.rows(), 0);
  // One token: its stride is not looked at; the distances are bounded by bytes.
  EXPECT_TRUE(
      ThreeAxes().Fill(Positions::Components(&id, 3, 1, 0, kMax), &rows).ok());
  ExpectError(
      ThreeAxes().Fill(Positions::Components(&id, 3, 1, kMax / 16, 0), &rows),
      StatusCode::kOutOfRange, "component_stride = 576460752303423487");
  ExpectError(
      ThreeAxes().Fill(Positions::Components(&id, 3, kMax, 0, -2), &rows),
      StatusCode::kOutOfRange, "token_stride = -2");
}

TYPED_TEST(PositionStridesTest, QueryScalesReadOneComponent) {
  const TypeParam ids[] = {9000, 5, 20000, 6, 40000, 7};
  const TypeParam firsts[] = {9000, 20000, 40000};
  float got[3], want[3];
  ASSERT_TRUE(
      Llama4QueryScale(Positions::Components(ids, 1, 3, 0, 2), 8192, 0.1, got)
          .ok());
  ASSERT_TRUE(Llama4QueryScale(Positions(firsts, 3), 8192, 0.1, want).ok());
  for (int t = 0; t < 3; ++t) EXPECT_EQ(got[t], want[t]) << t;
  EXPECT_NE(want[0], want[1]);
  ExpectError(
      Llama4QueryScale(Positions::Components(ids, 2, 3, 1, 2), 8192, 0.1, got),
      StatusCode::kInvalidArgument, "positions of 2 components: must have 1");
}

TYPED_TEST(PositionStridesTest, MorePositionsThanAnyRowsReturnAtOnce) {
  const TypeParam id = 7;
  AngleRows rows;
  ExpectError(
      ThreeAxes().Fill(Positions::Components(&id, 3, INT64_MAX, 0, 0), &rows),
      StatusCode::kOutOfRange, "their bytes do not fit int64");
}

TEST(PositionsTest, TextHasOnePositionInEveryComponent) {
  const int64_t first_of_sequence[] = {70, -4};
  const std::vector<int64_t> ids = {70, 71, 72, -4, -3, -2};
  const AngleRows each =
      Filled(ThreeAxes(), Positions::Consecutive(first_of_sequence, 2, 3, 3));
  EXPECT_EQ(
      Values(each),
      Values(Filled(ThreeAxes(), Positions::Components(ids.data(), 3, 6, 0))));
  const AngleRows run = Filled(ThreeAxes(), Positions::Consecutive(70, 3, 3));
  EXPECT_EQ(
      Values(run),
      Values(Filled(ThreeAxes(), Positions::Components(ids.data(), 3, 3, 0))));
  const AngleRows constant = Filled(ThreeAxes(), Positions::Constant(70, 4, 3));
  EXPECT_EQ(Values(constant),
            Values(Filled(ThreeAxes(),
                          Positions::Components(ids.data(), 3, 4, 0, 0))));
}

TEST(PositionsTest, IntegersOfAnyTypeAreNoPointers) {
  const auto values = [](const Positions& positions) {
    return Values(Filled(ThreeAxes(), positions));
  };
  const auto want = values(Positions::Consecutive(int64_t{0}, 4, 3));
  EXPECT_EQ(values(Positions::Consecutive(0, 4, 3)), want);
  EXPECT_EQ(values(Positions::Consecutive(0, 4, int64_t{3})), want);
  EXPECT_EQ(values(Positions::Consecutive(0, 4, size_t{3})), want);
  EXPECT_EQ(values(Positions::Consecutive(int16_t{0}, 4, uint8_t{3})), want);
  AngleRows rows;
  ExpectError(ThreeAxes().Fill(
                  Positions::Consecutive(0, 4, (int64_t{1} << 32) + 3), &rows),
              StatusCode::kInvalidArgument,
              "components = 0: must be at least 1");
}

TEST(PositionsTest, ShiftsTakeAConstantOfEveryComponent) {
  AngleRows got, want;
  const int64_t deltas[] = {-31, -31, -31};
  ASSERT_TRUE(
      ThreeAxes().FillRotation(Positions::Constant(-31, 1, 3), &got).ok());
  ASSERT_TRUE(ThreeAxes()
                  .FillRotation(Positions::Components(deltas, 3, 1, 1), &want)
                  .ok());
  EXPECT_EQ(Values(got), Values(want));
}

TEST(PositionsTest, TooFewComponentsAreRefused) {
  AngleRows rows;
  const int64_t first = 4;
  for (const Positions& positions : {Positions::Consecutive(4, 2, 2),
                                     Positions::Consecutive(&first, 1, 2, 2),
                                     Positions::Constant(4, 2, 2)}) {
    ExpectError(ThreeAxes().Fill(positions, &rows),
                StatusCode::kInvalidArgument,
                "positions of 2 components: axis = 2 needs 3");
  }
}

// Where the ids lie, which a call that writes must leave alone.
TEST(PositionsMemoryTest, IsThatOfTheFirstAndTheLastId) {
  const int64_t least = std::numeric_limits<int64_t>::min();
  const int64_t ids[24] = {};
  const int32_t narrow[24] = {};
  struct Case {
    Positions positions;
    const void* begin;
    int64_t bytes;
  };
  const Case cases[] = {
      {Positions(ids, 5), ids, 40},
      {Positions(narrow, 5), narrow, 20},
      {Positions(ids, 0), ids, 0},
      {Positions::Components(ids, 2, 3, 8, 2), ids, 8 * (8 + 4 + 1)},
      {Positions::Components(ids + 20, 2, 3, -8, -2), ids + 8, 8 * 13},
      {Positions::Components(ids + 20, 2, 3, -8, 1), ids + 12, 8 * 11},
      // Of one step a stride leads nowhere, whatever it is.
      {Positions::Components(ids, 1, 1, least, least), ids, 8},
      {Positions::Components(ids, 1, 0, least, least), ids, 0},
      {Positions::Components(narrow, 3, 4, 0, 0), narrow, 4},
      {Positions::Consecutive(ids, 3, 7), ids, 24},
      {Positions::Consecutive(5, 3), nullptr, 0},
      {Positions::Constant(5, 3), nullptr, 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(&c - cases);
    internal::PositionReader reader(c.positions);
    ASSERT_TRUE(reader.Validate().ok());
    EXPECT_EQ(reader.bytes(), c.bytes);
    EXPECT_EQ(reader.begin(), c.begin);
  }
}

}  // namespace
}  // namespace ropewalk::test
