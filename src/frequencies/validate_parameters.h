// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules that parameters of several schemes share. Each error names the
// parameter and its value.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "ropewalk/status.h"

namespace ropewalk::internal {

Status ValidatePositive(const char* name, double value) noexcept;

// Absent, or finite and positive; 0 as well where it means absent.
Status ValidateOptional(const char* name, const std::optional<double>& value,
                        bool zero_too = false) noexcept;

// A count of positions, which the schemes divide by.
Status ValidatePositions(const char* name, int64_t positions,
                         int64_t least = 1) noexcept;

// A list of divisors: one a pair, finite and positive.
template <class Number>
Status ValidateDivisors(const char* name, const std::vector<Number>& list,
                        int rotary_dim) noexcept;

}  // namespace ropewalk::internal
