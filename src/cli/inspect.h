// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// `ropewalk inspect`: what a model's file says about RoPE, and what follows.
// Here the facts are collected; inspect_text.cc, inspect_json.cc and
// plot_bands.cc show them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/model_file.h"
#include "ropewalk/bands.h"
#include "ropewalk/config.h"
#include "ropewalk/frequencies.h"
#include "ropewalk/status.h"

namespace ropewalk::cli {

struct InspectOptions {
  FileOptions file;
  int64_t length = 0;  // Of the sequence, for schemes that look at it.
  bool json = false;
  std::string plot;  // A file to draw to; empty: none.
};

// What a table in the float32 arithmetic of AngleMode::kFloat32 is worth: at
// the model's last position, the largest |rounded angle - exact angle|.
struct Float32Error {
  int64_t position;
  int pair;
  double radians;
  // An angle error of d moves a pair of norm 1 by d. In ulp of a bf16 number
  // in [1/2, 1), 2^-8.
  double bf16_ulps;
};

struct LayerFacts {
  LayerRope rope;
  Frequencies frequencies;
  uint64_t checksum = 0;
  int64_t original_positions = 0;  // 0: nobody says.
  // rotations and the original of these are for 1 position where nobody says.
  Bands bands;
  // Memory of the angle table as it is built, and of a dense one of float32
  // for all positions of the model.
  std::optional<size_t> factored_bytes;  // None: too many dims to build.
  std::optional<double> dense_bytes;
  std::optional<Float32Error> float32_error;
};

struct ModelFacts {
  std::string path;
  int64_t sequence_length = 0;
  ModelRope model;
  std::vector<LayerFacts> layers;
};

Result<ModelFacts> CollectFacts(const InspectOptions& options);

// For the text: one line or a few for each fact, then the pairs.
std::string FactsAsText(const ModelFacts& facts);
// One object; the shortest numbers that read back as the same, null for those
// that are infinite or that nobody says.
std::string FactsAsJson(const ModelFacts& facts);

// Prints the facts. Returns the program's exit code: 0, or 2 if the file
// cannot be read or drawn, and then nothing is on stdout.
int RunInspect(const InspectOptions& options);

}  // namespace ropewalk::cli
