// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A call and its bound are timed, and a call that fails is no result.
#include "cli/rotation.h"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/target.h"
#include "support/all_targets.h"

namespace ropewalk::cli {
namespace {

std::shared_ptr<const AngleTable> TableOf(int rotary_dim) {
  RopeParameters parameters;
  parameters.rotary_dim = rotary_dim;
  auto frequencies = ComputeFrequencies(parameters);
  EXPECT_TRUE(frequencies.ok()) << frequencies.status().message();
  auto table = AngleTable::Build(std::move(frequencies).value());
  EXPECT_TRUE(table.ok()) << table.status().message();
  return table.value();
}

bench::TimingOptions Short() {
  bench::TimingOptions timing;
  timing.rounds = 1;
  timing.round_seconds = 1e-4;
  return timing;
}

class RotationTest : public test::AllTargets {};

TEST_P(RotationTest, TimesEveryKindOfCall) {
  ASSERT_EQ(ActiveTarget(), GetParam());
  bench::Shape buffer;
  buffer.type = DataType::kF16;
  buffer.pairing = Pairing::kInterleaved;
  bench::Shape decode;
  decode.key_heads = 8;
  bench::Shape prefill = decode;
  prefill.tokens = 3;
  prefill.to_bf16 = true;
  bench::Shape threads;
  threads.tokens = 64;
  threads.threads = 2;
  const auto table = TableOf(buffer.rotary_dim);
  for (const bench::Shape& shape : {buffer, decode, prefill, threads}) {
    const auto time = Rotation(shape, *table).Measure(Short());
    ASSERT_TRUE(time.ok()) << time.status().message();
    for (const double value : {time.value().seconds, time.value().bound_seconds,
                               time.value().ratio}) {
      EXPECT_TRUE(std::isfinite(value) && value > 0) << value;
    }
    EXPECT_DOUBLE_EQ(time.value().ratio,
                     time.value().bound_seconds / time.value().seconds);
  }
}

TEST_P(RotationTest, ReportsACallThatFails) {
  ASSERT_EQ(ActiveTarget(), GetParam());
  // Rows of 32 pairs for heads that turn 64.
  const auto table = TableOf(64);
  for (const bool to_bf16 : {false, true}) {
    bench::Shape shape;
    shape.to_bf16 = to_bf16;
    const auto time = Rotation(shape, *table).Measure(Short());
    ASSERT_FALSE(time.ok());
    EXPECT_EQ(time.status().code(), StatusCode::kInvalidArgument);
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(RotationTest);

}  // namespace
}  // namespace ropewalk::cli
