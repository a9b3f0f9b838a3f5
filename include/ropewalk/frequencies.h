// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The normal form to which every RoPE reduces: pair i turns by
// position[axis[i]] * inv_freq[i] and is scaled by attention_factor.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ropewalk {

/// The frequencies of one kind of layer.
///
/// Units:     inv_freq is radians per position.
/// Requires:  |inv_freq| < 2^64 and finite; axis empty or one entry a pair;
///            attention_factor in [2^-60, 2^60], so that it and its inverse
///            square are float32 numbers.
struct Frequencies {
  /// [pairs]; the doubles are taken as exact.
  std::vector<double> inv_freq;
  /// [pairs], the position component of each pair; empty: component 0.
  std::vector<uint8_t> axis;
  /// Multiplies cos and sin.
  double attention_factor = 1.0;
  /// For the caller's softmax scale; never folded into cos and sin.
  double softmax_multiplier = 1.0;
  /// Computed for one sequence length: keys that were cached under another
  /// length do not match.
  bool length_dependent = false;
};

inline constexpr double kMinAttentionFactor = 0x1p-60;
inline constexpr double kMaxAttentionFactor = 0x1p60;

/// The largest rotary_dim for which a table is built. A factored table takes
/// 24 KiB per dim, and a millisecond for about eight of them.
inline constexpr int kMaxRotaryDim = 65536;

}  // namespace ropewalk
