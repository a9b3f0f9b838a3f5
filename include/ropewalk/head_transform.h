// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What happens to a head in the same pass as its rotation: norm and scale.
#pragma once
#include <cstdint>

#include "ropewalk/types.h"

namespace ropewalk {

/// A norm over dims [offset, offset + size) of each head, before the rotation,
/// in float32: x / sqrt(mean(x^2) + epsilon) * weight (kRms), or
/// (x - mean(x)) / sqrt(var(x) + epsilon) * weight + bias (kLayer).
///
/// Shape:     weight and bias [size], borrowed until the call returns; null
///            multiplies by 1 and adds 0 (with one_plus_weight too).
/// Requires:  epsilon >= 0 and finite; bias only with kLayer.
/// Accuracy:  kRms within a relative (size / 32 + 9) 2^-24 of the formula
///            before the rotation: 16 partial sums, on every target in the
///            same order. kLayer: so much of the formula without the bias,
///            2^-24 of the result, and (size / 16 + 5) 2^-24 of mean(|x|), as
///            much as its mean is off, times weight / sqrt(var + epsilon).
///            The squares must neither overflow nor vanish in float32: |x|
///            from 1e-15 to 1e17, or epsilon above the smaller ones.
/// Source:    Zhang and Sennrich 2019, arXiv:1910.07467 (RMS); the default
///            epsilon is Qwen3's rms_norm_eps.
struct HeadNorm {
  /// The values are fixed.
  enum class Kind : uint8_t { kRms = 0, kLayer = 1 };
  Kind kind = Kind::kRms;
  const void* weight = nullptr;
  const void* bias = nullptr;
  DataType weight_type = DataType::kF32;  ///< Of weight and bias.
  int offset = 0;
  int size = 0;  ///< 0: no norm.
  float epsilon = 1e-6f;
  /// The norm multiplies by 1 + weight (Gemma).
  bool one_plus_weight = false;
};

/// Norm, then rotation; the scales multiply all dims of the head, those outside
/// the rotary window too. All of it is float32, with one rounding to the
/// output's type at the end.
///
/// Requires:  head_dim <= kMaxTransformDim where there is anything to do.
struct HeadTransform {
  HeadNorm norm;
  float scale = 1.0f;
  /// One a token, in the order of the angle rows; null: none.
  const float* token_scale = nullptr;
};

/// A head passes through a buffer of so many float32 on the stack.
inline constexpr int kMaxTransformDim = 4096;

}  // namespace ropewalk
