// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Arguments that Rotate() refuses: each is named with its value, and nothing is
// written, whoever does the work.
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/rotate.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using RotateInvalidTest = AllTargets;

constexpr int64_t kTokens = 3;
constexpr int64_t kHeads = 2;
constexpr int kDims = 16;

// The arguments of a call that is right until one of them is changed. The
// tensors lie in the midst of theirs, so that a write outside them shows.
struct Call {
  Step step = MakeStep(kDims, Count(7, kTokens));
  RotaryLayout layout = FullLayout(kDims, Pairing::kHalf);
  RotateOptions options;
  HeadsView q;
  HeadsView k;
};

struct Memory {
  explicit Memory(Random* random)
      : q({DataType::kF32, 1, 3 * kTokens, kHeads, kDims}, random),
        k({DataType::kF32, 1, 3 * kTokens, kHeads, kDims}, random) {}

  Call MakeCall() {
    Call call;
    call.q = q.view();
    call.k = k.view();
    call.q.tokens = call.k.tokens = kTokens;
    call.q.data = q.Element(0, kTokens, 0, 0);
    call.k.data = k.Element(0, kTokens, 0, 0);
    return call;
  }

  Heads q;
  Heads k;
};

struct Refusal {
  std::string argument;  // as the message names it
  std::string value;     // as the message shows it; empty: an address
  std::function<void(Call*)> change;
};

void ExpectRefused(const Status& status, const Refusal& refusal) {
  const std::string message = status.message();
  EXPECT_FALSE(status.ok()) << refusal.argument << " = " << refusal.value;
  EXPECT_TRUE(status.code() == StatusCode::kInvalidArgument ||
              status.code() == StatusCode::kOutOfRange)
      << message;
  EXPECT_NE(message.find(refusal.argument), std::string::npos)
      << refusal.argument << " is not in: " << message;
  EXPECT_NE(message.find(refusal.value), std::string::npos)
      << refusal.value << " is not in: " << message;
}

// Q and K in place, each way of calling; the changed tensor is the first, or
// comes after one that could have been written.
void ExpectInPlaceRefused(const Refusal& refusal, Random* random) {
  Memory memory(random);
  Call call = memory.MakeCall();
  refusal.change(&call);
  const std::vector<uint8_t> q = memory.q.Bytes();
  const std::vector<uint8_t> k = memory.k.Bytes();
  ExpectRefused(
      Rotate(call.step.rows, call.layout, {call.q, call.k}, call.options),
      refusal);
  const HeadsView swapped[] = {call.k, call.q};
  ExpectRefused(Rotate(call.step.rows, call.layout, swapped, 2, call.options),
                refusal);
  if (call.options.parallel.kind() == Parallel::Kind::kSerial) {
    for (int i = 0; i < 3; ++i) {
      call.options.parallel = Parallel::Share(i, 3);
      ExpectRefused(
          Rotate(call.step.rows, call.layout, {call.q, call.k}, call.options),
          refusal);
    }
    call.options.parallel = Parallel::Tbb();
    ExpectRefused(
        Rotate(call.step.rows, call.layout, {call.q, call.k}, call.options),
        refusal);
  }
  EXPECT_EQ(memory.q.Bytes(), q) << refusal.argument << " wrote";
  EXPECT_EQ(memory.k.Bytes(), k) << refusal.argument << " wrote";
}

// From Q to K.
void ExpectOutOfPlaceRefused(const Refusal& refusal, Random* random) {
  Memory memory(random);
  Call call = memory.MakeCall();
  refusal.change(&call);
  const std::vector<uint8_t> k = memory.k.Bytes();
  const std::vector<uint8_t> q = memory.q.Bytes();
  ExpectRefused(
      Rotate(call.step.rows, call.layout, call.q, call.k, call.options),
      refusal);
  EXPECT_EQ(memory.q.Bytes(), q) << refusal.argument << " wrote";
  EXPECT_EQ(memory.k.Bytes(), k) << refusal.argument << " wrote";
}

std::vector<Refusal> LayoutRefusals() {
  return {
      {"head_dim", "0", [](Call* call) { call->layout.head_dim = 0; }},
      {"head_dim", "-16", [](Call* call) { call->layout.head_dim = -16; }},
      {"rotary_dim", "7", [](Call* call) { call->layout.rotary_dim = 7; }},
      {"rotary_dim", "-2", [](Call* call) { call->layout.rotary_dim = -2; }},
      {"rotary_dim", "18", [](Call* call) { call->layout.rotary_dim = 18; }},
      {"rotary_offset", "-1",
       [](Call* call) { call->layout.rotary_offset = -1; }},
      {"rotary_offset", "2",
       [](Call* call) { call->layout.rotary_offset = 2; }},
      {"rotary_offset", "2147483647",
       [](Call* call) { call->layout.rotary_offset = 2147483647; }},
      {"pair_distance", "7",
       [](Call* call) { call->layout.pair_distance = 7; }},
      {"pair_distance", "-8",
       [](Call* call) { call->layout.pair_distance = -8; }},
      {"pair_distance", "9",
       [](Call* call) { call->layout.pair_distance = 9; }},
      {"pair_distance", "2147483647",
       [](Call* call) { call->layout.pair_distance = 2147483647; }},
      {"pair_distance", "8",
       [](Call* call) {
         call->layout.pairing = Pairing::kInterleaved;
         call->layout.pair_distance = 8;
       }},
      {"first_pair", "-1", [](Call* call) { call->layout.first_pair = -1; }},
      {"first_pair", "1", [](Call* call) { call->layout.first_pair = 1; }},
      {"first_pair", "2147483647",
       [](Call* call) { call->layout.first_pair = 2147483647; }},
      {"pairing", "7",
       [](Call* call) { call->layout.pairing = static_cast<Pairing>(7); }},
      {"direction", "9",
       [](Call* call) { call->options.direction = static_cast<Direction>(9); }},
      {"Share", "-1",
       [](Call* call) { call->options.parallel = Parallel::Share(-1, 4); }},
      {"Share", "4",
       [](Call* call) { call->options.parallel = Parallel::Share(4, 4); }},
      {"Share", "0",
       [](Call* call) { call->options.parallel = Parallel::Share(0, 0); }},
      {"Share", "-3",
       [](Call* call) { call->options.parallel = Parallel::Share(0, -3); }},
  };
}

