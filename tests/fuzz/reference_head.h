// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// One head's norm, rotation and scale in double, and whether the library's is
// the same within what the headers promise.
#pragma once
#include <cstdint>

#include "fuzz/shadow_heads.h"
#include "ropewalk/c/angle_rows.h"

namespace ropewalk::fuzz {

// Element i of an array of that type.
double Load(const void* data, int32_t type, int64_t i);

struct HeadTask {
  const ropewalk_rotary_layout* layout;
  const Transform* transform;  // may be null
  int32_t direction;
  // Null where nothing turns.
  const ropewalk_angle_rows* rows;
  int64_t row;
  int32_t row_head;
  const uint8_t* in;  // as it was before the call
  int32_t in_type;
  const uint8_t* out;
  int32_t out_type;
};

// Whether out is what in becomes. Of numbers past 16 nothing is promised that
// would be simple to say, and nothing is looked at but bits that are copied.
void RequireHead(const HeadTask& task);

// Names the bytes of a head that a call may write: all of them, or the dims
// that turn where the others are left alone.
void AllowHead(const ropewalk_rotary_layout& layout, bool whole_head,
               int32_t type, uint8_t* head, Arena* arena);

}  // namespace ropewalk::fuzz
