// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/roofline.h"

#include <algorithm>

namespace ropewalk::cli {

Roofline RooflineOf(const BenchResults& results, const std::string& target) {
  Roofline roofline;
  roofline.target = target;
  for (const int64_t bytes : kBufferBytes) roofline.roofs.push_back({bytes, 0});
  for (const MulAddResult& result : results.mul_adds) {
    if (result.target == target) roofline.peak_gflops = result.gflops;
  }
  for (const RotateResult& result : results.rotations) {
    if (result.target != target || result.call != RotateCall::kBuffer) continue;
    const bench::Shape& shape = result.shape;
    for (Roof& roof : roofline.roofs) {
      if (roof.bytes != shape.BytesRead()) continue;
      roof.gigabytes_per_second =
          std::max(roof.gigabytes_per_second,
                   GigabytesPerSecond(shape, result.time.bound_seconds));
    }
    roofline.points.push_back({shape.BytesRead(), shape.type, shape.pairing,
                               FlopOf(shape) / BytesOf(shape),
                               FlopOf(shape) / result.time.seconds * 1e-9});
  }
  return roofline;
}

}  // namespace ropewalk::cli
