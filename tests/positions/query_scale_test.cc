// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Attention temperatures against the numbers of golden/positions.json and by
// hand. For LogNQueryScale see golden/golden_schemes_test.cc.
#include "ropewalk/query_scale.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "cache/refusal.h"
#include "golden/golden_file.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "positions/room.h"
#include "support/ulp.h"

namespace ropewalk::test {
namespace {

using Scales = std::vector<float>;
using Temperature = Status (*)(const Positions&, int64_t, double, float*);

Scales ScalesOf(Temperature temperature, const Positions& positions,
                size_t count, int64_t length, double beta) {
  Scales scales(count, -1.0f);
  ExpectOk(temperature(positions, length, beta, scales.data()));
  return scales;
}

template <class Position>
Scales ScalesOf(Temperature temperature, const std::vector<Position>& ids,
                int64_t length, double beta) {
  return ScalesOf(temperature,
                  Positions(ids.data(), static_cast<int64_t>(ids.size())),
                  ids.size(), length, beta);
}

// Rounded once to float32, from a double that is off by a few of its ulps.
void ExpectRounded(float got, double want) {
  EXPECT_NEAR(got, want, 0.5 * UlpF32(want) + want * 0x1p-50);
}

TEST(QueryScaleTest, Llama4KnownNumbers) {
  const nlohmann::json& golden =
      GoldenFile("positions.json").at("llama4_query_scale");
  SCOPED_TRACE(golden.at("origin").get<std::string>());
  Ids ids;
  for (const nlohmann::json& row : golden.at("rows")) {
    ids.push_back(row.at(0).get<int64_t>());
  }
  ASSERT_EQ(ids.size(), 7u);
  const Scales got =
      ScalesOf(Llama4QueryScale, ids, golden.at("floor_scale").get<int64_t>(),
               golden.at("beta").get<double>());
  for (size_t i = 0; i < ids.size(); ++i) {
    SCOPED_TRACE(ids[i]);
    ExpectRounded(got[i], golden.at("rows").at(i).at(1).get<double>());
  }
}

// The first step is at original_positions itself, not one token before.
TEST(QueryScaleTest, Mistral3StepsAtMultiples) {
  const Ids ids = {0, 16383, 16384, 32767, 32768, 262143};
  const Scales got = ScalesOf(Mistral3QueryScale, ids, 16384, 0.1);
  const double steps[] = {0, 0, 1, 1, 2, 15};
  for (size_t i = 0; i < ids.size(); ++i) {
    SCOPED_TRACE(ids[i]);
    ExpectRounded(got[i], 1 + 0.1 * std::log(steps[i] + 1));
  }
  EXPECT_EQ(got[1], 1.0f);
}

TEST(QueryScaleTest, Llama4StepsOneTokenEarlier) {
  const Ids ids = {16382, 16383};
  const Scales got = ScalesOf(Llama4QueryScale, ids, 16384, 0.1);
  EXPECT_EQ(got[0], 1.0f);
  ExpectRounded(got[1], 1 + 0.1 * std::log(2.0));
}

TEST(QueryScaleTest, NegativePositionsGetOne) {
  for (const Temperature temperature : {Llama4QueryScale, Mistral3QueryScale}) {
    EXPECT_EQ(ScalesOf(temperature, Ids{-1, -2, INT64_MIN}, 1, 0.5),
              Scales(3, 1.0f));
    EXPECT_EQ(ScalesOf(temperature, std::vector<double>{-0.25, -1.5, -0x1p63},
                       1, 0.5),
              Scales(3, 1.0f));
  }
}

TEST(QueryScaleTest, WithoutBetaAllAreOne) {
  for (const Temperature temperature : {Llama4QueryScale, Mistral3QueryScale}) {
    EXPECT_EQ(ScalesOf(temperature, Ids{0, 7, INT64_MAX}, 2, 0.0),
              Scales(3, 1.0f));
  }
}

// Of a real position the floor of the quotient is taken, exactly: the double
// below 2 plus 1 would round to 3.
TEST(QueryScaleTest, RealPositions) {
  const double below_two = std::nextafter(2.0, 0.0);
  const std::vector<double> ids = {0.5, below_two, 2.0, 5.75};
  const Scales llama = ScalesOf(Llama4QueryScale, ids, 3, 1.0);
  const double llama_steps[] = {0, 0, 1, 2};
  const Scales mistral = ScalesOf(Mistral3QueryScale, ids, 2, 1.0);
  const double mistral_steps[] = {0, 0, 1, 2};
  for (size_t i = 0; i < ids.size(); ++i) {
    SCOPED_TRACE(ids[i]);
    ExpectRounded(llama[i], 1 + std::log(llama_steps[i] + 1));
    ExpectRounded(mistral[i], 1 + std::log(mistral_steps[i] + 1));
  }
}

// ln(2^63 + 1) is 63 ln 2 in double; so is that of one more.
TEST(QueryScaleTest, TheLastPositions) {
  const double want = 1 + 0.1 * 63 * std::log(2.0);
  for (const Temperature temperature : {Llama4QueryScale, Mistral3QueryScale}) {
    ExpectRounded(ScalesOf(temperature, Ids{INT64_MAX}, 1, 0.1)[0], want);
    ExpectRounded(ScalesOf(temperature, std::vector<double>{0x1p63}, 1, 0.1)[0],
                  want);
    const float largest = ScalesOf(temperature, Ids{INT64_MAX}, 1, 0x1p120)[0];
    EXPECT_TRUE(std::isfinite(largest));
  }
}

TEST(QueryScaleTest, AnyKindOfPositions) {
  const Scales got =
      ScalesOf(Mistral3QueryScale, Positions::Consecutive(3, 3), 3, 4, 1.0);
  EXPECT_EQ(got[0], 1.0f);
  ExpectRounded(got[1], 1 + std::log(2.0));
  EXPECT_EQ(got[2], got[1]);
}

void ExpectRefusal(Temperature temperature, const Positions& positions,
                   int64_t length, double beta,
                   const std::vector<std::string>& words) {
  Scales scales(4, -1.0f);
  ExpectRefused(temperature(positions, length, beta, scales.data()),
                StatusCode::kInvalidArgument, words);
  EXPECT_EQ(scales, Scales(4, -1.0f));
}

TEST(QueryScaleTest, Errors) {
  const Positions fine = Positions::Consecutive(0, 4);
  ExpectRefusal(Llama4QueryScale, fine, 0, 0.1,
                {"floor_scale = 0", "at least 1"});
  ExpectRefusal(Mistral3QueryScale, fine, -5, 0.1,
                {"original_positions = -5", "at least 1"});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Temperature temperature : {Llama4QueryScale, Mistral3QueryScale}) {
    for (const double beta : {-0.1, nan, 0x1p121}) {
      ExpectRefusal(temperature, fine, 8, beta, {"beta = ", "0 to 2^120"});
    }
    ExpectRefusal(temperature, Positions::Consecutive(0, -1), 8, 0.1,
                  {"count = -1"});
    ExpectRefused(temperature(fine, 8, 0.1, nullptr),
                  StatusCode::kInvalidArgument, {"scale = null", "4 tokens"});
    ExpectOk(temperature(Positions::Consecutive(0, 0), 8, 0.1, nullptr));
  }
}

TEST(QueryScaleTest, LogNErrors) {
  Scales scales(1, -1.0f);
  const Positions fine = Positions::Consecutive(0, 1);
  ExpectRefused(LogNQueryScale(fine, 1, scales.data()),
                StatusCode::kInvalidArgument,
                {"original_positions = 1", "at least 2"});
  ExpectRefused(LogNQueryScale(fine, 2048, nullptr),
                StatusCode::kInvalidArgument, {"scale = null", "1 tokens"});
  EXPECT_EQ(scales[0], -1.0f);
}

// Past both steps of 4096 positions, where the rules differ.
TEST(QueryScaleTest, ARuleIsItsFunction) {
  const std::vector<int64_t> ids = {-1, 0, 4095, 4096, 100000};
  const Positions positions(ids.data(), static_cast<int64_t>(ids.size()));
  const auto write = [&](const QueryScale& scale) {
    Scales scales(ids.size(), -1.0f);
    ExpectOk(WriteQueryScale(positions, scale, scales.data()));
    return scales;
  };
  EXPECT_EQ(write({}), Scales(ids.size(), 1.0f));
  Scales logn(ids.size());
  ExpectOk(LogNQueryScale(positions, 4096, logn.data()));
  EXPECT_EQ(write({QueryScaleRule::kLogN, 4096, 0}), logn);
  const Scales llama4 = write({QueryScaleRule::kLlama4, 4096, 0.1});
  const Scales mistral3 = write({QueryScaleRule::kMistral3, 4096, 0.1});
  EXPECT_EQ(llama4, ScalesOf(Llama4QueryScale, ids, 4096, 0.1));
  EXPECT_EQ(mistral3, ScalesOf(Mistral3QueryScale, ids, 4096, 0.1));
  EXPECT_NE(llama4[2], mistral3[2]);
}

TEST(QueryScaleTest, RulesAreChecked) {
  float scale = -1;
  const Positions fine = Positions::Consecutive(0, 1);
  ExpectRefused(WriteQueryScale(fine, {static_cast<QueryScaleRule>(9)}, &scale),
                StatusCode::kInvalidArgument, {"rule = 9"});
  ExpectRefused(
      WriteQueryScale(fine, {QueryScaleRule::kLlama4, 0, 0.1}, &scale),
      StatusCode::kInvalidArgument, {"floor_scale = 0"});
  ExpectRefused(WriteQueryScale(fine, {}, nullptr),
                StatusCode::kInvalidArgument, {"scale = null"});
  ExpectOk(WriteQueryScale(Positions::Consecutive(0, 0), {}, nullptr));
  EXPECT_EQ(scale, -1);
}

}  // namespace
}  // namespace ropewalk::test
