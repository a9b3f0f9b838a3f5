// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "angles/position_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "angles/aligned_memory.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

constexpr double kLimit = 9223372036854775808.0;  // 2^63

Status Negative(const char* name, int64_t value) noexcept {
  return Error(StatusCode::kInvalidArgument, "%s = %lld: must not be negative",
               name, static_cast<long long>(value));
}

// Whether the ids may be so many strides apart: the sum of two distances is
// a number of bytes in int64.
Status ValidateStride(const char* name, int64_t stride,
                      int64_t count) noexcept {
  constexpr int64_t kMaxDistance =
      INT64_MAX / (2 * static_cast<int64_t>(sizeof(int64_t)));
  int64_t distance = 0;
  if (!__builtin_mul_overflow(count - 1, stride, &distance) &&
      -kMaxDistance <= distance && distance <= kMaxDistance) {
    return Status();
  }
  return Error(StatusCode::kOutOfRange,
               "%s = %lld: the ids' size does not fit int64", name,
               static_cast<long long>(stride));
}

// Whether the last of `count` positions from `first` on is an int64.
bool RunFits(int64_t first, int64_t count) noexcept {
  return count <= 0 || first <= INT64_MAX - (count - 1);
}

Status RunError(const char* name, int64_t first, int64_t count) noexcept {
  return Error(StatusCode::kOutOfRange,
               "%s = %lld: %lld positions from there on pass 2^63 - 1", name,
               static_cast<long long>(first), static_cast<long long>(count));
}

}  // namespace

Status PositionReader::Validate() noexcept {
  ROPEWALK_RETURN_IF_ERROR(ValidateShape());
  switch (positions_.kind_) {
    case Kind::kDouble:
      return ValidateReal();
    case Kind::kConsecutive:
      if (RunFits(positions_.first_, count_)) return Status();
      return RunError("first", positions_.first_, count_);
    case Kind::kConsecutiveEach:
      return ValidateEachRun();
    default:
      return Status();
  }
}

// Products first: of one step a stride may be any, and then leads nowhere.
const void* PositionReader::begin() const noexcept {
  if (bytes() == 0) return positions_.ids_;
  const int64_t component = (components() - 1) * positions_.component_stride_;
  const int64_t token = (positions_.count_ - 1) * positions_.token_stride_;
  return static_cast<const char*>(positions_.ids_) +
         (std::min(component, int64_t{0}) + std::min(token, int64_t{0})) *
             id_size();
}

int64_t PositionReader::bytes() const noexcept {
  if (!has_ids() || count_ == 0) return 0;
  const int64_t component = (components() - 1) * positions_.component_stride_;
  const int64_t token = (positions_.count_ - 1) * positions_.token_stride_;
  return (std::abs(component) + std::abs(token) + 1) * id_size();
}

Status PositionReader::ValidateAxis(int axis) const noexcept {
  if (axis < components()) return Status();
  return Error(StatusCode::kInvalidArgument,
               "positions of %d components: axis = %d needs %d", components(),
               axis, axis + 1);
}

Status PositionReader::ValidateShape() noexcept {
  const bool each = positions_.kind_ == Kind::kConsecutiveEach;
  count_ = positions_.count_;
  if (count_ < 0) return Negative(each ? "sequences" : "count", count_);
  if (each && positions_.count_each_ < 0) {
    return Negative("count_each", positions_.count_each_);
  }
  if (each &&
      !MultiplySizes(positions_.count_, positions_.count_each_, &count_)) {
    return Error(StatusCode::kOutOfRange,
                 "sequences * count_each = %lld * %lld: does not fit int64",
                 static_cast<long long>(positions_.count_),
                 static_cast<long long>(positions_.count_each_));
  }
  if (has_ids() && count_ > 0 && positions_.ids_ == nullptr) {
    return Error(StatusCode::kInvalidArgument,
                 "%s = null: must not be null for %lld positions",
                 each ? "first_of_sequence" : "ids",
                 static_cast<long long>(count_));
  }
  if (positions_.components_ < 1) {
    return Error(StatusCode::kInvalidArgument,
                 "components = %d: must be at least 1", positions_.components_);
  }
  return has_ids() ? ValidateStrides() : Status();
}

Status PositionReader::ValidateStrides() const noexcept {
  if (count_ == 0) return Status();
  ROPEWALK_RETURN_IF_ERROR(ValidateStride("component_stride",
                                          positions_.component_stride_,
                                          positions_.components_));
  return ValidateStride("token_stride", positions_.token_stride_,
                        positions_.count_);
}

Status PositionReader::ValidateEachRun() const noexcept {
  if (count_ == 0) return Status();
  for (int64_t i = 0; i < positions_.count_; ++i) {
    const int64_t first = At<int64_t>(0, i);
    if (RunFits(first, positions_.count_each_)) continue;
    char name[48];
    std::snprintf(name, sizeof(name), "first_of_sequence[%lld]",
                  static_cast<long long>(i));
    return RunError(name, first, positions_.count_each_);
  }
  return Status();
}

Status PositionReader::ValidateReal() const noexcept {
  // A stride of 0 shows one position however many there are.
  const int components =
      positions_.component_stride_ == 0 ? 1 : positions_.components_;
  const int64_t tokens =
      positions_.token_stride_ == 0 ? std::min(count_, int64_t{1}) : count_;
  for (int c = 0; c < components; ++c) {
    for (int64_t t = 0; t < tokens; ++t) {
      // Written so that a NaN fails too.
      if (std::fabs(Real(c, t)) <= kLimit) continue;
      return RealError(c, t);
    }
  }
  return Status();
}

Status PositionReader::RealError(int component, int64_t token) const noexcept {
  const double value = Real(component, token);
  const bool finite = std::isfinite(value);
  return Error(finite ? StatusCode::kOutOfRange : StatusCode::kInvalidArgument,
               "position[%lld] of component %d = %g: must be %s",
               static_cast<long long>(token), component, value,
               finite ? "at most 2^63 in magnitude" : "finite");
}

}  // namespace ropewalk::internal
