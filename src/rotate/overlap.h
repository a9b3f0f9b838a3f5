// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether heads share elements, within a view and between views.
// Requires: ValidateView has passed, and the views are not empty.
#pragma once
#include "ropewalk/export.h"
#include "ropewalk/status.h"
#include "ropewalk/types.h"
#include "rotate/validate.h"

namespace ropewalk::internal {

// Memory that a call reads beside its tensors, such as ids, of an even number
// of bytes, which may be none.
struct ByteView {
  ByteView(const void* data, int64_t bytes, const char* text) noexcept
      : elements(bytes / 2), name{text} {
    view.data = const_cast<void*>(data);
    view.type = DataType::kBF16;
    view.tokens = view.heads = 1;
  }
  NamedView named() const noexcept { return {&view, elements, name}; }
  ByteRange range() const noexcept {
    const auto begin = reinterpret_cast<uintptr_t>(view.data);
    return {begin, begin + 2 * static_cast<uintptr_t>(elements)};
  }

  HeadsView view;
  int64_t elements;
  TensorName name;
};

// Whether no two heads of one view share an element.
ROPEWALK_EXPORT Status ValidateDistinctHeads(const NamedView& view) noexcept;

// Whether no head of one view shares an element with a head of the other.
// Views that lie between each other at a common stride, as the slices of a
// fused buffer, are recognised.
ROPEWALK_EXPORT Status ValidateDisjoint(const NamedView& a,
                                        const NamedView& b) noexcept;

// Whether a call that writes the view leaves alone what it reads beside it:
// what is checked before the first write must be the same after it.
ROPEWALK_EXPORT Status ValidateApart(const ByteView& read,
                                     const NamedView& written) noexcept;

}  // namespace ropewalk::internal
