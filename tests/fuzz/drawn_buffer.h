// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A ropewalk_position_buffer from a fuzzer's bytes, and the shadow of its
// rules.
#pragma once
#include <algorithm>
#include <cstdint>

#include "fuzz/arena.h"
#include "fuzz/draw.h"
#include "fuzz/require.h"
#include "fuzz/sized.h"
#include "fuzz/verdict.h"
#include "ropewalk/c/multimodal_positions.h"

namespace ropewalk::fuzz {

// A buffer in the arena, flush with its end.
struct Buffer {
  static constexpr int64_t kMost = 200;  // tokens

  Buffer(Draw* draw, Arena* arena, int32_t components) {
    value.components = draw->Value(components);
    value.capacity = draw->In(0, kMost);
    value.count = draw->In(0, draw->Flag() ? value.capacity : 0);
    const int64_t bytes = 8 * components * value.capacity;
    auto* const end = arena->data() + Arena::kBytes;
    value.ids =
        draw->Rarely() ? nullptr : reinterpret_cast<int64_t*>(end - bytes);
    const int64_t room = value.capacity;
    value.capacity = draw->Size(value.capacity);
    value.count = draw->Size(value.count);
    // A buffer that claims more than there is must be refused for another
    // reason, or not be given.
    lies = value.capacity > room || value.components > components;
    sized = Sized<ropewalk_position_buffer>(draw, value, &verdict, true);
  }

  void Judge(int64_t tokens, bool right_components, Verdict* out) const {
    if (sized.get() == nullptr) return;
    out->Add(verdict);
    out->MustIf(!right_components, ROPEWALK_INVALID_ARGUMENT);
    out->MustIf(value.capacity < 0, ROPEWALK_INVALID_ARGUMENT);
    const int32_t components = std::max(value.components, 1);
    out->MustIf(value.capacity > INT64_MAX / 8 / components,
                ROPEWALK_OUT_OF_RANGE);
    out->MustIf(value.count < 0 || value.count > value.capacity,
                ROPEWALK_INVALID_ARGUMENT);
    out->MustIf(value.capacity >= 0 && value.count >= 0 &&
                    tokens > value.capacity - value.count,
                ROPEWALK_INVALID_ARGUMENT);
    out->MustIf(value.ids == nullptr && tokens > 0, ROPEWALK_INVALID_ARGUMENT);
  }

  // What `tokens` more may have written, and that the count is right.
  void Check(ropewalk_status code, int64_t tokens, Arena* arena) const {
    if (code == ROPEWALK_OK && sized.get() != nullptr) {
      for (int64_t c = 0; c < value.components && tokens > 0; ++c) {
        arena->Allow(value.ids + c * value.capacity + value.count, 8 * tokens);
      }
    }
    arena->RequireNothingElseChanged();
    const auto* const now = sized.get();
    if (now == nullptr || now->struct_size < sizeof(*now)) return;
    if (now->struct_size != sizeof(*now) && verdict.MustFail()) return;
    const int64_t appended = code == ROPEWALK_OK ? tokens : 0;
    Require(now->count == value.count + appended, "the buffer's count");
  }

  int64_t Id(int64_t token, int64_t component) const {
    return value.ids[component * value.capacity + value.count + token];
  }

  ropewalk_position_buffer value = ROPEWALK_POSITION_BUFFER_INIT;
  Sized<ropewalk_position_buffer> sized;
  Verdict verdict;
  bool lies = false;
};

}  // namespace ropewalk::fuzz
