// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <utility>

#include "frequencies/ladder.h"
#include "frequencies/sections.h"
#include "frequencies/validate_frequencies.h"
#include "ropewalk/axes.h"
#include "ropewalk/vision.h"

namespace ropewalk {
namespace internal {
namespace {

// ggml keeps four running products. All of them take a step at every pair,
// and the one whose section begins there goes back to its position first; one
// of them only, as ggml asks for the beginnings in turn.
class RunningProducts {
 public:
  explicit RunningProducts(const std::vector<int>& sections) noexcept {
    for (size_t k = 0; k < sections.size(); ++k) {
      begins_[k] = sum_;
      sum_ += sections[k];
    }
    for (size_t k = sections.size(); k < 4; ++k) begins_[k] = sum_;
  }

  // The steps that the product of this axis has taken before the next pair,
  // which is 0, 1, ... in turn.
  size_t StepsAtNext(uint8_t axis) noexcept {
    for (int k = 0; k < 4; ++k) {
      if (begins_[k] != sector_) continue;
      origin_[k] = pair_;
      break;
    }
    const int steps = pair_++ - origin_[axis];
    if (++sector_ == sum_) sector_ = 0;
    return static_cast<size_t>(steps);
  }

 private:
  int64_t begins_[4];
  int64_t sum_ = 0;
  int64_t sector_ = 0;
  int pair_ = 0;
  int origin_[4] = {0, 0, 0, 0};
};

Result<Frequencies> ComputeVision(int n_dims, const std::vector<int>& sections,
                                  double base) {
  ROPEWALK_RETURN_IF_ERROR(
      ValidateEvenDims("n_dims", n_dims, kMaxRotaryDim / 2));
  auto axes = GgmlAxes(sections, n_dims);
  if (!axes.ok()) return axes.status();
  const auto ladder = Ladder(base, 2 * n_dims, n_dims);
  if (!ladder.ok()) return ladder.status();
  Frequencies frequencies;
  frequencies.axis = std::move(axes).value();
  RunningProducts products(sections);
  for (const uint8_t axis : frequencies.axis) {
    frequencies.inv_freq.push_back(ladder.value()[products.StepsAtNext(axis)]);
  }
  ROPEWALK_RETURN_IF_ERROR(ValidateFrequencies(frequencies));
  return frequencies;
}

}  // namespace
}  // namespace internal

Result<Frequencies> GgmlVisionFrequencies(int n_dims,
                                          const std::vector<int>& sections,
                                          double base) noexcept {
  try {
    return internal::ComputeVision(n_dims, sections, base);
  } catch (const std::bad_alloc&) {
    return internal::Error(StatusCode::kOutOfMemory,
                           "frequencies of n_dims = %d: out of memory", n_dims);
  }
}

}  // namespace ropewalk
