// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// YaRN, whose attention factor has three names with three meanings.
#include <cmath>

#include "config/huggingface/scheme_source.h"
#include "frequencies/yarn_magnitude.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

double ReadFactor(const SchemeSource& source, int64_t original,
                  KeyReader* reader) {
  const auto stored = reader->Positive(source.dicts, {"factor"});
  const auto maximum = static_cast<double>(source.config.max_positions);
  const double implied = maximum / static_cast<double>(original);
  if (!stored) {
    // HF divides where a file says null.
    if (maximum > 0 && reader->IsNull(source.dicts, "factor")) return implied;
    return RequirePositive(source, {"factor"}, reader);
  }
  // What a division in double may be off by.
  if (maximum > 0 && std::fabs(implied - *stored) > 1e-12 * implied) {
    reader->Warn(reader->PathOf(source.dicts, {"factor"}) + " = " +
                 FormatNumber(*stored) + ": kept, although " +
                 "max_position_embeddings / original_max_position_embeddings "
                 "is " +
                 FormatNumber(implied));
  }
  return *stored;
}

// HF takes a stored 0 for the default.
double ReadBeta(const SchemeSource& source, const char* name, double otherwise,
                KeyReader* reader) {
  const double beta = reader->Number(source.dicts, {name}).value_or(0);
  if (beta < 0) {
    reader->Reject(StatusCode::kInvalidArgument, source.dicts, {name},
                   "must not be negative");
  }
  return beta == 0 ? otherwise : beta;
}

void CheckBetas(const SchemeSource& source, double fast, double slow,
                KeyReader* reader) {
  if (fast >= slow) return;
  reader->Fail(Error(
      StatusCode::kInvalidArgument, "%s = %g: must be at least beta_slow = %g",
      reader->PathOf(source.dicts, {"beta_fast"}).c_str(), fast, slow));
}

std::optional<double> ReadMscale(const SchemeSource& source, const char* name,
                                 KeyReader* reader) {
  const auto mscale = reader->Number(source.dicts, {name});
  if (mscale && *mscale < 0) {
    reader->Reject(StatusCode::kInvalidArgument, source.dicts, {name},
                   "must not be negative");
  }
  return mscale;
}

// attention_factor is absolute; the older attn_factor multiplies g(factor, 1).
std::optional<double> ReadAttentionFactor(const SchemeSource& source,
                                          double factor, KeyReader* reader) {
  const Places& dicts = source.dicts;
  const auto absolute = reader->Positive(dicts, {"attention_factor"});
  const auto relative = reader->Positive(dicts, {"attn_factor"});
  if (!relative) return absolute;
  if (absolute) {
    reader->Reject(StatusCode::kParseError, dicts, {"attn_factor"},
                   "must not stand beside attention_factor, which is absolute");
    return absolute;
  }
  const double converted = *relative * YarnMagnitude(factor, 1);
  reader->Warn(reader->PathOf(dicts, {"attn_factor"}) +
               ": multiplies 1 + 0.1 ln factor; gave attention_factor = " +
               FormatNumber(converted));
  return converted;
}

void WarnOfMscale(const SchemeSource& source, const YarnScaling& yarn,
                  KeyReader* reader) {
  if (source.config.family->softmax == YarnSoftmax::kNone) return;
  if (yarn.mscale_all_dim.value_or(0) == 0) return;
  reader->Warn(reader->PathOf(source.dicts, {"mscale_all_dim"}) +
               ": DeepSeek's models multiply the softmax scale by its square "
               "too; whether this family does is not known (model_type = " +
               source.config.model_type + ")");
}

// What DeepSeek's code does not read, and would contradict what it computes.
void RejectPlainYarnKeys(const SchemeSource& source, KeyReader* reader) {
  for (const char* name :
       {"attention_factor", "attn_factor", "extrapolation_factor"}) {
    const auto value = reader->Number(source.dicts, {name});
    if (value && (*value != 1 || name[0] == 'a')) {
      reader->Reject(StatusCode::kUnsupported, source.dicts, {name},
                     "DeepSeek's YaRN has no such key");
    }
  }
  if (!reader->Bool(source.dicts, {"truncate"}).value_or(true)) {
    reader->Reject(StatusCode::kUnsupported, source.dicts, {"truncate"},
                   "DeepSeek's YaRN always truncates");
  }
}

Scaling DeepSeekYarn(const SchemeSource& source, const YarnScaling& yarn,
                     KeyReader* reader) {
  RejectPlainYarnKeys(source, reader);
  DeepSeekYarnScaling scaling;
  scaling.factor = yarn.factor;
  scaling.original_positions = yarn.original_positions;
  scaling.beta_fast = yarn.beta_fast;
  scaling.beta_slow = yarn.beta_slow;
  scaling.mscale = ReadMscale(source, "mscale", reader).value_or(1);
  scaling.mscale_all_dim =
      ReadMscale(source, "mscale_all_dim", reader).value_or(0);
  if (scaling.mscale != 1 && scaling.mscale_all_dim == 0) {
    reader->Warn(reader->PathOf(source.dicts, {"mscale"}) +
                 ": taken as DeepSeek does; Transformers ignores it without "
                 "mscale_all_dim");
  }
  return scaling;
}

}  // namespace

Scaling ReadYarn(const SchemeSource& source, KeyReader* reader) {
  const Places& dicts = source.dicts;
  YarnScaling yarn;
  yarn.original_positions = RequireOriginalPositions(source, reader);
  yarn.factor = ReadFactor(source, yarn.original_positions, reader);
  yarn.beta_fast = ReadBeta(source, "beta_fast", yarn.beta_fast, reader);
  yarn.beta_slow = ReadBeta(source, "beta_slow", yarn.beta_slow, reader);
  CheckBetas(source, yarn.beta_fast, yarn.beta_slow, reader);
  const YarnSoftmax softmax = source.config.family->softmax;
  if (source.name == "deepseek_yarn" || softmax == YarnSoftmax::kDeepSeek) {
    return DeepSeekYarn(source, yarn, reader);
  }
  yarn.attention_factor = ReadAttentionFactor(source, yarn.factor, reader);
  yarn.truncate = reader->Bool(dicts, {"truncate"}).value_or(true);
  yarn.extrapolation_weight =
      reader->Number(dicts, {"extrapolation_factor"}).value_or(1);
  yarn.mscale = ReadMscale(source, "mscale", reader);
  yarn.mscale_all_dim = ReadMscale(source, "mscale_all_dim", reader);
  WarnOfMscale(source, yarn, reader);
  if (softmax == YarnSoftmax::kUnscaled && !yarn.attention_factor) {
    yarn.attention_factor = 1;
  }
  return yarn;
}

}  // namespace ropewalk::internal
