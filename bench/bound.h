// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the memory system allows: loops that read and write as a rotation does
// but compute next to nothing. Measurements are given as a part of these,
// taken in the same run (timing.h). Both use the library's active target, which
// takes a call 3 to 6 ns to find, as it takes a call of the library.
#pragma once
#include <cstddef>

namespace ropewalk::bench {

// Flips the sign of every other 16-bit element, which is the sign of every
// element of 32 bits: a buffer of floats keeps its magnitudes however often
// it runs, and neither NaN nor denormals appear. Any alignment.
void XorInPlace(void* data, size_t bytes);

// Copies with ordinary stores. Any alignment; the ranges must not overlap.
void CopyBytes(void* to, const void* from, size_t bytes);

}  // namespace ropewalk::bench
