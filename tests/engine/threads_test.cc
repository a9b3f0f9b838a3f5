// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine's life on its own threads and on oneTBB: the bits of one thread.
#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine_case.h"
#include "support/all_targets.h"

namespace ropewalk::test {
namespace {

using EngineThreadsTest = AllTargets;

// Of 8 KV heads, that many tokens are enough work for two tasks of oneTBB in
// every call: 2048 heads of 256 bytes read and written.
constexpr int kPrompt = 280;

ModelShape WideShape() {
  ModelShape shape = ShapeOf(1);
  shape.kv_heads = 8;
  return shape;
}

struct Trace {
  std::vector<float> outputs;
  std::vector<uint16_t> cache;
};

void ExpectSame(const Trace& a, const Trace& b) {
  EXPECT_EQ(a.outputs, b.outputs);
  EXPECT_EQ(a.cache, b.cache);
}

void Append(const std::vector<float>& outputs, Trace* trace) {
  trace->outputs.insert(trace->outputs.end(), outputs.begin(), outputs.end());
}

// A prompt, an eviction with its shift, a reuse, and a step after each.
Trace ServeTwoSequences(const Model& model, const RopeCase& rope,
                        const Execution& execution) {
  DecoderOptions options = OptionsOf(rope);
  options.execution = execution;
  Decoder decoder(model, options);
  const std::vector<int> next = MakeTokens(model.shape, 3, 81);
  Sequence first;
  Sequence second;
  Trace trace;
  Append(TakeStep(&decoder, &first, MakeTokens(model.shape, kPrompt, 82)),
         &trace);
  decoder.Evict(4, 10, &first);
  Status status = decoder.Shift(4, -10, &first);
  EXPECT_TRUE(status.ok()) << status.message();
  Append(TakeStep(&decoder, &first, next), &trace);
  TakeStep(&decoder, &second, next);
  status = decoder.Reuse(first, 0, first.tokens(), &second);
  EXPECT_TRUE(status.ok()) << status.message();
  Append(TakeStep(&decoder, &second, next), &trace);
  trace.cache = CachedBits(&decoder, second);
  return trace;
}

// A prompt within the original context, and a step past it.
Trace CrossTheBoundary(const Model& model, const Execution& execution) {
  LongRopeScaling scaling;
  scaling.short_factor.assign(32, 1.0);
  scaling.long_factor.assign(32, 4.0);
  scaling.original_positions = kPrompt;
  scaling.factor = 4;
  scaling.policy = LongRopePolicy::kBySequenceLength;
  RopeCase rope = MakeRope("longrope", 64, Pairing::kHalf);
  rope.parameters.scaling = scaling;
  DecoderOptions options = OptionsOf(rope);
  options.execution = execution;
  Decoder decoder(model, options);
  Sequence sequence;
  Trace trace;
  Append(TakeStep(&decoder, &sequence, MakeTokens(model.shape, kPrompt, 83)),
         &trace);
  Append(TakeStep(&decoder, &sequence, MakeTokens(model.shape, 2, 84)), &trace);
  trace.cache = CachedBits(&decoder, sequence);
  return trace;
}

TEST_P(EngineThreadsTest, TwoSequencesGetTheSameBits) {
  const Model model = MakeModel(WideShape(), 80);
  for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
    const RopeCase rope = MakeRope("", 64, pairing);
    const Trace serial = ServeTwoSequences(model, rope, RunSerially);
    ExpectSame(ServeTwoSequences(model, rope, RunOnThreeThreads), serial);
    ExpectSame(ServeTwoSequences(model, rope, RunOnTbb), serial);
  }
}

TEST_P(EngineThreadsTest, ACrossingOfTheBoundaryGetsTheSameBits) {
  const Model model = MakeModel(WideShape(), 80);
  const Trace serial = CrossTheBoundary(model, RunSerially);
  ExpectSame(CrossTheBoundary(model, RunOnThreeThreads), serial);
  ExpectSame(CrossTheBoundary(model, RunOnTbb), serial);
}

// A share has an error of its own, and every share has the same.
TEST_P(EngineThreadsTest, AnErrorReachesTheEngineFromEveryExecution) {
  const Model model = MakeModel(WideShape(), 80);
  for (const Execution& execution :
       {Execution(RunSerially), Execution(RunOnThreeThreads),
        Execution(RunOnTbb)}) {
    DecoderOptions options = OptionsOf(MakeRope("", 64, Pairing::kHalf));
    options.execution = execution;
    Decoder decoder(model, options);
    Sequence sequence;
    TakeStep(&decoder, &sequence, MakeTokens(model.shape, 5, 85));
    const std::vector<uint16_t> before = CachedBits(&decoder, sequence);
    Sequence wrong = sequence;
    wrong.slots.back() = options.blocks * options.block_size;
    EXPECT_EQ(decoder.Shift(0, -1, &wrong).code(), StatusCode::kOutOfRange);
    EXPECT_EQ(CachedBits(&decoder, sequence), before);
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(EngineThreadsTest);

}  // namespace
}  // namespace ropewalk::test
