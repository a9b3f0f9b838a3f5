// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Axis maps of models against axes.json, which names the origin of each.
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "golden/golden_file.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "ropewalk/axes.h"

namespace ropewalk::test {
namespace {

using Json = nlohmann::json;

Result<std::vector<uint8_t>> AxesOf(const Json& data, int pairs) {
  const auto sections = data.at("sections").get<std::vector<int>>();
  const auto rule = data.at("rule").get<std::string>();
  if (rule == "contiguous") return ContiguousAxes(sections, pairs);
  if (rule == "ggml") return GgmlAxes(sections, pairs);
  if (rule == "balanced") return BalancedAxes(sections, pairs);
  if (rule == "ernie") return ErnieAxes(sections, pairs);
  EXPECT_EQ(rule, "interleaved");
  return InterleavedAxes(sections, pairs, data.at("fallback_axis"));
}

TEST(GoldenAxesTest, KnownMaps) {
  const Json& cases = GoldenFile("axes.json").at("cases");
  std::set<std::string> rules;
  for (const Json& data : cases) {
    SCOPED_TRACE(data.at("id").get<std::string>() + ": " +
                 data.at("origin").get<std::string>());
    const auto want = data.at("axes").get<std::vector<uint8_t>>();
    const auto got = AxesOf(data, static_cast<int>(want.size()));
    ASSERT_TRUE(got.ok()) << got.status().message();
    EXPECT_EQ(got.value(), want);
    rules.insert(data.at("rule"));
  }
  EXPECT_EQ(cases.size(), 10u);
  EXPECT_EQ(rules.size(), 5u);
}

}  // namespace
}  // namespace ropewalk::test
