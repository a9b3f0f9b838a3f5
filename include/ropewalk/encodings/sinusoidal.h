// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The sinusoidal encoding, added to hidden states: at any position, from the
// angle tables of the rotation.
#pragma once
#include <cstdint>

#include "ropewalk/angle_rows.h"
#include "ropewalk/encodings/hidden_states.h"
#include "ropewalk/export.h"
#include "ropewalk/frequencies.h"
#include "ropewalk/parallel.h"
#include "ropewalk/status.h"

namespace ropewalk {

/// Where sin and cos of pair i stand in a row of width d, with h = floor(d / 2)
/// pairs. Where d is odd its last element gets nothing. The values are fixed.
enum class SinusoidalOrder : uint8_t {
  kInterleaved = 0,  ///< sin at 2i, cos at 2i + 1: the original.
  /// sin at i, cos at h + i: Tensor2Tensor, and Marian, whose d is even.
  kSinCos = 1,
  kCosSin = 2,  ///< cos at i, sin at h + i: time steps of diffusion models.
};

/// How the frequencies fall from 1. The values are fixed.
enum class SinusoidalLadder : uint8_t {
  kByWidth = 0,  ///< base^(-2i / d): the original, Marian.
  /// base^(-i / (h - 1)), 1 where h is 1: Tensor2Tensor, whose last frequency
  /// is 1 / base.
  kToBase = 1,
  kByPairs = 2,  ///< base^(-i / h): time steps; kByWidth where d is even.
};

/// The frequencies of a row of width d, for AngleTable::Build.
///
/// Shape:     floor(width / 2) pairs.
/// Requires:  width from 2 to kMaxRotaryDim; base finite and positive.
/// Accuracy:  each inv_freq within 2 ulp (double) of its formula.
/// Errors:    kInvalidArgument; kOutOfRange: a width or a frequency past the
///            limits of Frequencies; kOutOfMemory.
/// Source:    Vaswani et al. 2017, arXiv:1706.03762, section 3.5.
ROPEWALK_EXPORT Result<Frequencies> SinusoidalFrequencies(
    int width, double base = 10000.0,
    SinusoidalLadder ladder = SinusoidalLadder::kByWidth) noexcept;

struct SinusoidalOptions {
  SinusoidalOrder order = SinusoidalOrder::kInterleaved;
  Parallel parallel = Parallel::Serial();
};

/// Adds each token's sin and cos to its hidden state, in place.
///
/// Shape:     hidden [rows.rows(), d], rows.pairs() = floor(d / 2); rows from
///            Fill of a table of SinusoidalFrequencies, positions of any kind.
///            Sequences that stand at the same positions are calls of their
///            own.
/// Requires:  rows.heads() is 1.
/// Aliasing:  no two tokens share an element; rows that borrow theirs (Wrap)
///            borrow none of hidden.
/// Accuracy:  sin and cos as Fill has them, attention_factor included; the
///            float32 sum, rounded once to the type of the hidden states, to
///            nearest even. NaN stays NaN. The same bits on every target, but
///            for bf16 denormals where FlushesBF16Denormals().
/// Errors:    kInvalidArgument, kOutOfRange; on an error nothing is written.
/// Threads:   safe on disjoint hidden states; allocates nothing, takes no lock.
ROPEWALK_EXPORT Status
AddSinusoidal(const AngleRows& rows, const HiddenStates& hidden,
              const SinusoidalOptions& options = SinusoidalOptions{}) noexcept;

}  // namespace ropewalk
