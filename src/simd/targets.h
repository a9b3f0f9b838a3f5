// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Target policy and dispatch state. Every .cc file that holds kernels includes
// this header first, so that all of them are compiled for the same targets.
#pragma once
#include "hwy/targets.h"
#include "ropewalk/export.h"

// x86: every target that Highway generates is kept, the SSE ones for CPUs
// without AVX and for emulators. A toolchain whose assembler is too old for a
// target can leave it out by defining HWY_DISABLED_TARGETS.

namespace ropewalk::internal {

// The library's own choice of target; Highway's global one stays untouched.
// Resolves the choice (detection or ROPEWALK_TARGET) on first use.
ROPEWALK_EXPORT const hwy::ChosenTarget& ChosenTarget() noexcept;

}  // namespace ropewalk::internal

// The function for the chosen target. Stands where HWY_EXPORT(FUNCTION) is
// visible. Highway makes a table of one entry where one target is compiled.
#if HWY_IDE || ((HWY_TARGETS & (HWY_TARGETS - 1)) == 0)
#define ROPEWALK_DISPATCH(FUNCTION) HWY_STATIC_DISPATCH(FUNCTION)
#else
#define ROPEWALK_DISPATCH(FUNCTION) \
  (*HWY_DISPATCH_TABLE(             \
      FUNCTION)[::ropewalk::internal::ChosenTarget().GetIndex()])
#endif
