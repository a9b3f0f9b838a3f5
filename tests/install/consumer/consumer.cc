// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/config.h"
#include "ropewalk/ropewalk.h"

int main() {
  const auto model = ropewalk::ParseHuggingFaceConfig(
      R"({"model_type": "llama", "hidden_size": 8, "num_attention_heads": 2,
          "rope_theta": 10000.0, "max_position_embeddings": 64})");
  if (!model.ok() || model.value().Find("all") == nullptr) return 1;
  const auto frequencies =
      ropewalk::ComputeFrequencies(model.value().Find("all")->parameters);
  const bool right =
      frequencies.ok() && frequencies.value().inv_freq[1] == 0.01;
  return right && ropewalk::ActiveTarget()[0] != '\0' ? 0 : 1;
}
