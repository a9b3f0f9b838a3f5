// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The oracle of the scaling schemes: each formula in double, one pair at a
// time, from plain arguments. Includes nothing of the library.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace ropewalk::reference {

struct Scheme {
  std::vector<double> inv_freq;
  double attention_factor = 1;
  double softmax_multiplier = 1;
};

// Where every scheme starts.
struct Ladder {
  int rotary_dim;
  double base;
};

Scheme Plain(const Ladder& ladder);
Scheme Linear(const Ladder& ladder, double factor);
// NTK-aware and NTK by alpha.
Scheme Ntk(const Ladder& ladder, double factor);
Scheme DynamicNtk(const Ladder& ladder, double factor, double max_positions,
                  double length);
Scheme QwenNtk(const Ladder& ladder, double original, double attention_slope,
               double length);
Scheme VllmNtk(const Ladder& ladder, double factor,
               std::optional<double> mixed_b);

struct YarnRange {
  double factor;
  double original;
  double beta_fast = 32;
  double beta_slow = 1;
  bool truncate = true;
};

// The pair indices between which YaRN blends, after rounding and cutting.
struct YarnBounds {
  double low;
  double high;
};
YarnBounds BoundsOf(const Ladder& ladder, const YarnRange& range);

// g(factor, 1) is the attention factor.
Scheme Yarn(const Ladder& ladder, const YarnRange& range,
            double extrapolation_weight = 1);
Scheme DeepSeekYarn(const Ladder& ladder, const YarnRange& range, double mscale,
                    double mscale_all_dim);
Scheme GrokYarnLog(const Ladder& ladder, const YarnRange& range);
Scheme GrokTheta(const Ladder& ladder, double factor, double original);

// 1 + 0.1 k ln(s) for s > 1, else 1.
double Magnitude(double s, double k);

struct Llama3Range {
  double factor;
  double low;
  double high;
  double original;
};
Scheme Llama3(const Ladder& ladder, const Llama3Range& range);

// Of the list that counts.
Scheme LongRope(const Ladder& ladder, const std::vector<double>& list,
                double attention_factor);
double LongRopeAttentionFactor(double s, double original);

// base^(-2i / head_dim) / factor, of rotary_dim / 2 live pairs.
Scheme Proportional(const Ladder& ladder, int head_dim, double factor);
Scheme Divided(const Ladder& ladder, const std::vector<double>& factors);

struct GgmlArguments {
  double n_ctx_orig = 0;
  double freq_scale = 1;
  double ext_factor = 0;
  double attn_factor = 1;
  double beta_fast = 32;
  double beta_slow = 1;
  std::vector<double> freq_factors;
};
// What ggml_rope_ext means, without its float32 roundings.
Scheme Ggml(const Ladder& ladder, const GgmlArguments& arguments);

// What Qwen-1 multiplies the query of a position by.
double LogNQueryScale(double position, double original);

}  // namespace ropewalk::reference
