// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Source: get_rope_index of the models named, in HF.
#include "config/huggingface/prompt_rule.h"

#include <algorithm>
#include <cfloat>
#include <optional>
#include <string_view>

namespace ropewalk::internal {
namespace {

struct Rule {
  std::string_view model_type;  // What it begins with.
  VideoTime video_time;
};

constexpr Rule kRules[] = {
    {"qwen2_vl", VideoTime::kFrames},
    {"qwen2_5_vl", VideoTime::kSeconds},
    {"qwen3_vl", VideoTime::kTimestamps},
    {"qwen3_5", VideoTime::kTimestamps},
};

std::optional<VideoTime> TimeOf(std::string_view model_type) {
  for (const Rule& rule : kRules) {
    if (BeginsWith(model_type, rule.model_type)) return rule.video_time;
  }
  return std::nullopt;
}

bool HasSeveralComponents(const ModelRope& model) {
  return std::any_of(
      model.layer_types.begin(), model.layer_types.end(),
      [](const LayerRope& layer) { return !layer.components.empty(); });
}

// The defaults here and below are those of the vision classes.
int64_t ReadMergeSize(const ModelConfig& config, const Places& vision,
                      KeyReader* reader) {
  const Names names = {"spatial_merge_size"};
  const auto size = reader->Count(vision, names);
  if (!size) WarnAssumed(config, reader->PathOf(vision, names), "2", reader);
  return size.value_or(2);
}

double ReadTokensPerSecond(const ModelConfig& config, const Places& vision,
                           KeyReader* reader) {
  const Names names = {"tokens_per_second"};
  const auto rate = reader->Number(vision, names);
  if (!rate) WarnAssumed(config, reader->PathOf(vision, names), "4", reader);
  if (rate && !(*rate >= 0 && *rate <= double{FLT_MAX})) {
    reader->Reject(StatusCode::kInvalidArgument, vision, names,
                   "must be a float32, not negative");
  }
  return rate.value_or(4);
}

}  // namespace

void ReadPromptRule(const ModelConfig& config, const Place* vision,
                    KeyReader* reader, ModelRope* model) {
  if (!HasSeveralComponents(*model)) return;
  model->prompt_rule = PromptRule::kTextOnly;
  if (vision == nullptr) return;
  const auto time = TimeOf(config.model_type);
  if (!time) {
    return reader->Warn("model_type = " + config.model_type +
                        ": how its images count among positions is not known "
                        "here");
  }
  model->prompt_rule = PromptRule::kMultimodal;
  MultimodalRules rules;
  rules.video_time = *time;
  rules.merge_size = ReadMergeSize(config, {*vision}, reader);
  if (*time == VideoTime::kSeconds) {
    rules.tokens_per_second = ReadTokensPerSecond(config, {*vision}, reader);
  }
  model->multimodal = rules;
}

}  // namespace ropewalk::internal
