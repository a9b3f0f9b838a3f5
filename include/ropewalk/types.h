// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// How a caller describes memory and positions: data types, where the rotated
// pairs sit in a head, strided views of Q and K, token positions. No kernels
// and no scheme.
#pragma once
#include <cstdint>
#include <optional>
#include <type_traits>

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
class PositionReader;

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

/// Token positions, one angle row each. Borrowed until the call returns.
///
/// Units:     positions count tokens; any int64 is legal, negative too. Real
///            positions are finite and at most 2^63 in magnitude.
/// Errors:    a negative count, null ids or an overflow are reported by the
///            call that reads the positions.
class Positions {
 public:
  Positions(const int32_t* ids, int64_t count)
      : Positions(Kind::kInt32, ids, 1, count, 0) {}
  Positions(const int64_t* ids, int64_t count)
      : Positions(Kind::kInt64, ids, 1, count, 0) {}
  /// Real positions; their rows are computed directly, without a table.
  Positions(const double* ids, int64_t count)
      : Positions(Kind::kDouble, ids, 1, count, 0) {}

  /// first, first + 1, ..., the same in every component: text of a multimodal
  /// model.
  static Positions Consecutive(int64_t first, int64_t count,
                               int components = 1) {
    Positions positions(Kind::kConsecutive, nullptr, components, count, 0);
    positions.first_ = first;
    return positions;
  }
  /// count_each consecutive positions for each sequence, in
  /// [sequence][token] order.
  static Positions Consecutive(const int64_t* first_of_sequence,
                               int64_t sequences, int64_t count_each,
                               int components = 1) {
    Positions positions(Kind::kConsecutiveEach, first_of_sequence, components,
                        sequences, 0);
    positions.count_each_ = count_each;
    return positions;
  }
  /// The same position for every token, in every component: a shift by which
  /// all axes move.
  static Positions Constant(int64_t position, int64_t count,
                            int components = 1) {
    Positions positions(Kind::kConstant, nullptr, components, count, 0);
    positions.first_ = position;
    return positions;
  }
  /// Several components (M-RoPE, vision): component c of token t is
  /// ids[c * component_stride + t * token_stride].
  ///
  /// Units:     strides in elements, of any sign; component_stride 0 gives
  ///            every component the same positions, token_stride 0 every
  ///            token. [components][tokens] has component_stride tokens,
  ///            [tokens][components] has 1, and token_stride components.
  template <class T>
  static Positions Components(const T* ids, int components, int64_t count,
                              int64_t component_stride,
                              int64_t token_stride = 1) {
    static_assert(std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t> ||
                      std::is_same_v<T, double>,
                  "positions are int32_t, int64_t or double");
    constexpr Kind kKind = std::is_same_v<T, double>    ? Kind::kDouble
                           : std::is_same_v<T, int64_t> ? Kind::kInt64
                                                        : Kind::kInt32;
    return Positions(kKind, ids, components, count, component_stride,
                     token_stride);
  }

 private:
  friend class internal::PositionReader;
  enum class Kind : uint8_t {
    kInt32,
    kInt64,
    kDouble,
    kConsecutive,
    kConsecutiveEach,
    kConstant,
  };

  Positions(Kind kind, const void* ids, int components, int64_t count,
            int64_t component_stride, int64_t token_stride = 1)
      : ids_(ids),
        count_(count),
        component_stride_(component_stride),
        token_stride_(token_stride),
        components_(components),
        kind_(kind) {}

  const void* ids_;
  int64_t count_;  // tokens; sequences for kConsecutiveEach
  int64_t component_stride_;
  int64_t token_stride_;
  int64_t first_ = 0;
  int64_t count_each_ = 1;
  int components_;
  Kind kind_;
};

}  // namespace ropewalk
