// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// GgmlScaling against what ggml printed: ggml_rope.json. The recurrence gives
// its numbers, exact angles those that ggml's roundings miss.
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "golden/golden_file.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "ropewalk/angles.h"
#include "ropewalk/axes.h"
#include "ropewalk/rotate.h"
#include "ropewalk/scaling.h"
#include "support/all_targets.h"
#include "support/heads.h"

namespace ropewalk::test {
namespace {

using GoldenGgmlTest = AllTargets;
using Json = nlohmann::json;

// The libm that ggml was linked with may be an ulp from the one here.
constexpr double kTolerance = 5e-7;

const Json& Golden() { return GoldenFile("ggml_rope.json"); }

std::vector<uint8_t> AxesOf(const Json& data, int pairs) {
  if (!data.contains("sections")) return {};
  const auto sections = data.at("sections").get<std::vector<int>>();
  const auto axes = data.at("mode") == "imrope"
                        ? InterleavedAxes(sections, pairs, 3)
                        : GgmlAxes(sections, pairs);
  EXPECT_TRUE(axes.ok()) << axes.status().message();
  return axes.ok() ? axes.value() : std::vector<uint8_t>();
}

Frequencies FrequenciesOf(const Json& data) {
  const Json& given = data.at("parameters");
  GgmlScaling scaling;
  scaling.n_ctx_orig = given.at("n_ctx_orig");
  scaling.freq_scale = given.at("freq_scale");
  scaling.ext_factor = given.at("ext_factor");
  scaling.attn_factor = given.at("attn_factor");
  scaling.beta_fast = given.at("beta_fast");
  scaling.beta_slow = given.at("beta_slow");
  RopeParameters parameters;
  parameters.rotary_dim = given.at("n_dims");
  parameters.base = given.at("freq_base");
  parameters.scaling = scaling;
  parameters.axis = AxesOf(data, parameters.rotary_dim / 2);
  auto result = ComputeFrequencies(parameters);
  EXPECT_TRUE(result.ok()) << result.status().message();
  return result.ok() ? std::move(result).value() : Frequencies();
}

AngleRows RowsOf(const Json& data, AngleMode mode) {
  std::vector<int64_t> ids;
  const Json& streams = data.at("positions");
  for (const Json& stream : streams) {
    for (const Json& position : stream) ids.push_back(position);
  }
  const int64_t tokens = static_cast<int64_t>(streams.at(0).size());
  AngleOptions options;
  options.mode = mode;
  AngleRows rows;
  const auto table = AngleTable::Build(FrequenciesOf(data), options);
  EXPECT_TRUE(table.ok()) << table.status().message();
  if (!table.ok()) return rows;
  const Status status = table.value()->Fill(
      Positions::Components(ids.data(), static_cast<int>(streams.size()),
                            tokens, tokens),
      &rows);
  EXPECT_TRUE(status.ok()) << status.message();
  return rows;
}

Heads Filled(const Json& data) {
  Heads heads({DataType::kF32, 1,
               static_cast<int64_t>(data.at("positions").at(0).size()),
               data.at("heads").get<int64_t>(),
               data.at("head_dim").get<int>()});
  auto* x = static_cast<float*>(heads.view().data);
  const auto size = static_cast<int64_t>(data.at("output").size());
  EXPECT_EQ(heads.buffer().size(), static_cast<size_t>(size) * sizeof(float));
  for (int64_t k = 0; k < size; ++k) {
    x[k] = static_cast<float>((k * 7919 + 13) % 2003) / 1001.0f - 1.0f;
  }
  return heads;
}

std::vector<float> RotatedBy(const Json& data, AngleMode mode) {
  const AngleRows rows = RowsOf(data, mode);
  const Heads heads = Filled(data);
  RotaryLayout layout;
  layout.head_dim = data.at("head_dim");
  layout.rotary_dim = data.at("parameters").at("n_dims");
  layout.pairing =
      data.at("mode") == "normal" ? Pairing::kInterleaved : Pairing::kHalf;
  const Status status = Rotate(rows, layout, {heads.view()}, RotateOptions{});
  EXPECT_TRUE(status.ok()) << status.message();
  const auto* y = static_cast<const float*>(heads.view().data);
  return {y, y + data.at("output").size()};
}

// |cos| and |sin| are off by `differs` at most, which a pair adds twice, times
// the factor and the largest input; 1.05 for the two digits of the file.
double ExactTolerance(const Json& data) {
  const double m = FrequenciesOf(data).attention_factor;
  return kTolerance + 2.1 * data.at("exact_differs").get<double>() * m;
}

void ExpectRotation(const Json& data) {
  const auto want = data.at("output").get<std::vector<double>>();
  const auto got = RotatedBy(data, AngleMode::kFloat32Recurrence);
  const auto exact = RotatedBy(data, AngleMode::kExact);
  const double tolerance = ExactTolerance(data);
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    EXPECT_NEAR(got[i], want[i], kTolerance) << "element " << i;
    EXPECT_NEAR(exact[i], want[i], tolerance) << "element " << i;
  }
}

void ExpectRows(const Json& data) {
  const AngleRows got = RowsOf(data, AngleMode::kFloat32Recurrence);
  const AngleRows exact = RowsOf(data, AngleMode::kExact);
  const Json& differs = data.at("exact_differs");
  ASSERT_EQ(got.rows(), static_cast<int64_t>(differs.size()));
  ASSERT_EQ(data.at("cos").size(), differs.size());
  for (size_t r = 0; r < differs.size(); ++r) {
    const int64_t row = static_cast<int64_t>(r);
    const Json& cos = data.at("cos").at(r);
    const Json& sin = data.at("sin").at(r);
    // 1.05 for the two digits, and the rounding of the exact row.
    const double tolerance = 1.05 * differs.at(r).get<double>() + 0x1p-25;
    ASSERT_EQ(cos.size(), static_cast<size_t>(got.pairs()));
    for (int i = 0; i < got.pairs(); ++i) {
      const double c = cos.at(static_cast<size_t>(i)).get<double>();
      const double s = sin.at(static_cast<size_t>(i)).get<double>();
      EXPECT_NEAR(got.cos(row)[i], c, kTolerance) << row << " " << i;
      EXPECT_NEAR(got.sin(row)[i], s, kTolerance) << row << " " << i;
      EXPECT_NEAR(exact.cos(row)[i], c, tolerance) << row << " " << i;
      EXPECT_NEAR(exact.sin(row)[i], s, tolerance) << row << " " << i;
    }
  }
}

TEST_P(GoldenGgmlTest, RecurrenceGivesItsNumbers) {
  SCOPED_TRACE(Golden().at("origin").get<std::string>());
  int tables = 0;
  int rotations = 0;
  for (const Json& data : Golden().at("cases")) {
    SCOPED_TRACE(data.at("id").get<std::string>());
    if (data.contains("cos")) {
      ExpectRows(data);
      ++tables;
    } else {
      ExpectRotation(data);
      ++rotations;
    }
  }
  EXPECT_EQ(tables, 1);
  EXPECT_EQ(rotations, 5);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(GoldenGgmlTest);

}  // namespace
}  // namespace ropewalk::test
