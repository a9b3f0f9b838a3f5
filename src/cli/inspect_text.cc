// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The facts of `ropewalk inspect`, for people.
#include <cinttypes>
#include <cstdio>
#include <string>
#include <variant>

#include "cli/axis_text.h"
#include "cli/fact_text.h"
#include "cli/inspect.h"
#include "cli/scheme_parameters.h"
#include "cli/terminal.h"

namespace ropewalk::cli {
namespace {

std::string ValueText(bool value) { return value ? "true" : "false"; }
std::string ValueText(int64_t value) { return std::to_string(value); }
std::string ValueText(double value) { return Number(value); }
std::string ValueText(const std::string& value) { return value; }
// A list has an entry a pair, and the pairs are listed anyway.
std::string ValueText(const std::vector<double>& list) {
  std::string text = "[" + std::to_string(list.size()) + "]";
  if (list.empty()) return text;
  return text + " " + Number(list.front()) + " .. " + Number(list.back());
}

std::string SchemeText(const Scaling& scaling) {
  std::string text = SchemeName(scaling);
  const char* separator = ": ";
  for (const SchemeParameter& parameter : ParametersOf(scaling)) {
    text += separator + std::string(parameter.name) + " " +
            std::visit([](const auto& value) { return ValueText(value); },
                       parameter.value);
    separator = ", ";
  }
  return text;
}

std::string CountText(int64_t count) {
  return count > 0 ? std::to_string(count) : "unknown";
}

std::string BytesText(double bytes) {
  const char* unit = "KiB";
  double units = bytes / 1024;
  for (const char* larger : {"MiB", "GiB", "TiB"}) {
    if (units < 1024) break;
    units /= 1024;
    unit = larger;
  }
  char text[64];
  std::snprintf(text, sizeof(text), "%.0f bytes (%.4g %s)", bytes, units, unit);
  return text;
}

std::string ListText(const std::vector<int>& list) {
  std::string text;
  for (const int entry : list) {
    text += (text.empty() ? "" : " ") + std::to_string(entry);
  }
  return text;
}

void PrintTable(const LayerFacts& facts, Text* text) {
  text->Fact("table, factored",
             facts.factored_bytes
                 ? BytesText(static_cast<double>(*facts.factored_bytes))
                 : "not built");
  if (facts.dense_bytes) {
    text->Fact("table, dense",
               BytesText(*facts.dense_bytes) + " for all positions");
  }
  if (facts.float32_error) {
    const Float32Error& error = *facts.float32_error;
    text->Print("  %-20sangle off by %.3g at position %" PRId64
                " (pair %d): %.3g bf16 ulp of the result\n",
                "table, float32 math", error.radians, error.position,
                error.pair, error.bf16_ulps);
  }
}

void PrintPairs(const LayerFacts& facts, Text* text) {
  text->Print("\n  %6s %20s %14s %14s %12s  %s\n", "pair", "inv_freq",
              "wavelength", "plain", "rotations", "band");
  int index = 0;
  for (const PairBand& pair : facts.bands.pairs) {
    text->Print("  %6d %20.15g %14.8g %14.8g ", index++, pair.inv_freq,
                pair.wavelength, pair.plain_wavelength);
    if (facts.original_positions > 0) {
      text->Print("%12.6g", pair.rotations);
    } else {
      text->Print("%12s", "unknown");
    }
    text->Print("  %s\n", BandName(pair.band));
  }
}

void PrintRotation(const LayerFacts& facts, int64_t max_positions, Text* text) {
  const LayerRope& rope = facts.rope;
  text->Fact("scheme", SchemeText(rope.parameters.scaling));
  text->Fact("base", Number(rope.parameters.base));
  text->Fact("head", WindowText(rope.layout));
  const std::string key = WindowText(rope.key_layout);
  if (key != WindowText(rope.layout)) text->Fact("key as cached", key);
  if (!rope.mrope_section.empty()) {
    text->Fact("M-RoPE sections",
               ListText(rope.mrope_section) +
                   (rope.mrope_interleaved ? ", interleaved" : ""));
    text->Fact("axis", AxisText(rope.parameters.axis, rope.components));
  }
  text->Fact("attention_factor", Number(facts.frequencies.attention_factor));
  text->Fact("softmax_multiplier", Number(facts.rope.softmax_multiplier));
  text->Fact("original positions", CountText(facts.original_positions));
  text->Fact("max positions", CountText(max_positions));
  text->Print("  %-20s%016" PRIx64 "%s\n", "checksum", facts.checksum,
              facts.frequencies.length_dependent
                  ? ", for this sequence length only"
                  : "");
  PrintTable(facts, text);
}

void PrintLayer(const LayerFacts& facts, int64_t max_positions, Text* text) {
  const LayerRope& rope = facts.rope;
  text->Line("\n" + Printable(rope.layer_type) +
             (rope.layers.empty() ? "" : ": layers " + Ranges(rope.layers)));
  if (!rope.uses_rope) {
    text->Fact("scheme", "no RoPE: " + WindowText(rope.layout) + " turn");
    PrintAttention(rope, text);
    PrintKeys(rope.keys, text);
    return;
  }
  PrintRotation(facts, max_positions, text);
  PrintAttention(rope, text);
  PrintKeys(rope.keys, text);
  PrintPairs(facts, text);
}

}  // namespace

std::string FactsAsText(const ModelFacts& facts) {
  Text text;
  text.Line("family: " + Printable(facts.model.family) + ", " +
            CountText(facts.model.layer_count) + " layers, " +
            CountText(facts.model.max_positions) + " positions");
  if (facts.sequence_length > 0) {
    text.Line("sequence length: " + std::to_string(facts.sequence_length));
  }
  PrintPromptRule(facts.model, &text);
  for (const std::string& warning : facts.model.warnings) {
    text.Line("warning: " + Printable(warning));
  }
  for (const LayerFacts& layer : facts.layers) {
    PrintLayer(layer, facts.model.max_positions, &text);
  }
  if (facts.model.vision) PrintVision(*facts.model.vision, &text);
  return text.str();
}

}  // namespace ropewalk::cli
