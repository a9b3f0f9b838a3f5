// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/draw_heads.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fuzz/require.h"

namespace ropewalk::fuzz {
namespace {

constexpr int kMaxPairs = 48;
constexpr int64_t kMaxRows = 16;
constexpr int kMaxRowHeads = 3;
constexpr int kMaxDims = 128;

// Numbers from -1 to 1 that no rule depends on.
float Number(size_t i) {
  return static_cast<float>(std::sin(static_cast<double>(i) * 1.7));
}

std::vector<float> NumbersOf(size_t count) {
  std::vector<float> numbers(count);
  for (size_t i = 0; i < count; ++i) numbers[i] = Number(i);
  return numbers;
}

// cos and sin of all rows and heads.
const std::vector<float>& TableNumbers() {
  static const std::vector<float> numbers =
      NumbersOf(2 * kMaxPairs * kMaxRows * kMaxRowHeads);
  return numbers;
}

// cos 1, sin 0: rows that turn nothing.
const std::vector<float>& IdentityTable() {
  static const std::vector<float> table = [] {
    std::vector<float> made(TableNumbers().size(), 0.0f);
    std::fill_n(made.begin(), made.size() / 2, 1.0f);
    return made;
  }();
  return table;
}

// Weights of any type: pairs of bytes that are tame as each of them.
const std::vector<uint16_t>& Weights() {
  static const std::vector<uint16_t> weights = [] {
    std::vector<uint16_t> made(2 * kMaxDims + 8);
    for (size_t i = 0; i < made.size(); ++i) {
      made[i] = static_cast<uint16_t>(0x3e00 + (i * 37) % 0x300);
    }
    return made;
  }();
  return weights;
}

}  // namespace

ropewalk_rotary_layout DrawLayout(Draw* draw) {
  ropewalk_rotary_layout layout = ROPEWALK_ROTARY_LAYOUT_INIT;
  const int pairs = draw->Int(0, draw->Flag() ? 8 : kMaxPairs);
  layout.rotary_dim = draw->Value(2 * pairs);
  layout.pairing = draw->Int(1, 2);
  layout.rotary_offset = draw->Flag() ? draw->Int(0, 9) : 0;
  int distance = pairs;
  if (draw->Flag() && layout.pairing == ROPEWALK_HALF) {
    distance += draw->Int(0, 7);
    layout.pair_distance = distance;
  } else if (draw->Flag()) {
    layout.output_pairing = draw->Int(1, 2);
  }
  layout.head_dim = std::max(1, layout.rotary_offset + pairs + distance) +
                    (draw->Flag() ? draw->Int(0, 9) : 0);
  if (draw->Flag()) layout.first_pair = draw->Int(0, 3);
  layout.pairing = draw->Value(layout.pairing);
  layout.output_pairing = draw->Value(layout.output_pairing);
  layout.pair_distance = draw->Value(layout.pair_distance);
  layout.rotary_offset = draw->Value(layout.rotary_offset);
  layout.first_pair = draw->Value(layout.first_pair);
  layout.head_dim = draw->Value(layout.head_dim);
  return layout;
}

Sizes DrawSizes(Draw* draw) {
  Sizes sizes;
  sizes.batch = draw->Flag() ? draw->In(1, 3) : 1;
  sizes.tokens = draw->In(0, 6);
  sizes.heads = draw->In(0, 6);
  return sizes;
}

Part DrawPart(Draw* draw, Arena* arena, int index, int count) {
  uint8_t* const begin = arena->data();
  if (draw->Rarely()) return {begin, begin + Arena::kBytes};
  const int64_t size = Arena::kBytes / count / 64 * 64;
  return {begin + index * size, begin + (index + 1) * size};
}

int32_t DrawType(Draw* draw) { return draw->Value(draw->Int(1, 3)); }

Tensor DrawTensor(Draw* draw, const Sizes& sizes, int head_dim, int32_t type,
                  const Part& part, bool broadcasts) {
  Tensor t;
  t.type = type;
  const int64_t element = BytesOf(type);
  const int64_t room = part.end - part.begin;
  int64_t extent = std::clamp(head_dim, 1, 1024) * element;
  int64_t* const all_sizes[] = {&t.batch, &t.tokens, &t.heads};
  int64_t* const strides[] = {&t.batch_stride, &t.token_stride, &t.head_stride};
  const int64_t given[] = {sizes.batch, sizes.tokens, sizes.heads};
  const int order = draw->Int(0, 5);
  int64_t below = 0;  // bytes in front of the first head
  for (int step = 0; step < 3; ++step) {
    // The three rotations of (2, 1, 0) and their mirror images.
    const int dim = order < 3 ? (order + 5 - step) % 3 : (order + step) % 3;
    const int64_t gap = draw->Flag() ? draw->In(0, 9) * element : 0;
    int64_t stride = extent + gap;
    const int64_t size = std::max(given[dim], int64_t{1});
    if (broadcasts && draw->Flag()) stride = 0;
    const bool fits = extent + (size - 1) * stride <= room;
    *all_sizes[dim] = fits ? given[dim] : std::min(given[dim], int64_t{1});
    if (!fits) stride = 0;
    extent += fits ? (size - 1) * stride : 0;
    const bool backwards = draw->Flag();
    if (backwards && fits) below += (size - 1) * stride;
    *strides[dim] = backwards ? -stride : stride;
  }
  const int64_t spare = std::max(room - extent, int64_t{0}) / element;
  const int64_t at =
      draw->Flag() ? spare : (draw->Flag() ? 0 : draw->In(0, spare));
  t.data = part.begin + at * element + below;
  if (draw->Rarely()) {
    t.data = draw->Flag() ? nullptr : static_cast<uint8_t*>(t.data) + 1;
  }
  for (int dim = 0; dim < 3; ++dim) {
    *all_sizes[dim] = draw->Size(*all_sizes[dim]);
    *strides[dim] = draw->Size(*strides[dim]);
  }
  return t;
}

Verdict JudgeBatch(const Tensor& tensor) {
  Verdict verdict;
  verdict.MustIf(tensor.batch < 1, ROPEWALK_INVALID_ARGUMENT);
  return verdict;
}

DrawnRows::DrawnRows(Draw* draw, const Sizes& sizes, bool only_rotations) {
  if (draw->Rarely()) return;
  Require(ropewalk_angle_rows_create(&rows_, nullptr) == ROPEWALK_OK);
  const bool identity = draw->In(0, 7) == 7;
  const std::vector<float>& numbers =
      identity ? IdentityTable() : TableNumbers();
  ropewalk_cos_sin table = ROPEWALK_COS_SIN_INIT;
  const int64_t full = sizes.batch * sizes.tokens;
  table.rows = draw->Flag() ? sizes.tokens : full;
  if (draw->Rarely()) table.rows = draw->In(0, kMaxRows);
  table.rows = std::clamp(table.rows, int64_t{0}, kMaxRows);
  table.pairs = draw->Rarely() ? draw->Int(0, kMaxPairs) : kMaxPairs;
  if (!only_rotations && draw->Flag()) {
    // What divides the heads, mostly.
    table.heads = draw->Int(1, kMaxRowHeads);
    if (sizes.heads % table.heads != 0 && !draw->Rarely()) table.heads = 1;
  }
  const size_t half = numbers.size() / 2;
  table.cos = const_cast<float*>(numbers.data());
  table.sin = const_cast<float*>(numbers.data() + half);
  table.pair_stride = 4;
  table.row_stride = 4 * kMaxPairs;
  table.head_stride = table.row_stride * kMaxRows;
  if (!only_rotations && !identity) {
    factor_ = draw->Pick<double>({1, 1, 0.75, 1.5});
  }
  table.attention_factor = factor_;
  Require(ropewalk_angle_rows_wrap(rows_, &table, nullptr) == ROPEWALK_OK,
          "a host's table is taken");
}

DrawnRows::~DrawnRows() { ropewalk_angle_rows_destroy(rows_); }

void DrawnTransform::DrawNorm(Draw* draw, int head_dim) {
  ropewalk_head_norm norm = ROPEWALK_HEAD_NORM_INIT;
  const int dims = std::clamp(head_dim, 1, kMaxDims);
  norm.kind = draw->Int(0, 1);
  norm.offset = draw->Flag() ? draw->Int(0, dims - 1) : 0;
  norm.size =
      draw->Flag() ? dims - norm.offset : draw->Int(0, dims - norm.offset);
  norm.weight_type = draw->Int(1, 3);
  const bool weighted = norm.size != 0;
  // So that the array ends where the last weight does.
  const auto* const end =
      reinterpret_cast<const uint8_t*>(Weights().data() + Weights().size());
  const uint8_t* const weights = end - norm.size * BytesOf(norm.weight_type);
  if (weighted && draw->Flag()) norm.weight = weights;
  if (weighted && norm.kind == ROPEWALK_LAYER_NORM && draw->Flag()) {
    norm.bias = weights;
  }
  norm.one_plus_weight = draw->Flag();
  norm.epsilon = draw->Pick<float>({1e-6f, 1e-5f, 1.0f});
  if (draw->Rarely()) {
    norm.epsilon = draw->Pick<float>(
        {0, -1, __builtin_nanf(""), __builtin_inff(), 1e-30f});
  }
  // Larger sizes or types would need more weights than there are: they may be
  // against the rules only.
  norm.kind = draw->Value(norm.kind);
  norm.offset = draw->Value(norm.offset);
  if (norm.weight == nullptr && norm.bias == nullptr) {
    norm.size = draw->Value(norm.size);
    norm.weight_type = draw->Value(norm.weight_type);
  } else if (draw->Rarely()) {
    norm.weight = weights - 1;
    norm.weight_type = ROPEWALK_F16;
  } else if (draw->Rarely()) {
    norm.size = draw->Pick<int32_t>({0, -1, INT32_MIN});
  }
  norm.reserved = draw->Value(0);
  norm_ = Sized<ropewalk_head_norm>(draw, norm, &verdict_, true);
  shadow_.has_norm = norm_.get() != nullptr;
  shadow_.norm = norm;
}

DrawnTransform::DrawnTransform(Draw* draw, int64_t rows, int head_dim) {
  if (draw->Flag()) return;
  ropewalk_head_transform transform = ROPEWALK_HEAD_TRANSFORM_INIT;
  if (draw->Flag()) DrawNorm(draw, head_dim);
  transform.norm = norm_.get();
  if (draw->Flag()) transform.scale = draw->Pick<float>({0.5f, -2.0f, 1.5f});
  transform.scale =
      static_cast<float>(draw->Double(static_cast<double>(transform.scale)));
  if (rows > 0 && draw->Flag()) {
    token_scale_ = NumbersOf(static_cast<size_t>(rows));
    transform.token_scale = token_scale_.data();
  }
  transform_ = Sized<ropewalk_head_transform>(draw, transform, &verdict_, true);
  shadow_.given = transform_.get() != nullptr;
  if (!shadow_.given) verdict_ = Verdict();  // of a norm that nobody sees
  shadow_.transform = transform;
  verdict_.Add(JudgeTransform(shadow_, head_dim));
}

}  // namespace ropewalk::fuzz
