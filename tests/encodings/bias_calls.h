// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The four calls of score biases on one set of tensors, for what holds of all.
#pragma once
#include <cstdint>
#include <vector>

#include "encodings/score_tensor.h"
#include "ropewalk/encodings.h"
#include "support/random.h"

namespace ropewalk::test {

enum class BiasCall { kAlibi, kT5, kShawScores, kShawValues };

inline constexpr BiasCall kBiasCalls[] = {BiasCall::kAlibi, BiasCall::kT5,
                                          BiasCall::kShawScores,
                                          BiasCall::kShawValues};

// Tables and heads that suit the scores; a test may spoil any of them.
struct BiasArguments {
  static constexpr int64_t kClip = 5;
  static constexpr int kHeadDim = 20;

  BiasArguments(DataType type, const ScoresShape& shape, Random* random)
      : slopes(static_cast<size_t>(shape.heads), 0.25f),
        t5(TableSpec(DataType::kBF16, 32, shape.heads), random),
        shaw(TableSpec(DataType::kF32, 2 * kClip + 1, kHeadDim), random),
        scores(SpecOf(type, shape), random),
        heads(HeadsSpec{type, 1, shape.queries, shape.heads, kHeadDim}, random),
        view(ScoresOf(scores, {shape.keys / 2, 0})),
        heads_view(heads.view()),
        t5_table(TableOf(t5)),
        shaw_table(TableOf(shaw)) {}

  Status Run(BiasCall call, Parallel parallel = Parallel::Serial()) const {
    switch (call) {
      case BiasCall::kAlibi:
        return AddAlibi(slopes_data(), view, range, parallel);
      case BiasCall::kT5:
        return AddT5Bias(t5_table, t5_rule, view, range, parallel);
      case BiasCall::kShawScores:
        return AddShawScores(shaw_table, shaw_rule, heads_view, multiplier,
                             view, range, parallel);
      case BiasCall::kShawValues:
        return AddShawValues(shaw_table, shaw_rule, view, heads_view, range,
                             parallel);
    }
    return Status();
  }

  // Everything that a call may write, and all that it must not.
  std::vector<uint8_t> Bytes() const {
    std::vector<uint8_t> bytes = scores.Bytes();
    for (const Heads* more : {&heads, &t5, &shaw}) {
      const std::vector<uint8_t> next = more->Bytes();
      bytes.insert(bytes.end(), next.begin(), next.end());
    }
    return bytes;
  }

  const float* slopes_data() const {
    return slopes.empty() ? nullptr : slopes.data();
  }

  std::vector<float> slopes;
  Heads t5;
  Heads shaw;
  Heads scores;
  Heads heads;
  Scores view;
  HeadsView heads_view;
  EmbeddingTable t5_table;
  EmbeddingTable shaw_table;
  T5Buckets t5_rule;
  ShawRule shaw_rule = {kClip, false};
  float multiplier = 0.5f;
  ScoreRange range = ScoreRange::kAll;
};

}  // namespace ropewalk::test
