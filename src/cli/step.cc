// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/step.h"

#include <algorithm>
#include <cstring>

#include "reference/oracle.h"
#include "ropewalk/rotate.h"

namespace ropewalk::cli {
namespace {

// Beyond it numbers repeat: 128 MiB of different ones take a second to make.
constexpr size_t kDistinctBytes = size_t{16} << 20;

// splitmix64 of Steele, Lea and Flood 2014: numbers without a pattern, from
// the index alone.
uint64_t Mix(uint64_t index) {
  uint64_t z = (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

uint32_t Encode(DataType type, float value) {
  if (type == DataType::kF16) return reference::ToF16(value);
  uint32_t word;
  std::memcpy(&word, &value, sizeof(word));
  return type == DataType::kF32 ? word : word >> 16;
}

double Decode(DataType type, uint32_t word) {
  if (type == DataType::kF16) {
    return reference::FromF16(static_cast<uint16_t>(word));
  }
  if (type == DataType::kBF16) word <<= 16;
  float value;
  std::memcpy(&value, &word, sizeof(value));
  return static_cast<double>(value);
}

// Of an element, which may be half a word.
uint32_t LoadWord(const unsigned char* from, size_t size) {
  if (size == sizeof(uint32_t)) {
    uint32_t word;
    std::memcpy(&word, from, sizeof(word));
    return word;
  }
  uint16_t half;
  std::memcpy(&half, from, sizeof(half));
  return half;
}

void StoreWord(uint32_t word, size_t size, unsigned char* to) {
  const auto half = static_cast<uint16_t>(word);
  if (size == sizeof(word)) {
    std::memcpy(to, &word, sizeof(word));
  } else {
    std::memcpy(to, &half, sizeof(half));
  }
}

}  // namespace

Step::Step(const HeadsShape& shape, int64_t tokens, DataType type)
    : shape_(shape), tokens_(tokens), type_(type) {
  const size_t bytes =
      static_cast<size_t>(tokens * heads() * shape.layout.head_dim) *
      ElementBytes();
  memory_.resize((bytes + sizeof(Line) - 1) / sizeof(Line));
  Fill();
}

void Step::Fill() {
  unsigned char* const to = Bytes();
  const size_t size = ElementBytes();
  const size_t bytes = memory_.size() * sizeof(Line);
  const size_t distinct = std::min(bytes, kDistinctBytes);
  for (size_t i = 0; i < distinct / size; ++i) {
    const auto bits = static_cast<int32_t>(Mix(i) >> 32);
    StoreWord(Encode(type_, static_cast<float>(bits) * 0x1p-31f), size,
              to + i * size);
  }
  for (size_t done = distinct; done < bytes; done += distinct) {
    std::memcpy(to + done, to, std::min(distinct, bytes - done));
  }
}

size_t Step::Offset(int64_t token, int64_t head) const {
  const int64_t queries = shape_.query_heads;
  const int64_t row =
      head < queries
          ? token * queries + head
          : tokens_ * queries + token * shape_.key_heads + (head - queries);
  return static_cast<size_t>(row * shape_.layout.head_dim) * ElementBytes();
}

void Step::ReadHead(int64_t token, int64_t head, double* elements) const {
  const size_t size = ElementBytes();
  const unsigned char* from = Bytes() + Offset(token, head);
  for (int dim = 0; dim < shape_.layout.head_dim; ++dim, from += size) {
    elements[dim] = Decode(type_, LoadWord(from, size));
  }
}

uint32_t Step::Bits(int64_t token, int64_t head, int dim) const {
  const size_t size = ElementBytes();
  return LoadWord(
      Bytes() + Offset(token, head) + static_cast<size_t>(dim) * size, size);
}

void Step::Invert() {
  for (Line& line : memory_) {
    for (unsigned char& byte : line.bytes) {
      byte = static_cast<unsigned char>(~byte);
    }
  }
}

HeadsView Step::View(int64_t first_head, int64_t heads) {
  HeadsView view;
  view.data = Bytes() + Offset(0, first_head);
  view.type = type_;
  view.tokens = tokens_;
  view.heads = heads;
  view.head_stride = shape_.layout.head_dim * ElementSize(type_);
  view.token_stride = heads * view.head_stride;
  view.batch_stride = tokens_ * view.token_stride;
  return view;
}

Status Step::Rotate(const AngleRows& rows) {
  return ropewalk::Rotate(rows, shape_.layout, {Queries(), Keys()},
                          RotateOptions{});
}

Status Step::RotateInto(const AngleRows& rows, Step* out) {
  Status queries =
      ropewalk::Rotate(rows, shape_.layout, ConstHeadsView(Queries()),
                       out->Queries(), RotateOptions{});
  if (!queries.ok()) return queries;
  return ropewalk::Rotate(rows, shape_.layout, ConstHeadsView(Keys()),
                          out->Keys(), RotateOptions{});
}

size_t Step::TurningBytes(const AngleRows& rows) const {
  int64_t turning = 0;
  for (int64_t t = 0; t < rows.rows(); ++t) turning += !rows.identity(t);
  return static_cast<size_t>(turning * heads() * shape_.layout.rotary_dim) *
         ElementBytes();
}

}  // namespace ropewalk::cli
