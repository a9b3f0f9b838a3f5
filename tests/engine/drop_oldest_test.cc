// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Dropping the oldest tokens and shifting the kept ones is computing the kept
// ones anew. Of one layer: its keys and values depend on the token alone.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/engine_case.h"
#include "support/all_targets.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using EngineDropOldestTest = AllTargets;

constexpr int kDropped = 21;  // in the middle of a block
constexpr int kKept = 43;
constexpr int kNext = 6;
constexpr CacheRoundings kShiftedOnce = {2, 1};

struct Story {
  explicit Story(const RopeCase& rope)
      : model(MakeModel(ShapeOf(1), 30)), decoder(model, OptionsOf(rope)) {
    dropped = MakeTokens(model.shape, kDropped, 31);
    kept = MakeTokens(model.shape, kKept, 32);
    next = MakeTokens(model.shape, kNext, 33);
  }

  // Takes the sequence to its shifted state.
  void DropOldest(Sequence* sequence) {
    TakeStep(&decoder, sequence, Joined(dropped, kept));
    decoder.Evict(0, kDropped, sequence);
    const Status status = decoder.Shift(0, -kDropped, sequence);
    EXPECT_TRUE(status.ok()) << status.message();
  }

  Model model;
  Decoder decoder;
  std::vector<int> dropped;
  std::vector<int> kept;
  std::vector<int> next;
};

TEST_P(EngineDropOldestTest, ShiftedKeysAreThoseComputedAnew) {
  for (const RopeCase& rope : RopeCases()) {
    SCOPED_TRACE(rope.name);
    Story story(rope);
    Sequence shifted;
    Sequence anew;
    story.DropOldest(&shifted);
    TakeStep(&story.decoder, &anew, story.kept);
    EXPECT_EQ(shifted.positions, anew.positions);
    EXPECT_EQ(shifted.next_position, anew.next_position);
    EXPECT_TRUE(KeysAgreeButForARounding(story.decoder.layout(),
                                         CachedKeys(&story.decoder, shifted, 0),
                                         CachedKeys(&story.decoder, anew, 0)));
    EXPECT_EQ(CachedValueBits(&story.decoder, shifted, 0),
              CachedValueBits(&story.decoder, anew, 0));
  }
}

TEST_P(EngineDropOldestTest,
       OutputsAfterTheShiftAreThoseOfAnEngineWithoutPast) {
  for (const RopeCase& rope : RopeCases()) {
    SCOPED_TRACE(rope.name);
    Story story(rope);
    Sequence shifted;
    Sequence anew;
    story.DropOldest(&shifted);
    TakeStep(&story.decoder, &anew, story.kept);
    const std::vector<float> after_shift =
        TakeStep(&story.decoder, &shifted, story.next);
    const std::vector<float> after_anew =
        TakeStep(&story.decoder, &anew, story.next);
    const ReferenceTokens at = {Joined(story.kept, story.next),
                                Count(0, kKept + kNext)};
    const ReferenceOutput once =
        ReferenceForward(story.model, rope.reference, at, {});
    const ReferenceOutput twice =
        ReferenceForward(story.model, rope.reference, at, kShiftedOnce);
    EXPECT_LE(Report("bound used after the shift, " + rope.name,
                     UsedOfBound(after_shift, twice)),
              1.0);
    EXPECT_LE(Report("bound used by the difference, " + rope.name,
                     UsedByDifference(after_shift, after_anew, twice, once)),
              1.0);
  }
}

// What the shift is for: the positions alone are not enough.
TEST_P(EngineDropOldestTest, WithoutTheShiftKeysDisagree) {
  const RopeCase rope = MakeRope("half", 64, Pairing::kHalf);
  Story story(rope);
  Sequence dropped;
  Sequence anew;
  TakeStep(&story.decoder, &dropped, Joined(story.dropped, story.kept));
  story.decoder.Evict(0, kDropped, &dropped);
  TakeStep(&story.decoder, &anew, story.kept);
  EXPECT_FALSE(KeysAgreeButForARounding(story.decoder.layout(),
                                        CachedKeys(&story.decoder, dropped, 0),
                                        CachedKeys(&story.decoder, anew, 0)));
}

TEST_P(EngineDropOldestTest, AShiftTouchesNoOtherSequence) {
  for (const RopeCase& rope : RopeCases()) {
    SCOPED_TRACE(rope.name);
    Story story(rope);
    Sequence shifted;
    Sequence other;
    TakeStep(&story.decoder, &other, Part(story.kept, 0, 5));
    TakeStep(&story.decoder, &shifted, Part(story.kept, 0, 20));
    TakeStep(&story.decoder, &other, Part(story.kept, 5, 30));
    const std::vector<uint16_t> before = CachedBits(&story.decoder, other);
    story.DropOldest(&shifted);
    EXPECT_EQ(CachedBits(&story.decoder, other), before);
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(EngineDropOldestTest);

}  // namespace
}  // namespace ropewalk::test
