// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A prefix that another sequence has computed is moved to new slots and to new
// positions, instead of being computed again.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/engine_case.h"
#include "support/all_targets.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using EngineSharedPrefixTest = AllTargets;

constexpr int kPrefix = 37;  // two blocks and a part of one
constexpr int kNext = 9;
constexpr CacheRoundings kMovedOnce = {2, 1};

Status ReusePrefix(Decoder* decoder, const Sequence& from, Sequence* to) {
  return decoder->Reuse(from, 0, kPrefix, to);
}

// The prefix comes first in both sequences, which start at other positions:
// every layer sees the same distances.
TEST_P(EngineSharedPrefixTest, APrefixThatStartsElsewhereServesAllLayers) {
  const Model model = MakeModel(ShapeOf(2), 40);
  const std::vector<int> prefix = MakeTokens(model.shape, kPrefix, 41);
  const std::vector<int> next = MakeTokens(model.shape, kNext, 42);
  for (const RopeCase& rope : RopeCases()) {
    SCOPED_TRACE(rope.name);
    Decoder decoder(model, OptionsOf(rope));
    Sequence first;
    Sequence reused;
    Sequence scratch;
    reused.next_position = scratch.next_position = 1000;
    TakeStep(&decoder, &first, prefix);
    TakeStep(&decoder, &scratch, prefix);
    const std::vector<uint16_t> before = CachedBits(&decoder, first);
    const Status status = ReusePrefix(&decoder, first, &reused);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(reused.positions, scratch.positions);
    EXPECT_EQ(CachedBits(&decoder, first), before) << "the source changed";
    EXPECT_TRUE(KeysAgreeButForARounding(decoder.layout(),
                                         CachedKeys(&decoder, reused, 0),
                                         CachedKeys(&decoder, scratch, 0)));
    // Of every layer: a move turns no value.
    for (int layer = 0; layer < model.shape.layers; ++layer) {
      EXPECT_EQ(CachedValueBits(&decoder, reused, layer),
                CachedValueBits(&decoder, first, layer));
    }
    const ReferenceTokens at = {Joined(prefix, next),
                                Count(1000, kPrefix + kNext)};
    const ReferenceOutput once =
        ReferenceForward(model, rope.reference, at, {});
    const ReferenceOutput twice =
        ReferenceForward(model, rope.reference, at, kMovedOnce);
    const std::vector<float> after_reuse = TakeStep(&decoder, &reused, next);
    const std::vector<float> after_scratch = TakeStep(&decoder, &scratch, next);
    EXPECT_LE(Report("bound used, two layers, " + rope.name,
                     UsedOfBound(after_reuse, twice)),
              1.0);
    EXPECT_LE(Report("bound used by the difference, two layers, " + rope.name,
                     UsedByDifference(after_reuse, after_scratch, twice, once)),
              1.0);
  }
}

// Behind other tokens, and with a gap where tokens of the source were evicted:
// each key moves by a difference of its own. Of one layer, where a key depends
// on its token alone.
TEST_P(EngineSharedPrefixTest, APassageMovesBehindOtherTokens) {
  constexpr int kFront = 11;
  constexpr int kGapAt = 8;
  constexpr int kGap = 5;
  const Model model = MakeModel(ShapeOf(1), 43);
  const std::vector<int> front = MakeTokens(model.shape, kFront, 44);
  const std::vector<int> passage = MakeTokens(model.shape, kPrefix, 45);
  const std::vector<int> gap = MakeTokens(model.shape, kGap, 46);
  const std::vector<int> next = MakeTokens(model.shape, kNext, 47);
  for (const RopeCase& rope : RopeCases()) {
    SCOPED_TRACE(rope.name);
    Decoder decoder(model, OptionsOf(rope));
    Sequence source;
    Sequence reused;
    Sequence scratch;
    TakeStep(&decoder, &source,
             Joined(Joined(Part(passage, 0, kGapAt), gap),
                    Part(passage, kGapAt, kPrefix - kGapAt)));
    decoder.Evict(kGapAt, kGap, &source);
    TakeStep(&decoder, &reused, front);
    const Status status = ReusePrefix(&decoder, source, &reused);
    ASSERT_TRUE(status.ok()) << status.message();
    TakeStep(&decoder, &scratch, Joined(front, passage));
    EXPECT_EQ(reused.positions, scratch.positions);
    EXPECT_TRUE(KeysAgreeButForARounding(decoder.layout(),
                                         CachedKeys(&decoder, reused, 0),
                                         CachedKeys(&decoder, scratch, 0)));
    EXPECT_EQ(CachedValueBits(&decoder, reused, 0),
              CachedValueBits(&decoder, scratch, 0));
    const ReferenceTokens at = {Joined(Joined(front, passage), next),
                                Count(0, kFront + kPrefix + kNext)};
    EXPECT_LE(Report("bound used behind other tokens, " + rope.name,
                     UsedOfBound(TakeStep(&decoder, &reused, next),
                                 ReferenceForward(model, rope.reference, at,
                                                  kMovedOnce))),
              1.0);
  }
}

// No difference of positions: a copy, bit for bit.
TEST_P(EngineSharedPrefixTest, APrefixAtTheSamePositionsIsCopied) {
  const Model model = MakeModel(ShapeOf(2), 48);
  Decoder decoder(model, OptionsOf(MakeRope("half", 64, Pairing::kHalf)));
  const std::vector<int> prefix = MakeTokens(model.shape, kPrefix, 49);
  const std::vector<int> next = MakeTokens(model.shape, kNext, 50);
  Sequence first;
  Sequence reused;
  TakeStep(&decoder, &first, prefix);
  const Status status = ReusePrefix(&decoder, first, &reused);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_NE(first.slots, reused.slots);
  EXPECT_EQ(CachedBits(&decoder, reused), CachedBits(&decoder, first));
  EXPECT_EQ(TakeStep(&decoder, &reused, next),
            TakeStep(&decoder, &first, next));
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(EngineSharedPrefixTest);

}  // namespace
}  // namespace ropewalk::test
