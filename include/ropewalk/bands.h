// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What a scheme does to each pair, for people to look at.
#pragma once
#include <cstdint>
#include <vector>

#include "ropewalk/export.h"
#include "ropewalk/scaling.h"
#include "ropewalk/status.h"

namespace ropewalk {

/// What a scheme does to a pair, against NoScaling on the same base and
/// rotary_dim (Proportional: the same head_dim).
enum class Band : uint8_t {
  kExtrapolated = 0,  ///< Turns as it did in training.
  kBlended = 1,       ///< Neither of the others.
  kInterpolated = 2,  ///< Its wavelength times the whole factor, or more.
};

/// Names a band: "extrapolated", "blended" or "interpolated".
ROPEWALK_EXPORT const char* BandName(Band band) noexcept;

struct PairBand {
  double inv_freq;          ///< Radians per position.
  double wavelength;        ///< Positions a turn, 2 pi / inv_freq; may be inf.
  double plain_wavelength;  ///< The same without the scheme.
  double rotations;         ///< original_positions / plain_wavelength.
  Band band;
};

struct Bands {
  std::vector<PairBand> pairs;
  int64_t original_positions = 0;
  /// The scheme's whole factor: its own field of that name (alpha; the growth
  /// of the length of a dynamic scheme; 1 / freq_scale), LongRoPE's s, or the
  /// largest quotient of a list.
  double factor = 1;
};

/// The context before scaling that a scheme names, or 0 where it names none.
ROPEWALK_EXPORT int64_t OriginalPositions(const Scaling& scaling) noexcept;

/// Computes the bands of a scheme.
///
/// Units:     positions count tokens. original_positions 0 takes the one that
///            the scheme names; sequence_length as for ComputeFrequencies.
/// Errors:    those of ComputeFrequencies; kInvalidArgument: negative
///            original_positions, or 0 where the scheme names none.
ROPEWALK_EXPORT Result<Bands> ComputeBands(
    const RopeParameters& parameters, int64_t original_positions = 0,
    int64_t sequence_length = 0) noexcept;

}  // namespace ropewalk
