// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The models of tests/golden/configs: their config.json files and, from
// expected.json, what a reader must find in them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "reference/schemes.h"
#include "ropewalk/config.h"

namespace ropewalk::test {

// One kind of layer; expected.json's "_about" says what it leaves out.
struct ExpectedLayer {
  std::string kind;
  bool uses_rope = true;
  RotaryLayout layout;
  RotaryLayout key_layout;
  double base = 0;
  nlohmann::json scaling;  // The scheme's name and arguments, as ArgumentsOf.
  bool long_list = false;  // LongRoPE: which list counts by default.
  int64_t original_positions = 0;
  std::vector<int> layers;
  std::vector<int> mrope_section;
  bool mrope_interleaved = false;
  nlohmann::json numbers;  // Literal results.
  nlohmann::json entry;    // Of expected.json, as it stands there.
};

struct ExpectedModel {
  std::string name;
  std::string text;  // The file.
  std::string family;
  int64_t max_positions = 0;
  int layer_count = 0;
  std::vector<std::string> warnings;  // A part of each.
  std::vector<ExpectedLayer> layers;
  nlohmann::json entry;
};

// In the order of their names. Throws if a file is missing or malformed.
std::vector<ExpectedModel> ReadExpectedModels();

// The names of the files in the folder, without expected.json.
std::vector<std::string> ModelFiles();

// The scheme's name and arguments, in the words of expected.json; what has no
// value, or YaRN's weight at its default, is left out.
nlohmann::json ArgumentsOf(const Scaling& scaling);

// The oracle's answer to what is expected; long_list matters to LongRoPE only.
reference::Scheme OracleOf(const ExpectedLayer& layer, bool long_list);

// Everything that a reader said of a model.
nlohmann::json Describe(const ModelRope& model);

}  // namespace ropewalk::test
