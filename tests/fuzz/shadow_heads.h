// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The shadow of the library's rules for layouts, tensors and transforms:
// written from the headers, head by head, apart from the library's own checks.
#pragma once
#include <cstdint>
#include <vector>

#include "fuzz/arena.h"
#include "fuzz/verdict.h"
#include "ropewalk/c/types.h"

namespace ropewalk::fuzz {

// Of ropewalk_heads, ropewalk_const_heads and ropewalk_kv_cache.
struct Tensor {
  void* data = nullptr;
  int32_t type = ROPEWALK_F32;
  int64_t batch = 1;
  int64_t tokens = 0;
  int64_t heads = 0;
  int64_t batch_stride = 0;
  int64_t token_stride = 0;
  int64_t head_stride = 0;
};

inline int64_t BytesOf(int32_t type) { return type == ROPEWALK_F32 ? 4 : 2; }

Verdict JudgeLayout(const ropewalk_rotary_layout& layout);

// The pair's two dims within the head, in the pairing that is read or written.
struct PairDims {
  int first;
  int second;
};
PairDims DimsOfPair(const ropewalk_rotary_layout& layout, bool output, int i);

// Norm, scale and token scale of a call; weights and scales are not judged.
struct Transform {
  bool given = false;
  ropewalk_head_transform transform = ROPEWALK_HEAD_TRANSFORM_INIT;
  bool has_norm = false;
  ropewalk_head_norm norm = ROPEWALK_HEAD_NORM_INIT;

  bool normalizes() const { return given && has_norm && norm.size != 0; }
  bool active() const {
    return given && (transform.scale != 1.0f || normalizes() ||
                     transform.token_scale != nullptr);
  }
};
Verdict JudgeTransform(const Transform& transform, int head_dim);

// A tensor as the model sees it. Where it leaves the arena and nothing is
// wrong with it the call must not be made: the library cannot know.
struct Shadow {
  Verdict verdict;
  bool empty = true;
  bool leaves = false;
  int64_t head_bytes = 0;
  // Of every head in [batch][token][head] order; none where it leaves.
  std::vector<uint8_t*> heads;
  __int128 begin = 0;
  __int128 end = 0;

  // Against the rule of tensors that are written: no two heads share an
  // element. Views whose dims do not nest may be refused too.
  void RequireDistinct(const Tensor& tensor);
};
Shadow Inspect(const Tensor& tensor, int head_dim, const Arena& arena);

// Whether the two share an element; they may be refused where their ranges
// meet.
void JudgeDisjoint(const Shadow& a, const Shadow& b, Verdict* verdict);

}  // namespace ropewalk::fuzz
