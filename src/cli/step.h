// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The tensors of one step of a model, and their rotation.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/angle_rows.h"
#include "ropewalk/status.h"
#include "ropewalk/types.h"

namespace ropewalk::cli {

// The heads of a token.
struct HeadsShape {
  RotaryLayout layout;
  int64_t query_heads = 0;
  int64_t key_heads = 0;
};

// Q, then K, in one piece of memory, each [tokens, heads, head_dim].
class Step {
 public:
  // Filled with numbers in [-1, 1), the same for the same shape and type.
  Step(const HeadsShape& shape, int64_t tokens, DataType type);

  // One call for Q and K, on the calling thread.
  Status Rotate(const AngleRows& rows);
  // The same, out of place.
  Status RotateInto(const AngleRows& rows, Step* out);

  const HeadsShape& shape() const { return shape_; }
  int64_t tokens() const { return tokens_; }
  DataType type() const { return type_; }
  void* data() { return memory_.data(); }
  HeadsView Queries() { return View(0, shape_.query_heads); }
  HeadsView Keys() { return View(shape_.query_heads, shape_.key_heads); }

  // Heads of Q and K together, those of K last.
  int64_t heads() const { return shape_.query_heads + shape_.key_heads; }
  // Copies a head's head_dim elements.
  void ReadHead(int64_t token, int64_t head, double* elements) const;
  // An element's bits.
  uint32_t Bits(int64_t token, int64_t head, int dim) const;
  // Flips every bit.
  void Invert();

  // What a rotation by these rows must touch, each byte once: only the dims
  // that turn, and no token whose row is the identity.
  size_t TurningBytes(const AngleRows& rows) const;

 private:
  // Engines align their tensors, and so does the bound.
  struct alignas(64) Line {
    unsigned char bytes[64];
  };

  unsigned char* Bytes() {
    return reinterpret_cast<unsigned char*>(memory_.data());
  }
  const unsigned char* Bytes() const {
    return reinterpret_cast<const unsigned char*>(memory_.data());
  }
  size_t ElementBytes() const {
    return static_cast<size_t>(ElementSize(type_));
  }
  // Of a head's first byte.
  size_t Offset(int64_t token, int64_t head) const;
  void Fill();
  HeadsView View(int64_t first_head, int64_t heads);

  HeadsShape shape_;
  int64_t tokens_;
  DataType type_;
  std::vector<Line> memory_;
};

}  // namespace ropewalk::cli
