// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What `ropewalk bench` has measured, and the numbers that follow from it.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/rotate_shape.h"
#include "bench/timing.h"

namespace ropewalk::cli {

// Whole buffers: L1, L2, L3 and DRAM of the usual servers.
inline constexpr std::array<int64_t, 4> kBufferBytes = {
    int64_t{16} << 10, int64_t{512} << 10, int64_t{8} << 20,
    int64_t{128} << 20};

// Rows that Fill makes in one call, and below what their positions are.
inline constexpr int64_t kFillTokens = 512;
inline constexpr int64_t kFillPositions = int64_t{1} << 20;
inline constexpr int kFillPairs = 64;

enum class RotateCall {
  kBuffer,   // A whole buffer in place.
  kDecode,   // Q and K of one token.
  kPrefill,  // Q and K of many, out of place into another type.
  kThreads,  // A whole buffer by two threads.
};

inline const char* NameOf(RotateCall call) {
  constexpr const char* kNames[] = {"buffer", "decode", "prefill", "threads"};
  return kNames[static_cast<int>(call)];
}

struct RotateResult {
  RotateCall call = RotateCall::kBuffer;
  bench::Shape shape;
  std::string target;
  bench::PairTiming time;
};

// Fill against what an engine does without it, of one step.
struct FillResult {
  std::string target;
  bench::PairTiming copy;  // Rows of a dense float32 table.
  bench::PairTiming libm;
};

struct MulAddResult {
  std::string target;
  double gflops = 0;
};

struct BenchResults {
  bool quick = false;
  std::vector<std::string> targets;
  std::vector<RotateResult> rotations;
  std::vector<FillResult> fills;
  std::vector<MulAddResult> mul_adds;
};

inline double Percent(const bench::PairTiming& time) {
  return time.ratio * 100;
}

// Read and written.
inline double BytesOf(const bench::Shape& shape) {
  return static_cast<double>(shape.BytesRead() + shape.BytesWritten());
}

// Four products and two sums a pair.
inline double FlopOf(const bench::Shape& shape) {
  return 3.0 *
         static_cast<double>(shape.tokens * shape.Heads() * shape.rotary_dim);
}

// Of a call on a shape that takes so long; the bound has the same shape.
inline double GigabytesPerSecond(const bench::Shape& shape, double seconds) {
  return BytesOf(shape) / seconds * 1e-9;
}

inline double NanosecondsPerRow(double seconds) {
  return seconds * 1e9 / static_cast<double>(kFillTokens);
}

// "512 KiB".
std::string SizeText(int64_t bytes);

// One object, with the machine and the build.
std::string ResultsAsJson(const BenchResults& results);

}  // namespace ropewalk::cli
