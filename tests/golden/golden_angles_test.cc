// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The plain scheme against numbers of other origins: plain_rope.json says
// which.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "angles/table_cases.h"
#include "golden/golden_file.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "support/ulp.h"

namespace ropewalk::test {
namespace {

Frequencies FrequenciesOf(const nlohmann::json& golden) {
  return PlainOf(golden.at("rotary_dim").get<int>(),
                 golden.at("base").get<double>());
}

TEST(GoldenAnglesTest, InvFreq) {
  const nlohmann::json all = GoldenFile("plain_rope.json").at("inv_freq");
  EXPECT_EQ(all.size(), 6u);
  for (const nlohmann::json& golden : all) {
    SCOPED_TRACE(golden.at("id").get<std::string>());
    EXPECT_FALSE(golden.at("origin").get<std::string>().empty());
    const auto want = golden.at("inv_freq").get<std::vector<double>>();
    const std::vector<double> got = FrequenciesOf(golden).inv_freq;
    const double relative = golden.at("relative_tolerance").get<double>();
    ASSERT_EQ(got.size(), want.size());
    for (size_t i = 0; i < want.size(); ++i) {
      EXPECT_NEAR(got[i], want[i], want[i] * relative) << "pair " << i;
    }
  }
}

struct Sample {
  explicit Sample(const nlohmann::json& row)
      : position(row.at(0).get<int64_t>()),
        pair(row.at(1).get<int>()),
        cos(row.at(2).get<double>()),
        sin(row.at(3).get<double>()),
        float32_cos(row.at(4).get<double>()),
        float32_sin(row.at(5).get<double>()) {}

  int64_t position;
  int pair;
  double cos;
  double sin;
  double float32_cos;
  double float32_sin;
};

// The table's own bound, and an inv_freq that is 2 ulp away on either side
// with an angle that the golden side rounded to double: 2^-50 of the angle.
TEST(GoldenAnglesTest, ExactRows) {
  const nlohmann::json all = GoldenFile("plain_rope.json").at("samples");
  EXPECT_EQ(all.size(), 2u);
  for (const nlohmann::json& golden : all) {
    SCOPED_TRACE(golden.at("id").get<std::string>());
    const TablePointer table = Build(FrequenciesOf(golden));
    for (const nlohmann::json& row : golden.at("rows")) {
      const Sample want(row);
      const AngleRows got =
          Filled(*table, Positions::Constant(want.position, 1));
      const double angle =
          static_cast<double>(want.position) *
          table->frequencies().inv_freq[static_cast<size_t>(want.pair)];
      const double slack = 0x1p-40 + angle * 0x1p-50;
      EXPECT_NEAR(got.cos(0)[want.pair], want.cos,
                  0.5 * UlpF32(std::fabs(want.cos)) + slack)
          << row;
      EXPECT_NEAR(got.sin(0)[want.pair], want.sin,
                  0.5 * UlpF32(std::fabs(want.sin)) + slack)
          << row;
    }
  }
}

// The rounded angle is a definite float, so the angle adds no error: what
// remains is the rounding of cos and sin.
TEST(GoldenAnglesTest, Float32Rows) {
  AngleOptions options;
  options.mode = AngleMode::kFloat32;
  const nlohmann::json all = GoldenFile("plain_rope.json").at("samples");
  EXPECT_EQ(all.size(), 2u);
  for (const nlohmann::json& golden : all) {
    SCOPED_TRACE(golden.at("id").get<std::string>());
    const TablePointer table = Build(FrequenciesOf(golden), options);
    for (const nlohmann::json& row : golden.at("rows")) {
      const Sample want(row);
      const AngleRows got =
          Filled(*table, Positions::Constant(want.position, 1));
      EXPECT_NEAR(got.cos(0)[want.pair], want.float32_cos,
                  0.5 * UlpF32(std::fabs(want.float32_cos)) + 0x1p-50)
          << row;
      EXPECT_NEAR(got.sin(0)[want.pair], want.float32_sin,
                  0.5 * UlpF32(std::fabs(want.float32_sin)) + 0x1p-50)
          << row;
    }
  }
}

}  // namespace
}  // namespace ropewalk::test
