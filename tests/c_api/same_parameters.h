// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// As same_model.h, of what goes into a scheme.
#pragma once
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/ropewalk_c.h"
#include "ropewalk/scaling.h"

namespace ropewalk::test {

// A list of C, which is null where it has no entry.
template <class T, class Count>
std::vector<T> ListOf(const T* list, Count count) {
  EXPECT_EQ(list == nullptr, count == 0);
  return {list, list + count};
}

// A scheme's optional value and a 0 that stands for none are the same.
void ExpectSame(const ropewalk_rope_parameters& got,
                const RopeParameters& want);

// What ropewalk_compute_frequencies makes of the parameters has the checksum
// of what ComputeFrequencies makes of those.
void ExpectSameFrequencies(const ropewalk_rope_parameters& got,
                           const RopeParameters& want, int64_t sequence_length);

}  // namespace ropewalk::test
