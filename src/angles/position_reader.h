// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Validates Positions once, then reads them cheaply.
#pragma once
#include <cstdint>
#include <type_traits>

#include "ropewalk/export.h"
#include "ropewalk/positions.h"
#include "ropewalk/status.h"

namespace ropewalk::internal {

class PositionReader {
 public:
  explicit PositionReader(const Positions& positions) noexcept
      : positions_(positions) {}

  // Checks everything that the positions promise, and sets count(). The other
  // members need its success.
  ROPEWALK_EXPORT Status Validate() noexcept;

  // Whether there is a component for this axis.
  Status ValidateAxis(int axis) const noexcept;

  int64_t count() const noexcept { return count_; }
  int components() const noexcept { return positions_.components_; }
  bool is_real() const noexcept { return positions_.kind_ == Kind::kDouble; }

  // Where the ids lie, from the first address on; no bytes where there are
  // none.
  ROPEWALK_EXPORT const void* begin() const noexcept;
  ROPEWALK_EXPORT int64_t bytes() const noexcept;

  // Requires: !is_real().
  int64_t Integer(int component, int64_t token) const noexcept {
    switch (positions_.kind_) {
      case Kind::kInt32:
        return At<int32_t>(component, token);
      case Kind::kInt64:
        return At<int64_t>(component, token);
      case Kind::kConsecutive:
        return positions_.first_ + token;
      case Kind::kConsecutiveEach:
        return At<int64_t>(0, token / positions_.count_each_) +
               token % positions_.count_each_;
      default:
        return positions_.first_;
    }
  }

  // Requires: is_real().
  double Real(int component, int64_t token) const noexcept {
    return At<double>(component, token);
  }

  // So many tokens together, of which the first has the smallest position.
  // Requires: count() > 0 and !is_real().
  int64_t RunLength() const noexcept {
    switch (positions_.kind_) {
      case Kind::kInt32:
      case Kind::kInt64:
        return positions_.token_stride_ == 0 ? count_ : 1;
      case Kind::kConsecutiveEach:
        return positions_.count_each_;
      default:
        return count_;
    }
  }

  // As a double where is_real(), else as an int64_t.
  template <class Position>
  Position Get(int component, int64_t token) const noexcept {
    if constexpr (std::is_same_v<Position, double>) {
      return Real(component, token);
    } else {
      return Integer(component, token);
    }
  }

 private:
  using Kind = Positions::Kind;

  template <class T>
  T At(int component, int64_t token) const noexcept {
    return static_cast<const T*>(
        positions_.ids_)[component * positions_.component_stride_ +
                         token * positions_.token_stride_];
  }

  bool has_ids() const noexcept {
    return positions_.kind_ <= Kind::kDouble ||
           positions_.kind_ == Kind::kConsecutiveEach;
  }
  int64_t id_size() const noexcept {
    return positions_.kind_ == Kind::kInt32 ? 4 : 8;
  }

  Status ValidateShape() noexcept;
  Status ValidateStrides() const noexcept;
  Status ValidateEachRun() const noexcept;
  Status ValidateReal() const noexcept;
  Status RealError(int component, int64_t token) const noexcept;

  const Positions& positions_;
  int64_t count_ = 0;
};

}  // namespace ropewalk::internal
