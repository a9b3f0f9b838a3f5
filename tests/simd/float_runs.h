// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Which float32 numbers a 16-bit value is nearest to: the oracle's answer for
// all of them, as quick to compare with as memory is.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/types.h"

namespace ropewalk::test {

inline constexpr uint64_t kInfinityBits = 0x7F800000;

// first, first + step, ... to last, with a sign; how many these are, at most
// count. Requires: first <= last.
size_t FillBits(uint64_t first, uint64_t step, uint64_t last, uint32_t sign,
                uint32_t* bits, size_t count);

class FloatRuns {
 public:
  // Positive float32 numbers from `begin`, as bits, to the next run's begin.
  struct Run {
    uint32_t begin;
    uint16_t code;
  };

  // From the oracle's decoding alone: the midpoint of two neighbours belongs to
  // the even one. flushes: denormals become 0.
  FloatRuns(DataType type, bool flushes);

  // Up to infinity.
  const std::vector<Run>& runs() const { return runs_; }

  // How many of the codes, from the first on, are those of first,
  // first + step, ... with a sign. Requires: none of these is a NaN.
  size_t CountRight(uint64_t first, uint64_t step, uint32_t sign,
                    const uint16_t* codes, size_t count) const;

 private:
  std::vector<Run> runs_;
};

}  // namespace ropewalk::test
