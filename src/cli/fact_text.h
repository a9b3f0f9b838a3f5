// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The text of `ropewalk inspect` as it grows, and the facts of positions and
// vision encoders in it.
#pragma once
#include <string>
#include <vector>

#include "ropewalk/config.h"

namespace ropewalk::cli {

// Text that grows as printf prints.
class Text {
 public:
  __attribute__((format(printf, 2, 3))) void Print(const char* format, ...);
  // A fact of a layer. Values may be long.
  void Fact(const char* name, const std::string& value);
  void Line(const std::string& line) { text_ += line + "\n"; }

  const std::string& str() const { return text_; }

 private:
  std::string text_;
};

// "64 of 128 dims from 0, half".
std::string WindowText(const RotaryLayout& layout);

void PrintKeys(const std::vector<ConfigKey>& keys, Text* text);

// What multiplies or moves queries and keys beside the rotation; nothing of a
// layer that has none of it.
void PrintAttention(const LayerRope& rope, Text* text);

// How the tokens of a prompt count, where that is not 0, 1, 2, ...
void PrintPromptRule(const ModelRope& model, Text* text);

void PrintVision(const VisionRope& vision, Text* text);

}  // namespace ropewalk::cli
