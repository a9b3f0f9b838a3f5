// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/huggingface/rope_scaling.h"

#include <limits>
#include <utility>

#include "config/huggingface/scheme_source.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

// mrope, ernie_3d and openpangu are the plain ladder, whose pairs mrope_section
// deals out.
std::string TodaysName(const std::string& name) {
  if (name == "su") return "longrope";
  if (name == "mrope" || name == "ernie_3d" || name == "openpangu") {
    return "default";
  }
  return name;
}

// Dicts that only hold keys of the plain ladder need no type.
void CheckPlainWithoutType(const Places& dicts, KeyReader* reader) {
  for (const Place& dict : dicts) {
    for (const auto& [name, value] : MembersOf(dict)) {
      const bool plain = name == "rope_theta" ||
                         name == "partial_rotary_factor" ||
                         name == "mrope_section" || name == "mrope_interleaved";
      if (plain || value.IsNull()) continue;
      reader->Fail(Error(StatusCode::kParseError,
                         "%srope_type: missing, although %s is given",
                         dict.prefix.c_str(), name.c_str()));
    }
  }
}

std::vector<double> RequireDivisors(const SchemeSource& source,
                                    const char* name, KeyReader* reader) {
  auto list = reader->Numbers(source.dicts, {name});
  const std::string path = reader->PathOf(source.dicts, {name});
  const auto pairs = static_cast<size_t>(source.rotary_dim / 2);
  if (!list) {
    reader->Fail(Error(StatusCode::kParseError,
                       "%s: missing, required by longrope", path.c_str()));
    return {};
  }
  if (list->size() != pairs) {
    reader->Fail(Error(StatusCode::kParseError,
                       "%s has %zu entries: must have %zu, half of the rotary "
                       "dims",
                       path.c_str(), list->size(), pairs));
  }
  for (const double divisor : *list) {
    if (divisor > 0) continue;
    reader->Fail(Error(StatusCode::kInvalidArgument,
                       "%s has an entry %g: must be positive", path.c_str(),
                       divisor));
  }
  return *std::move(list);
}

Scaling ReadLongRope(const SchemeSource& source, KeyReader* reader) {
  const Places& dicts = source.dicts;
  LongRopeScaling scaling;
  scaling.short_factor = RequireDivisors(source, "short_factor", reader);
  scaling.long_factor = RequireDivisors(source, "long_factor", reader);
  scaling.original_positions = RequireOriginalPositions(source, reader);
  scaling.max_positions = RequireMaxPositions(source, reader);
  scaling.factor = reader->Positive(dicts, {"factor"});
  scaling.attention_factor = reader->Positive(dicts, {"attention_factor"});
  scaling.short_attention_factor = reader->Positive(dicts, {"short_mscale"});
  scaling.long_attention_factor = reader->Positive(dicts, {"long_mscale"});
  scaling.policy = source.config.options.long_rope_policy;
  scaling.context_limit = source.config.options.context_limit;
  return scaling;
}

Scaling ReadLlama3(const SchemeSource& source, KeyReader* reader) {
  Llama3Scaling scaling;
  scaling.factor = RequirePositive(source, {"factor"}, reader);
  scaling.low_freq_factor =
      RequirePositive(source, {"low_freq_factor"}, reader);
  scaling.high_freq_factor =
      RequirePositive(source, {"high_freq_factor"}, reader);
  scaling.original_positions = RequireOriginalPositions(source, reader);
  if (scaling.high_freq_factor < scaling.low_freq_factor) {
    reader->Reject(StatusCode::kInvalidArgument, source.dicts,
                   {"high_freq_factor"}, "must be at least low_freq_factor");
  }
  const int64_t maximum = source.config.max_positions;
  if (maximum != 0 && scaling.original_positions >= maximum) {
    reader->Warn(
        "original_max_position_embeddings = " +
        std::to_string(scaling.original_positions) +
        ": not below max_position_embeddings = " + std::to_string(maximum));
  }
  return scaling;
}

// With alpha this is Hunyuan's static scheme: its files say dynamic and
// factor 1, which would be no scaling at all; or xdrope, which adds sections.
Scaling ReadDynamic(const SchemeSource& source, KeyReader* reader) {
  const Places& dicts = source.dicts;
  if (source.name == "dynamic" && !reader->Has(dicts, {"alpha"})) {
    DynamicNtkScaling scaling;
    scaling.factor = RequirePositive(source, {"factor"}, reader);
    scaling.max_positions = RequireMaxPositions(source, reader);
    return scaling;
  }
  const double alpha = RequirePositive(source, {"alpha"}, reader);
  if (reader->Number(dicts, {"factor"}).value_or(1) != 1) {
    reader->Reject(StatusCode::kParseError, dicts, {"factor"},
                   "must be 1 or absent beside alpha");
  }
  // Hunyuan's files carry keys of YaRN that its code does not read.
  reader->Ignore(dicts, {"beta_fast", "beta_slow", "mscale", "mscale_all_dim"});
  return NtkAlphaScaling{alpha};
}

