// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Decodes some tokens on the engine of tests/engine, and checks that neither
// how they are cut into steps nor whose threads rotate them changes a bit; and
// that a position does.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "decoder.h"

namespace {

namespace rt = ropewalk::test;

constexpr std::array<int, 9> kTokens = {3,   141, 592, 653, 589,
                                        793, 238, 462, 643};

rt::DecoderOptions OptionsOf(const rt::Execution& execution) {
  rt::DecoderOptions options;
  options.rope.rotary_dim = 64;
  options.execution = execution;
  return options;
}

// What the last layer makes of each token, `each` of them a step; empty after
// an error. The last step comes `gap` positions late.
std::vector<float> Decode(const rt::Model& model,
                          const rt::Execution& execution, size_t each,
                          int64_t gap = 0) {
  rt::Decoder decoder(model, OptionsOf(execution));
  rt::Sequence sequence;
  std::vector<float> all;
  for (size_t t = 0; t < kTokens.size(); t += each) {
    const int* const first = kTokens.data() + t;
    if (t + each == kTokens.size()) sequence.next_position += gap;
    std::vector<float> outputs;
    const ropewalk::Status status =
        decoder.Forward({{&sequence, {first, first + each}}}, &outputs);
    if (!status.ok()) {
      std::fprintf(stderr, "%s\n", status.message());
      return {};
    }
    all.insert(all.end(), outputs.begin(), outputs.end());
  }
  return all;
}

int Fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  return 1;
}

}  // namespace

int main() {
  rt::ModelShape shape;
  shape.layers = 3;
  const rt::Model model = rt::MakeModel(shape, /*seed=*/1);
  const std::vector<float> prompt =
      Decode(model, rt::RunSerially, kTokens.size());
  if (prompt.size() != kTokens.size() * static_cast<size_t>(shape.hidden)) {
    return Fail("no outputs");
  }
  if (Decode(model, rt::RunSerially, 1) != prompt) {
    return Fail("one token a step: other bits than the prompt as a whole");
  }
  if (Decode(model, rt::RunOnThreeThreads, 3) != prompt) {
    return Fail("three threads: other bits than one");
  }
  if (Decode(model, rt::RunOnTbb, 3) != prompt) {
    return Fail("oneTBB: other bits than one thread");
  }
  if (Decode(model, rt::RunSerially, 3, /*gap=*/1) == prompt) {
    return Fail("positions that differ: the same bits");
  }
  return 0;
}
