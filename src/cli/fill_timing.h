// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Fill() beside the two other ways to get the same rows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/timing.h"
#include "cli/bench_results.h"
#include "ropewalk/angle_rows.h"
#include "ropewalk/angles.h"
#include "ropewalk/status.h"

namespace ropewalk::cli {

class FillTiming {
 public:
  // Takes 512 MiB, as the dense table of an engine would: a smaller one would
  // lie in a cache.
  explicit FillTiming(const AngleTable& table);

  // On the active target. Sets all but the name of the target.
  Status Measure(bench::TimingOptions timing, FillResult* result);

 private:
  // The positions of the next step: 2^19 different ones, which read 256 MiB of
  // the dense table.
  const int64_t* NextStep();
  void Fill();
  void CopyDenseRows();
  void ComputeByLibm();

  const AngleTable& table_;
  std::vector<int64_t> positions_;
  size_t next_ = 0;
  std::vector<float> dense_;
  AngleRows rows_;
  std::vector<float> other_rows_;
  volatile float kept_ = 0;  // So that no compiler leaves the others out.
  Status status_;
};

}  // namespace ropewalk::cli
