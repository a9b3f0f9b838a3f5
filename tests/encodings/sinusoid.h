// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The encoding of positions as AddSinusoidal adds it to zeros, and what it
// should be.
#pragma once
#include <cmath>
#include <vector>

#include "encodings/row_tensors.h"
#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "ropewalk/angles.h"
#include "ropewalk/encodings/sinusoidal.h"

namespace ropewalk::test {

inline constexpr SinusoidalOrder kOrders[] = {SinusoidalOrder::kInterleaved,
                                              SinusoidalOrder::kSinCos,
                                              SinusoidalOrder::kCosSin};
inline constexpr SinusoidalLadder kLadders[] = {SinusoidalLadder::kByWidth,
                                                SinusoidalLadder::kToBase,
                                                SinusoidalLadder::kByPairs};

// How far an element may be from the exact sin or cos: half an ulp of a float32
// that is at most 1, and what the table adds.
inline constexpr double kElementError = 0x1p-25 + 0x1p-40;

struct Sinusoid {
  int width;
  std::vector<double> inv_freq;
  AngleRows rows;
};

inline Sinusoid MakeSinusoid(
    int width, const Positions& positions,
    SinusoidalLadder ladder = SinusoidalLadder::kByWidth) {
  Sinusoid sinusoid;
  sinusoid.width = width;
  const auto frequencies = SinusoidalFrequencies(width, 10000.0, ladder);
  EXPECT_TRUE(frequencies.ok()) << frequencies.status().message();
  sinusoid.inv_freq = frequencies.value().inv_freq;
  const auto table = AngleTable::Build(frequencies.value());
  EXPECT_TRUE(table.ok()) << table.status().message();
  const Status filled = table.value()->Fill(positions, &sinusoid.rows);
  EXPECT_TRUE(filled.ok()) << filled.message();
  return sinusoid;
}

// [rows][width]
inline std::vector<double> Encoding(const Sinusoid& sinusoid,
                                    SinusoidalOrder order) {
  const int64_t rows = sinusoid.rows.rows();
  std::vector<float> zeros(
      static_cast<size_t>(rows) * static_cast<size_t>(sinusoid.width), 0.0f);
  const Status added = AddSinusoidal(
      sinusoid.rows,
      DenseHidden(zeros.data(), DataType::kF32, rows, sinusoid.width), {order});
  EXPECT_TRUE(added.ok()) << added.message();
  return {zeros.begin(), zeros.end()};
}

// In the original order, by the original ladder.
inline std::vector<double> Encoding(int width, const Positions& positions) {
  return Encoding(MakeSinusoid(width, positions),
                  SinusoidalOrder::kInterleaved);
}

// Whether a row is that of the position.
inline testing::AssertionResult IsExact(const Sinusoid& sinusoid,
                                        SinusoidalOrder order, double position,
                                        const double* row) {
  const int pairs = sinusoid.width / 2;
  for (int i = 0; i < pairs; ++i) {
    const auto want = reference::ExactAngle(
        position, sinusoid.inv_freq[static_cast<size_t>(i)]);
    const bool interleaved = order == SinusoidalOrder::kInterleaved;
    const int first = interleaved ? 2 * i : i;
    const int second = interleaved ? 2 * i + 1 : pairs + i;
    const bool cos_first = order == SinusoidalOrder::kCosSin;
    const double sin = row[cos_first ? second : first];
    const double cos = row[cos_first ? first : second];
    if (std::fabs(sin - want.sin) <= kElementError &&
        std::fabs(cos - want.cos) <= kElementError) {
      continue;
    }
    return testing::AssertionFailure()
           << "position " << position << ", pair " << i << " of " << pairs
           << ", order " << static_cast<int>(order) << ": sin " << sin
           << ", cos " << cos << ", not " << want.sin << ", " << want.cos;
  }
  if (sinusoid.width % 2 == 1 && row[sinusoid.width - 1] != 0) {
    return testing::AssertionFailure() << "something in the odd element";
  }
  return testing::AssertionSuccess();
}

}  // namespace ropewalk::test
