// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A sequence that grows past LongRoPE's boundary: its keys were rotated with
// the short table and are taken to the long one.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/engine_case.h"
#include "support/all_targets.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using EngineLongRopeTest = AllTargets;

constexpr int kOriginal = 40;
constexpr int kNext = 8;
constexpr double kShortFactor = 1.05;
constexpr double kLongFactor = 1.3;
constexpr CacheRoundings kRerotatedOnce = {2, 1};

// Divisors as Phi-3's: near 1 in the first pairs, far above it in the last.
std::vector<double> Divisors(double step) {
  std::vector<double> divisors;
  for (int i = 0; i < 32; ++i) divisors.push_back(1 + step * i * i);
  return divisors;
}

RopeCase MakeLongRope(Pairing pairing, LongRopePolicy policy) {
  LongRopeScaling scaling;
  scaling.short_factor = Divisors(0.001);
  scaling.long_factor = Divisors(0.05);
  scaling.original_positions = kOriginal;
  scaling.short_attention_factor = kShortFactor;
  scaling.long_attention_factor = kLongFactor;
  scaling.policy = policy;
  // What the oracle makes of it past the boundary.
  RopeCase rope = MakeRope(pairing == Pairing::kHalf ? "half" : "interleaved",
                           64, pairing, kLongFactor, scaling.long_factor);
  rope.parameters.scaling = scaling;
  return rope;
}

const Pairing kPairings[] = {Pairing::kHalf, Pairing::kInterleaved};

TEST_P(EngineLongRopeTest, KeysCrossTheBoundaryToTheLongTable) {
  const Model model = MakeModel(ShapeOf(1), 60);
  const std::vector<int> prompt = MakeTokens(model.shape, kOriginal, 61);
  const std::vector<int> next = MakeTokens(model.shape, kNext, 62);
  for (const Pairing pairing : kPairings) {
    const RopeCase rope =
        MakeLongRope(pairing, LongRopePolicy::kBySequenceLength);
    SCOPED_TRACE(rope.name);
    Decoder crossing(model, OptionsOf(rope));
    Decoder always_long(
        model, OptionsOf(MakeLongRope(pairing, LongRopePolicy::kForceLong)));
    Sequence crossed;
    Sequence anew;
    TakeStep(&crossing, &crossed, prompt);
    TakeStep(&always_long, &anew, prompt);
    const std::shared_ptr<const AngleTable> short_table = crossed.table;
    const std::vector<float> outputs = TakeStep(&crossing, &crossed, next);
    const std::vector<float> expected = TakeStep(&always_long, &anew, next);
    EXPECT_NE(crossed.table, short_table);
    EXPECT_TRUE(KeysAgreeButForARounding(crossing.layout(),
                                         CachedKeys(&crossing, crossed, 0),
                                         CachedKeys(&always_long, anew, 0)));
    const ReferenceTokens at = {Joined(prompt, next),
                                Count(0, kOriginal + kNext)};
    const ReferenceOutput once =
        ReferenceForward(model, rope.reference, at, {});
    const ReferenceOutput twice =
        ReferenceForward(model, rope.reference, at, kRerotatedOnce);
    EXPECT_LE(Report("bound used past the boundary, " + rope.name,
                     UsedOfBound(outputs, twice)),
              1.0);
    EXPECT_LE(Report("bound used by the difference, " + rope.name,
                     UsedByDifference(outputs, expected, twice, once)),
              1.0);
  }
}

// Up to the boundary it is the short table's decoder, of any number of layers.
TEST_P(EngineLongRopeTest, WithinTheOriginalContextTheShortTableCounts) {
  const Model model = MakeModel(ShapeOf(2), 63);
  const std::vector<int> prompt = MakeTokens(model.shape, kOriginal - 1, 64);
  const std::vector<int> last = MakeTokens(model.shape, 1, 65);
  Decoder by_length(model,
                    OptionsOf(MakeLongRope(Pairing::kHalf,
                                           LongRopePolicy::kBySequenceLength)));
  Decoder always_short(
      model,
      OptionsOf(MakeLongRope(Pairing::kHalf, LongRopePolicy::kForceShort)));
  Sequence a;
  Sequence b;
  EXPECT_EQ(TakeStep(&by_length, &a, prompt),
            TakeStep(&always_short, &b, prompt));
  EXPECT_EQ(TakeStep(&by_length, &a, last), TakeStep(&always_short, &b, last));
  EXPECT_EQ(CachedBits(&by_length, a), CachedBits(&always_short, b));
}

// The crossing is the sequence's own: another one in the same step keeps its
// table and its keys.
TEST_P(EngineLongRopeTest, SequencesOnBothSidesShareAStep) {
  const Model model = MakeModel(ShapeOf(2), 66);
  const RopeCase rope =
      MakeLongRope(Pairing::kHalf, LongRopePolicy::kBySequenceLength);
  const std::vector<int> prompt = MakeTokens(model.shape, kOriginal, 67);
  const std::vector<int> next = MakeTokens(model.shape, 3, 68);
  Decoder decoder(model, OptionsOf(rope));
  Sequence together[2];
  Sequence alone[2];
  for (Sequence* sequences : {together, alone}) {
    TakeStep(&decoder, &sequences[0], prompt);
    TakeStep(&decoder, &sequences[1], Part(prompt, 0, 12));
  }
  std::vector<float> outputs;
  const Status status =
      decoder.Forward({{&together[0], next}, {&together[1], next}}, &outputs);
  ASSERT_TRUE(status.ok()) << status.message();
  std::vector<float> expected = TakeStep(&decoder, &alone[0], next);
  const std::vector<float> second = TakeStep(&decoder, &alone[1], next);
  expected.insert(expected.end(), second.begin(), second.end());
  EXPECT_EQ(outputs, expected);
  EXPECT_NE(together[0].table, together[1].table);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(CachedBits(&decoder, together[i]),
              CachedBits(&decoder, alone[i]));
  }
}

TEST_P(EngineLongRopeTest, AShiftIsRefusedAndChangesNothing) {
  const Model model = MakeModel(ShapeOf(1), 69);
  const RopeCase rope =
      MakeLongRope(Pairing::kHalf, LongRopePolicy::kBySequenceLength);
  Decoder decoder(model, OptionsOf(rope));
  Sequence sequence;
  TakeStep(&decoder, &sequence, MakeTokens(model.shape, 20, 70));
  const std::vector<uint16_t> before = CachedBits(&decoder, sequence);
  const std::vector<int64_t> positions = sequence.positions;
  EXPECT_EQ(decoder.Shift(0, -1, &sequence).code(), StatusCode::kUnsupported);
  EXPECT_EQ(CachedBits(&decoder, sequence), before);
  EXPECT_EQ(sequence.positions, positions);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(EngineLongRopeTest);

}  // namespace
}  // namespace ropewalk::test
