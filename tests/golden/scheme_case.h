// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A case of schemes.json as the library's parameters.
#pragma once
#include <vector>

#include "nlohmann/json.hpp"
#include "ropewalk/scaling.h"

namespace ropewalk::test {

// Throws std::runtime_error for a scheme or a parameter that it does not know,
// so that no number of the file goes unread.
RopeParameters ParametersOf(const nlohmann::json& data);

// A list, or one number for every entry, or "1, 2, ...".
std::vector<double> ListOf(const nlohmann::json& value, int entries);

}  // namespace ropewalk::test
