// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rounded modes, pure rotations and several axes.
#include <cmath>
#include <cstdint>
#include <vector>

#include "angles/table_cases.h"
#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "support/all_targets.h"
#include "support/ulp.h"

namespace ropewalk::test {
namespace {

class AngleTableModesTest : public AllTargets {};

AngleOptions Float32(TableKind kind, int64_t dense_positions = 0) {
  AngleOptions options = OptionsOf(kind, dense_positions);
  options.mode = AngleMode::kFloat32;
  return options;
}

// Every step rounded to float32. The reference cos is within 2^-51, which
// moves its rounding only at near ties; hence one ulp of room.
void ExpectFloat32Arithmetic(const AngleTable& table, int64_t position) {
  const AngleRows rows = Filled(table, Positions::Constant(position, 1));
  const float m = static_cast<float>(table.frequencies().attention_factor);
  int different = 0;
  for (int i = 0; i < rows.pairs(); ++i) {
    const float inv_freq = static_cast<float>(
        table.frequencies().inv_freq[static_cast<size_t>(i)]);
    const float angle = static_cast<float>(position) * inv_freq;
    const reference::CosSin exact = reference::ExactAngle(1.0, double{angle});
    const float cos = static_cast<float>(exact.cos) * m;
    const float sin = static_cast<float>(exact.sin) * m;
    EXPECT_NEAR(rows.cos(0)[i], cos, UlpF32(std::fabs(double{cos}))) << i;
    EXPECT_NEAR(rows.sin(0)[i], sin, UlpF32(std::fabs(double{sin}))) << i;
    different += rows.cos(0)[i] != cos || rows.sin(0)[i] != sin;
  }
  EXPECT_LE(different, 1) << "position " << position;
}

TEST_P(AngleTableModesTest, Float32IsFloat32Arithmetic) {
  Frequencies frequencies = PlainOf(128, 1e4);
  for (const double m : {1.0, 1.1902380714238083}) {
    frequencies.attention_factor = m;
    for (const int64_t position : {0, 1, -3, 131071, -131071, 16777217}) {
      ExpectFloat32Arithmetic(*Build(frequencies, Float32(TableKind::kAuto)),
                              position);
      ExpectFloat32Arithmetic(
          *Build(frequencies, Float32(TableKind::kDense, 32)), position);
    }
  }
}

TEST_P(AngleTableModesTest, Float32LosesOddPositions) {
  const TablePointer table =
      Build(PlainOf(128, 1e4), Float32(TableKind::kAuto));
  EXPECT_EQ(table->options().kind, TableKind::kDirect);
  const std::vector<float> even =
      Values(Filled(*table, Positions::Constant(16777216, 1)));
  EXPECT_EQ(Values(Filled(*table, Positions::Constant(16777217, 1))), even);
  const std::vector<double> real = {16777217.0};
  EXPECT_EQ(Values(Filled(*table, Positions(real.data(), 1))), even);
}

TEST_P(AngleTableModesTest, LargestFloat32AngleIsLegal) {
  Frequencies frequencies;
  frequencies.inv_freq = {std::nextafter(0x1p64, 0.0), 1e-320};
  const TablePointer table = Build(frequencies, Float32(TableKind::kAuto));
  const AngleRows rows = Filled(*table, Positions::Constant(INT64_MIN, 1));
  for (int i = 0; i < 2; ++i) {
    const double c = rows.cos(0)[i];
    const double s = rows.sin(0)[i];
    // Two roundings of half an ulp below 1 each, doubled by the squares.
    EXPECT_NEAR(c * c + s * s, 1.0, 0x1p-22);
  }
}

TEST_P(AngleTableModesTest, RoundToIsTheRoundedFloat32) {
  const std::vector<int64_t> positions = {0, 1, -2, 4097, 1 << 21, 1 << 30};
  const Positions all(positions.data(), 6);
  Frequencies frequencies = PlainOf(20, 1e4);
  frequencies.attention_factor = 1.25;
  for (const TableKind kind :
       {TableKind::kFactored, TableKind::kDense, TableKind::kDirect}) {
    AngleOptions options = OptionsOf(kind, 100);
    const std::vector<float> f32 =
        Values(Filled(*Build(frequencies, options), all));
    options.round_to = DataType::kBF16;
    const std::vector<float> bf16 =
        Values(Filled(*Build(frequencies, options), all));
    options.round_to = DataType::kF16;
    const std::vector<float> f16 =
        Values(Filled(*Build(frequencies, options), all));
    for (size_t i = 0; i < f32.size(); ++i) {
      const double exact = f32[i];
      EXPECT_EQ(bf16[i], reference::FromBF16(reference::ToBF16(exact)));
      EXPECT_EQ(f16[i], reference::FromF16(reference::ToF16(exact)));
    }
  }
}

TEST_P(AngleTableModesTest, RotationIsPureWhateverTheOptions) {
  const std::vector<int64_t> deltas = {0, -1, 77, -4096, 1 << 25, -2147483647};
  const Positions all(deltas.data(), 6);
  Frequencies frequencies = PlainOf(64, 5e5);
  const AngleRows want = Filled(*Build(frequencies), all);
  frequencies.attention_factor = 1.5;
  std::vector<AngleOptions> every = {
      AngleOptions{}, OptionsOf(TableKind::kDense, 128),
      OptionsOf(TableKind::kDirect), Float32(TableKind::kDirect),
      Float32(TableKind::kDense, 128)};
  for (AngleOptions& options : every) {
    options.round_to = DataType::kBF16;
    AngleRows rows;
    ASSERT_TRUE(Build(frequencies, options)->FillRotation(all, &rows).ok());
    ASSERT_EQ(rows.rows(), 6);
    for (int64_t r = 0; r < rows.rows(); ++r) {
      EXPECT_EQ(rows.attention_factor(r), 1.0f);
      EXPECT_EQ(rows.identity(r), deltas[static_cast<size_t>(r)] == 0);
      for (int i = 0; i < rows.pairs(); ++i) {
        // Levels and direct rows may differ by one rounding.
        const double cos = want.cos(r)[i];
        const double sin = want.sin(r)[i];
        EXPECT_NEAR(rows.cos(r)[i], cos, UlpF32(std::fabs(cos)) + 0x1p-40);
        EXPECT_NEAR(rows.sin(r)[i], sin, UlpF32(std::fabs(sin)) + 0x1p-40);
      }
    }
  }
}

// M-RoPE's sections of 16, 24 and 24 pairs (Qwen2-VL).
Frequencies ThreeAxes() {
  Frequencies frequencies = PlainOf(128, 1e6);
  for (int i = 0; i < 64; ++i) {
    frequencies.axis.push_back(i < 16 ? 0 : i < 40 ? 1 : 2);
  }
  return frequencies;
}

TEST_P(AngleTableModesTest, EqualComponentsGiveTheBitsOfOneAxis) {
  const std::vector<int64_t> positions = {0, 5, -7, 1 << 21, 2147483647};
  for (const TableKind kind :
       {TableKind::kFactored, TableKind::kDense, TableKind::kDirect}) {
    const AngleOptions options = OptionsOf(kind, 6);
    const AngleRows want = Filled(*Build(PlainOf(128, 1e6), options),
                                  Positions(positions.data(), 5));
    const AngleRows got =
        Filled(*Build(ThreeAxes(), options),
               Positions::Components(positions.data(), 3, 5, 0));
    EXPECT_EQ(Values(got), Values(want));
    EXPECT_TRUE(got.identity(0));
    EXPECT_FALSE(got.identity(1));
  }
}

TEST_P(AngleTableModesTest, AComponentMovesOnlyItsPairs) {
  const TablePointer table = Build(ThreeAxes());
  const AngleRows base = Filled(
      *table,
      Positions::Components(std::vector<int64_t>{9, 9, 9}.data(), 3, 1, 1));
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<int64_t> moved = {9, 9, 9};
    moved[static_cast<size_t>(axis)] = 1000;
    const AngleRows rows =
        Filled(*table, Positions::Components(moved.data(), 3, 1, 1));
    const AngleRows alone =
        Filled(*Build(PlainOf(128, 1e6)), Positions::Constant(1000, 1));
    for (int i = 0; i < 64; ++i) {
      const bool mine =
          table->frequencies().axis[static_cast<size_t>(i)] == axis;
      EXPECT_EQ(rows.cos(0)[i], mine ? alone.cos(0)[i] : base.cos(0)[i]);
      EXPECT_EQ(rows.sin(0)[i], mine ? alone.sin(0)[i] : base.sin(0)[i]);
    }
    EXPECT_FALSE(rows.identity(0));
  }
}

TEST_P(AngleTableModesTest, IdentityLooksAtUsedAxesOnly) {
  Frequencies frequencies = PlainOf(64, 1e4);
  frequencies.axis.assign(32, 1);
  const TablePointer table = Build(frequencies);
  // Component 0 is not used; token 0 turns by 0, token 1 by 4.
  const std::vector<int32_t> ids = {77, 0, 0, 4};
  const AngleRows rows =
      Filled(*table, Positions::Components(ids.data(), 2, 2, 2));
  EXPECT_TRUE(rows.identity(0));
  EXPECT_FALSE(rows.identity(1));
  // More axes than one block of pairs, and of real positions.
  Frequencies wide = PlainOf(1024, 1e4);
  for (int i = 0; i < 512; ++i) wide.axis.push_back(i % 2 == 0 ? 0 : 1);
  const std::vector<double> real = {2.0, 3.5};
  const AngleRows mixed =
      Filled(*Build(wide), Positions::Components(real.data(), 2, 1, 1));
  for (const int i : {0, 1, 254, 255, 256, 257, 510, 511}) {
    const reference::CosSin want =
        reference::ExactAngle(real[static_cast<size_t>(i % 2)],
                              wide.inv_freq[static_cast<size_t>(i)]);
    EXPECT_NEAR(mixed.cos(0)[i], want.cos, 0x1p-25 + 0x1p-40);
    EXPECT_NEAR(mixed.sin(0)[i], want.sin, 0x1p-25 + 0x1p-40);
  }
}

// Three components, five tokens: five rows, and the ids are only read.
TEST_P(AngleTableModesTest, ComponentsDoNotMultiplyTheTokens) {
  std::vector<int64_t> ids(15);
  for (size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<int64_t>(i);
  const std::vector<int64_t> before = ids;
  const AngleRows rows =
      Filled(*Build(ThreeAxes()), Positions::Components(ids.data(), 3, 5, 5));
  EXPECT_EQ(rows.rows(), 5);
  EXPECT_EQ(ids, before);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(AngleTableModesTest);

}  // namespace
}  // namespace ropewalk::test
