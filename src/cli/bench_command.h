// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// `ropewalk bench`: what part of its bound each kernel reaches, on every
// target.
#pragma once
#include <string>

namespace ropewalk::cli {

struct BenchOptions {
  std::string target;  // Empty: all that this CPU has.
  std::string plot;    // A file for the roofline of the best one; empty: none.
  bool json = false;
  bool quick = false;  // Rougher times.
};

// Prints the tables. Returns the program's exit code: 0, or 2 if a call failed
// or the roofline cannot be drawn.
int RunBench(const BenchOptions& options);

}  // namespace ropewalk::cli
