// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Which axis each pair follows, as the kernel of factored rows takes it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "angles/fill.h"

namespace ropewalk::internal {

class AxisSelection {
 public:
  // Throws std::bad_alloc. `used` are the axes that occur, each once.
  void Build(const std::vector<uint8_t>& axis,
             const std::vector<uint8_t>& used);

  // False for one axis, and for more than the kernel takes.
  bool built() const noexcept { return !unit_axis_.empty(); }

  FactorChoice choice() const noexcept {
    return {axes_, unit_axis_.data(), masks_.data()};
  }
  size_t bytes() const noexcept {
    return unit_axis_.size() + masks_.size() * sizeof(uint64_t);
  }

 private:
  int axes_ = 0;
  std::vector<uint8_t> unit_axis_;
  std::vector<uint64_t> masks_;
};

}  // namespace ropewalk::internal
