// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What one benchmark of Rotate() rotates, and how it is named.
#pragma once
#include <cstdint>
#include <string>

#include "ropewalk/types.h"

namespace ropewalk::bench {

// What one benchmark rotates. The defaults are a layer of Llama-2-7B's Q.
struct Shape {
  Pairing pairing = Pairing::kHalf;
  DataType type = DataType::kF32;
  int64_t tokens = 1;
  int query_heads = 32;
  int key_heads = 0;  // A second tensor in the same call, after the first.
  int head_dim = 128;
  int rotary_dim = 128;
  bool heads_first = false;  // [heads, tokens, head_dim], not tokens first.
  bool to_bf16 = false;      // Out of place.
  bool to_copy = false;      // Out of place, to the same type.
  bool changes_pairing = false;
  int threads = 1;       // 2: Parallel::Tbb() in an arena of two.
  const char* tag = "";  // Ends the name.

  int64_t ElementSize() const { return type == DataType::kF32 ? 4 : 2; }
  int64_t HeadBytes() const { return head_dim * ElementSize(); }
  int64_t Heads() const { return query_heads + key_heads; }
  bool OutOfPlace() const { return to_bf16 || to_copy; }
  // What turns; out of place the whole heads are read.
  int64_t BytesRead() const {
    const int dims = OutOfPlace() ? head_dim : rotary_dim;
    return tokens * Heads() * dims * ElementSize();
  }
  int64_t BytesWritten() const {
    return to_bf16 ? BytesRead() / 2 : BytesRead();
  }
};

inline const char* TypeName(DataType type) {
  return type == DataType::kF32   ? "f32"
         : type == DataType::kF16 ? "f16"
                                  : "bf16";
}

inline std::string NameOf(const Shape& shape) {
  std::string name = "BM_Rotate/";
  name += shape.pairing == Pairing::kHalf ? "half/" : "interleaved/";
  name += TypeName(shape.type);
  name += "/tokens:" + std::to_string(shape.tokens);
  name += "/heads:" + std::to_string(shape.Heads());
  name += "/head_dim:" + std::to_string(shape.head_dim);
  if (shape.rotary_dim != shape.head_dim) {
    name += "/rotary_dim:" + std::to_string(shape.rotary_dim);
  }
  if (shape.threads != 1) name += "/threads:" + std::to_string(shape.threads);
  return name + shape.tag;
}

inline HeadsView ViewOf(const Shape& shape, void* data, int heads) {
  HeadsView view;
  view.data = data;
  view.type = shape.type;
  view.tokens = shape.tokens;
  view.heads = heads;
  view.head_stride = shape.HeadBytes();
  view.token_stride = heads * shape.HeadBytes();
  if (shape.heads_first) {
    view.head_stride = shape.tokens * shape.HeadBytes();
    view.token_stride = shape.HeadBytes();
  }
  view.batch_stride = shape.tokens * heads * shape.HeadBytes();
  return view;
}

}  // namespace ropewalk::bench
