// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "support/heads.h"

#include <cstring>

#include "reference/oracle.h"

namespace ropewalk::test {
namespace {

struct Strides {
  int64_t batch;
  int64_t token;
  int64_t head;
};

// In elements.
Strides StridesOf(const HeadsSpec& spec) {
  const int64_t inner = spec.head_dim + spec.head_gap;
  if (spec.order == DimOrder::kTokensHeads) {
    const int64_t outer = spec.heads * inner + spec.outer_gap;
    return {spec.tokens * outer, outer, inner};
  }
  const int64_t outer = spec.tokens * inner + spec.outer_gap;
  return {spec.heads * outer, inner, outer};
}

// From the first element to behind the last one, in elements.
int64_t ExtentOf(const HeadsSpec& spec) {
  if (spec.batch * spec.tokens * spec.heads == 0) return 0;
  const Strides strides = StridesOf(spec);
  return (spec.batch - 1) * strides.batch + (spec.tokens - 1) * strides.token +
         (spec.heads - 1) * strides.head + spec.head_dim;
}

size_t BytesOf(const HeadsSpec& spec) {
  return static_cast<size_t>((ExtentOf(spec) + spec.shift) * SizeOf(spec.type));
}

}  // namespace

const char* NameOf(DataType type) {
  switch (type) {
    case DataType::kF32:
      return "f32";
    case DataType::kBF16:
      return "bf16";
    case DataType::kF16:
      return "f16";
  }
  return "unknown";
}

int64_t SizeOf(DataType type) { return type == DataType::kF32 ? 4 : 2; }

double LoadElement(DataType type, const void* from) {
  if (type == DataType::kF32) {
    float value;
    std::memcpy(&value, from, sizeof(value));
    return value;
  }
  uint16_t bits;
  std::memcpy(&bits, from, sizeof(bits));
  return type == DataType::kBF16 ? reference::FromBF16(bits)
                                 : reference::FromF16(bits);
}

void StoreElement(DataType type, double value, void* to) {
  if (type == DataType::kF32) {
    const float rounded = static_cast<float>(value);
    std::memcpy(to, &rounded, sizeof(rounded));
    return;
  }
  const uint16_t bits = type == DataType::kBF16 ? reference::ToBF16(value)
                                                : reference::ToF16(value);
  std::memcpy(to, &bits, sizeof(bits));
}

double Rounded(DataType type, double value) {
  uint32_t bits = 0;
  StoreElement(type, value, &bits);
  return LoadElement(type, &bits);
}

Heads::Heads(const HeadsSpec& spec)
    : spec_(spec), buffer_(BytesOf(spec), spec.side) {
  const int64_t size = SizeOf(spec.type);
  const Strides strides = StridesOf(spec);
  const int64_t shift = spec.side == GuardSide::kBegin ? spec.shift : 0;
  view_.data = buffer_.data() + shift * size;
  view_.type = spec.type;
  view_.batch = spec.batch;
  view_.tokens = spec.tokens;
  view_.heads = spec.heads;
  view_.batch_stride = strides.batch * size;
  view_.token_stride = strides.token * size;
  view_.head_stride = strides.head * size;
}

Heads Heads::Copy() const {
  Heads copy(spec_);
  std::memcpy(copy.buffer_.data(), buffer_.data(), buffer_.size());
  return copy;
}

void Heads::Fill(Random* random) {
  for (size_t i = 0; i < buffer_.size(); ++i) {
    buffer_.data()[i] = static_cast<uint8_t>(random->Next());
  }
  for (int64_t b = 0; b < spec_.batch; ++b) {
    for (int64_t t = 0; t < spec_.tokens; ++t) {
      for (int64_t h = 0; h < spec_.heads; ++h) {
        for (int d = 0; d < spec_.head_dim; ++d) {
          Set(b, t, h, d, random->Gaussian());
        }
      }
    }
  }
}

uint8_t* Heads::Element(int64_t batch, int64_t token, int64_t head, int dim) {
  return static_cast<uint8_t*>(view_.data) + batch * view_.batch_stride +
         token * view_.token_stride + head * view_.head_stride +
         dim * SizeOf(spec_.type);
}

const uint8_t* Heads::Element(int64_t batch, int64_t token, int64_t head,
                              int dim) const {
  return const_cast<Heads*>(this)->Element(batch, token, head, dim);
}

double Heads::Get(int64_t batch, int64_t token, int64_t head, int dim) const {
  return LoadElement(spec_.type, Element(batch, token, head, dim));
}

void Heads::Set(int64_t batch, int64_t token, int64_t head, int dim,
                double value) {
  StoreElement(spec_.type, value, Element(batch, token, head, dim));
}

uint32_t Heads::Bits(int64_t batch, int64_t token, int64_t head,
                     int dim) const {
  uint32_t bits = 0;  // the tests' hosts are little-endian
  std::memcpy(&bits, Element(batch, token, head, dim),
              static_cast<size_t>(SizeOf(spec_.type)));
  return bits;
}

void Heads::SetBits(int64_t batch, int64_t token, int64_t head, int dim,
                    uint32_t bits) {
  std::memcpy(Element(batch, token, head, dim), &bits,
              static_cast<size_t>(SizeOf(spec_.type)));
}

Heads CopyOf(const HeadsView& view, int head_dim) {
  Heads copy({view.type, view.batch, view.tokens, view.heads, head_dim});
  for (int64_t b = 0; b < view.batch; ++b) {
    for (int64_t t = 0; t < view.tokens; ++t) {
      for (int64_t h = 0; h < view.heads; ++h) {
        const uint8_t* from = static_cast<const uint8_t*>(view.data) +
                              b * view.batch_stride + t * view.token_stride +
                              h * view.head_stride;
        std::memcpy(copy.Element(b, t, h, 0), from,
                    static_cast<size_t>(head_dim * SizeOf(view.type)));
      }
    }
  }
  return copy;
}

HeadsView Slice(const HeadsView& view, int64_t first, int64_t heads) {
  HeadsView slice = view;
  slice.data = static_cast<uint8_t*>(view.data) + first * view.head_stride;
  slice.heads = heads;
  return slice;
}

std::vector<uint8_t> Heads::Bytes() const {
  return {buffer_.data(), buffer_.data() + buffer_.size()};
}

std::vector<uint8_t> Heads::GapBytes() const {
  std::vector<uint8_t> bytes = Bytes();
  const size_t head_bytes =
      static_cast<size_t>(spec_.head_dim * SizeOf(spec_.type));
  for (int64_t b = 0; b < spec_.batch; ++b) {
    for (int64_t t = 0; t < spec_.tokens; ++t) {
      for (int64_t h = 0; h < spec_.heads; ++h) {
        const auto at = Element(b, t, h, 0) - buffer_.data();
        std::memset(bytes.data() + at, 0, head_bytes);
      }
    }
  }
  return bytes;
}

}  // namespace ropewalk::test
