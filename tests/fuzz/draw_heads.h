// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Layouts, tensors, rows and transforms from a fuzzer's bytes: mostly right,
// and flush against the ends of the arena.
#pragma once
#include <cstdint>
#include <vector>

#include "fuzz/draw.h"
#include "fuzz/shadow_heads.h"
#include "fuzz/sized.h"
#include "ropewalk/c/angle_rows.h"
#include "ropewalk/c/rotate.h"

namespace ropewalk::fuzz {

ropewalk_rotary_layout DrawLayout(Draw* draw);

struct Sizes {
  int64_t batch = 1;
  int64_t tokens = 0;
  int64_t heads = 0;
};
Sizes DrawSizes(Draw* draw);

// A part of the arena, or all of it, so that tensors meet.
struct Part {
  uint8_t* begin;
  uint8_t* end;
};
Part DrawPart(Draw* draw, Arena* arena, int index, int count);

// Any order of the dims, gaps, signs of the strides; sizes that do not fit are
// cut to 1.
Tensor DrawTensor(Draw* draw, const Sizes& sizes, int head_dim, int32_t type,
                  const Part& part, bool broadcasts = false);
int32_t DrawType(Draw* draw);

template <class C>
C ToC(const Tensor& tensor, const C& init) {
  C heads = init;
  heads.type = tensor.type;
  heads.data = tensor.data;
  heads.batch = tensor.batch;
  heads.tokens = tensor.tokens;
  heads.heads = tensor.heads;
  heads.batch_stride = tensor.batch_stride;
  heads.token_stride = tensor.token_stride;
  heads.head_stride = tensor.head_stride;
  return heads;
}
// ropewalk_heads and ropewalk_const_heads: their batch is at least 1.
Verdict JudgeBatch(const Tensor& tensor);

// Rows of the host's table, so that any cos, sin and factor can occur.
class DrawnRows {
 public:
  DrawnRows(Draw* draw, const Sizes& sizes, bool only_rotations = false);
  ~DrawnRows();
  DrawnRows(const DrawnRows&) = delete;
  DrawnRows& operator=(const DrawnRows&) = delete;

  const ropewalk_angle_rows* get() const { return rows_; }
  int64_t count() const { return ropewalk_angle_rows_count(rows_); }
  int32_t pairs() const { return ropewalk_angle_rows_pairs(rows_); }
  int32_t heads() const { return ropewalk_angle_rows_heads(rows_); }
  double factor() const { return factor_; }

 private:
  ropewalk_angle_rows* rows_ = nullptr;  // rarely null
  double factor_ = 1;
};

// A transform's structs, and what the model needs of them.
class DrawnTransform {
 public:
  DrawnTransform(Draw* draw, int64_t rows, int head_dim);

  const ropewalk_head_transform* get() const { return transform_.get(); }
  const Transform& shadow() const { return shadow_; }
  const Verdict& verdict() const { return verdict_; }

 private:
  void DrawNorm(Draw* draw, int head_dim);

  Sized<ropewalk_head_norm> norm_;
  Sized<ropewalk_head_transform> transform_;
  std::vector<float> token_scale_;
  Transform shadow_;
  Verdict verdict_;
};

}  // namespace ropewalk::fuzz
