// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether the library and the oracle of the schemes agree.
#pragma once
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "reference/scaling_oracle.h"
#include "ropewalk/scaling.h"

namespace ropewalk::test {

// Whether the library gives what the oracle gives, each number within this
// relative difference.
testing::AssertionResult AgreesWithOracle(const RopeParameters& parameters,
                                          int64_t sequence_length,
                                          double relative);

// Whether each entry is within this relative difference.
testing::AssertionResult AreNear(const std::vector<double>& got,
                                 const std::vector<double>& want,
                                 double relative);

}  // namespace ropewalk::test
