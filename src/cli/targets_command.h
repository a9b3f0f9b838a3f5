// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// `ropewalk targets`: which instruction sets there are, and which is used.
#pragma once

namespace ropewalk::cli {

// Prints the lists. Returns the program's exit code.
int RunTargets();

}  // namespace ropewalk::cli
