// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A call of Rotate() beside its bound, to be timed.
#pragma once
#include "bench/pair_benchmark.h"
#include "bench/rotate_shape.h"
#include "bench/timing.h"
#include "cli/step.h"
#include "ropewalk/angle_rows.h"
#include "ropewalk/angles.h"
#include "ropewalk/rotate.h"
#include "ropewalk/status.h"
#include "ropewalk/types.h"

namespace ropewalk::cli {

// Whether Parallel::Tbb() has threads in this build.
bool HasThreads();

class Rotation {
 public:
  // Tensors of that shape, and the table's rows from position 1 on: position 0
  // turns nothing. The table has no attention factor, under which numbers that
  // turn again and again would grow past all bounds.
  Rotation(const bench::Shape& shape, const AngleTable& table);

  // On the active target, with as many threads as the shape says.
  Result<bench::PairTiming> Measure(const bench::TimingOptions& timing);

 private:
  void Run();
  // Out of place: a copy that reads and writes as many bytes in all.
  void RunBound();

  bench::Shape shape_;
  Step step_;
  Step out_;
  // Of the step, Q and, if it has heads, K: made once, as in the benchmarks.
  // Its memory stays where it is if this is moved.
  HeadsView views_[2];
  RotateOptions options_;
  bench::Memory copy_;
  AngleRows rows_;
  Status status_;
};

}  // namespace ropewalk::cli
