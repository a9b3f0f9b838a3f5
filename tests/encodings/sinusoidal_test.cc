// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// AddSinusoidal: the values, every order, width, type and way to split.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "encodings/sinusoid.h"
#include "gtest/gtest.h"
#include "ropewalk/target.h"
#include "support/all_targets.h"
#include "support/random.h"

namespace ropewalk::test {
namespace {

using SinusoidalTest = AllTargets;

TEST_P(SinusoidalTest, HasThePublishedValuesOfWidthFour) {
  // To the four digits that are given, of float32.
  constexpr double kWant[3][4] = {{0, 1, 0, 1},
                                  {0.8415, 0.5403, 0.0100, 1.0000},
                                  {0.9093, -0.4161, 0.0200, 0.9998}};
  const auto got = Encoding(4, Positions::Consecutive(0, 3));
  for (size_t p = 0; p < 3; ++p) {
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(got[p * 4 + i], kWant[p][i], 5e-5 + kElementError);
    }
  }
  // Position 0 is exact.
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(got[i], kWant[0][i]);
}

TEST_P(SinusoidalTest, IsTheExactSineAndCosineAtAnyPosition) {
  const std::vector<int64_t> ids = {
      0, 1, 17, 65535, (1 << 20) + 1, -3, 131071, (1LL << 31) - 1, 1LL << 31};
  for (const SinusoidalLadder ladder : kLadders) {
    for (const int width : {2, 3, 5, 6, 34, 67, 256}) {
      const Sinusoid sinusoid = MakeSinusoid(
          width, Positions(ids.data(), static_cast<int64_t>(ids.size())),
          ladder);
      for (const SinusoidalOrder order : kOrders) {
        const std::vector<double> got = Encoding(sinusoid, order);
        for (size_t t = 0; t < ids.size(); ++t) {
          ASSERT_TRUE(IsExact(sinusoid, order, static_cast<double>(ids[t]),
                              got.data() + t * static_cast<size_t>(width)));
        }
      }
    }
  }
}

TEST_P(SinusoidalTest, TakesRealPositions) {
  const std::vector<double> ids = {0.0, 12.0, 36.5, 999.25, -0.125, 1e9 / 3};
  for (const int width : {8, 33}) {
    const Sinusoid sinusoid = MakeSinusoid(
        width, Positions(ids.data(), static_cast<int64_t>(ids.size())),
        SinusoidalLadder::kByPairs);
    const std::vector<double> got =
        Encoding(sinusoid, SinusoidalOrder::kCosSin);
    for (size_t t = 0; t < ids.size(); ++t) {
      ASSERT_TRUE(IsExact(sinusoid, SinusoidalOrder::kCosSin, ids[t],
                          got.data() + t * static_cast<size_t>(width)));
    }
  }
}

// The float32 sum of an element and its sin or cos, rounded once.
double SumAt(const Heads& before, const Sinusoid& sinusoid,
             SinusoidalOrder order, int64_t token, int dim) {
  const int pairs = sinusoid.width / 2;
  const double element = before.Get(0, token, 0, dim);
  if (dim >= 2 * pairs) return element;
  const bool interleaved = order == SinusoidalOrder::kInterleaved;
  const int pair = interleaved ? dim / 2 : dim % pairs;
  const bool second = interleaved ? dim % 2 == 1 : dim >= pairs;
  const bool is_sin = (order == SinusoidalOrder::kCosSin) == second;
  const float* const row =
      is_sin ? sinusoid.rows.sin(token) : sinusoid.rows.cos(token);
  return Rounded(before.spec().type, static_cast<float>(element) + row[pair]);
}

testing::AssertionResult IsAdded(const Heads& before, const Heads& after,
                                 const Sinusoid& sinusoid,
                                 SinusoidalOrder order) {
  for (int64_t token = 0; token < before.spec().tokens; ++token) {
    for (int dim = 0; dim < sinusoid.width; ++dim) {
      const double want = SumAt(before, sinusoid, order, token, dim);
      const double got = after.Get(0, token, 0, dim);
      if (got == want) continue;
      return testing::AssertionFailure()
             << "token " << token << ", dim " << dim << " of " << sinusoid.width
             << ", order " << static_cast<int>(order) << ": " << got << ", not "
             << want;
    }
  }
  return testing::AssertionSuccess();
}

TEST_P(SinusoidalTest, AddsOnceRoundedInsideItsMemory) {
  Random random = Random::ForTest();
  for (const int width : kWidths) {
    if (width < 2) continue;
    const Sinusoid sinusoid =
        MakeSinusoid(width, Positions::Consecutive(random.Below(9999), 3));
    for (const DataType type : kAllTypes) {
      for (const SinusoidalOrder order : kOrders) {
        for (const GuardSide side : {GuardSide::kBegin, GuardSide::kEnd}) {
          const Heads before(RowsSpec(type, 3, width, random.Below(3), side),
                             &random);
          Heads after = before.Copy();
          const Status status =
              AddSinusoidal(sinusoid.rows, HiddenOf(after), {order});
          ASSERT_TRUE(status.ok()) << status.message();
          ASSERT_TRUE(IsAdded(before, after, sinusoid, order));
          ASSERT_EQ(before.GapBytes(), after.GapBytes());
          ASSERT_TRUE(after.buffer().CanariesIntact());
        }
      }
    }
  }
}

TEST_P(SinusoidalTest, NegativeStridesReverseTheTokens) {
  Random random = Random::ForTest();
  const Sinusoid sinusoid = MakeSinusoid(24, Positions::Consecutive(5, 3));
  const Heads before(RowsSpec(DataType::kF32, 3, 24), &random);
  Heads after = before.Copy();
  HiddenStates hidden = HiddenOf(after);
  hidden.data = static_cast<uint8_t*>(hidden.data) + 2 * hidden.token_stride;
  hidden.token_stride = -hidden.token_stride;
  ASSERT_TRUE(AddSinusoidal(sinusoid.rows, hidden).ok());
  for (int64_t token = 0; token < 3; ++token) {
    for (int dim = 0; dim < 24; ++dim) {
      const float* const row = dim % 2 == 0 ? sinusoid.rows.sin(2 - token)
                                            : sinusoid.rows.cos(2 - token);
      EXPECT_EQ(
          after.Get(0, token, 0, dim),
          static_cast<float>(before.Get(0, token, 0, dim)) + row[dim / 2]);
    }
  }
}

TEST_P(SinusoidalTest, NaNAndInfinityStayWhatTheyAre) {
  for (const DataType type : kAllTypes) {
    for (const int width : {33, 128}) {
      const Sinusoid sinusoid =
          MakeSinusoid(width, Positions::Consecutive(3, 1));
      for (const SinusoidalOrder order : kOrders) {
        const Heads hidden(RowsSpec(type, 1, width));
        constexpr double kInf = std::numeric_limits<double>::infinity();
        for (int dim = 0; dim < width; ++dim) {
          StoreElement(
              type,
              dim % 3 == 0   ? std::nan("")
              : dim % 3 == 1 ? kInf
                             : -kInf,
              static_cast<uint8_t*>(hidden.view().data) + dim * SizeOf(type));
        }
        ASSERT_TRUE(
            AddSinusoidal(sinusoid.rows, HiddenOf(hidden), {order}).ok());
        for (int dim = 0; dim < width; ++dim) {
          const double got = hidden.Get(0, 0, 0, dim);
          if (dim % 3 == 0) {
            ASSERT_TRUE(std::isnan(got)) << dim;
          } else {
            ASSERT_EQ(got, dim % 3 == 1 ? kInf : -kInf) << dim;
          }
        }
      }
    }
  }
}

TEST_P(SinusoidalTest, SplitsGiveTheSameBits) {
  Random random = Random::ForTest();
  // Enough bytes for two tasks of oneTBB.
  constexpr int64_t kTokens = 300;
  const Sinusoid sinusoid =
      MakeSinusoid(1001, Positions::Consecutive(7, kTokens));
  for (const DataType type : kAllTypes) {
    const Heads before(RowsSpec(type, kTokens, 1001), &random);
    const Heads whole = before.Copy();
    ASSERT_TRUE(AddSinusoidal(sinusoid.rows, HiddenOf(whole)).ok());
    const Heads tbb = before.Copy();
    ASSERT_TRUE(AddSinusoidal(sinusoid.rows, HiddenOf(tbb),
                              {SinusoidalOrder::kInterleaved, Parallel::Tbb()})
                    .ok());
    EXPECT_EQ(tbb.Bytes(), whole.Bytes());
    for (const int count : {2, 3, 301}) {
      const Heads shared = before.Copy();
      RunShares(count, [&](const Parallel& parallel) {
        ASSERT_TRUE(AddSinusoidal(sinusoid.rows, HiddenOf(shared),
                                  {SinusoidalOrder::kInterleaved, parallel})
                        .ok());
      });
      EXPECT_EQ(shared.Bytes(), whole.Bytes()) << count << " shares";
    }
  }
}

TEST_P(SinusoidalTest, NoTokensAreLegal) {
  const Sinusoid sinusoid = MakeSinusoid(8, Positions::Consecutive(0, 0));
  HiddenStates hidden;
  hidden.width = 8;
  EXPECT_TRUE(AddSinusoidal(sinusoid.rows, hidden).ok());
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(SinusoidalTest);

}  // namespace
}  // namespace ropewalk::test