Scaling ReadVllmNtk(const SchemeSource& source, KeyReader* reader) {
  VllmNtkScaling scaling;
  scaling.factor = RequirePositive(source, {"factor"}, reader);
  scaling.mixed_b = reader->Positive(source.dicts, {"mixed_b"});
  return scaling;
}

Scaling ReadGrok(const SchemeSource& source, KeyReader* reader) {
  const double factor = RequirePositive(source, {"factor"}, reader);
  const int64_t original = RequireOriginalPositions(source, reader);
  if (source.name == "theta_scale") return GrokThetaScaling{factor, original};
  GrokYarnLogScaling scaling;
  scaling.factor = factor;
  scaling.original_positions = original;
  scaling.beta_fast =
      reader->Positive(source.dicts, {"beta_fast"}).value_or(scaling.beta_fast);
  scaling.beta_slow =
      reader->Positive(source.dicts, {"beta_slow"}).value_or(scaling.beta_slow);
  scaling.truncate =
      reader->Bool(source.dicts, {"truncate"}).value_or(scaling.truncate);
  return scaling;
}

// HF's proportional has factor 1 unless one is given.
Scaling ReadProportional(const SchemeSource& source, KeyReader* reader) {
  return ProportionalScaling{
      0, reader->Positive(source.dicts, {"factor"}).value_or(1)};
}

// Qwen-1 switches its own scheme on by a key beside the sizes; the class that
// comes with the weights has it on.
Scaling ReadQwen(const SchemeSource& source, KeyReader* reader) {
  const Places& places = source.config.places;
  const auto dynamic = reader->Bool(places, {"use_dynamic_ntk"});
  if (!dynamic) WarnAssumed(source.config, "use_dynamic_ntk", "true", reader);
  if (!dynamic.value_or(true)) return NoScaling{};
  const auto trained = reader->Integer(places, {"seq_length"}, 1,
                                       std::numeric_limits<int64_t>::max());
  if (!trained) {
    reader->Reject(StatusCode::kParseError, places, {"seq_length"},
                   "missing, required by use_dynamic_ntk");
  }
  return QwenDynamicNtkScaling{trained.value_or(1), 0};
}

Scaling ReadNamed(const SchemeSource& source, KeyReader* reader) {
  const std::string& name = source.name;
  if (name == "linear") {
    return LinearScaling{RequirePositive(source, {"factor"}, reader)};
  }
  if (name == "dynamic" || name == "xdrope") return ReadDynamic(source, reader);
  if (name == "yarn" || name == "deepseek_yarn") {
    return ReadYarn(source, reader);
  }
  if (name == "llama3") return ReadLlama3(source, reader);
  if (name == "longrope") return ReadLongRope(source, reader);
  if (name == "proportional") return ReadProportional(source, reader);
  if (name == "ntk") return ReadVllmNtk(source, reader);
  if (name == "yarn_log" || name == "theta_scale") {
    return ReadGrok(source, reader);
  }
  if (name == "fope") {
    reader->Fail(Error(StatusCode::kUnsupported,
                       "rope_type = fope: no rotation; its tables are learned "
                       "per head"));
    return NoScaling{};
  }
  reader->Fail(
      Error(StatusCode::kParseError, "%s = %s: not a known scheme",
            reader->PathOf(source.dicts, {"rope_type", "type"}).c_str(),
            name.c_str()));
  return NoScaling{};
}

}  // namespace

std::string ReadSchemeName(const Places& dicts, KeyReader* reader) {
  std::optional<std::string> name;
  std::string path;
  for (const Place& dict : dicts) {
    for (const char* key : {"rope_type", "type"}) {
      const auto given = reader->Text({dict}, {key});
      if (!given) continue;
      const std::string mapped = TodaysName(*given);
      if (name && *name != mapped) {
        reader->Fail(Error(StatusCode::kParseError,
                           "%s = %s, but %s%s = %s: must agree", path.c_str(),
                           name->c_str(), dict.prefix.c_str(), key,
                           given->c_str()));
      }
      name = mapped;
      path = dict.prefix + key;
    }
  }
  if (!name) CheckPlainWithoutType(dicts, reader);
  return name.value_or("default");
}

Scaling ReadScheme(const SchemeSource& source, KeyReader* reader) {
  // finetuned says how the weights were made.
  reader->Ignore(source.dicts, {"finetuned"});
  if (source.name != "default") return ReadNamed(source, reader);
  if (source.config.model_type == "qwen") return ReadQwen(source, reader);
  return NoScaling{};
}

}  // namespace ropewalk::internal
