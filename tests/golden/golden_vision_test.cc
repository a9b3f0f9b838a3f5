// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Frequencies and rotations of vision encoders against vision.json, which
// names the origin of each.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "golden/golden_file.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "ropewalk/angles.h"
#include "ropewalk/rotate.h"
#include "ropewalk/vision.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using GoldenVisionTest = AllTargets;
using Json = nlohmann::json;

const Json& Golden() { return GoldenFile("vision.json"); }

Frequencies Checked(const Result<Frequencies>& result) {
  EXPECT_TRUE(result.ok()) << result.status().message();
  return result.ok() ? result.value() : Frequencies();
}

Frequencies FrequenciesOf(const Json& data, double base) {
  const auto rule = data.at("rule").get<std::string>();
  const int head_dim = data.at("head_dim");
  if (rule == "axial") return Checked(AxialFrequencies(head_dim, {0, 1}, base));
  if (rule == "pixtral") return Checked(PixtralFrequencies(head_dim, base));
  EXPECT_EQ(rule, "ggml");
  return Checked(
      GgmlVisionFrequencies(head_dim / 2, data.at("sections"), base));
}

TEST(GoldenVisionFrequenciesTest, KnownMaps) {
  const Json& cases = Golden().at("cases");
  EXPECT_EQ(cases.size(), 3u);
  for (const Json& data : cases) {
    SCOPED_TRACE(data.at("id").get<std::string>() + ": " +
                 data.at("origin").get<std::string>());
    for (const double base : {100.0, 10000.0}) {
      const Frequencies got = FrequenciesOf(data, base);
      const Json& pairs = data.at("pairs");
      ASSERT_EQ(got.inv_freq.size(), pairs.size());
      ASSERT_EQ(got.axis.size(), pairs.size());
      for (size_t i = 0; i < pairs.size(); ++i) {
        EXPECT_EQ(got.axis[i], pairs[i].at(0).get<int>()) << i;
        // 2 ulp here, and in pow the rounded exponent times its logarithm.
        const double want = std::pow(base, -pairs[i].at(1).get<double>());
        EXPECT_NEAR(got.inv_freq[i], want, 0x1p-48 * want) << i;
      }
    }
  }
}

TEST(GoldenVisionFrequenciesTest, ChatGlmIsRoundedToF16) {
  const Json& data = Golden().at("chatglm");
  SCOPED_TRACE(data.at("origin").get<std::string>());
  const Frequencies got = Checked(ChatGlmFrequencies(data.at("head_dim")));
  const auto bits = data.at("f16").get<std::vector<uint16_t>>();
  ASSERT_EQ(got.inv_freq.size(), 2 * bits.size());
  for (size_t i = 0; i < got.inv_freq.size(); ++i) {
    const uint16_t half = bits[i % bits.size()];
    EXPECT_EQ(got.inv_freq[i], LoadElement(DataType::kF16, &half)) << i;
    EXPECT_EQ(got.axis[i], i / bits.size()) << i;
  }
}

template <class Position>
AngleRows RowsOf(const Frequencies& frequencies,
                 const std::vector<Position>& ids, int components) {
  AngleRows rows;
  const auto table = AngleTable::Build(frequencies);
  EXPECT_TRUE(table.ok()) << table.status().message();
  if (!table.ok()) return rows;
  const auto tokens = static_cast<int64_t>(ids.size()) / components;
  const Status status = table.value()->Fill(
      Positions::Components(ids.data(), components, tokens, tokens), &rows);
  EXPECT_TRUE(status.ok()) << status.message();
  return rows;
}

TEST_P(GoldenVisionTest, RowAndColumnTurnTheirHalves) {
  const Json& data = Golden().at("rotation");
  SCOPED_TRACE(data.at("origin").get<std::string>());
  const int head_dim = data.at("head_dim");
  const AngleRows rows =
      RowsOf(Checked(AxialFrequencies(head_dim, {0, 1})),
             std::vector<int64_t>{data.at("row"), data.at("column")}, 2);
  auto x = data.at("input").get<std::vector<float>>();
  const auto layout = AxialLayout(head_dim, 2, Pairing::kHalf);
  ASSERT_TRUE(layout.ok());
  ASSERT_TRUE(Rotate(rows, layout.value(),
                     {DenseHeads(x.data(), 1, 1, head_dim)}, RotateOptions{})
                  .ok());
  const auto want = data.at("output").get<std::vector<double>>();
  const double tolerance = 0.5 * std::pow(10, -data.at("decimals").get<int>()) +
                           RotationTolerance(8, 1, Direction::kForward);
  for (size_t d = 0; d < x.size(); ++d) {
    EXPECT_NEAR(x[d], want[d], tolerance) << d;
  }
}

// The angles here are exact, and ggml's are products of roundings: that of
// pair j of a section has j of the step and j of the product, 2^-24 of the
// angle each; cos, sin and their products have an ulp more each.
TEST_P(GoldenVisionTest, GgmlRunDiffersByItsRoundings) {
  const Json& data = Golden().at("ggml_run");
  SCOPED_TRACE(data.at("origin").get<std::string>());
  const int n_dims = data.at("n_dims");
  const int head_dim = data.at("head_dim");
  const int64_t tokens = data.at("tokens");
  const int64_t heads = data.at("heads");
  std::vector<int64_t> ids;
  for (const Json& stream : data.at("streams")) {
    for (const Json& position : stream) ids.push_back(position);
  }
  const Frequencies frequencies = Checked(
      GgmlVisionFrequencies(n_dims, data.at("sections"), data.at("base")));
  const AngleRows rows = RowsOf(frequencies, ids, 4);
  const auto want = data.at("output").get<std::vector<double>>();
  std::vector<float> x(want.size());
  for (size_t k = 0; k < x.size(); ++k) {
    x[k] = static_cast<float>((k * 7919 + 13) % 2003) / 1001.0f - 1.0f;
  }
  RotaryLayout layout = FullLayout(head_dim, Pairing::kHalf);
  layout.pair_distance = n_dims;
  ASSERT_TRUE(Rotate(rows, layout,
                     {DenseHeads(x.data(), tokens, heads, head_dim)},
                     RotateOptions{})
                  .ok());
  for (size_t k = 0; k < x.size(); ++k) {
    const size_t pair = k % static_cast<size_t>(n_dims);
    const auto token = static_cast<int64_t>(k) / (heads * head_dim);
    const auto id =
        ids[static_cast<size_t>(frequencies.axis[pair] * tokens + token)];
    const double angle = static_cast<double>(id) * frequencies.inv_freq[pair];
    const double steps = static_cast<double>(pair % 4);
    const double tolerance =
        0x1p-21 + std::sqrt(2.0) * 2 * steps * 0x1p-24 * angle;
    EXPECT_NEAR(x[k], want[k], tolerance) << "element " << k;
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(GoldenVisionTest);

}  // namespace
}  // namespace ropewalk::test
