// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Heads that turn together, of one token or of several: the innermost unit of
// the kernels.
#pragma once
#include <cstddef>
#include <cstdint>

namespace ropewalk::internal {

// The angles of a row, in the direction of the call.
struct RowAngles {
  const float* cos;  // of the window's first pair
  const float* sin;
  float cos_scale;  // 1, or 1 / m^2 for the inverse
  float sin_scale;  // negative where the direction turns back
};

// The heads of one tensor that turn by one row.
struct HeadSpan {
  const uint8_t* in;  // the first head
  uint8_t* out;
  int64_t in_stride;  // bytes from head to head
  int64_t out_stride;
  int64_t heads;
  // Bytes from these heads to the same ones of a later token, which are
  // fetched meanwhile; 0: there is none.
  int64_t ahead;
  RowAngles angles;
};

struct HeadsRun {
  const HeadSpan* spans;
  int count;  // of spans
  size_t pairs;
  size_t offset;    // elements before the rotary window
  size_t distance;  // half pairing: elements between the members of a pair
  bool prefetch;    // whether spans may have heads ahead
};

}  // namespace ropewalk::internal
