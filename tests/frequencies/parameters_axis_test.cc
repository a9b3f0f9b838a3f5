// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The axis of RopeParameters on its way to the frequencies and their table.
#include <cstdint>
#include <string>

#include "frequencies/refusal.h"
#include "frequencies/scheme_samples.h"
#include "gtest/gtest.h"
#include "ropewalk/angles.h"
#include "ropewalk/frequencies.h"
#include "ropewalk/scaling.h"

namespace ropewalk::test {
namespace {

constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;

TEST(RopeParametersAxisTest, ReachesTheFrequenciesOfEveryScheme) {
  for (const Sample& sample : SamplesOfEveryScheme()) {
    RopeParameters parameters = sample.parameters;
    const Frequencies plain = Computed(parameters, sample.sequence_length);
    for (size_t i = 0; i < plain.inv_freq.size(); ++i) {
      parameters.axis.push_back(static_cast<uint8_t>(255 - i % 4));
    }
    const Frequencies got = Computed(parameters, sample.sequence_length);
    EXPECT_EQ(got.axis, parameters.axis);
    EXPECT_EQ(got.inv_freq, plain.inv_freq);
    EXPECT_EQ(got.attention_factor, plain.attention_factor);
  }
}

TEST(RopeParametersAxisTest, MustBeEmptyOrHaveAnEntryForEveryPair) {
  RopeParameters parameters;
  parameters.rotary_dim = 8;
  for (const size_t entries : {1u, 3u, 5u, 8u}) {
    parameters.axis.assign(entries, 1);
    const std::string message = "axis has " + std::to_string(entries) +
                                " entries: must be 0 or the number of pairs, 4";
    Refuses(ComputeFrequencies(parameters), kInvalid, message);
  }
  parameters.axis.assign(4, 255);
  EXPECT_TRUE(ComputeFrequencies(parameters).ok());
  // The number of pairs may come from the list of frequencies.
  parameters.rotary_dim = 0;
  Refuses(ComputeFrequencies(parameters), kInvalid, "axis has 4 entries");
  parameters.scaling = ExplicitFrequencies{{1, 0.5, 0.25, 0.125}};
  EXPECT_TRUE(ComputeFrequencies(parameters).ok());
}

TEST(RopeParametersAxisTest, TellsTablesAndChecksumsApart) {
  AngleCache cache{AngleCacheOptions{}};
  RopeParameters parameters;
  parameters.rotary_dim = 8;
  const auto get = [&] {
    const auto table = cache.Get(parameters, 0, AngleOptions{});
    EXPECT_TRUE(table.ok()) << table.status().message();
    return table.value();
  };
  const auto plain = get();
  parameters.axis = {0, 0, 1, 2};
  const auto mapped = get();
  EXPECT_NE(mapped, plain);
  EXPECT_EQ(get(), mapped);
  EXPECT_EQ(mapped->frequencies().axis, parameters.axis);
  EXPECT_NE(Checksum(mapped->frequencies()), Checksum(plain->frequencies()));
  parameters.axis = {0, 1, 0, 2};
  EXPECT_NE(get(), mapped);
}

}  // namespace
}  // namespace ropewalk::test
