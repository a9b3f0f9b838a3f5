// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers that other projects assert, or that were computed with many digits:
// plain_rotation.json names the origin of each.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "golden/golden_file.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "ropewalk/angle_rows.h"
#include "ropewalk/angles.h"
#include "ropewalk/rotate.h"
#include "ropewalk/scaling.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using GoldenRotationTest = AllTargets;
using Json = nlohmann::json;

const Json& Golden() { return GoldenFile("plain_rotation.json"); }

AngleRows RowsFromParameters(const Json& data, const Positions& positions) {
  RopeParameters parameters;
  parameters.rotary_dim = data.at("rotary_dim");
  if (data.contains("inv_freq")) {
    parameters.scaling =
        ExplicitFrequencies{data.at("inv_freq").get<std::vector<double>>()};
  } else {
    parameters.base = data.at("base");
  }
  AngleRows rows;
  auto frequencies = ComputeFrequencies(parameters);
  EXPECT_TRUE(frequencies.ok()) << frequencies.status().message();
  if (!frequencies.ok()) return rows;
  Frequencies scaled = std::move(frequencies).value();
  scaled.attention_factor = data.value("attention_factor", 1.0);
  const auto table = AngleTable::Build(std::move(scaled));
  EXPECT_TRUE(table.ok()) << table.status().message();
  if (!table.ok()) return rows;
  const Status status = table.value()->Fill(positions, &rows);
  EXPECT_TRUE(status.ok()) << status.message();
  return rows;
}

AngleRows RowsFromTable(const Json& data, const Positions& positions) {
  const auto cos = data.at("table_cos").get<std::vector<float>>();
  const auto sin = data.at("table_sin").get<std::vector<float>>();
  ConstCosSinView view;
  view.cos = cos.data();
  view.sin = sin.data();
  view.pairs = data.at("rotary_dim").get<int>() / 2;
  view.rows = static_cast<int64_t>(cos.size()) / view.pairs;
  view.row_stride = 4 * view.pairs;
  view.pair_stride = 4;
  AngleRows rows;
  const Status status = rows.Gather(view, positions);
  EXPECT_TRUE(status.ok()) << status.message();
  return rows;
}

AngleRows RowsOf(const Json& data) {
  const auto ids = data.at("positions").get<std::vector<int64_t>>();
  const Positions positions(ids.data(), static_cast<int64_t>(ids.size()));
  return data.contains("table_cos") ? RowsFromTable(data, positions)
                                    : RowsFromParameters(data, positions);
}

RotaryLayout LayoutOf(const Json& data) {
  RotaryLayout layout;
  layout.head_dim = data.at("head_dim");
  layout.rotary_dim = data.at("rotary_dim");
  layout.rotary_offset = data.value("rotary_offset", 0);
  layout.pairing =
      data.at("pairing") == "half" ? Pairing::kHalf : Pairing::kInterleaved;
  return layout;
}

HeadsSpec SpecOf(const Json& data) {
  HeadsSpec spec;
  spec.type =
      data.value("type", "f32") == "bf16" ? DataType::kBF16 : DataType::kF32;
  spec.batch = data.value("batch", 1);
  spec.tokens = data.value("tokens", 1);
  spec.heads = data.value("heads", 1);
  spec.head_dim = data.at("head_dim");
  return spec;
}

// Element `index` of a contiguous tensor.
uint8_t* At(Heads* heads, size_t index) {
  return heads->buffer().data() +
         static_cast<int64_t>(index) * SizeOf(heads->spec().type);
}

// Half a unit of the last printed decimal.
double HalfUnit(int decimals) { return 0.5 * std::pow(10, -decimals); }

// How far the result may be from the printed one before it is rounded to its
// type. A printed table adds its own rounding, times the members of the pair.
double ToleranceOf(const Json& data, Direction direction) {
  double largest = 0;
  for (const Json& value : data.at("input")) {
    largest = std::max(largest, std::fabs(value.get<double>()));
  }
  double tolerance =
      HalfUnit(data.at("decimals")) +
      RotationTolerance(largest, data.value("attention_factor", 1.0),
                        direction);
  if (data.contains("table_decimals")) {
    tolerance += 2 * largest * HalfUnit(data.at("table_decimals"));
  }
  return tolerance;
}

