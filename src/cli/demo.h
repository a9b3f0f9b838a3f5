// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// `ropewalk demo`: rotates the steps of real models on every target, and shows
// speed, the bound and the error; then decodes into a cache and shifts it.
#pragma once
#include <string>

namespace ropewalk::cli {

struct DemoOptions {
  std::string model;   // Empty: all.
  std::string target;  // Empty: all that this CPU has.
  bool quick = false;  // Rougher times, the same errors.
};

// Prints the table. Returns the program's exit code: 0, 1 if an error bound is
// broken, 2 if a call failed.
int RunDemo(const DemoOptions& options);

}  // namespace ropewalk::cli
