// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The oracle's answer to the library's question.
#pragma once
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "reference/schemes.h"
#include "ropewalk/scaling.h"

namespace ropewalk::test {

// Requires: parameters that keep their rules, lists of the right length.
reference::Scheme OracleOf(const RopeParameters& parameters,
                           int64_t sequence_length = 0);

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
