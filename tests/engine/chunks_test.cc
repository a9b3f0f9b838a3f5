// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// However tokens are cut into steps, every output and every cached byte is the
// same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/engine_case.h"
#include "support/all_targets.h"
#include "support/random.h"

namespace ropewalk::test {
namespace {

using EngineChunksTest = AllTargets;

struct Trace {
  std::vector<float> outputs;  // of all tokens
  std::vector<uint16_t> cache;
};

// Another sequence takes a token after each chunk, so that slots differ from
// one way of cutting to another.
Trace RunInChunks(const Model& model, const RopeCase& rope,
                  const std::vector<int>& tokens,
                  const std::vector<size_t>& chunks, int64_t first_position) {
  Decoder decoder(model, OptionsOf(rope));
  Sequence sequence;
  Sequence other;
  sequence.next_position = first_position;
  Trace trace;
  size_t first = 0;
  for (const size_t chunk : chunks) {
    const std::vector<float> outputs =
        TakeStep(&decoder, &sequence, Part(tokens, first, chunk));
    trace.outputs.insert(trace.outputs.end(), outputs.begin(), outputs.end());
    first += chunk;
    TakeStep(&decoder, &other, MakeTokens(model.shape, 5, first));
  }
  EXPECT_EQ(first, tokens.size());
  trace.cache = CachedBits(&decoder, sequence);
  return trace;
}

void ExpectSame(const Trace& a, const Trace& b) {
  EXPECT_EQ(a.outputs, b.outputs);
  EXPECT_EQ(a.cache, b.cache);
}

TEST_P(EngineChunksTest, PrefillAtOnceIsInChunksIsTokenByToken) {
  const Model model = MakeModel(ShapeOf(3), 1);
  const std::vector<int> tokens = MakeTokens(model.shape, 10, 2);
  for (const RopeCase& rope : RopeCases()) {
    SCOPED_TRACE(rope.name);
    for (const int64_t first : {0, 131000}) {
      const Trace at_once = RunInChunks(model, rope, tokens, {10}, first);
      ExpectSame(RunInChunks(model, rope, tokens, {4, 4, 2}, first), at_once);
      ExpectSame(RunInChunks(model, rope, tokens,
                             std::vector<size_t>(tokens.size(), 1), first),
                 at_once);
    }
  }
}

TEST_P(EngineChunksTest, ChunksOfAnySizeOverManyBlocksAreTheSame) {
  Random random = Random::ForTest();
  const Model model = MakeModel(ShapeOf(2), 3);
  const RopeCase rope = MakeRope("half", 64, Pairing::kHalf);
  const std::vector<int> tokens = MakeTokens(model.shape, 120, 4);
  const Trace at_once = RunInChunks(model, rope, tokens, {120}, 0);
  for (int run = 0; run < 3; ++run) {
    std::vector<size_t> chunks;
    for (int64_t left = 120; left > 0;
         left -= static_cast<int64_t>(chunks.back())) {
      chunks.push_back(
          static_cast<size_t>(random.Between(1, std::min<int64_t>(left, 40))));
    }
    ExpectSame(RunInChunks(model, rope, tokens, chunks, 0), at_once);
  }
}

// One sequence is in its prompt while others decode.
TEST_P(EngineChunksTest, SequencesInOneStepAreSequencesAlone) {
  const Model model = MakeModel(ShapeOf(2), 5);
  for (const RopeCase& rope : RopeCases()) {
    SCOPED_TRACE(rope.name);
    Decoder decoder(model, OptionsOf(rope));
    const std::vector<int64_t> starts = {0, 7, 100000};
    std::vector<Sequence> together(starts.size());
    std::vector<Sequence> alone(starts.size());
    for (size_t i = 0; i < starts.size(); ++i) {
      together[i].next_position = alone[i].next_position = starts[i];
    }
    for (size_t step = 0; step < 6; ++step) {
      std::vector<Request> requests;
      std::vector<float> expected;
      for (size_t i = 0; i < starts.size(); ++i) {
        const int count = step % 3 == i ? 11 : 1;
        requests.push_back(
            {&together[i], MakeTokens(model.shape, count, 10 * step + i)});
        const std::vector<float> outputs =
            TakeStep(&decoder, &alone[i], requests.back().tokens);
        expected.insert(expected.end(), outputs.begin(), outputs.end());
      }
      std::vector<float> outputs;
      const Status status = decoder.Forward(requests, &outputs);
      ASSERT_TRUE(status.ok()) << status.message();
      EXPECT_EQ(outputs, expected);
    }
    for (size_t i = 0; i < starts.size(); ++i) {
      EXPECT_EQ(CachedBits(&decoder, together[i]),
                CachedBits(&decoder, alone[i]));
    }
  }
}

TEST_P(EngineChunksTest, OneTableServesAllStepsLayersAndSequences) {
  const Model model = MakeModel(ShapeOf(3), 6);
  Decoder decoder(model, OptionsOf(MakeRope("half", 64, Pairing::kHalf)));
  Sequence first;
  Sequence second;
  for (int step = 0; step < 4; ++step) {
    TakeStep(&decoder, &first, MakeTokens(model.shape, 3, 7));
    TakeStep(&decoder, &second, MakeTokens(model.shape, 1, 8));
  }
  EXPECT_EQ(first.table, second.table);
  EXPECT_EQ(decoder.angle_stats().misses, 1u);
  EXPECT_EQ(decoder.angle_stats().hits, 7u);
}

TEST_P(EngineChunksTest, AFullCacheIsAnErrorAndReleasedBlocksServeAgain) {
  const Model model = MakeModel(ShapeOf(1), 9);
  DecoderOptions options = OptionsOf(MakeRope("half", 64, Pairing::kHalf));
  options.blocks = 3;
  Decoder decoder(model, options);
  Sequence sequence;
  std::vector<float> outputs;
  const std::vector<int> tokens = MakeTokens(model.shape, 49, 10);
  EXPECT_EQ(decoder.Forward({{&sequence, tokens}}, &outputs).code(),
            StatusCode::kOutOfMemory);
  decoder.cache().Release(&sequence);
  EXPECT_EQ(decoder.cache().free_blocks(), 3);
  TakeStep(&decoder, &sequence, Part(tokens, 0, 48));
  EXPECT_EQ(decoder.cache().free_blocks(), 0);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(EngineChunksTest);

}  // namespace
}  // namespace ropewalk::test
