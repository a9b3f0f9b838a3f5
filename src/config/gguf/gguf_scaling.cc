// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// From ggml's parameters to a scheme: the model's own, or ggml's.
#include "config/gguf/gguf_scaling.h"

#include <cfloat>
#include <cmath>
#include <utility>

#include "frequencies/yarn_magnitude.h"
#include "status/error.h"

namespace ropewalk::internal::gguf {
namespace {

// What a converter writes for the pairs of Gemma 4 that do not turn.
constexpr float kDead = 1e30f;

// Whether the graph of llama.cpp cancels the magnitude that ggml implies.
bool CancelsMagnitude(const GgufScaling& scaling,
                      const Architecture& architecture) {
  return scaling.mscale_all_dim > 0 || architecture.Has(kUnitYarn);
}

// The entries of a tensor that this layer's pairs use.
Status CutToPairs(const char* tensor, const LayerRope& layer,
                  std::vector<float>* list,
                  std::vector<std::string>* warnings) {
  const auto pairs = static_cast<size_t>(layer.parameters.rotary_dim / 2);
  if (list->empty() || list->size() == pairs) return Status();
  if (list->size() < pairs) {
    return Error(StatusCode::kParseError,
                 "%s: %s has %zu entries: must have rotary_dim / 2 = %zu",
                 layer.layer_type.c_str(), tensor, list->size(), pairs);
  }
  WarnOnce(std::string(tensor) + " has " + std::to_string(list->size()) +
               " entries: only the first " + std::to_string(pairs) +
               ", one a pair, are used",
           warnings);
  list->resize(pairs);
  return Status();
}

// Whether the context that is served needs the long list.
Result<bool> TakesLongList(const GgufScaling& scaling,
                           const ConfigOptions& options) {
  switch (options.long_rope_policy) {
    case LongRopePolicy::kForceShort:
      return false;
    case LongRopePolicy::kForceLong:
      return true;
    case LongRopePolicy::kByContextLimit: {
      const int64_t limit = options.context_limit != 0 ? options.context_limit
                                                       : scaling.max_positions;
      return limit > scaling.original_positions;
    }
    case LongRopePolicy::kBySequenceLength:
      break;
  }
  return Error(StatusCode::kInvalidArgument,
               "long_rope_policy = %d: must be another where ggml's scheme is "
               "used, which knows no sequence length",
               static_cast<int>(options.long_rope_policy));
}

Result<std::vector<float>> CountingDivisors(const GgufScaling& scaling,
                                            const ConfigOptions& options) {
  if (!scaling.divisors.empty() || scaling.short_factors.empty()) {
    return scaling.divisors;
  }
  const auto takes_long = TakesLongList(scaling, options);
  if (!takes_long.ok()) return takes_long.status();
  return takes_long.value() ? scaling.long_factors : scaling.short_factors;
}

Status ApplyGgml(const GgufScaling& scaling, const Architecture& architecture,
                 const ConfigOptions& options, LayerRope* layer) {
  auto divisors = CountingDivisors(scaling, options);
  if (!divisors.ok()) return divisors.status();
  double attn_factor = scaling.attn_factor * scaling.yarn_attn_factor;
  if (scaling.ext_factor != 0 && CancelsMagnitude(scaling, architecture)) {
    attn_factor = scaling.attn_factor / (1 + 0.1 * std::log(scaling.factor));
  }
  if (!(std::fabs(attn_factor) <= double{FLT_MAX})) {
    return Error(StatusCode::kInvalidArgument,
                 "%s: attention factors = %g: must multiply to a float32",
                 layer->layer_type.c_str(), attn_factor);
  }
  GgmlScaling scheme;
  scheme.n_ctx_orig = scaling.original_positions != 0
                          ? scaling.original_positions
                          : scaling.max_positions;
  scheme.freq_scale = 1 / static_cast<float>(scaling.factor);
  scheme.ext_factor = static_cast<float>(scaling.ext_factor);
  scheme.attn_factor = static_cast<float>(attn_factor);
  scheme.beta_fast = static_cast<float>(scaling.beta_fast);
  scheme.beta_slow = static_cast<float>(scaling.beta_slow);
  scheme.freq_factors = std::move(divisors).value();
  layer->parameters.scaling = std::move(scheme);
  return Status();
}

YarnScaling Yarn(const GgufScaling& scaling, const Architecture& architecture) {
  YarnScaling yarn;
  yarn.factor = scaling.factor;
  yarn.original_positions = scaling.original_positions;
  yarn.beta_fast = scaling.beta_fast;
  yarn.beta_slow = scaling.beta_slow;
  yarn.truncate = !architecture.Has(kUntruncatedYarn);
  if (scaling.mscale_all_dim > 0) {
    yarn.mscale = yarn.mscale_all_dim = scaling.mscale_all_dim;
    if (scaling.attn_factor != 1) yarn.attention_factor = scaling.attn_factor;
  } else {
    // ggml multiplies what the file says by a magnitude of its own.
    const double implied =
        architecture.Has(kUnitYarn) ? 1 : YarnMagnitude(scaling.factor, 1);
    yarn.attention_factor =
        scaling.yarn_attn_factor * scaling.attn_factor * implied;
  }
  return yarn;
}

Status ApplyYarn(const GgufScaling& scaling, const Architecture& architecture,
                 LayerRope* layer, std::vector<std::string>* warnings) {
  if (architecture.Has(kUntruncatedYarn)) {
    WarnOnce(
        "YaRN's ramp is not truncated, as the model was trained; ggml "
        "itself truncates (ggml_parity)",
        warnings);
  }
  if (scaling.mscale_all_dim == 0 || !architecture.Has(kDeepSeekMultiplier)) {
    layer->parameters.scaling = Yarn(scaling, architecture);
    return Status();
  }
  if (scaling.attn_factor != 1) {
    return Error(
        StatusCode::kUnsupported,
        "%s: rope.scaling.attn_factor = %g: must be 1 or absent beside "
        "yarn_log_multiplier",
        layer->layer_type.c_str(), scaling.attn_factor);
  }
  DeepSeekYarnScaling yarn;
  yarn.factor = scaling.factor;
  yarn.original_positions = scaling.original_positions;
  yarn.beta_fast = scaling.beta_fast;
  yarn.beta_slow = scaling.beta_slow;
  yarn.mscale = yarn.mscale_all_dim = scaling.mscale_all_dim;
  layer->parameters.scaling = yarn;
  return Status();
}

LongRopeScaling LongRope(const GgufScaling& scaling,
                         const ConfigOptions& options) {
  LongRopeScaling scheme;
  scheme.short_factor.assign(scaling.short_factors.begin(),
                             scaling.short_factors.end());
  scheme.long_factor.assign(scaling.long_factors.begin(),
                            scaling.long_factors.end());
  scheme.original_positions = scaling.original_positions;
  scheme.max_positions = scaling.max_positions;
  scheme.context_limit = options.context_limit;
  scheme.attention_factor = scaling.attn_factor * scaling.yarn_attn_factor;
  scheme.policy = options.long_rope_policy;
  return scheme;
}

// Pairs that turn, if those are the first and all others are dead; else -1.
int LivePairs(const std::vector<float>& divisors) {
  size_t live = 0;
  while (live < divisors.size() && divisors[live] == 1) ++live;
  for (size_t i = live; i < divisors.size(); ++i) {
    if (divisors[i] < kDead) return -1;
  }
  return live == divisors.size() ? -1 : static_cast<int>(live);
}

void ApplyProportional(int live_pairs, double factor, LayerRope* layer) {
  const int ladder_dim = layer->parameters.rotary_dim;
  layer->parameters.scaling = ProportionalScaling{ladder_dim, factor};
  layer->parameters.rotary_dim = 2 * live_pairs;
  for (RotaryLayout* layout : {&layer->layout, &layer->key_layout}) {
    layout->rotary_dim = 2 * live_pairs;
    layout->pair_distance = ladder_dim / 2;
  }
}

// rope_freqs without a ramp, if a scheme of its own says it.
bool ApplyDivisors(const GgufScaling& scaling, LayerRope* layer) {
  const double attention = scaling.attn_factor * scaling.yarn_attn_factor;
  const int live = layer->layout.pairing == Pairing::kHalf
                       ? LivePairs(scaling.divisors)
                       : -1;
  // A dead pair is scaled by ggml, and left alone by ProportionalScaling.
  if (live >= 0 && attention == 1) {
    ApplyProportional(live, scaling.factor, layer);
    return true;
  }
  if (scaling.factor != 1) return false;
  FrequencyFactors scheme;
  scheme.factors.assign(scaling.divisors.begin(), scaling.divisors.end());
  scheme.attention_factor = attention;
  layer->parameters.scaling = std::move(scheme);
  return true;
}

Status ApplyOwnScheme(const GgufScaling& scaling,
                      const Architecture& architecture,
                      const ConfigOptions& options, LayerRope* layer,
                      std::vector<std::string>* warnings) {
  const bool ramp = scaling.HasRamp();
  if (!scaling.divisors.empty()) {
    if (!ramp && ApplyDivisors(scaling, layer)) return Status();
  } else if (!scaling.short_factors.empty()) {
    if (scaling.factor == 1) {
      layer->parameters.scaling = LongRope(scaling, options);
      return Status();
    }
  } else if (ramp) {
    if (scaling.ext_factor == 1) {
      return ApplyYarn(scaling, architecture, layer, warnings);
    }
  } else if (scaling.attn_factor * scaling.yarn_attn_factor == 1) {
    if (scaling.factor != 1) {
      layer->parameters.scaling = LinearScaling{scaling.factor};
    }
    return Status();
  }
  WarnOnce("no single scheme says what the file does: ggml's own is used",
           warnings);
  return ApplyGgml(scaling, architecture, options, layer);
}

}  // namespace

double Magnitude(double s, double k) {
  return s > 1 ? 1 + 0.1 * k * std::log(s) : 1;
}

Status ApplyScaling(const GgufScaling& scaling,
                    const Architecture& architecture,
                    const ConfigOptions& options, LayerRope* layer,
                    std::vector<std::string>* warnings) {
  GgufScaling cut = scaling;
  ROPEWALK_RETURN_IF_ERROR(
      CutToPairs("rope_freqs.weight", *layer, &cut.divisors, warnings));
  ROPEWALK_RETURN_IF_ERROR(CutToPairs("rope_factors_short.weight", *layer,
                                      &cut.short_factors, warnings));
  ROPEWALK_RETURN_IF_ERROR(CutToPairs("rope_factors_long.weight", *layer,
                                      &cut.long_factors, warnings));
  if (options.ggml_parity) {
    return ApplyGgml(cut, architecture, options, layer);
  }
  return ApplyOwnScheme(cut, architecture, options, layer, warnings);
}

double SoftmaxMultiplier(const GgufScaling& scaling,
                         const Architecture& architecture) {
  if (!architecture.Has(kDeepSeekMultiplier) || !scaling.HasRamp()) return 1;
  const double magnitude =
      YarnMagnitude(scaling.factor, scaling.mscale_all_dim);
  return magnitude * magnitude;
}

}  // namespace ropewalk::internal::gguf
