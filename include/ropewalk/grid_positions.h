// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Position ids of the patches inside a vision tower: (y, x). For images among
// text see multimodal_positions.h.
#pragma once
#include <cstdint>

#include "ropewalk/export.h"
#include "ropewalk/position_buffer.h"
#include "ropewalk/status.h"

namespace ropewalk {

/// Where the class token stands among the patches. The values are fixed.
enum class ClassToken : uint8_t { kNone = 0, kFirst = 1, kLast = 2 };

/// The patches of one image, or of one frame of a video.
///
/// Requires:  height and width at least 1 and multiples of merge_size >= 1.
struct PatchGrid {
  int64_t height = 0;
  int64_t width = 0;
  /// Blocks of so many patches by so many stand together, row by row inside
  /// and out: the order of Qwen2-VL's tower with its spatial_merge_size. With
  /// 1 the order is row by row.
  int64_t merge_size = 1;
  /// Of the first row and column. Llama 4: 1, so that no patch is at the class
  /// token's (0, 0), where nothing turns.
  int64_t first = 0;
  /// At (0, 0). Llama 4: kLast.
  ClassToken class_token = ClassToken::kNone;
};

/// Appends the positions of a grid's tokens, the class token included. For a
/// video, append each frame: all have the same.
///
/// Shape:     buffer of 2 components, 0 = y and 1 = x.
/// Errors:    kInvalidArgument, kOutOfRange; on an error nothing is written.
/// Threads:   as the buffer; allocates nothing.
/// Source:    HF's Qwen2-VL (rot_pos_emb) and Llama 4 vision towers.
ROPEWALK_EXPORT Status AppendGridPositions(const PatchGrid& grid,
                                           PositionBuffer* buffer) noexcept;

}  // namespace ropewalk
