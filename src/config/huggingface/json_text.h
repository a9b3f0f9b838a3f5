// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// From the text of a config.json to a tree, with limits that keep time and
// memory in proportion to the text.
#pragma once
#include <cstddef>
#include <string_view>

#include "config/huggingface/json_value.h"
#include "ropewalk/status.h"

namespace ropewalk::internal {

// The largest config.json of Transformers' own models has a few hundred KiB
// (lists of quantised layers).
inline constexpr size_t kMaxConfigBytes = size_t{4} << 20;
inline constexpr int kMaxJsonDepth = 64;

// Parses a JSON object. A key that stands twice in one object, with different
// values, is an error, not a choice. NaN, Infinity and -Infinity, which Python
// writes, become strings of that name. Throws std::bad_alloc.
Status ParseJsonObject(std::string_view text, JsonValue* object);

}  // namespace ropewalk::internal
