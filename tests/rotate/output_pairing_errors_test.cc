// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What Rotate() refuses of RotaryLayout::output_pairing, and that nothing is
// written then.
#include <cstdint>
#include <string>
#include <vector>

#include "cache/refusal.h"
#include "gtest/gtest.h"
#include "ropewalk/rotate.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;

struct Call {
  RotaryLayout layout = FullLayout(16, Pairing::kInterleaved);
};

void SetDistant(Call* call, Pairing pairing, Pairing output, int distance) {
  call->layout.rotary_dim = 8;
  call->layout.pairing = pairing;
  call->layout.output_pairing = output;
  call->layout.pair_distance = distance;
}

TEST(OutputPairingErrorsTest, LayoutsAgainstTheirRules) {
  Random random = Random::ForTest();
  const Step step = MakeStep(16, Count(7, 3));
  const Refusal<Call> refusals[] = {
      {kInvalid,
       {"output_pairing = 2", "kHalf or kInterleaved"},
       [](Call* c) { c->layout.output_pairing = static_cast<Pairing>(2); }},
      {kInvalid,
       {"output_pairing = 255"},
       [](Call* c) { c->layout.output_pairing = static_cast<Pairing>(255); }},
      {kInvalid,
       {"pair_distance = 8", "rotary_dim / 2", "output_pairing"},
       [](Call* c) {
         SetDistant(c, Pairing::kHalf, Pairing::kInterleaved, 8);
       }},
      {kInvalid,
       {"pair_distance = 5", "rotary_dim / 2", "output_pairing"},
       [](Call* c) {
         SetDistant(c, Pairing::kInterleaved, Pairing::kHalf, 5);
       }},
      {kInvalid,
       {"pair_distance = 4", "half pairing only"},
       [](Call* c) {
         SetDistant(c, Pairing::kInterleaved, Pairing::kInterleaved, 4);
       }},
  };
  for (const Refusal<Call>& refusal : refusals) {
    Call call;
    refusal.change(&call);
    const Heads x({DataType::kF32, 1, 3, 2, 16}, &random);
    const Heads out({DataType::kBF16, 1, 3, 2, 16}, &random);
    const std::vector<uint8_t> before = x.Bytes();
    const std::vector<uint8_t> out_before = out.Bytes();
    for (const Parallel& parallel : Ways(Parallel::Serial())) {
      RotateOptions options;
      options.parallel = parallel;
      ExpectRefused(Rotate(step.rows, call.layout, {x.view()}, options),
                    refusal.code, refusal.words);
      ExpectRefused(
          Rotate(step.rows, call.layout, x.view(), out.view(), options),
          refusal.code, refusal.words);
    }
    EXPECT_EQ(x.Bytes(), before);
    EXPECT_EQ(out.Bytes(), out_before);
  }
}

TEST(OutputPairingErrorsTest, WindowsPastTheBufferAreUnsupported) {
  Random random = Random::ForTest();
  const Step step = MakeStep(4098, {3});
  RotaryLayout layout = FullLayout(4098, Pairing::kInterleaved);
  const Heads x({DataType::kBF16, 1, 1, 1, 4098}, &random);
  EXPECT_TRUE(Succeeds(Rotate(step.rows, layout, {x.view()}, RotateOptions{})));
  layout.output_pairing = Pairing::kHalf;
  ExpectRefused(Rotate(step.rows, layout, {x.view()}, RotateOptions{}),
                StatusCode::kUnsupported,
                {"rotary_dim = 4098", "at most 4096", "output_pairing"});
  layout.rotary_dim = 4096;
  EXPECT_TRUE(Succeeds(Rotate(step.rows, layout, {x.view()}, RotateOptions{})));
}

TEST(OutputPairingErrorsTest, OverlapsAreRefused) {
  Random random = Random::ForTest();
  const Step step = MakeStep(16, Count(7, 2));
  RotaryLayout layout = FullLayout(16, Pairing::kInterleaved);
  layout.output_pairing = Pairing::kHalf;
  Heads memory({DataType::kF32, 1, 4, 2, 16}, &random);
  HeadsView in = memory.view();
  in.tokens = 2;
  const std::vector<uint8_t> before = memory.Bytes();
  for (const int64_t elements : {1, 4, 16, 63}) {
    HeadsView out = in;
    out.data = static_cast<float*>(in.data) + elements;
    ExpectRefused(Rotate(step.rows, layout, in, out, RotateOptions{}), kInvalid,
                  {"in", "out"});
  }
  EXPECT_EQ(memory.Bytes(), before);
}

}  // namespace
}  // namespace ropewalk::test
