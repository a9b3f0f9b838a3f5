// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What accuracy_test measures with, against numbers that are known without it.
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "accuracy/batch.h"
#include "accuracy/errors.h"
#include "accuracy/exact_rows.h"
#include "accuracy/measure.h"
#include "accuracy/quantities.h"
#include "accuracy/rotation.h"
#include "frequencies/scheme_samples.h"
#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "ropewalk/angles.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

// cos(2^31 - 1) by mpmath 1.3.0 with 600 bits, to 21 digits.
TEST(ExactRowsTest, KnowsFarCosines) {
  const auto rows = ExactRows({2147483647}, {1.0}, 1);
  EXPECT_EQ(rows[0].cos.high, -0.688836691877943834680);
  EXPECT_EQ(rows[0].sin.high, -0.724916555144556390548);
}

// (2^27 + 1)^2 ends in a 1 that a double loses: cos(x + 1) from x.
TEST(ExactRowsTest, ProductIsExact) {
  const auto whole = ExactRows({134217729}, {134217729.0}, 1);
  const auto even = ExactRows({1}, {18014398777917440.0}, 1);
  EXPECT_NEAR(whole[0].cos.high,
              even[0].cos.high * std::cos(1) - even[0].sin.high * std::sin(1),
              0x1p-51);
}

TEST(ExactRowsTest, LowPartContinuesTheHighOne) {
  Random random = Random::ForTest();
  for (int i = 0; i < 100; ++i) {
    const double w = random.Uniform();
    for (const ExactPair& pair :
         ExactRows({random.Below(1 << 20) + 1}, {w}, 1)) {
      const double cos = pair.cos.high;
      ASSERT_NE(pair.cos.low, 0);
      ASSERT_LE(std::fabs(pair.cos.low), std::fabs(cos) * 0x1p-53);
      // cos^2 + sin^2 - 1, by products without rounding: what a double alone
      // gives is 2^-53 off, and this 2^-100.
      const double sin = pair.sin.high;
      const double cc = cos * cos;
      const double ss = sin * sin;
      const double low = std::fma(cos, cos, -cc) + std::fma(sin, sin, -ss) +
                         2 * cos * pair.cos.low + 2 * sin * pair.sin.low;
      const double high = std::fmax(cc, ss) - 1 + std::fmin(cc, ss);
      ASSERT_NEAR(high + low, 0, 0x1p-100);
    }
  }
}

TEST(ExactRowsTest, AgreesWithTheOracle) {
  Random random = Random::ForTest();
  for (int i = 0; i < 1000; ++i) {
    const int64_t position = random.Between(-2147483647, 2147483647);
    const double w = random.Uniform();
    const auto oracle = reference::ExactAngle(static_cast<double>(position), w);
    const auto rows = ExactRows({position}, {w}, 1.5);
    ASSERT_NEAR(rows[0].cos.high, 1.5 * oracle.cos, 1.5 * 0x1p-51);
    ASSERT_NEAR(rows[0].sin.high, 1.5 * oracle.sin, 1.5 * 0x1p-51);
  }
}

TEST(ErrorsTest, CountsTheWorstAndTheMean) {
  ErrorCount errors;
  errors.Add(1);
  errors.Add(4);
  ErrorCount more;
  more.Add(1);
  errors.Add(more);
  EXPECT_EQ(errors.worst, 4);
  EXPECT_EQ(errors.mean(), 2);
  errors.Add(std::nan(""));
  EXPECT_TRUE(std::isinf(errors.worst));
  EXPECT_TRUE(std::isinf(errors.mean()));
}

