// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The scaling schemes: one struct each, whose fields are what models'
// configurations give. In the formulas R is rotary_dim, e_i = base^(-2i / R),
// and g(s, k) = 1 + 0.1 k ln(s) for s > 1, else 1. Factors and counts must be
// finite and positive everywhere; an mscale may be 0.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace ropewalk {

/// inv_freq[i] = e_i.
///
/// Source:    Su et al. 2021, arXiv:2104.09864, section 3.2.2.
struct NoScaling {};

/// Position interpolation: e_i / factor.
///
/// Requires:  factor finite and positive: 8 makes a context 8 times longer.
/// Source:    Chen et al. 2023, arXiv:2306.15595. HF and vLLM "linear".
struct LinearScaling {
  double factor = 1;
};

/// NTK-aware, fixed: base * factor^(R / (R - 2)), R = rotary_dim; R = 2 keeps
/// the base.
///
/// Source:    bloc97 2023; the "NTK-aware" of llama.cpp's users.
struct NtkScaling {
  double factor = 1;
};

/// NTK by alpha: the base change of NtkScaling, under the name that Hunyuan's
/// configurations give it ("dynamic" with a key alpha). No length matters.
///
/// Source:    Hunyuan-Large's configuration (alpha 1000); exllama's alpha.
struct NtkAlphaScaling {
  double alpha = 1;
};

/// Dynamic NTK: with L = max(sequence_length, max_positions) the base becomes
/// base * (factor L / max_positions - (factor - 1))^(R / (R - 2)).
///
/// Requires:  max_positions > 0, the model's own maximum. Length-dependent:
///            keys cached under another length must be rotated anew.
/// Source:    HF "dynamic" (which uses max_position_embeddings, not the
///            original length).
struct DynamicNtkScaling {
  double factor = 1;
  int64_t max_positions = 0;
};

/// Qwen-1's dynamic NTK: with L = sequence_length the base becomes
/// base * max(2^ceil(log2(L / original_positions) + 1) - 1, 1)^(R / (R - 2)),
/// and attention_factor 1 + attention_slope ln(L / original_positions) where L
/// is past the original. Length-dependent. LogNQueryScale (query_scale.h) is
/// the other half of the scheme.
///
/// Source:    Qwen-7B's modelling code; TeleChat's adds attention_slope 0.1.
struct QwenDynamicNtkScaling {
  int64_t original_positions = 0;
  double attention_slope = 0;
};

/// vLLM's "ntk": without mixed_b (base factor)^(-2i/R) / factor^(2/R); with it
/// e_i / exp(a (i + 1)^mixed_b), a = ln(factor) / (R/2)^mixed_b.
///
/// Source:    Su 2023, kexue.fm/archives/9706, as vLLM has it.
struct VllmNtkScaling {
  double factor = 1;
  std::optional<double> mixed_b;
};

/// YaRN: e_i / factor, e_i, or a blend of both, by how often pair i turns
/// within original_positions.
///
/// Requires:  base > 1; original_positions > 0; beta_fast >= beta_slow > 0.
///            A ramp that would run backwards (a tiny original_positions) is
///            an error. The defaults 32, 1 and truncate are HF's.
/// Source:    Peng et al. 2023, arXiv:2309.00071, section 3.2, in the form of
///            HF "yarn": the range is cut to [0, R - 1].
struct YarnScaling {
  double factor = 1;
  int64_t original_positions = 0;
  double beta_fast = 32;
  double beta_slow = 1;
  /// Rounds the ramp's ends outwards to whole pairs; gpt-oss says false.
  bool truncate = true;
  /// Absolute. Else g(factor, mscale) / g(factor, mscale_all_dim) where both
  /// are given and not 0, else g(factor, 1).
  std::optional<double> attention_factor;
  std::optional<double> mscale;
  std::optional<double> mscale_all_dim;
  /// Weight of the unscaled frequency where the ramp keeps it: the
  /// extrapolation_factor of the original YaRN code.
  double extrapolation_weight = 1;
};

/// YaRN as DeepSeek-V2, V3 and Kimi K2 use it. The frequencies are those of
/// YaRN; attention_factor is g(factor, mscale) / g(factor, mscale_all_dim),
/// and softmax_multiplier g(factor, mscale_all_dim)^2 unless that is 0.
///
/// Source:    DeepSeek-V2's modelling code; the defaults 1 and 0 are those of
///            vLLM "deepseek_yarn".
struct DeepSeekYarnScaling {
  double factor = 1;
  int64_t original_positions = 0;
  double beta_fast = 32;
  double beta_slow = 1;
  double mscale = 1;
  double mscale_all_dim = 0;
};

