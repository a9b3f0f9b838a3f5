// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What a GGUF file says of scaling, and the scheme that says the same.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "config/gguf/architectures.h"
#include "config/gguf/gguf_keys.h"
#include "ropewalk/config.h"

namespace ropewalk::internal::gguf {

// With every default filled in. The default object scales nothing.
struct GgufScaling {
  double factor = 1;
  double ext_factor = 0;
  double yarn_attn_factor = 1;
  double attn_factor = 1;  // of rope.scaling.attn_factor
  double beta_fast = 32;
  double beta_slow = 1;
  double mscale_all_dim = 0;  // from yarn_log_multiplier; 0: not said
  int64_t original_positions = 0;
  int64_t max_positions = 0;
  std::vector<float> divisors;  // rope_freqs
  std::vector<float> short_factors;
  std::vector<float> long_factors;

  // Whether YaRN's ramp does anything.
  bool HasRamp() const { return ext_factor != 0 && factor != 1; }
  // Whether a layer with it differs from one without.
  bool DoesNothing() const;
};

// YaRN's magnitude, 1 + 0.1 k ln(s) for s > 1.
double Magnitude(double s, double k);

// Reads the keys and the tensors. An error is left in keys.
GgufScaling ReadScaling(const Architecture& architecture,
                        const ConfigOptions& options, int64_t max_positions,
                        GgufKeys* keys, std::vector<std::string>* warnings);

// Gives a layer, whose rotary_dim and layout are set, the scheme; Gemma 4's
// tensor changes rotary_dim and layout too. `warnings` gets nothing twice.
Status ApplyScaling(const GgufScaling& scaling,
                    const Architecture& architecture,
                    const ConfigOptions& options, LayerRope* layer,
                    std::vector<std::string>* warnings);

// By what a softmax scale grows, where the scheme itself does not say it.
double SoftmaxMultiplier(const GgufScaling& scaling,
                         const Architecture& architecture);

// Adds a warning unless it is there already.
void WarnOnce(std::string text, std::vector<std::string>* warnings);

}  // namespace ropewalk::internal::gguf
