// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/step.h"

#include <cstring>

#include "ropewalk/rotate.h"

namespace ropewalk::cli {
namespace {

// splitmix64 of Steele, Lea and Flood 2014: numbers without a pattern, from
// the index alone.
uint64_t Mix(uint64_t index) {
  uint64_t z = (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace

Step::Step(const Model& model, int64_t tokens, DataType type)
    : model_(model), tokens_(tokens), type_(type) {
  const size_t bytes =
      static_cast<size_t>(tokens * heads() * model.head_dim) * ElementSize();
  memory_.resize((bytes + sizeof(Line) - 1) / sizeof(Line));
  Fill();
}

void Step::Fill() {
  unsigned char* const to = Bytes();
  const size_t size = ElementSize();
  const size_t count = memory_.size() * sizeof(Line) / size;
  for (size_t i = 0; i < count; ++i) {
    const auto bits = static_cast<int32_t>(Mix(i) >> 32);
    const float value = static_cast<float>(bits) * 0x1p-31f;
    uint32_t word;
    std::memcpy(&word, &value, sizeof(word));
    const auto upper = static_cast<uint16_t>(word >> 16);
    if (type_ == DataType::kF32) {
      std::memcpy(to + i * size, &word, size);
    } else {
      std::memcpy(to + i * size, &upper, size);
    }
  }
}

size_t Step::Offset(int64_t token, int64_t head) const {
  const int64_t queries = model_.query_heads;
  const int64_t row =
      head < queries
          ? token * queries + head
          : tokens_ * queries + token * model_.key_heads + (head - queries);
  return static_cast<size_t>(row * model_.head_dim) * ElementSize();
}

void Step::ReadHead(int64_t token, int64_t head, double* elements) const {
  const size_t size = ElementSize();
  const unsigned char* from = Bytes() + Offset(token, head);
  for (int dim = 0; dim < model_.head_dim; ++dim, from += size) {
    uint32_t word = 0;
    std::memcpy(&word, from, size);
    if (type_ != DataType::kF32) word <<= 16;
    float value;
    std::memcpy(&value, &word, sizeof(value));
    elements[dim] = static_cast<double>(value);
  }
}

HeadsView Step::View(int64_t first_head, int64_t heads) {
  HeadsView view;
  view.data = Bytes() + Offset(0, first_head);
  view.type = type_;
  view.tokens = tokens_;
  view.heads = heads;
  view.head_stride = model_.head_dim * static_cast<int64_t>(ElementSize());
  view.token_stride = heads * view.head_stride;
  view.batch_stride = tokens_ * view.token_stride;
  return view;
}

Status Step::Rotate(const AngleRows& rows) {
  return ropewalk::Rotate(
      rows, LayoutOf(model_),
      {View(0, model_.query_heads), View(model_.query_heads, model_.key_heads)},
      RotateOptions{});
}

size_t Step::TurningBytes(const AngleRows& rows) const {
  int64_t turning = 0;
  for (int64_t t = 0; t < rows.rows(); ++t) turning += !rows.identity(t);
  return static_cast<size_t>(turning * heads() * model_.rotary_dim) *
         ElementSize();
}

}  // namespace ropewalk::cli
