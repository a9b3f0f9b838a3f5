// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What general.architecture says of a GGUF file beyond its keys: the pairing,
// and the rules that llama.cpp has in code instead of in the file.
#pragma once
#include <cstdint>
#include <string_view>

namespace ropewalk::internal::gguf {

enum class ArchitecturePairing : uint8_t {
  kUnsettled,  // not known, or engines disagree: the caller must say
  kNoRope,
  kHalf,
  kInterleaved,
};

// Rules of single architectures; a set of bits.
enum Quirk : uint32_t {
  // The rotary window is the end of a query head.
  kWindowAtEnd = 1u << 0,
  // yarn_log_multiplier is 0.1 * mscale_all_dim, and the softmax scale grows
  // with it; else, with kMscaleMultiplier, it is mscale_all_dim itself.
  kDeepSeekMultiplier = 1u << 1,
  kMscaleMultiplier = 1u << 2,
  // YaRN does not scale cos and sin, whatever the factor.
  kUnitYarn = 1u << 3,
  // The model was trained with a YaRN ramp that is not rounded to pairs.
  kUntruncatedYarn = 1u << 4,
  // Files without yarn_beta_fast mean 8.
  kBetaFast8 = 1u << 5,
  // The converter may have stored an absolute factor as yarn_attn_factor, as
  // others do as attn_factor.
  kDoubtfulAttnFactor = 1u << 6,
  // Sliding layers: base 10000 where the file says none; no scaling and no
  // tensor of divisors.
  kSlidingBase10000 = 1u << 7,
  kSlidingUnscaled = 1u << 8,
  // An integer as sliding_window_pattern means: the first of so many layers is
  // full, not the last.
  kFullLayerFirst = 1u << 9,
  // Only sliding (or chunked) layers rotate; every 4th layer is full.
  kFullWithoutRope = 1u << 10,
  kChunked = 1u << 11,
  // Every 4th layer does not rotate.
  kFourthWithoutRope = 1u << 12,
  // Some layers may not rotate; which is not known here.
  kUnknownNoRope = 1u << 13,
  // attention.sliding_window = 0 means that no layer slides (and all rotate);
  // with the second, so does its absence.
  kSlidingUnlessZero = 1u << 14,
  kSlidingIfGiven = 1u << 15,
  // rope.dimension_sections must be there.
  kMropeRequired = 1u << 16,
  kMropeInterleaved = 1u << 17,
  // With sections the pairing is half.
  kMropeIsHalf = 1u << 18,
  // rope.scaling.finetuned = false means: no RoPE.
  kFinetunedIsSwitch = 1u << 19,
  // The model with 40 layers uses ALiBi.
  kAlibiOf40Layers = 1u << 20,
  // Layers of both kinds have their own rotary_dim; the file must say both.
  kTwoDimensions = 1u << 21,
  // Compressed layers have a base of their own, and alone are scaled.
  kCompressed = 1u << 22,
  // Queries are multiplied by a logarithm of their position: in the layers that
  // do not rotate, or in all.
  kLlama4Temperature = 1u << 23,
  kMistral3Temperature = 1u << 24,
};

struct Architecture {
  std::string_view name;
  ArchitecturePairing pairing = ArchitecturePairing::kUnsettled;
  uint32_t quirks = 0;
  // Where the file lacks sliding_window_pattern: one of so many layers is full,
  // the last or, with kFullLayerFirst, the first; 0: not known.
  int sliding_period = 0;

  bool Has(Quirk quirk) const { return (quirks & quirk) != 0; }
};

// Finds an architecture; one that is not in the table is unsettled and has no
// quirks, and `name` must outlive it.
Architecture FindArchitecture(std::string_view name) noexcept;

}  // namespace ropewalk::internal::gguf
