// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Which pair follows which position component, for people.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace ropewalk::cli {

// "t 0-15, h 16-39, w 40-63"; "t h w in turn 0-60, t 61-63"; the name of every
// pair where that would be long. A component without a name gets its number.
std::string AxisText(const std::vector<uint8_t>& axis,
                     const std::vector<std::string>& names);

}  // namespace ropewalk::cli
