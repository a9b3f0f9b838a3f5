// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rotation by the host's own tables, in every layout and type, with and without
// heads: the bits are those of rows made of the same numbers.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/angle_rows.h"
#include "ropewalk/rotate.h"
#include "rotate/host_table.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using HostTablesTest = AllTargets;

constexpr int64_t kTokens = 5;

// By token: row t is token t. By position: any rows, the last one too, which
// ends where memory ends.
struct Choice {
  bool by_position;
  std::vector<int64_t> rows;
};

Choice ByToken() { return {false, Count(0, kTokens)}; }
Choice ByPosition() { return {true, {8, 0, 3, 3, 8}}; }

int64_t RowsOf(const Choice& choice) { return choice.by_position ? 9 : 5; }

AngleRows RowsBy(const Choice& choice, const ConstCosSinView& view) {
  if (!choice.by_position) {
    Result<AngleRows> rows = AngleRows::Wrap(view);
    EXPECT_TRUE(rows.ok()) << rows.status().message();
    return rows.ok() ? std::move(rows).value() : AngleRows();
  }
  AngleRows rows;
  const Status status =
      rows.Gather(view, Positions(choice.rows.data(), kTokens));
  EXPECT_TRUE(status.ok()) << status.message();
  return rows;
}

std::string Describe(const HostTableSpec& spec, const Choice& choice) {
  return std::string(NameOf(spec.layout)) + " " + NameOf(spec.type) + " of " +
         std::to_string(spec.heads) + " heads by " +
         (choice.by_position ? "position" : "token");
}

// Calls `check` with every table of so many pairs.
template <class Check>
void ForEveryTable(int pairs, Random* random, const Check& check) {
  for (const TableLayout layout : kTableLayouts) {
    for (const DataType type : kAllTypes) {
      for (const int heads : {1, 3}) {
        for (const Choice& choice : {ByToken(), ByPosition()}) {
          HostTableSpec spec = {layout, type, RowsOf(choice), pairs, heads};
          spec.heads_outside = random->Below(2) != 0;
          SCOPED_TRACE(Describe(spec, choice));
          check(HostTable(spec, random), spec, choice);
        }
      }
    }
  }
}

Heads RandomHeads(DataType type, int64_t heads, int head_dim, Random* random) {
  return Heads({type, 1, kTokens, heads, head_dim}, random);
}

TEST_P(HostTablesTest, HaveTheBitsOfRowsOfTheSameNumbers) {
  Random random = Random::ForTest();
  for (const int pairs : {20, 64}) {
    ForEveryTable(
        pairs, &random,
        [&](const HostTable& table, const HostTableSpec& spec,
            const Choice& choice) {
          const AngleRows rows = RowsBy(choice, table.view());
          ASSERT_EQ(rows.rows(), kTokens);
          ASSERT_EQ(rows.pairs(), pairs);
          ASSERT_EQ(rows.heads(), spec.heads);
          const RotaryLayout layout =
              FullLayout(2 * pairs, random.Below(2) ? Pairing::kHalf
                                                    : Pairing::kInterleaved);
          for (const DataType type : {DataType::kF32, DataType::kBF16}) {
            const Heads q = RandomHeads(type, 6, layout.head_dim, &random);
            const Heads k = RandomHeads(type, 3, layout.head_dim, &random);
            const Heads q_want = q.Copy();
            const Heads k_want = k.Copy();
            const Status status =
                Rotate(rows, layout, {q.view(), k.view()}, RotateOptions{});
            ASSERT_TRUE(status.ok()) << status.message();
            for (const Heads* want : {&q_want, &k_want}) {
              table.RotateHeadByHead(choice.rows, layout, RotateOptions{},
                                     want->view());
            }
            EXPECT_EQ(q.Bytes(), q_want.Bytes());
            EXPECT_EQ(k.Bytes(), k_want.Bytes());
          }
        });
  }
}

TEST_P(HostTablesTest, MatchTheOracle) {
  Random random = Random::ForTest();
  ForEveryTable(
      20, &random,
      [&](const HostTable& table, const HostTableSpec& spec,
          const Choice& choice) {
        const AngleRows rows = RowsBy(choice, table.view());
        for (const DataType type : kAllTypes) {
          const RotaryLayout layout = FullLayout(
              40, random.Below(2) ? Pairing::kHalf : Pairing::kInterleaved);
          const Heads x = RandomHeads(type, 6, 40, &random);
          const Heads y = x.Copy();
          for (const Direction direction :
               {Direction::kForward, Direction::kTranspose}) {
            RotateOptions options;
            options.direction = direction;
            ASSERT_TRUE(Rotate(rows, layout, x.view(), y.view(), options).ok());
            for (int h = 0; h < 6; ++h) {
              const int row_head = h / (6 / spec.heads);
              EXPECT_TRUE(IsRotated(table.StepOf(row_head, choice.rows), layout,
                                    direction,
                                    CopyOf(Slice(x.view(), h, 1), 40),
                                    CopyOf(Slice(y.view(), h, 1), 40)))
                  << "head " << h;
            }
          }
        }
      });
}

// The numbers themselves, whatever the layout.
TEST(HostTableRowsTest, AreTheNumbersOfTheTable) {
  Random random = Random::ForTest();
  ForEveryTable(20, &random,
                [&](const HostTable& table, const HostTableSpec& spec,
                    const Choice& choice) {
                  const AngleRows rows = RowsBy(choice, table.view());
                  for (int h = 0; h < spec.heads; ++h) {
                    const Step step = table.StepOf(h, choice.rows);
                    for (int64_t t = 0; t < kTokens; ++t) {
                      for (int i = 0; i < spec.pairs; ++i) {
                        ASSERT_EQ(rows.cos(t, h)[i], step.Row(t)[i].cos);
                        ASSERT_EQ(rows.sin(t, h)[i], step.Row(t)[i].sin);
                      }
                    }
                  }
                });
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(HostTablesTest);

}  // namespace
}  // namespace ropewalk::test
