// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the memory system allows: loops that read and write as a rotation does
// but compute next to nothing. Measurements are given as a part of these,
// taken in the same run (timing.h). And the opposite, a loop that only
// computes. All use the library's active target, which takes a call 3 to 6 ns
// to find, as it takes a call of the library.
#pragma once
#include <cstddef>
#include <cstdint>

namespace ropewalk::bench {

// Flips the sign of every other 16-bit element, which is the sign of every
// element of 32 bits: a buffer of floats keeps its magnitudes however often
// it runs, and neither NaN nor denormals appear. Any alignment.
void XorInPlace(void* data, size_t bytes);

// Copies with ordinary stores. Any alignment; the ranges must not overlap.
void CopyBytes(void* to, const void* from, size_t bytes);

// Reads only. Returns a sum of all that it read, so that nothing is left out;
// targets need not agree on it. Any alignment.
uint32_t SumBytes(const void* data, size_t bytes);

// Multiply-adds of float32 in registers, by twelve chains that do not wait for
// each other. Returns how many flop they were, two a lane.
//
// Twelve hide a latency of five cycles on two units, and leave registers where
// there are sixteen; a CPU with more units can do more than this shows. Targets
// without FMA make two instructions of each. On SCALAR the compiler may pack
// lanes, as it may in the library. The clock is what the core runs at just
// then. A rotation cannot come closer than 3/4: only two of its four products
// are followed by a sum.
int64_t MulAddInRegisters(int64_t rounds);

}  // namespace ropewalk::bench