void ExpectGolden(const Json& data) {
  SCOPED_TRACE(data.at("name").get<std::string>() + ": " +
               data.at("origin").get<std::string>());
  const Direction direction = data.value("direction", "forward") == "inverse"
                                  ? Direction::kInverse
                                  : Direction::kForward;
  const AngleRows rows = RowsOf(data);
  Heads heads(SpecOf(data));
  const DataType type = heads.spec().type;
  const Json& input = data.at("input");
  const Json& output = data.at("output");
  ASSERT_EQ(input.size(), output.size());
  ASSERT_EQ(heads.buffer().size(),
            input.size() * static_cast<size_t>(SizeOf(type)));
  for (size_t i = 0; i < input.size(); ++i) {
    StoreElement(type, input[i].get<double>(), At(&heads, i));
  }
  RotateOptions options;
  options.direction = direction;
  const Status status = Rotate(rows, LayoutOf(data), {heads.view()}, options);
  ASSERT_TRUE(status.ok()) << status.message();
  const double tolerance = ToleranceOf(data, direction);
  for (size_t i = 0; i < output.size(); ++i) {
    if (output[i].is_null()) continue;  // not stated by the origin
    const double want = output[i].get<double>();
    const double got = LoadElement(type, At(&heads, i));
    if (type == DataType::kF32) {
      EXPECT_NEAR(got, want, tolerance) << "element " << i;
    } else {
      EXPECT_GE(got, Rounded(type, want - tolerance)) << "element " << i;
      EXPECT_LE(got, Rounded(type, want + tolerance)) << "element " << i;
    }
  }
}

TEST_P(GoldenRotationTest, KnownNumbers) {
  ASSERT_GT(Golden().at("cases").size(), 20u);
  for (const Json& data : Golden().at("cases")) ExpectGolden(data);
}

TEST_P(GoldenRotationTest, WrappedTableGivesWhatGatherGives) {
  for (const Json& data : Golden().at("cases")) {
    if (!data.contains("table_cos")) continue;
    const auto cos = data.at("table_cos").get<std::vector<float>>();
    const auto sin = data.at("table_sin").get<std::vector<float>>();
    ConstCosSinView view;
    view.cos = cos.data();
    view.sin = sin.data();
    view.pairs = data.at("rotary_dim").get<int>() / 2;
    // The cases' positions are 0, 1, ...: the first rows of the table.
    view.rows = static_cast<int64_t>(data.at("positions").size());
    view.row_stride = 4 * view.pairs;
    view.pair_stride = 4;
    const auto wrapped = AngleRows::Wrap(view);
    ASSERT_TRUE(wrapped.ok()) << wrapped.status().message();
    const AngleRows gathered = RowsOf(data);
    Random random = Random::ForTest();
    HeadsSpec spec = SpecOf(data);
    const Heads a(spec, &random);
    const Heads b = a.Copy();
    const RotaryLayout layout = LayoutOf(data);
    ASSERT_TRUE(
        Rotate(wrapped.value(), layout, {a.view()}, RotateOptions{}).ok());
    ASSERT_TRUE(Rotate(gathered, layout, {b.view()}, RotateOptions{}).ok());
    EXPECT_EQ(a.Bytes(), b.Bytes());
  }
}

// Rotated at first + i and then by delta, against rotated at first + delta + i.
TEST_P(GoldenRotationTest, ShiftedRotationIsTheRotationAtTheSum) {
  const Json& shift = Golden().at("shift");
  SCOPED_TRACE(shift.at("origin").get<std::string>());
  Random random = Random::ForTest();
  const int dims = shift.at("rotary_dim");
  const int64_t tokens = shift.at("tokens");
  const int64_t first = shift.at("first");
  const int64_t delta = shift.at("delta");
  const Step there = MakeStep(dims, Count(first, tokens));
  const Step back =
      MakeStep(dims, std::vector<int64_t>(static_cast<size_t>(tokens), delta));
  const Step sum = MakeStep(dims, Count(first + delta, tokens));
  for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
    RotaryLayout layout = FullLayout(dims, pairing);
    layout.head_dim = shift.at("head_dim");
    const Heads x(
        {DataType::kF32, 1, tokens, shift.at("heads"), layout.head_dim},
        &random);
    const Heads twice = x.Copy();
    const Heads once = x.Copy();
    const RotateOptions options;
    ASSERT_TRUE(Rotate(there.rows, layout, {twice.view()}, options).ok());
    ASSERT_TRUE(Rotate(back.rows, layout, {twice.view()}, options).ok());
    ASSERT_TRUE(Rotate(sum.rows, layout, {once.view()}, options).ok());
    double difference = 0;
    double size = 0;
    for (int64_t t = 0; t < tokens; ++t) {
      for (int64_t h = 0; h < x.spec().heads; ++h) {
        for (int d = 0; d < layout.head_dim; ++d) {
          difference += std::fabs(twice.Get(0, t, h, d) - once.Get(0, t, h, d));
          size += std::fabs(once.Get(0, t, h, d));
        }
      }
    }
    EXPECT_LE(difference / size, shift.at("relative_l1").get<double>());
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(GoldenRotationTest);

}  // namespace
}  // namespace ropewalk::test
