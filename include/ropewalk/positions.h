// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// How a caller describes the positions of the tokens of one step.
#pragma once
#include <cstdint>
#include <type_traits>

namespace ropewalk {

namespace internal {
class PositionReader;
}  // namespace internal

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
  /// model, but not for ggml's fourth stream, which is 0 there.
  ///
  /// Any integers; as templates, so that a literal 0 is no null pointer below.
  template <class Integer, class Components = int,
            std::enable_if_t<std::is_integral_v<Integer> &&
                                 std::is_integral_v<Components>,
                             int> = 0>
  static Positions Consecutive(Integer first, int64_t count,
                               Components components = 1) {
    // What is no int becomes 0, which the call that reads them refuses.
    const auto wide = static_cast<int64_t>(components);
    const int counted = static_cast<int64_t>(static_cast<int>(wide)) == wide
                            ? static_cast<int>(wide)
                            : 0;
    Positions positions(Kind::kConsecutive, nullptr, counted, count, 0);
    positions.first_ = static_cast<int64_t>(first);
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
  /// all axes move (ggml's fourth stream does not).
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
