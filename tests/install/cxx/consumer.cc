// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a model's file, turns a head by what it says, and adds a bias to a
// score.
#include <cmath>

#include "ropewalk/config.h"
#include "ropewalk/encodings.h"
#include "ropewalk/ropewalk.h"

int main() {
  const auto model = ropewalk::ParseHuggingFaceConfig(
      R"({"model_type": "llama", "hidden_size": 8, "num_attention_heads": 2,
          "rope_theta": 10000.0, "max_position_embeddings": 64})");
  if (!model.ok()) return 1;
  const ropewalk::LayerRope& layer = *model.value().Find("all");
  ropewalk::AngleCache cache{ropewalk::AngleCacheOptions{}};
  const auto table = cache.Get(layer.parameters, 0, ropewalk::AngleOptions{});
  if (!table.ok()) return 2;
  ropewalk::AngleRows rows;
  const auto positions = ropewalk::Positions::Consecutive(1, 1);
  if (!table.value()->Fill(positions, &rows).ok()) return 3;
  float head[4] = {1, 0, 0, 0};
  ropewalk::RotateOptions options;
  options.parallel = ropewalk::Parallel::Tbb();
  const auto status = ropewalk::Rotate(
      rows, layer.layout, {ropewalk::DenseHeads(head, 1, 1, 4)}, options);
  if (!status.ok()) return 4;
  // Pair 0 is dims 0 and 2, turned by one radian; float32 carries 2^-24.
  if (!(std::fabs(head[2] - std::sin(1.0)) < 0x1p-22)) return 5;

  // One head's slope is 2^-8; the last key's distance is 0, the one before 1.
  float slope = 0;
  float scores[2] = {1, 1};
  if (!ropewalk::AlibiSlopes(1, 8, &slope).ok()) return 6;
  if (!ropewalk::AddAlibi(&slope, ropewalk::DenseScores(scores, 1, 1, 2))
           .ok()) {
    return 7;
  }
  return scores[0] == 1 - 0x1p-8f && scores[1] == 1 ? 0 : 8;
}
