// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The normal form to which every RoPE reduces: pair i turns by
// position[axis[i]] * inv_freq[i] and is scaled by attention_factor.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ropewalk/export.h"

namespace ropewalk {

/// What AngleMode::kFloat32Recurrence needs beside inv_freq: ggml's running
/// product. From the angle a_0 = position, pair i turns by
///   x = a_i / freq_factors[i],  y = freq_scale * x,
///   angle = y (1 - ramp_mix[i]) + x ramp_mix[i],  a_(i+1) = a_i * step,
/// every operation rounded to float32; empty lists stand for 1 and 0.
///
/// Source:    ggml's ggml_rope_ext on CPUs.
struct Float32Recurrence {
  float step = 1;  ///< base^(-2 / rotary_dim), rounded once.
  float freq_scale = 1;
  float attention_factor = 1;  ///< Multiplies cos and sin.
  std::vector<float> freq_factors;
  std::vector<float> ramp_mix;
};

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
  /// Filled by GgmlScaling.
  std::optional<Float32Recurrence> recurrence;
};

/// A 64-bit digest of every field, to tell whether two processes loaded the
/// same. The same on every machine; not cryptographic.
ROPEWALK_EXPORT uint64_t Checksum(const Frequencies& frequencies) noexcept;

inline constexpr double kMinAttentionFactor = 0x1p-60;
inline constexpr double kMaxAttentionFactor = 0x1p60;

/// The largest rotary_dim for which a table is built. A factored table takes
/// 24 KiB per dim, and a millisecond for about eight of them.
inline constexpr int kMaxRotaryDim = 65536;

}  // namespace ropewalk