/// Grok-1's "yarn_log": YaRN with a geometric blend, ln w = (1 - t) ln e_i +
/// t ln(e_i / factor); attention_factor 1.
///
/// Source:    vLLM's Grok-1 model; beta_fast 8 is llama.cpp's for its files.
struct GrokYarnLogScaling {
  double factor = 1;
  int64_t original_positions = 0;
  double beta_fast = 8;
  double beta_slow = 1;
  bool truncate = true;
};

/// Grok-1's "theta_scale": the base becomes
/// base^(ln(original_positions factor / 2 pi) / ln(original_positions / 2 pi)).
///
/// Requires:  original_positions and original_positions * factor > 2 pi.
/// Source:    vLLM's Grok-1 model.
struct GrokThetaScaling {
  double factor = 1;
  int64_t original_positions = 0;
};

/// Llama 3: wavelengths past original_positions / low_freq_factor are divided
/// by factor, those below original_positions / high_freq_factor kept, and the
/// ones between blended. Equal bounds make a step, which divides at equality.
///
/// Requires:  0 < low_freq_factor <= high_freq_factor.
/// Source:    Llama-3.1's configuration: factor 8, bounds 1 and 4, original
///            8192. HF "llama3".
struct Llama3Scaling {
  double factor = 1;
  double low_freq_factor = 1;
  double high_freq_factor = 4;
  int64_t original_positions = 8192;
};

/// Which of LongRoPE's two lists counts.
enum class LongRopePolicy : uint8_t {
  /// long_factor if the context is longer than the original, for every length
  /// (llama.cpp, vLLM). The context is LongRopeScaling::context_limit.
  kByContextLimit = 0,
  /// long_factor if sequence_length is longer than the original (HF).
  /// Length-dependent: cached keys must be rotated anew at the boundary.
  kBySequenceLength = 1,
  kForceShort = 2,
  kForceLong = 3,
};

/// LongRoPE: e_i / short_factor[i] or e_i / long_factor[i].
///
/// Shape:     both lists have one entry, positive and finite, a pair.
/// Requires:  original_positions > 1.
/// Source:    Ding et al. 2024, arXiv:2402.13753, as Phi-3's "su" and HF
///            "longrope" have it.
struct LongRopeScaling {
  std::vector<double> short_factor;
  std::vector<double> long_factor;
  int64_t original_positions = 0;
  /// The model's extended maximum; gives the factor s where none is given.
  int64_t max_positions = 0;
  /// The context that is served; 0 means max_positions.
  int64_t context_limit = 0;
  std::optional<double>
      factor;  ///< s; else max_positions / original_positions.
  /// Absolute, both lists. Else sqrt(1 + ln s / ln original_positions), 1 for
  /// s <= 1.
  std::optional<double> attention_factor;
  /// Absolute, of one list; they win (Phi-3.5-MoE's short_mscale and
  /// long_mscale).
  std::optional<double> short_attention_factor;
  std::optional<double> long_attention_factor;
  LongRopePolicy policy = LongRopePolicy::kByContextLimit;
};

/// Gemma 4's global layers: base^(-2i / head_dim) / factor for rotary_dim / 2
/// live pairs; the others do not turn. Goes with RotaryLayout::pair_distance =
/// head_dim / 2.
///
/// Requires:  head_dim even and at least rotary_dim.
/// Source:    HF "proportional"; vLLM takes factor as 1.
struct ProportionalScaling {
  int head_dim = 0;
  double factor = 1;
};

/// A tensor of divisors: e_i / factors[i] (GGUF's rope_freqs).
///
/// Shape:     one entry, positive and finite, a pair.
struct FrequencyFactors {
  std::vector<double> factors;
  double attention_factor = 1;
};

/// The arguments of ggml_rope_ext, with its meanings: freq_scale is 1 / factor,
/// attn_factor multiplies an implied 1 + 0.1 ln(1 / freq_scale) wherever
/// ext_factor is not 0, the ramp is always truncated, and one that runs
/// backwards is legal. Also defines AngleMode::kFloat32Recurrence.
///
/// Shape:     freq_factors empty, or one entry a pair.
/// Source:    ggml's ggml_rope_ext; the defaults are its short form's.
struct GgmlScaling {
  int64_t n_ctx_orig = 0;
  float freq_scale = 1;
  float ext_factor = 0;
  float attn_factor = 1;
  float beta_fast = 32;
  float beta_slow = 1;
  std::vector<float> freq_factors;
};

/// The caller's own inv_freq, radians per position. Gives bit parity with an
/// engine whose frequencies are at hand, and any scheme not named here.
struct ExplicitFrequencies {
  std::vector<double> inv_freq;
  double attention_factor = 1.0;
};

}  // namespace ropewalk
