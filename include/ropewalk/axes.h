// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Which position component each pair follows in M-RoPE and its kin: values for
// RopeParameters::axis. The ladder of frequencies runs through all pairs and
// never restarts; where it does, see vision.h.
//
// Components are 0 temporal, 1 height, 2 width, 3 a fourth stream, in the order
// of Positions::Components. A text token has the same position in the first
// three, and in all four of XDRoPE; the fourth of ggml's is 0.
//
// sections says how many pairs each component has. Everywhere:
//
// Shape:     the result has `pairs` entries, none for 0 pairs.
// Requires:  pairs = rotary_dim / 2; sections not negative, and their sum pairs
//            unless the function says otherwise.
// Errors:    kInvalidArgument, with the sum and pairs where they differ;
//            kOutOfRange: pairs > kMaxRotaryDim / 2, or more than 256 sections.
//            kOutOfMemory.
// Threads:   safe.
#pragma once
#include <cstdint>
#include <vector>

#include "ropewalk/export.h"
#include "ropewalk/status.h"

namespace ropewalk {

/// The first sections[0] pairs follow component 0, the next sections[1]
/// component 1, and so on.
///
/// Shape:     any number of sections up to 256. XDRoPE has four, whose streams
///            are numbered in its own order: P, W, H, T are 0 to 3.
/// Source:    Wang et al. 2024, arXiv:2409.12191 (Qwen2-VL: [16, 24, 24]);
///            HunyuanVL's xdrope_section ([16, 16, 16, 16]). HF and vLLM.
ROPEWALK_EXPORT Result<std::vector<uint8_t>> ContiguousAxes(
    const std::vector<int>& sections, int pairs) noexcept;

/// Components take turns: pair i follows a = i mod 3 while i < 3 sections[a],
/// and fallback_axis from there on.
///
/// Shape:     3 sections, or 4 as GGUF files have.
/// Requires:  fallback_axis 0 is the rule of HF and vLLM, where a fourth
///            section must be 0. 3 is that of ggml's IMROPE, whose sections
///            need not sum to pairs, but must not all be 0: i is then taken
///            modulo their sum. No other value.
///            The two differ where i mod 3 and the sections leave pairs over:
///            61 and 62 of [24, 20, 20], none of [11, 11, 10]. llama.cpp keeps
///            the fourth stream 0, so there those pairs do not turn.
/// Source:    HF's Qwen3-VL ([24, 20, 20]) and Qwen3.5 ([11, 11, 10]),
///            "mrope_interleaved"; ggml's GGML_ROPE_TYPE_IMROPE.
ROPEWALK_EXPORT Result<std::vector<uint8_t>> InterleavedAxes(
    const std::vector<int>& sections, int pairs,
    int fallback_axis = 0) noexcept;

/// ContiguousAxes as ggml has it: the pairs start over at component 0 after as
/// many as the sections sum to.
///
/// Shape:     up to 4 sections; those that are missing are 0.
/// Requires:  a section above 0, unless pairs is 0; any sum.
/// Source:    ggml's GGML_ROPE_TYPE_MROPE.
ROPEWALK_EXPORT Result<std::vector<uint8_t>> GgmlAxes(
    const std::vector<int>& sections, int pairs) noexcept;

/// The next pair follows the component that has the least part of its section
/// so far, the lower of equals, and not that of the pair before where another
/// has pairs left. Of three sections component 0 also has the last pair, which
/// counts for none of this.
///
/// Shape:     2 or 3 sections; with 3, the first must not be 0 unless pairs is.
/// Source:    openPangu's interleaved M-RoPE in vLLM.
ROPEWALK_EXPORT Result<std::vector<uint8_t>> BalancedAxes(
    const std::vector<int>& sections, int pairs) noexcept;

/// Height and width take turns, then come all pairs of time: sections are in
/// that order, h w t, the components numbered as everywhere.
///
/// Shape:     3 sections, the first two equal.
/// Source:    Ernie 4.5 VL ([22, 22, 20]; HF "ernie_3d"), whose pairing is
///            kInterleaved.
ROPEWALK_EXPORT Result<std::vector<uint8_t>> ErnieAxes(
    const std::vector<int>& sections, int pairs) noexcept;

}  // namespace ropewalk
