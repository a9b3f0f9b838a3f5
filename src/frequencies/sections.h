// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the rules of axes.h share: the checks of sections, and the loop over
// the pairs.
#pragma once
#include <cstdint>
#include <new>
#include <vector>

#include "ropewalk/status.h"
#include "status/error.h"

namespace ropewalk::internal {

using Axes = std::vector<uint8_t>;

// A component is a uint8_t.
inline constexpr int kMaxComponents = 256;

// Checks pairs, and that there are `least` to `most` sections, none negative.
Status ValidateSections(const std::vector<int>& sections, int pairs, int least,
                        int most) noexcept;

// Sections of ints cannot pass int64.
int64_t SumOf(const std::vector<int>& sections) noexcept;

Status ValidateSum(const std::vector<int>& sections, int pairs) noexcept;

// That sections which wrap have a sum to wrap at.
Status ValidateWrap(const std::vector<int>& sections, int pairs) noexcept;

Status AxesOutOfMemory(int pairs) noexcept;

// axis_of is asked for pair 0, 1, ... in turn.
template <class AxisOf>
Result<Axes> MakeAxes(int pairs, AxisOf axis_of) noexcept {
  try {
    Axes axes;
    axes.reserve(static_cast<size_t>(pairs));
    for (int i = 0; i < pairs; ++i) {
      axes.push_back(static_cast<uint8_t>(axis_of(i)));
    }
    return axes;
  } catch (const std::bad_alloc&) {
    return AxesOutOfMemory(pairs);
  }
}

}  // namespace ropewalk::internal
