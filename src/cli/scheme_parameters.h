// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A scheme's fields by name, for people and for JSON.
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "ropewalk/scaling.h"

namespace ropewalk::cli {

using ParameterValue =
    std::variant<bool, int64_t, double, std::string, std::vector<double>>;

struct SchemeParameter {
  const char* name;  // As the field in scaling_schemes.h.
  ParameterValue value;
};

// In the order of the fields; optional ones only where they are given.
std::vector<SchemeParameter> ParametersOf(const Scaling& scaling);

}  // namespace ropewalk::cli
