// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/fact_text.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>

#include "cli/axis_text.h"
#include "cli/pairing_name.h"
#include "cli/position_names.h"
#include "cli/terminal.h"

namespace ropewalk::cli {
namespace {

std::string ScaleText(const QueryScale& scale) {
  std::string text = RuleName(scale.rule);
  text += ": positions " + std::to_string(scale.positions);
  if (scale.rule != QueryScaleRule::kLogN) {
    text += ", beta " + Number(scale.beta);
  }
  return text;
}

std::string GridText(const PatchGrid& grid) {
  std::string text = grid.merge_size == 1
                         ? "row by row"
                         : "blocks of " + std::to_string(grid.merge_size) +
                               " x " + std::to_string(grid.merge_size);
  text += ", from " + std::to_string(grid.first);
  if (grid.class_token != ClassToken::kNone) {
    text +=
        std::string(", class token ") + PlaceName(grid.class_token) + " at 0";
  }
  return text;
}

void PrintVisionPairs(const VisionRope& vision, Text* text) {
  constexpr double kTurn = 6.283185307179586;
  text->Print("\n  %6s %20s %14s  %s\n", "pair", "inv_freq", "wavelength",
              "follows");
  const Frequencies& used = vision.frequencies;
  for (size_t i = 0; i < used.inv_freq.size(); ++i) {
    text->Print("  %6zu %20.15g %14.8g  %s\n", i, used.inv_freq[i],
                kTurn / used.inv_freq[i],
                vision.components.at(used.axis[i]).c_str());
  }
}

}  // namespace

void Text::Print(const char* format, ...) {
  char line[512];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof(line), format, arguments);
  va_end(arguments);
  text_ += line;
}

void Text::Fact(const char* name, const std::string& value) {
  Print("  %-20s", name);
  text_ += value + "\n";
}

std::string WindowText(const RotaryLayout& layout) {
  if (layout.rotary_dim == 0)
    return "none of " + std::to_string(layout.head_dim) + " dims";
  const int pairs = layout.rotary_dim / 2;
  const bool half = layout.pairing == Pairing::kHalf;
  std::string text = std::to_string(layout.rotary_dim) + " of " +
                     std::to_string(layout.head_dim) + " dims from " +
                     std::to_string(layout.rotary_offset) + ", " +
                     PairingName(layout.pairing);
  if (half && layout.pair_distance != 0 && layout.pair_distance != pairs) {
    text += ", pair distance " + std::to_string(layout.pair_distance);
  }
  return text;
}

void PrintKeys(const std::vector<ConfigKey>& keys, Text* text) {
  for (const ConfigKey& key : keys) {
    text->Fact("key", Printable(key.path) + " = " + Printable(key.value));
  }
}

void PrintAttention(const LayerRope& rope, Text* text) {
  if (rope.query_scale.rule != QueryScaleRule::kNone) {
    text->Fact("query scale", ScaleText(rope.query_scale));
  }
  if (rope.dual_chunk) {
    text->Fact("dual chunk", "chunk_size " +
                                 std::to_string(rope.dual_chunk->chunk_size) +
                                 ", local_size " +
                                 std::to_string(rope.dual_chunk->local_size));
  }
  if (rope.inverse_on_output) {
    text->Fact("output", "turned back by the queries' positions");
  }
}

void PrintPromptRule(const ModelRope& model, Text* text) {
  if (model.prompt_rule == PromptRule::kConsecutive) return;
  std::string line = std::string("prompt: ") + RuleName(model.prompt_rule);
  if (model.multimodal) {
    const MultimodalRules& rules = *model.multimodal;
    line += std::string(", time by ") + TimeName(rules.video_time) +
            ", merge_size " + std::to_string(rules.merge_size);
    if (rules.video_time == VideoTime::kSeconds) {
      line += ", tokens_per_second " + Number(rules.tokens_per_second);
    }
  }
  text->Line(line);
}

void PrintVision(const VisionRope& vision, Text* text) {
  text->Line("\nvision: " + Printable(vision.family));
  text->Fact("scheme", SchemeName(vision.scheme));
  text->Fact("base", Number(vision.base));
  for (const RotaryLayout& layout : vision.layouts) {
    text->Fact("head", WindowText(layout) + ", angles from pair " +
                           std::to_string(layout.first_pair));
  }
  if (vision.heads > 0) text->Fact("heads", std::to_string(vision.heads));
  text->Fact("axis", AxisText(vision.frequencies.axis, vision.components));
  text->Fact("patches", GridText(vision.grid));
  if (vision.patch_size > 0) {
    text->Fact("patch_size", std::to_string(vision.patch_size));
  }
  text->Print("  %-20s%016" PRIx64 "\n", "checksum",
              Checksum(vision.frequencies));
  PrintKeys(vision.keys, text);
  PrintVisionPairs(vision, text);
}

}  // namespace ropewalk::cli
