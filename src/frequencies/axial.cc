// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A ladder for each axis, its windows, and ChatGLM-6B's rounding of it.
#include <algorithm>
#include <limits>
#include <new>

#include "frequencies/ladder.h"
#include "frequencies/sections.h"
#include "frequencies/validate_frequencies.h"
#include "ropewalk/vision.h"
#include "simd/scalar_convert.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

Status Validate(int head_dim, int axes) noexcept {
  if (axes < 1 || axes > kMaxComponents) {
    return Error(StatusCode::kInvalidArgument,
                 "axes = %d: must be in [1, %d], one for each component", axes,
                 kMaxComponents);
  }
  if (head_dim < 2 * axes) {
    return Error(StatusCode::kInvalidArgument,
                 "head_dim = %d: must be at least %d, a pair for every axis",
                 head_dim, 2 * axes);
  }
  if (head_dim > kMaxRotaryDim) {
    return Error(StatusCode::kOutOfRange, "head_dim = %d: must be at most %d",
                 head_dim, kMaxRotaryDim);
  }
  return Status();
}

int AxisDim(int head_dim, int axes) noexcept {
  return 2 * (head_dim / (2 * axes));
}

Result<Frequencies> ComputeAxial(int head_dim,
                                 const std::vector<uint8_t>& components,
                                 double base) {
  const auto axes = static_cast<int>(std::min(
      components.size(), static_cast<size_t>(std::numeric_limits<int>::max())));
  ROPEWALK_RETURN_IF_ERROR(Validate(head_dim, axes));
  const int axis_dim = AxisDim(head_dim, axes);
  const auto ladder = Ladder(base, axis_dim, axis_dim);
  if (!ladder.ok()) return ladder.status();
  Frequencies frequencies;
  for (const uint8_t component : components) {
    for (const double w : ladder.value()) {
      frequencies.inv_freq.push_back(w);
      frequencies.axis.push_back(component);
    }
  }
  ROPEWALK_RETURN_IF_ERROR(ValidateFrequencies(frequencies));
  return frequencies;
}

Status OutOfMemory(int head_dim) noexcept {
  return Error(StatusCode::kOutOfMemory,
               "frequencies of head_dim = %d: out of memory", head_dim);
}

}  // namespace
}  // namespace internal

Result<Frequencies> AxialFrequencies(int head_dim,
                                     const std::vector<uint8_t>& components,
                                     double base) noexcept {
  try {
    return internal::ComputeAxial(head_dim, components, base);
  } catch (const std::bad_alloc&) {
    return internal::OutOfMemory(head_dim);
  }
}

Result<Frequencies> ChatGlmFrequencies(int head_dim, double base) noexcept {
  try {
    auto frequencies = internal::ComputeAxial(head_dim, {0, 1}, base);
    if (!frequencies.ok()) return frequencies;
    for (double& w : frequencies.value().inv_freq) {
      const uint16_t half = internal::F16FromFloat(static_cast<float>(w));
      w = double{internal::FloatFromF16(half)};
    }
    ROPEWALK_RETURN_IF_ERROR(
        internal::ValidateFrequencies(frequencies.value()));
    return frequencies;
  } catch (const std::bad_alloc&) {
    return internal::OutOfMemory(head_dim);
  }
}

Result<RotaryLayout> AxialLayout(int head_dim, int axes,
                                 Pairing pairing) noexcept {
  ROPEWALK_RETURN_IF_ERROR(internal::Validate(head_dim, axes));
  RotaryLayout layout;
  layout.head_dim = head_dim;
  layout.rotary_dim = axes * internal::AxisDim(head_dim, axes);
  layout.pairing = pairing;
  return layout;
}

Result<std::vector<RotaryLayout>> AxialPartLayouts(int head_dim,
                                                   int axes) noexcept {
  ROPEWALK_RETURN_IF_ERROR(internal::Validate(head_dim, axes));
  const int axis_dim = internal::AxisDim(head_dim, axes);
  try {
    std::vector<RotaryLayout> parts(static_cast<size_t>(axes));
    int offset = 0;
    for (RotaryLayout& part : parts) {
      part.head_dim = head_dim;
      part.rotary_dim = axis_dim;
      part.rotary_offset = offset;
      part.first_pair = offset / 2;
      offset += axis_dim;
    }
    return parts;
  } catch (const std::bad_alloc&) {
    return internal::Error(StatusCode::kOutOfMemory,
                           "layouts of axes = %d: out of memory", axes);
  }
}

}  // namespace ropewalk
