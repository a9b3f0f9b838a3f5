// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists as C has them: a pointer, null where there is no entry, and a count.
#pragma once
#include <cstdint>
#include <vector>

namespace ropewalk::internal {

template <class T>
const T* DataOf(const std::vector<T>& list) noexcept {
  return list.empty() ? nullptr : list.data();
}

// Of what a model's file lists: far below 2^31.
template <class T>
int32_t CountOf(const std::vector<T>& list) noexcept {
  return static_cast<int32_t>(list.size());
}

}  // namespace ropewalk::internal
