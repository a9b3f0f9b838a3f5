// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// AngleMode::kFloat32Recurrence.
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

class AngleRecurrenceTest : public AllTargets {};

Frequencies FrequenciesOf(const GgmlScaling& scaling, int rotary_dim,
                          double base) {
  RopeParameters parameters;
  parameters.rotary_dim = rotary_dim;
  parameters.base = base;
  parameters.scaling = scaling;
  auto frequencies = ComputeFrequencies(parameters);
  EXPECT_TRUE(frequencies.ok()) << frequencies.status().message();
  return std::move(frequencies).value();
}

AngleOptions Recurrence(TableKind kind = TableKind::kAuto,
                        int64_t dense_positions = 0) {
  AngleOptions options = OptionsOf(kind, dense_positions);
  options.mode = AngleMode::kFloat32Recurrence;
  return options;
}

GgmlScaling Full() {
  GgmlScaling scaling;
  scaling.n_ctx_orig = 4096;
  scaling.freq_scale = 0.25f;
  scaling.ext_factor = 0.75f;
  scaling.attn_factor = 1.25f;
  for (int i = 0; i < 32; ++i) {
    scaling.freq_factors.push_back(1.0f + 0.125f * static_cast<float>(i));
  }
  return scaling;
}

// The documented order of operations, each rounded to float32: tests too are
// compiled without contraction.
std::vector<float> Angles(const Float32Recurrence& recurrence, float position,
                          int pairs) {
  std::vector<float> angles;
  float running = position;
  for (size_t i = 0; i < static_cast<size_t>(pairs); ++i) {
    float x = running;
    if (!recurrence.freq_factors.empty()) x /= recurrence.freq_factors[i];
    float angle = recurrence.freq_scale * x;
    if (!recurrence.ramp_mix.empty()) {
      const float mix = recurrence.ramp_mix[i];
      angle = angle * (1.0f - mix) + x * mix;
    }
    angles.push_back(angle);
    running *= recurrence.step;
  }
  return angles;
}

// The oracle's cos is within 2^-51, which moves its rounding only at near ties;
// the factor rounds once more: one ulp each.
void ExpectRecurrence(const AngleTable& table, int64_t position) {
  const Float32Recurrence& recurrence = *table.frequencies().recurrence;
  const AngleRows rows = Filled(table, Positions::Constant(position, 1));
  const std::vector<float> angles =
      Angles(recurrence, static_cast<float>(position), rows.pairs());
  const double m = double{recurrence.attention_factor};
  for (int i = 0; i < rows.pairs(); ++i) {
    const reference::CosSin exact =
        reference::ExactAngle(1.0, double{angles[static_cast<size_t>(i)]});
    const double cos = m * exact.cos;
    const double sin = m * exact.sin;
    EXPECT_NEAR(rows.cos(0)[i], cos, 2 * UlpF32(std::fabs(cos))) << i;
    EXPECT_NEAR(rows.sin(0)[i], sin, 2 * UlpF32(std::fabs(sin))) << i;
  }
}

TEST_P(AngleRecurrenceTest, FollowsTheOrderOfOperations) {
  GgmlScaling plain;
  GgmlScaling scaled;
  scaled.freq_scale = 0.125f;
  for (const GgmlScaling& scaling : {plain, scaled, Full()}) {
    const TablePointer table =
        Build(FrequenciesOf(scaling, 64, 1e4), Recurrence());
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(table->options().kind, TableKind::kDirect);
    for (const int64_t position : {0, 1, -7, 4095, 131071, 16777217}) {
      SCOPED_TRACE(position);
      ExpectRecurrence(*table, position);
    }
  }
}

TEST_P(AngleRecurrenceTest, DenseRowsAreTheSame) {
  const Frequencies frequencies = FrequenciesOf(Full(), 64, 1e4);
  const TablePointer direct = Build(frequencies, Recurrence());
  const TablePointer dense =
      Build(frequencies, Recurrence(TableKind::kDense, 64));
  const Positions positions = Positions::Consecutive(0, 100);
  EXPECT_EQ(Values(Filled(*direct, positions)),
            Values(Filled(*dense, positions)));
}

// More pairs than are made at a time: the product does not start again.
TEST_P(AngleRecurrenceTest, WideRowsAndAxesKeepRunning) {
  Frequencies frequencies = FrequenciesOf(GgmlScaling{}, 1024, 1e4);
  const std::vector<float> one_axis = Values(
      Filled(*Build(frequencies, Recurrence()), Positions::Constant(77, 1)));
  for (int i = 0; i < 512; ++i) {
    frequencies.axis.push_back(static_cast<uint8_t>(i % 2));
  }
  const TablePointer table = Build(frequencies, Recurrence());
  const std::vector<int64_t> ids = {77, 78};  // one token, two components
  const AngleRows rows = Filled(
      *table, Positions::Components(ids.data(), 2, 1, /*component_stride=*/1));
  for (int i = 0; i < 512; i += 2) {
    EXPECT_EQ(rows.cos(0)[i], one_axis[static_cast<size_t>(i)]) << i;
  }
  ExpectRecurrence(*Build(FrequenciesOf(GgmlScaling{}, 1024, 1e4),
                          Recurrence(TableKind::kDense, 80)),
                   77);
}

// Shifts stay pure and exact: of the frequencies, not of the recurrence.
TEST_P(AngleRecurrenceTest, RotationsAreExact) {
  const Frequencies frequencies = FrequenciesOf(Full(), 64, 1e4);
  AngleRows parity, exact;
  const Positions deltas = Positions::Consecutive(-3, 7);
  ASSERT_TRUE(
      Build(frequencies, Recurrence())->FillRotation(deltas, &parity).ok());
  ASSERT_TRUE(Build(frequencies, OptionsOf(TableKind::kDirect))
                  ->FillRotation(deltas, &exact)
                  .ok());
  EXPECT_EQ(Values(parity), Values(exact));
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(AngleRecurrenceTest);

TEST(AngleRecurrenceErrorsTest, OnlyGgmlScalingDefinesOne) {
  const auto table = AngleTable::Build(PlainOf(64, 1e4), Recurrence());
  ExpectError(table.status(), StatusCode::kUnsupported, "GgmlScaling");
}

TEST(AngleRecurrenceErrorsTest, ListsMustFitThePairs) {
  Frequencies frequencies = FrequenciesOf(Full(), 64, 1e4);
  frequencies.recurrence->ramp_mix.pop_back();
  ExpectError(AngleTable::Build(frequencies).status(),
              StatusCode::kInvalidArgument, "list of 31 entries");
  frequencies = FrequenciesOf(Full(), 64, 1e4);
  frequencies.recurrence->step = 8.0f;
  ExpectError(AngleTable::Build(frequencies).status(), StatusCode::kOutOfRange,
              "recurrence: pair");
}

TEST(AngleRecurrenceErrorsTest, TheCacheKnowsRecurrencesApart) {
  AngleCache cache{AngleCacheOptions{}};
  Frequencies frequencies = FrequenciesOf(Full(), 64, 1e4);
  const auto first = cache.Get(frequencies, Recurrence());
  const auto again = cache.Get(frequencies, Recurrence());
  frequencies.recurrence->freq_factors[3] += 1.0f;
  const auto other = cache.Get(frequencies, Recurrence());
  ASSERT_TRUE(first.ok() && again.ok() && other.ok());
  EXPECT_EQ(first.value(), again.value());
  EXPECT_NE(first.value(), other.value());
}

}  // namespace
}  // namespace ropewalk::test