TEST(ErrorsTest, UnitsOfATable) {
  // Half an ulp from 0.75, whose ulp is 2^-24; of 2^-20, that of m / 256.
  EXPECT_EQ(TableUlps(0.75f, {0.75 + 0x1p-25, 0}, 1), 0.5);
  EXPECT_EQ(TableUlps(0x1p-20f, {0x1p-20, 0x1p-31}, 1), 1);
  EXPECT_EQ(TableExcess(0.75f, {0.75 + 0x1p-25, 0}, 1), 0);
  EXPECT_EQ(TableExcess(0.75f, {0.75 + 0x1p-25, 0x1p-41}, 1), 0.5);
  EXPECT_EQ(TableExcess(0.75f, {0.75 + 0x1p-25, 0x1p-40}, 2), 0.5);
  EXPECT_TRUE(std::isnan(TableExcess(std::nanf(""), {0.75, 0}, 1)));
}

// A quarter turn that is asked for and not made: the pair (3, 4) stays, and
// is off by (7, 1), in ulp of 5.
TEST(RotationTest, SeesARotationThatWasNotMade) {
  const Pairs pairs = {{3, 3}, {4, 4}};
  const std::vector<ExactPair> quarter = {{{0, 0}, {1, 0}}};
  const Step still = MakeStep(std::vector<double>{1.0}, {0});
  for (const DataType type :
       {DataType::kF32, DataType::kBF16, DataType::kF16}) {
    const TypedPairs typed = RotateExactly(pairs, type, quarter, 1);
    const RotationErrors errors = MeasureRotation(
        still.rows, FullLayout(2, Pairing::kInterleaved), typed, 1);
    EXPECT_EQ(errors.length.worst, 7 / Ulp(type, 5));
    EXPECT_EQ(errors.length.mean(), 4 / Ulp(type, 5));
    EXPECT_EQ(errors.larger.worst, type == DataType::kF32 ? 7 / UlpF32(4) : 0);
  }
}

TEST(BatchTest, PositionsHaveTheEndsAndStayInside) {
  Random random = Random::ForTest();
  for (const Band& band : kBands) {
    const auto drawn = DrawPositions(band, 50, &random);
    ASSERT_EQ(drawn.size(), 50u);
    const std::set<int64_t> positions(drawn.begin(), drawn.end());
    EXPECT_TRUE(positions.count(band.after + 1) && positions.count(band.last));
    for (const int64_t position : positions) {
      EXPECT_GT(std::abs(position), band.after);
      EXPECT_LE(std::abs(position), band.last);
    }
  }
}

TEST(BatchTest, EverySchemeIsAmongTheSamples) {
  std::set<size_t> schemes;
  for (const Sample& sample : SamplesOfEveryScheme()) {
    schemes.insert(sample.parameters.scaling.index());
  }
  EXPECT_EQ(schemes.size(), std::variant_size_v<Scaling>);
}

std::vector<std::string> ViolationsOf(double worst, double mean,
                                      const char* limits) {
  Quantity quantity = {"q", {worst, 2 * mean, 2}, 0.5};
  return Violations({quantity}, nlohmann::json::parse(limits));
}

TEST(ViolationsTest, EachLimitCounts) {
  const char* limits = R"({"q": {"worst": 0.4, "mean": 0.2, "at_least": 0.1}})";
  EXPECT_TRUE(ViolationsOf(0.4, 0.2, limits).empty());
  EXPECT_EQ(ViolationsOf(0.41, 0.2, limits).size(), 1u);
  EXPECT_EQ(ViolationsOf(0.51, 0.2, limits).size(), 2u) << "the bound as well";
  EXPECT_EQ(ViolationsOf(0.4, 0.21, limits).size(), 1u);
  EXPECT_EQ(ViolationsOf(0.09, 0.2, limits).size(), 1u);
  EXPECT_EQ(ViolationsOf(std::nan(""), 0.2, limits).size(), 3u);
  EXPECT_EQ(ViolationsOf(0.4, 0.2, "{}").size(), 1u);
  EXPECT_EQ(
      ViolationsOf(0.4, 0.2, R"({"q": {"worst": 0.6, "mean": 1}})").size(), 1u)
      << "a limit above the bound";
}

}  // namespace
}  // namespace ropewalk::test
