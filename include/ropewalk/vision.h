// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Frequencies of encoders whose tokens have coordinates, with the windows that
// go with them. Unlike axes.h, ladders restart, or are dealt out.
//
// Component 0 is a patch's row (y) and 1 its column (x) unless said otherwise:
// Positions::Components gets the rows of all tokens first.
//
// For all: attention_factor is 1.
//
// Accuracy:  each inv_freq within 2 ulp (double) of its formula.
// Errors:    kInvalidArgument: a size or a base against its rule.
//            kOutOfRange: sizes past kMaxRotaryDim, or an inv_freq past the
//            limits of Frequencies. kOutOfMemory.
// Threads:   safe.
#pragma once
#include <cstdint>
#include <vector>

#include "ropewalk/export.h"
#include "ropewalk/frequencies.h"
#include "ropewalk/status.h"
#include "ropewalk/types.h"

namespace ropewalk {

/// A ladder of its own for each axis: with A = components.size() and axis_dim =
/// 2 floor(head_dim / 2A), pair j of part k follows components[k] and has
/// inv_freq base^(-2j / axis_dim), for axis_dim / 2 pairs a part. What
/// head_dim has beyond A axis_dim does not turn.
///
///   model                   components  base   layout
///   Qwen2-VL to Qwen3-VL    {0, 1}      10000  AxialLayout, kHalf
///   HF "axial"              {0, 1}      any    AxialLayout, kHalf
///   Llama 4                 {1, 0}      10000  AxialLayout, kInterleaved
///   MiniMax-M3              {0, 1, 2}   any    AxialLayout, kHalf
///   Gemma 4                 {1, 0}      100    AxialPartLayouts
///
/// Llama 4 counts rows and columns from 1; its class token is at 0, 0.
/// MiniMax-M3's three components are in the order of its own grid.
///
/// Shape:     components: 1 to 256 entries.
/// Requires:  head_dim >= 2A, a pair for every part; base finite and positive.
/// Source:    the vision towers of the models named, in HF and vLLM.
ROPEWALK_EXPORT Result<Frequencies> AxialFrequencies(
    int head_dim, const std::vector<uint8_t>& components,
    double base = 10000.0) noexcept;

/// The one window of AxialFrequencies: a pair's members may lie in two parts
/// of the head.
///
/// Units:     axes counts components.
ROPEWALK_EXPORT Result<RotaryLayout> AxialLayout(int head_dim, int axes,
                                                 Pairing pairing) noexcept;

/// A window for each part of AxialFrequencies, half-paired within itself: call
/// Rotate once with each.
ROPEWALK_EXPORT Result<std::vector<RotaryLayout>> AxialPartLayouts(
    int head_dim, int axes) noexcept;

/// ChatGLM-6B's two positions: AxialFrequencies with components {0, 1}, each
/// inv_freq rounded to float32 and then to IEEE binary16, as its code does.
/// Component 0 is position_ids, 1 the position in the block. The layouts are
/// AxialPartLayouts(head_dim, 2).
///
/// Accuracy:  the rounding of a float32 within an ulp of the formula.
/// Source:    ChatGLM-6B's modelling code (head_dim 128).
ROPEWALK_EXPORT Result<Frequencies> ChatGlmFrequencies(
    int head_dim, double base = 10000.0) noexcept;

/// One ladder w_k = base^(-2k / head_dim) dealt out: the first pairs are w_0,
/// w_2, ... and follow the row, the rest w_1, w_3, ... and the column.
///
/// Requires:  head_dim even. The layout is the whole head: kHalf for HF's
///            weights, kInterleaved for Mistral's own.
/// Source:    Pixtral's vision encoder in HF and in mistral-inference.
ROPEWALK_EXPORT Result<Frequencies> PixtralFrequencies(
    int head_dim, double base = 10000.0) noexcept;

/// ggml's VISION mode: pair i follows GgmlAxes(sections, n_dims), and its
/// inv_freq is base^(-2j / n_dims), j the pairs since its section began. ggml
/// starts only one section a pair anew: of an empty one and its neighbour the
/// ladder of the later goes on, with j the pairs since it last began.
/// Sections [n_dims / 2, n_dims / 2, 0, 0] are AxialFrequencies with {0, 1}.
///
/// In exact angles: a recurrence that restarts is none of Float32Recurrence,
/// so AngleMode::kFloat32Recurrence is not for these.
///
/// Shape:     n_dims pairs. The layout is kHalf over the head: head_dim =
///            rotary_dim = 2 n_dims, pair_distance n_dims (or 0).
/// Requires:  n_dims even and positive: ggml's argument, head_dim / 2. sections
///            as in GgmlAxes.
/// Source:    ggml's GGML_ROPE_TYPE_VISION; clip in llama.cpp passes
///            [n_dims / 2] four times, and rows and columns first.
ROPEWALK_EXPORT Result<Frequencies> GgmlVisionFrequencies(
    int n_dims, const std::vector<int>& sections,
    double base = 10000.0) noexcept;

}  // namespace ropewalk
