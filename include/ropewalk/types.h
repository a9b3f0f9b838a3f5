// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// How a caller describes memory: data types, where the rotated pairs sit in a
// head, strided views of Q and K. No kernels and no scheme.
#pragma once
#include <cstdint>
#include <optional>

namespace ropewalk {

/// Element type of a tensor or table. The values are fixed.
enum class DataType : uint8_t {
  kF32 = 0,   ///< IEEE binary32.
  kBF16 = 1,  ///< The upper half of a binary32.
  kF16 = 2,   ///< IEEE binary16.
};

/// Bytes of one element.
constexpr int64_t ElementSize(DataType type) {
  return type == DataType::kF32 ? 4 : 2;
}

/// Which dims of the rotary window form pair i. The values are fixed.
enum class Pairing : uint8_t {
  kHalf = 0,         ///< Dims (i, i + pairs): NeoX style, rotate_half.
  kInterleaved = 1,  ///< Dims (2i, 2i + 1): GPT-J style, complex numbers.
};

/// Where the rotated pairs sit inside one head.
///
/// Shape:     rotary_dim = 2 * pairs dims turn; the others are left alone in
///            place, and copied bit for bit (or converted) out of place.
/// Requires:  head_dim > 0; rotary_dim even and >= 0 (0: nothing turns, a
///            layer without RoPE); the window inside the head.
struct RotaryLayout {
  int head_dim = 0;
  int rotary_dim = 0;
  Pairing pairing = Pairing::kHalf;
  int rotary_offset = 0;  ///< First dim of the window (MLA: 512 of 576).
  /// kHalf only: distance between the members of a pair; 0 means
  /// rotary_dim / 2. At least rotary_dim / 2 (Gemma 4: head_dim / 2).
  int pair_distance = 0;
  int first_pair = 0;  ///< The window's first pair in the angle row.
  /// Where the rotated pairs are written, inside the same window: read
  /// interleaved and written half, as HF keeps DeepSeek's, or back. Unset:
  /// where they were. With another pairing, pair_distance belongs to the side
  /// that is kHalf, and must be 0 or rotary_dim / 2.
  std::optional<Pairing> output_pairing = std::nullopt;
};

/// Q, K or V of one step: [batch, tokens, heads, head_dim], head_dim
/// contiguous.
///
/// Units:     strides in bytes, as ggml's nb and NumPy's strides; of any
///            sign, a multiple of the element size.
struct HeadsView {
  void* data = nullptr;
  DataType type = DataType::kF32;
  int64_t batch = 1;
  int64_t tokens = 0;
  int64_t heads = 0;
  int64_t batch_stride = 0;
  int64_t token_stride = 0;
  int64_t head_stride = 0;
};

/// A HeadsView that is only read. A zero stride broadcasts.
struct ConstHeadsView {
  ConstHeadsView() = default;
  ConstHeadsView(const HeadsView& view)
      : data(view.data),
        type(view.type),
        batch(view.batch),
        tokens(view.tokens),
        heads(view.heads),
        batch_stride(view.batch_stride),
        token_stride(view.token_stride),
        head_stride(view.head_stride) {}

  const void* data = nullptr;
  DataType type = DataType::kF32;
  int64_t batch = 1;
  int64_t tokens = 0;
  int64_t heads = 0;
  int64_t batch_stride = 0;
  int64_t token_stride = 0;
  int64_t head_stride = 0;
};

namespace internal {
// The product, or the largest int64, which no call accepts as a stride.
constexpr int64_t MultiplyOrMax(int64_t a, int64_t b) {
  return a < 0 || b < 0 || (b != 0 && a > INT64_MAX / b) ? INT64_MAX : a * b;
}
}  // namespace internal

/// Describes [batch, tokens, heads, head_dim] without gaps. Sizes that are
/// negative or too large are reported by the call that takes the view.
inline HeadsView DenseHeads(void* data, DataType type, int64_t batch,
                            int64_t tokens, int64_t heads, int head_dim) {
  const int64_t head = internal::MultiplyOrMax(head_dim, ElementSize(type));
  const int64_t token = internal::MultiplyOrMax(heads, head);
  return {data,   type,  batch,
          tokens, heads, internal::MultiplyOrMax(tokens, token),
          token,  head};
}

/// Describes float32 [tokens, heads, head_dim] without gaps.
inline HeadsView DenseHeads(float* data, int64_t tokens, int64_t heads,
                            int head_dim) {
  return DenseHeads(data, DataType::kF32, 1, tokens, heads, head_dim);
}

}  // namespace ropewalk
