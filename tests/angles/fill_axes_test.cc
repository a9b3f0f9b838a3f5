// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of several axes: every pair has the bits of its own axis alone, however
// many axes there are and wherever they change.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "angles/table_cases.h"
#include "gtest/gtest.h"
#include "support/all_targets.h"
#include "support/random.h"

namespace ropewalk::test {
namespace {

using FillAxesTest = AllTargets;

// More than are multiplied at a time, of text and of others.
constexpr int64_t kTokens = 150;

// Of a table whose frequencies have axes, and of one without.
struct Tables {
  TablePointer axes;
  TablePointer plain;
};

Tables TablesOf(const std::vector<uint8_t>& axis, const AngleOptions& options,
                double factor) {
  Frequencies frequencies = PlainOf(2 * static_cast<int>(axis.size()), 1e4);
  frequencies.attention_factor = factor;
  const TablePointer plain = Build(frequencies, options);
  frequencies.axis = axis;
  return {Build(frequencies, options), plain};
}

// One, two and three factors, none, and past the table.
int64_t DrawPosition(Random* random) {
  const int64_t bounds[] = {1, 1 << 10, 1 << 20, 1 << 30, int64_t{1} << 40};
  const int64_t bound = bounds[random->Below(5)];
  return random->Between(-bound, bound);
}

// [components][tokens]; every third token is text.
std::vector<int64_t> DrawIds(int components, Random* random) {
  std::vector<int64_t> ids(static_cast<size_t>(components * kTokens));
  for (size_t i = 0; i < ids.size(); ++i) {
    const bool same = i >= kTokens && i % kTokens % 3 == 0;
    ids[i] = same ? ids[i - kTokens] : DrawPosition(random);
  }
  return ids;
}

// Rows either way, of the options or exact.
AngleRows RowsOf(const AngleTable& table, const Positions& positions,
                 bool rotation) {
  AngleRows rows;
  const Status status = rotation ? table.FillRotation(positions, &rows)
                                 : table.Fill(positions, &rows);
  EXPECT_TRUE(status.ok()) << status.message();
  return rows;
}

void ExpectOwnAxes(const std::vector<uint8_t>& axis, const Tables& tables,
                   bool rotation, Random* random) {
  const int components = 1 + *std::max_element(axis.begin(), axis.end());
  const std::vector<int64_t> ids = DrawIds(components, random);
  const AngleRows got =
      RowsOf(*tables.axes,
             Positions::Components(ids.data(), components, kTokens, kTokens),
             rotation);
  std::vector<AngleRows> want;
  for (int c = 0; c < components; ++c) {
    want.push_back(RowsOf(
        *tables.plain, Positions(ids.data() + c * kTokens, kTokens), rotation));
  }
  for (int64_t t = 0; t < kTokens; ++t) {
    bool identity = true;
    for (size_t i = 0; i < axis.size(); ++i) {
      ASSERT_EQ(got.cos(t)[i], want[axis[i]].cos(t)[i]) << t << " " << i;
      ASSERT_EQ(got.sin(t)[i], want[axis[i]].sin(t)[i]) << t << " " << i;
      identity = identity && want[axis[i]].identity(t);
    }
    ASSERT_EQ(got.identity(t), identity) << t;
  }
}

std::vector<uint8_t> DrawAxes(int pairs, int axes, Random* random) {
  std::vector<uint8_t> axis;
  const bool runs = random->Below(2) != 0;
  for (int i = 0; i < pairs; ++i) {
    axis.push_back(
        static_cast<uint8_t>(runs ? i * axes / pairs : random->Below(axes)));
  }
  return axis;
}

TEST_P(FillAxesTest, AnyNumberOfAxesAndPairs) {
  Random random = Random::ForTest();
  for (const int pairs : {1, 2, 7, 8, 9, 31, 64, 70}) {
    for (const int axes : {2, 3, 4, 5, 9}) {
      SCOPED_TRACE(std::to_string(pairs) + " pairs of " + std::to_string(axes));
      const auto axis = DrawAxes(pairs, axes, &random);
      const Tables tables = TablesOf(axis, OptionsOf(TableKind::kFactored), 1);
      ExpectOwnAxes(axis, tables, false, &random);
    }
  }
}

TEST_P(FillAxesTest, SectionsOfModels) {
  Random random = Random::ForTest();
  std::vector<uint8_t> contiguous(16, 0);
  contiguous.insert(contiguous.end(), 24, 1);
  contiguous.insert(contiguous.end(), 24, 2);
  std::vector<uint8_t> interleaved;
  for (int i = 0; i < 64; ++i) {
    interleaved.push_back(static_cast<uint8_t>(i < 60 ? i % 3 : 0));
  }
  for (const auto& axis : {contiguous, interleaved}) {
    AngleOptions options = OptionsOf(TableKind::kFactored);
    for (const DataType round_to : {DataType::kF32, DataType::kBF16}) {
      options.round_to = round_to;
      const Tables tables = TablesOf(axis, options, 1.25);
      ExpectOwnAxes(axis, tables, false, &random);
      ExpectOwnAxes(axis, tables, true, &random);
    }
    for (const TableKind kind : {TableKind::kDense, TableKind::kDirect}) {
      const Tables tables = TablesOf(axis, OptionsOf(kind, 2000), 1.25);
      ExpectOwnAxes(axis, tables, false, &random);
    }
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(FillAxesTest);

}  // namespace
}  // namespace ropewalk::test
