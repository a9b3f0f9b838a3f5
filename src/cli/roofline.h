// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The roofline of one target: how fast a kernel of some flop per byte can be,
// and how fast ours are.
//
// Source: Williams, Waterman and Patterson 2009, doi:10.1145/1498765.1498785.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cli/bench_results.h"
#include "ropewalk/types.h"

namespace ropewalk::cli {

// What memory allows a buffer of that size.
struct Roof {
  int64_t bytes;
  double gigabytes_per_second;
};

struct RooflinePoint {
  int64_t bytes;
  DataType type;
  Pairing pairing;
  double flop_per_byte;
  double gflops;
};

struct Roofline {
  std::string target;
  double peak_gflops = 0;
  std::vector<Roof> roofs;  // One for each of kBufferBytes.
  std::vector<RooflinePoint> points;
};

// Of the whole buffers. A roof is the fastest that the bound of its size ran.
Roofline RooflineOf(const BenchResults& results, const std::string& target);

// Draws with gnuplot. Returns what went wrong; empty: nothing.
std::string PlotRoofline(const Roofline& roofline, const std::string& file);

}  // namespace ropewalk::cli
