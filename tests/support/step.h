// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The angles of one step on both sides, the library's rows and the oracle's,
// and the comparison of what they make of a tensor.
#pragma once
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "ropewalk/angle_rows.h"
#include "ropewalk/rotate.h"
#include "ropewalk/types.h"
#include "support/heads.h"

namespace ropewalk::test {

struct Step {
  std::vector<int64_t> positions;
  std::vector<double> inv_freq;
  double factor = 1;
  AngleRows rows;
  std::vector<reference::CosSin> angles;  // [positions][pairs]

  int pairs() const { return static_cast<int>(inv_freq.size()); }
  const reference::CosSin* Row(int64_t row) const {
    return angles.data() + row * pairs();
  }
};

// One row a position.
Step MakeStep(const std::vector<double>& inv_freq,
              const std::vector<int64_t>& positions, double factor = 1);
// With the plain ladder of base 10000.
Step MakeStep(int rotary_dim, const std::vector<int64_t>& positions,
              double factor = 1);

// Of several components: that of token t is ids[component * tokens + t], and
// pair i follows component axis[i]; without an axis, component 0.
Step MakeAxesStep(const std::vector<double>& inv_freq,
                  const std::vector<uint8_t>& axis,
                  const std::vector<int64_t>& ids, int components,
                  double factor = 1);

// first, first + 1, ...
std::vector<int64_t> Count(int64_t first, int64_t count);

RotaryLayout FullLayout(int head_dim, Pairing pairing);
reference::Window WindowOf(const RotaryLayout& layout);
// Where the pairs are written.
reference::Window OutputWindowOf(const RotaryLayout& layout);
reference::Turn TurnOf(Direction direction);

// How far from exact an element of a pair may be, max_input being
// max(|x0|, |x1|); derived where the limits are defined.
double RotationTolerance(double max_input, double factor, Direction direction);

// Whether every head of `after` is the head of `before`, rotated within the
// tolerance and rounded once to its type, and every dim that does not turn is
// that of `before`, bit for bit or converted.
testing::AssertionResult IsRotated(const Step& step, const RotaryLayout& layout,
                                   Direction direction, const Heads& before,
                                   const Heads& after);

// IsRotated for a rotation in place, which is done here, on a copy of `x`.
testing::AssertionResult RotatesInPlace(const Step& step,
                                        const RotaryLayout& layout,
                                        Direction direction, const Heads& x);

// IsRotated for a rotation from x to a tensor as `out`, which is done here.
testing::AssertionResult RotatesOutOfPlace(const Step& step,
                                           const RotaryLayout& layout,
                                           Direction direction, const Heads& x,
                                           Heads* out);

}  // namespace ropewalk::test
