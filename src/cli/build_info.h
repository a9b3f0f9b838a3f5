// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What this build was made with: a report of speed means little without it.
#pragma once
#include <string>

namespace ropewalk::cli {

// For example "1.0.3".
std::string HighwayVersion();

// For example "GCC 12.2.0".
const char* Compiler();

// Both, and the targets that this CPU has; without the end of the line.
std::string BuildLine();

}  // namespace ropewalk::cli
