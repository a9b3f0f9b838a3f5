// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Where position ids of several components are written: a caller's array,
// appended to by one sequence or image after another.
#pragma once
#include <cstdint>

#include "ropewalk/positions.h"

namespace ropewalk {

/// A caller's array of position ids, one component after the other. `count` of
/// its tokens are in use; a call that appends raises it. Set it to 0 to reuse
/// the array for the next step.
///
/// Shape:     ids [components][capacity]; component c of token i is
///            ids[c * capacity + i].
/// Errors:    sizes against their rules are reported by the call that appends.
struct PositionBuffer {
  int64_t* ids = nullptr;
  int components = 3;
  int64_t capacity = 0;  ///< Tokens.
  int64_t count = 0;     ///< Tokens in use.

  /// The tokens in use, for AngleTable::Fill.
  Positions positions() const {
    return Positions::Components(ids, components, count, capacity);
  }
};

}  // namespace ropewalk
