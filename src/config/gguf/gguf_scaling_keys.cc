// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys {arch}.rope.scaling.* and the three tensors of divisors.
#include <algorithm>
#include <cmath>
#include <utility>

#include "config/gguf/gguf_scaling.h"
#include "status/error.h"

namespace ropewalk::internal::gguf {
namespace {

enum class ScalingType { kNone, kLinear, kYarn, kLongRope };

ScalingType ReadType(GgufKeys* keys) {
  const std::string type = keys->String("rope.scaling.type").value_or("linear");
  if (type == "none") return ScalingType::kNone;
  if (type == "linear") return ScalingType::kLinear;
  if (type == "yarn") return ScalingType::kYarn;
  if (type == "longrope") return ScalingType::kLongRope;
  keys->Refuse(StatusCode::kParseError, "rope.scaling.type", type,
               "must be none, linear, yarn or longrope");
  return ScalingType::kNone;
}

// The key and its older name; missing or 0 is 1.
double ReadFactor(ScalingType type, GgufKeys* keys,
                  std::vector<std::string>* warnings) {
  const auto factor =
      keys->Number("rope.scaling.factor", NumberRule::kNotNegative);
  const auto legacy =
      keys->Number("rope.scale_linear", NumberRule::kNotNegative);
  if (factor && legacy && *factor != *legacy) {
    keys->Refuse(StatusCode::kParseError, "rope.scaling.factor",
                 ShortNumber(*factor),
                 "must equal " + keys->Path("rope.scale_linear") + " = " +
                     ShortNumber(*legacy));
  }
  const double given = factor ? *factor : legacy.value_or(0.0);
  const double result = given == 0 ? 1.0 : given;
  if (type != ScalingType::kNone || result == 1) return result;
  WarnOnce(keys->Path("rope.scaling.factor") + " = " + ShortNumber(result) +
               " is not used: rope.scaling.type is none",
           warnings);
  return 1;
}

// Negative means "not set" only as -1.
double ReadExtFactor(ScalingType type, GgufKeys* keys) {
  const double unset = type == ScalingType::kYarn ? 1 : 0;
  const auto value =
      keys->Number("rope.scaling.yarn_ext_factor", NumberRule::kFinite);
  if (!value || *value == -1) return unset;
  if (*value < 0 || *value > 1) {
    keys->Refuse(StatusCode::kInvalidArgument, "rope.scaling.yarn_ext_factor",
                 ShortNumber(*value), "must be in [0, 1], or -1 for unset");
  }
  return *value;
}

double ReadPositive(const char* name, double unset, GgufKeys* keys) {
  return keys->Number(name, NumberRule::kPositive).value_or(unset);
}

// One key, two units: 0.1 * mscale_all_dim, or mscale_all_dim.
void ReadLogMultiplier(const Architecture& architecture, GgufScaling* scaling,
                       GgufKeys* keys, std::vector<std::string>* warnings) {
  const char* const kName = "rope.scaling.yarn_log_multiplier";
  const auto value = keys->Number(kName, NumberRule::kNotNegative);
  if (!value || *value == 0) return;
  if (architecture.Has(kDeepSeekMultiplier)) {
    scaling->mscale_all_dim = *value * 10;
  } else if (architecture.Has(kMscaleMultiplier)) {
    scaling->mscale_all_dim = *value;
    if (*value != 1) {
      WarnOnce(keys->Path(kName) + " = " + ShortNumber(*value) +
                   ": assumed that mscale, which the file lacks, is the same",
               warnings);
    }
  } else {
    WarnOnce(keys->Path(kName) +
                 " is not used: its unit is not known for this architecture",
             warnings);
    return;
  }
  if (scaling->yarn_attn_factor == 1) return;
  WarnOnce(keys->Path("rope.scaling.yarn_attn_factor") +
               " is not used: yarn_log_multiplier takes its place",
           warnings);
  scaling->yarn_attn_factor = 1;
}

// ggml multiplies a factor by the magnitude that YaRN implies. Converters store
// HF's absolute attention_factor there too, whose default is that magnitude:
// such a factor becomes 1.
void SettleFactor(const char* name, const GgufScaling& scaling,
                  const ConfigOptions& options, double* factor, GgufKeys* keys,
                  std::vector<std::string>* warnings) {
  if (*factor == 1) return;
  const double implied = Magnitude(scaling.factor, 1);
  // A float32 is within 6e-8 of what was stored; decimals may be cut.
  const bool absolute = std::fabs(*factor - implied) <= 1e-6 * implied;
  const std::string values =
      keys->Path(name) + " = " + ShortNumber(*factor) +
      " and YaRN's 1 + 0.1 ln(factor) = " + ShortNumber(implied);
  if (absolute && !options.ggml_parity) {
    WarnOnce(values +
                 " are the same: taken as the absolute attention factor; ggml "
                 "multiplies the two",
             warnings);
    *factor = 1;
    return;
  }
  WarnOnce(values + " are multiplied to " + ShortNumber(*factor * implied) +
               ", as ggml does; did the converter store an absolute factor?",
           warnings);
}

void SettleFactors(const Architecture& architecture,
                   const ConfigOptions& options, GgufScaling* scaling,
                   GgufKeys* keys, std::vector<std::string>* warnings) {
  // Without a ramp ggml implies nothing; with these its graphs cancel it.
  if (!scaling->HasRamp() || scaling->mscale_all_dim > 0 ||
      architecture.Has(kUnitYarn)) {
    return;
  }
  SettleFactor("rope.scaling.attn_factor", *scaling, options,
               &scaling->attn_factor, keys, warnings);
  if (!architecture.Has(kDoubtfulAttnFactor)) return;
  SettleFactor("rope.scaling.yarn_attn_factor", *scaling, options,
               &scaling->yarn_attn_factor, keys, warnings);
}

void ReadYarn(const Architecture& architecture, const ConfigOptions& options,
              GgufScaling* scaling, GgufKeys* keys,
              std::vector<std::string>* warnings) {
  const double beta_fast = architecture.Has(kBetaFast8) ? 8 : 32;
  scaling->yarn_attn_factor =
      ReadPositive("rope.scaling.yarn_attn_factor", 1, keys);
  scaling->attn_factor = ReadPositive("rope.scaling.attn_factor", 1, keys);
  scaling->beta_fast =
      ReadPositive("rope.scaling.yarn_beta_fast", beta_fast, keys);
  scaling->beta_slow = ReadPositive("rope.scaling.yarn_beta_slow", 1, keys);
  ReadLogMultiplier(architecture, scaling, keys, warnings);
  SettleFactors(architecture, options, scaling, keys, warnings);
}

void ReadDivisors(ScalingType type, GgufScaling* scaling, GgufKeys* keys) {
  scaling->divisors = keys->Divisors("rope_freqs.weight");
  scaling->short_factors = keys->Divisors("rope_factors_short.weight");
  scaling->long_factors = keys->Divisors("rope_factors_long.weight");
  if (scaling->short_factors.empty() != scaling->long_factors.empty()) {
    keys->Fail(Error(StatusCode::kParseError,
                     "rope_factors_%s.weight = missing: must be there, since "
                     "the file has the other list",
                     scaling->short_factors.empty() ? "short" : "long"));
  }
  if (type == ScalingType::kLongRope && scaling->divisors.empty() &&
      scaling->short_factors.empty()) {
    keys->Refuse(StatusCode::kParseError, "rope.scaling.type", "longrope",
                 "must come with the tensors rope_factors_short.weight and "
                 "rope_factors_long.weight");
  }
}

// A scheme that needs the original length takes the maximum, as llama.cpp does.
void ReadOriginal(const ConfigOptions& options, GgufScaling* scaling,
                  GgufKeys* keys, std::vector<std::string>* warnings) {
  const char* const kName = "rope.scaling.original_context_length";
  // 0 is unset, as in llama.cpp.
  scaling->original_positions = keys->Integer(kName, 0, INT64_MAX).value_or(0);
  const bool needed = scaling->HasRamp() || (scaling->divisors.empty() &&
                                             !scaling->short_factors.empty());
  if (scaling->original_positions != 0 || !needed) return;
  if (scaling->max_positions == 0) {
    keys->Refuse(StatusCode::kParseError, kName, "missing",
                 "must be there, or context_length, for this scheme");
    return;
  }
  scaling->original_positions = scaling->max_positions;
  if (options.original_from_max_positions) return;
  WarnOnce(keys->Path(kName) + ": assumed to be context_length, " +
               std::to_string(scaling->max_positions),
           warnings);
}

}  // namespace

void WarnOnce(std::string text, std::vector<std::string>* warnings) {
  if (std::find(warnings->begin(), warnings->end(), text) == warnings->end()) {
    warnings->push_back(std::move(text));
  }
}

bool GgufScaling::DoesNothing() const {
  return factor == 1 && yarn_attn_factor == 1 && attn_factor == 1 &&
         divisors.empty() && short_factors.empty();
}

GgufScaling ReadScaling(const Architecture& architecture,
                        const ConfigOptions& options, int64_t max_positions,
                        GgufKeys* keys, std::vector<std::string>* warnings) {
  GgufScaling scaling;
  scaling.max_positions = max_positions;
  const ScalingType type = ReadType(keys);
  scaling.factor = ReadFactor(type, keys, warnings);
  scaling.ext_factor = ReadExtFactor(type, keys);
  ReadYarn(architecture, options, &scaling, keys, warnings);
  ReadDivisors(type, &scaling, keys);
  ReadOriginal(options, &scaling, keys, warnings);
  return scaling;
}

}  // namespace ropewalk::internal::gguf
