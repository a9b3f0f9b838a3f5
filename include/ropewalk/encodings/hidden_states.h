// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// How a caller describes hidden states, to which encodings are added.
#pragma once
#include <cstdint>

#include "ropewalk/types.h"

namespace ropewalk {

/// One row of `width` contiguous elements a token.
///
/// Units:     token_stride in bytes, of any sign, a multiple of the element
///            size.
/// Requires:  width positive; no tokens are legal.
struct HiddenStates {
  void* data = nullptr;
  DataType type = DataType::kF32;
  int64_t tokens = 0;
  int64_t width = 0;
  int64_t token_stride = 0;
};

/// HiddenStates that are only read. A zero stride broadcasts.
struct ConstHiddenStates {
  ConstHiddenStates() = default;
  ConstHiddenStates(const HiddenStates& view)
      : data(view.data),
        type(view.type),
        tokens(view.tokens),
        width(view.width),
        token_stride(view.token_stride) {}

  const void* data = nullptr;
  DataType type = DataType::kF32;
  int64_t tokens = 0;
  int64_t width = 0;
  int64_t token_stride = 0;
};

/// Describes [tokens, width] without gaps. Sizes that are negative or too large
/// are reported by the call that takes the view.
inline HiddenStates DenseHidden(void* data, DataType type, int64_t tokens,
                                int64_t width) {
  return {data, type, tokens, width,
          internal::MultiplyOrMax(width, ElementSize(type))};
}

}  // namespace ropewalk