// Changes of Q, the input where the call is out of place.
std::vector<Refusal> TensorRefusals() {
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max() - 3;
  return {
      {"type", "9",
       [](Call* call) { call->q.type = static_cast<DataType>(9); }},
      {"data", "", [](Call* call) { call->q.data = nullptr; }},
      {"data", "",
       [](Call* call) { call->q.data = static_cast<char*>(call->q.data) + 2; }},
      {"batch", "-1", [](Call* call) { call->q.batch = -1; }},
      {"tokens", "-3", [](Call* call) { call->q.tokens = -3; }},
      {"heads", "-2", [](Call* call) { call->q.heads = -2; }},
      {"token_stride", "130", [](Call* call) { call->q.token_stride = 130; }},
      {"head_stride", "65", [](Call* call) { call->q.head_stride = 65; }},
      {"batch_stride", "-6",
       [](Call* call) {
         call->q.batch = 2;
         call->q.batch_stride = -6;
       }},
      {"rows", "3", [](Call* call) { call->q.tokens = call->k.tokens = 2; }},
      {"rows", "3", [](Call* call) { call->q.tokens = call->k.tokens = 4; }},
      {"rows", "4",
       [](Call* call) { call->step = MakeStep(kDims, Count(0, 4)); }},
      {"rows", "0", [](Call* call) { call->step = MakeStep(kDims, {}); }},
      {"stride", "",
       [](Call* call) { call->q.token_stride = kHuge / 4 * 4 - 4; }},
      {"stride", "",
       [](Call* call) { call->q.head_stride = -(kHuge / 8 * 4) * 2; }},
  };
}

TEST_P(RotateInvalidTest, LayoutsAndOptions) {
  Random random = Random::ForTest();
  for (const Refusal& refusal : LayoutRefusals()) {
    ExpectInPlaceRefused(refusal, &random);
    ExpectOutOfPlaceRefused(refusal, &random);
  }
}

TEST_P(RotateInvalidTest, Tensors) {
  Random random = Random::ForTest();
  for (const Refusal& refusal : TensorRefusals()) {
    ExpectInPlaceRefused(refusal, &random);
    ExpectOutOfPlaceRefused(refusal, &random);
  }
}

TEST_P(RotateInvalidTest, ShapesOfInAndOutThatDiffer) {
  Random random = Random::ForTest();
  const Refusal refusals[] = {
      {"tokens", "2", [](Call* call) { call->k.tokens = 2; }},
      {"heads", "1", [](Call* call) { call->k.heads = 1; }},
      {"batch", "0", [](Call* call) { call->k.batch = 0; }},
      {"batch", "2", [](Call* call) { call->k.batch = 2; }},
      {"type", "3",
       [](Call* call) { call->k.type = static_cast<DataType>(3); }},
      {"data", "", [](Call* call) { call->k.data = nullptr; }},
      {"data", "",
       [](Call* call) { call->k.data = static_cast<char*>(call->k.data) + 1; }},
      {"token_stride", "126", [](Call* call) { call->k.token_stride = 126; }},
  };
  for (const Refusal& refusal : refusals) {
    ExpectOutOfPlaceRefused(refusal, &random);
  }
}

TEST_P(RotateInvalidTest, SizesWhoseProductOverflows) {
  Random random = Random::ForTest();
  constexpr int64_t kBig = int64_t{1} << 40;
  const Refusal refusal = {"batch", "1099511627776", [](Call* call) {
                             call->q.batch = kBig;
                             call->q.heads = kBig;
                           }};
  ExpectInPlaceRefused(refusal, &random);
  ExpectOutOfPlaceRefused(refusal, &random);
}

TEST_P(RotateInvalidTest, NegativeNumberOfTensors) {
  Random random = Random::ForTest();
  Memory memory(&random);
  const Call call = memory.MakeCall();
  const Refusal count = {"count", "-1", nullptr};
  ExpectRefused(Rotate(call.step.rows, call.layout, &call.q, -1, call.options),
                count);
  const Refusal null = {"in_place", "", nullptr};
  ExpectRefused(Rotate(call.step.rows, call.layout, nullptr, 1, call.options),
                null);
}

// The pairs of the window, more than the rows have.
TEST_P(RotateInvalidTest, RowsWithTooFewPairs) {
  Random random = Random::ForTest();
  const Refusal refusal = {
      "rotary_dim", "16",
      [](Call* call) { call->step = MakeStep(kDims - 2, Count(0, kTokens)); }};
  ExpectInPlaceRefused(refusal, &random);
  ExpectOutOfPlaceRefused(refusal, &random);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(RotateInvalidTest);

}  // namespace
}  // namespace ropewalk::test
