// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The decoder's outputs against attention in double precision without a cache.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine_case.h"
#include "support/all_targets.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using EngineAttentionTest = AllTargets;

constexpr int kTokens = 48;

// A prompt and some steps.
std::vector<float> Decode(const Model& model, const RopeCase& rope,
                          const std::vector<int>& tokens,
                          int64_t first_position) {
  Decoder decoder(model, OptionsOf(rope));
  Sequence sequence;
  sequence.next_position = first_position;
  std::vector<float> outputs =
      TakeStep(&decoder, &sequence, Part(tokens, 0, tokens.size() - 10));
  for (size_t t = tokens.size() - 10; t < tokens.size(); ++t) {
    const std::vector<float> next =
        TakeStep(&decoder, &sequence, Part(tokens, t, 1));
    outputs.insert(outputs.end(), next.begin(), next.end());
  }
  return outputs;
}

// How much of the bound is used by the outputs where a token stands at
// first_position plus its index.
double Used(const Model& model, const RopeCase& rope, int64_t first_position) {
  const std::vector<int> tokens = MakeTokens(model.shape, kTokens, 21);
  const ReferenceTokens at = {tokens, Count(first_position, kTokens)};
  return UsedOfBound(Decode(model, rope, tokens, first_position),
                     ReferenceForward(model, rope.reference, at, {}));
}

TEST_P(EngineAttentionTest, OneLayerIsAttentionInDoubleWithinTheBound) {
  const Model model = MakeModel(ShapeOf(1), 20);
  for (const RopeCase& rope : RopeCases()) {
    for (const int64_t first : {0, 100000}) {
      EXPECT_LE(Report("bound used, one layer, " + rope.name + ", from " +
                           std::to_string(first),
                       Used(model, rope, first)),
                1.0);
    }
  }
}

TEST_P(EngineAttentionTest, ThreeLayersAreAttentionInDoubleWithinTheBound) {
  const Model model = MakeModel(ShapeOf(3), 22);
  for (const RopeCase& rope : RopeCases()) {
    EXPECT_LE(
        Report("bound used, three layers, " + rope.name, Used(model, rope, 0)),
        1.0);
  }
}

// That the bound tells right from wrong: the mistakes that engines made.
TEST_P(EngineAttentionTest, TheBoundRefusesWrongRotations) {
  const Model model = MakeModel(ShapeOf(1), 20);
  const std::vector<int> tokens = MakeTokens(model.shape, kTokens, 21);
  const RopeCase rope = MakeRope("half", 64, Pairing::kHalf);
  const std::vector<float> outputs = Decode(model, rope, tokens, 0);
  const auto used = [&](const RopeCase& other,
                        const std::vector<int64_t>& positions) {
    return UsedOfBound(outputs, ReferenceForward(model, other.reference,
                                                 {tokens, positions}, {}));
  };
  const std::vector<int64_t> right = Count(0, kTokens);
  EXPECT_LE(used(rope, right), 1.0);
  std::vector<int64_t> gap = right;  // as if one token had been counted twice
  for (size_t t = kTokens / 2; t < gap.size(); ++t) ++gap[t];
  EXPECT_GT(Report("bound used, a gap of one position", used(rope, gap)), 1.0);
  EXPECT_GT(Report("bound used, the other pairing",
                   used(MakeRope("", 64, Pairing::kInterleaved), right)),
            1.0);
  EXPECT_GT(Report("bound used, part of the head",
                   used(MakeRope("", 40, Pairing::kHalf), right)),
            1.0);
  EXPECT_GT(Report("bound used, attention factor 1.2",
                   used(MakeRope("", 64, Pairing::kHalf, 1.2), right)),
            1.0);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(EngineAttentionTest);

}  // namespace
}  // namespace ropewalk::test
