// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The sinusoidal encoding against sinusoidal.json, which names the origin of
// each row.
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "encodings/sinusoid.h"
#include "golden/golden_file.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "support/all_targets.h"

namespace ropewalk::test {
namespace {

using Json = nlohmann::json;
using GoldenSinusoidalTest = AllTargets;

SinusoidalOrder OrderOf(const std::string& name) {
  static const std::map<std::string, SinusoidalOrder> orders = {
      {"interleaved", SinusoidalOrder::kInterleaved},
      {"sin_cos", SinusoidalOrder::kSinCos},
      {"cos_sin", SinusoidalOrder::kCosSin}};
  return orders.at(name);
}

SinusoidalLadder LadderOf(const std::string& name) {
  static const std::map<std::string, SinusoidalLadder> ladders = {
      {"by_width", SinusoidalLadder::kByWidth},
      {"to_base", SinusoidalLadder::kToBase},
      {"by_pairs", SinusoidalLadder::kByPairs}};
  return ladders.at(name);
}

TEST_P(GoldenSinusoidalTest, KnownRows) {
  const Json& cases = GoldenFile("sinusoidal.json").at("cases");
  for (const Json& data : cases) {
    SCOPED_TRACE(data.at("id").get<std::string>() + ": " +
                 data.at("origin").get<std::string>());
    ASSERT_EQ(data.at("base"), 10000.0);
    const auto ids = data.at("positions").get<std::vector<double>>();
    const auto width = data.at("width").get<int>();
    const Sinusoid sinusoid = MakeSinusoid(
        width, Positions(ids.data(), static_cast<int64_t>(ids.size())),
        LadderOf(data.at("ladder")));
    const auto got = Encoding(sinusoid, OrderOf(data.at("order")));
    const Json& rows = data.at("rows");
    ASSERT_EQ(rows.size(), ids.size());
    for (size_t t = 0; t < ids.size(); ++t) {
      const auto want = rows.at(t).get<std::vector<double>>();
      for (size_t i = 0; i < want.size(); ++i) {
        // What the numbers' own formula loses in double is below 2^-40 at these
        // positions.
        EXPECT_NEAR(got[t * static_cast<size_t>(width) + i], want[i],
                    kElementError + 0x1p-40)
            << "position " << ids[t] << ", element " << i;
      }
    }
  }
  EXPECT_EQ(cases.size(), 4u);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(GoldenSinusoidalTest);

}  // namespace
}  // namespace ropewalk::test
