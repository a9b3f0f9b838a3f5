// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// How a fuzzer says that a property does not hold.
#pragma once
#include <cstdio>

namespace ropewalk::fuzz {

inline void Require(bool holds, const char* property = "") {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", property);
  __builtin_trap();
}

}  // namespace ropewalk::fuzz
