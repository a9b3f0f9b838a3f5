// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Source: the rotary embeddings of the models named in HF, and vLLM's M-RoPE.
#include "config/huggingface/section_rules.h"

#include <string>

namespace ropewalk::internal {
namespace {

using Order = SectionOrder;

constexpr std::array<int, 3> kQwen3Vl = {24, 20, 20};
constexpr std::array<int, 3> kQwen35 = {11, 11, 10};
constexpr std::array<int, 3> kNone = {};

// HF's code of these families has one order, and asks no key.
constexpr SectionRule kFamilyRules[] = {
    {"ernie4_5_moe_vl", Order::kErnie},
    {"ernie4_5_vl", Order::kErnie},
    {"ernie4_5", Order::kErnie, false},
    {"glm4v", Order::kContiguous},
    {"hunyuan_vl", Order::kContiguous, true, kNone, true},
    {"openpangu", Order::kBalanced, false},
    {"qwen2_5_omni", Order::kContiguous},
    {"qwen2_5_vl", Order::kContiguous},
    {"qwen2_vl", Order::kContiguous},
    // A part of Qwen3-Omni that has one position.
    {"qwen3_omni_moe_talker_code_predictor", Order::kByKey, false},
    {"qwen3_omni_moe", Order::kInterleaved, true, kQwen3Vl},
    {"qwen3_vl", Order::kInterleaved, true, kQwen3Vl},
    {"qwen3_5", Order::kInterleaved, true, kQwen35},
};

// For other families: what the file calls its scheme, as vLLM reads it.
constexpr SectionRule kSchemeRules[] = {
    {"ernie_3d", Order::kErnie},
    {"mrope", Order::kByKey},
    {"openpangu", Order::kBalanced},
    {"xdrope", Order::kContiguous, true, kNone, true},
};

const SectionRule* RuleNamed(std::string_view model_type) {
  for (const SectionRule& rule : kFamilyRules) {
    if (BeginsWith(model_type, rule.name)) return &rule;
  }
  return nullptr;
}

// HF takes the class of a text model from the model around it, whatever
// text_config calls itself.
const SectionRule* FamilyRule(const ModelConfig& config) {
  const SectionRule* own = RuleNamed(config.model_type);
  if (own != nullptr) return own;
  const JsonValue* outer = config.places.back().object->Find("model_type");
  const auto* name = outer ? outer->Get<std::string>() : nullptr;
  return name ? RuleNamed(*name) : nullptr;
}

const SectionRule* SchemeRule(const Places& dicts, KeyReader* reader) {
  for (const Place& dict : dicts) {
    for (const char* key : {"rope_type", "type"}) {
      if (!reader->IsText({dict}, {key})) continue;
      const auto name = reader->Text({dict}, {key});
      for (const SectionRule& rule : kSchemeRules) {
        if (name == rule.name) return &rule;
      }
    }
  }
  return nullptr;
}

}  // namespace

SectionRule FindSectionRule(const ModelConfig& config, const LayerKind& kind,
                            KeyReader* reader) {
  const SectionRule* family = FamilyRule(config);
  if (family != nullptr && family->always) return *family;
  const SectionRule* scheme = SchemeRule(kind.scheme_dicts, reader);
  if (scheme != nullptr) return *scheme;
  return family != nullptr ? *family : SectionRule{"", Order::kByKey, false};
}

bool FamilyHasSections(const ModelConfig& config) {
  const SectionRule* family = FamilyRule(config);
  return family != nullptr && family->always;
}

}  // namespace ropewalk::internal
