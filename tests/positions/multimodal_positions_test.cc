// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The ids of whole spans, worked by hand.
#include "ropewalk/multimodal_positions.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "angles/table_cases.h"
#include "gtest/gtest.h"
#include "positions/room.h"
#include "support/operator_new.h"

namespace ropewalk::test {
namespace {

MultimodalRules RulesOf(VideoTime time) {
  MultimodalRules rules;
  rules.video_time = time;
  return rules;
}

TEST(MultimodalPositionsTest, TextHasEqualAxes) {
  MultimodalPositions positions(RulesOf(VideoTime::kFrames));
  Room room(5);
  ExpectOk(positions.AppendText(3, room.buffer()));
  ExpectOk(positions.AppendText(0, room.buffer()));
  ExpectOk(positions.AppendText(2, room.buffer()));
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(room.Component(c), (Ids{0, 1, 2, 3, 4})) << c;
  }
  EXPECT_EQ(positions.tokens(), 5);
  EXPECT_EQ(positions.next_position(), 5);
  EXPECT_EQ(positions.decode_delta(), 0);
}

// The example in the documentation of HF's Qwen2-VL get_rope_index: a video of
// 3 x 2 x 2 tokens, then 5 tokens of text from 3 on, 2 being the largest id.
TEST(MultimodalPositionsTest, VideoOfQwen2VL) {
  MultimodalPositions positions(RulesOf(VideoTime::kFrames));
  Room room(17);
  ExpectOk(positions.AppendVision({3, 4, 4}, room.buffer()));
  ExpectOk(positions.AppendText(5, room.buffer()));
  EXPECT_EQ(room.Component(0),
            (Ids{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(room.Component(1),
            (Ids{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 3, 4, 5, 6, 7}));
  EXPECT_EQ(room.Component(2),
            (Ids{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 3, 4, 5, 6, 7}));
  EXPECT_EQ(positions.decode_delta(), 8 - 17);
}

// The same in HF's Qwen2.5-VL: 25 tokens a second, a frame every 2 seconds, and
// text from 101 on.
TEST(MultimodalPositionsTest, VideoOfQwen25VL) {
  MultimodalRules rules = RulesOf(VideoTime::kSeconds);
  rules.tokens_per_second = 25;
  MultimodalPositions positions(rules);
  Room room(17);
  ExpectOk(positions.AppendVision({3, 4, 4, 2.0}, room.buffer()));
  ExpectOk(positions.AppendText(5, room.buffer()));
  EXPECT_EQ(room.Component(0), (Ids{0, 0, 0, 0, 50, 50, 50, 50, 100, 100, 100,
                                    100, 101, 102, 103, 104, 105}));
  EXPECT_EQ(room.Component(1),
            (Ids{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 101, 102, 103, 104, 105}));
  EXPECT_EQ(room.Component(2),
            (Ids{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 101, 102, 103, 104, 105}));
  EXPECT_EQ(positions.decode_delta(), 106 - 17);
}

// 0.08 is 10737418 x 2^-27 as a float32. Five of it are 53687090 x 2^-27, a
// tie between multiples of 4: 53687088. 25 of that are 335544300 x 2^-25, to a
// multiple of 32: 10485759 x 2^-20, just below the 10 of the real numbers.
TEST(MultimodalPositionsTest, SecondsAreRoundedAsFloat32Tensors) {
  MultimodalRules rules = RulesOf(VideoTime::kSeconds);
  rules.tokens_per_second = 25;
  MultimodalPositions positions(rules);
  Room room(6);
  ExpectOk(positions.AppendVision({6, 2, 2, 0.08}, room.buffer()));
  EXPECT_EQ(room.Component(0), (Ids{0, 2, 4, 6, 8, 9}));
  EXPECT_EQ(positions.next_position(), 10);
}

// Slow enough that frames share an id: 0, 0.5, 1, 1.5 seconds at 1 a second.
TEST(MultimodalPositionsTest, SecondsAreCut) {
  MultimodalRules rules = RulesOf(VideoTime::kSeconds);
  rules.tokens_per_second = 1;
  MultimodalPositions positions(rules);
  Room room(4);
  ExpectOk(positions.AppendVision({4, 2, 2, 0.5}, room.buffer()));
  EXPECT_EQ(room.Component(0), (Ids{0, 0, 1, 1}));
  EXPECT_EQ(positions.next_position(), 2);
}

// Not by its 6 tokens, nor by its 2 rows: by its 3 columns.
TEST(MultimodalPositionsTest, AnImageAdvancesByItsLongerSide) {
  MultimodalPositions positions(RulesOf(VideoTime::kSeconds));
  Room room(11);
  ExpectOk(positions.AppendText(4, room.buffer()));
  ExpectOk(positions.AppendVision({1, 4, 6}, room.buffer()));
  EXPECT_EQ(positions.next_position(), 7);
  EXPECT_EQ(positions.decode_delta(), 7 - 10);
  ExpectOk(positions.AppendText(1, room.buffer()));
  EXPECT_EQ(room.Component(0), (Ids{0, 1, 2, 3, 4, 4, 4, 4, 4, 4, 7}));
  EXPECT_EQ(room.Component(1), (Ids{0, 1, 2, 3, 4, 4, 4, 5, 5, 5, 7}));
  EXPECT_EQ(room.Component(2), (Ids{0, 1, 2, 3, 4, 5, 6, 4, 5, 6, 7}));
}

TEST(MultimodalPositionsTest, AnImageRightAfterAnother) {
  MultimodalRules rules = RulesOf(VideoTime::kFrames);
  rules.merge_size = 1;
  MultimodalPositions positions(rules);
  Room room(5);
  ExpectOk(positions.AppendVision({1, 3, 1}, room.buffer()));
  ExpectOk(positions.AppendVision({1, 1, 2}, room.buffer()));
  EXPECT_EQ(room.Component(0), (Ids{0, 0, 0, 3, 3}));
  EXPECT_EQ(room.Component(1), (Ids{0, 1, 2, 3, 3}));
  EXPECT_EQ(room.Component(2), (Ids{0, 0, 0, 3, 4}));
  EXPECT_EQ(positions.next_position(), 5);
}

// Two frames of 1 x 2 tokens, each after a timestamp of 3 tokens.
TEST(MultimodalPositionsTest, VideoOfQwen3VL) {
  MultimodalPositions positions(RulesOf(VideoTime::kTimestamps));
  Room room(10);
  for (int frame = 0; frame < 2; ++frame) {
    ExpectOk(positions.AppendText(3, room.buffer()));
    ExpectOk(positions.AppendVision({1, 2, 4}, room.buffer()));
  }
  EXPECT_EQ(room.Component(0), (Ids{0, 1, 2, 3, 3, 5, 6, 7, 8, 8}));
  EXPECT_EQ(room.Component(1), (Ids{0, 1, 2, 3, 3, 5, 6, 7, 8, 8}));
  EXPECT_EQ(room.Component(2), (Ids{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(positions.decode_delta(), 0);
}

TEST(MultimodalPositionsTest, TheFourthComponentIsZero) {
  MultimodalPositions of_three(RulesOf(VideoTime::kFrames));
  MultimodalPositions of_four(RulesOf(VideoTime::kFrames));
  Room three(12);
  Room four(12, 4);
  for (auto* run : {&three, &four}) {
    auto* positions = run == &three ? &of_three : &of_four;
    ExpectOk(positions->AppendText(2, run->buffer()));
    ExpectOk(positions->AppendVision({2, 4, 4}, run->buffer()));
  }
  for (int c = 0; c < 3; ++c) EXPECT_EQ(four.Component(c), three.Component(c));
  EXPECT_EQ(four.Component(3), Ids(10, 0));
  // Room that is left over stays as it was.
  EXPECT_EQ(std::count(four.all().begin(), four.all().end(), kUnwritten), 8);
}

TEST(MultimodalPositionsTest, SequencesShareABuffer) {
  MultimodalPositions one(RulesOf(VideoTime::kFrames));
  MultimodalPositions other(RulesOf(VideoTime::kFrames));
  Room room(5);
  ExpectOk(one.AppendText(2, room.buffer()));
  ExpectOk(other.AppendText(1, room.buffer()));
  ExpectOk(one.AppendVision({1, 2, 4}, room.buffer()));
  EXPECT_EQ(room.Component(0), (Ids{0, 1, 0, 2, 2}));
  EXPECT_EQ(room.Component(2), (Ids{0, 1, 0, 2, 3}));
}

TEST(MultimodalPositionsTest, WithoutABufferItGoesOn) {
  MultimodalPositions cached(RulesOf(VideoTime::kFrames));
  ExpectOk(cached.AppendText(4, nullptr));
  ExpectOk(cached.AppendVision({1, 4, 6}, nullptr));
  EXPECT_EQ(cached.tokens(), 10);
  Room room(1);
  ExpectOk(cached.AppendText(1, room.buffer()));
  EXPECT_EQ(room.Component(0), (Ids{7}));
}

TEST(MultimodalPositionsTest, ACopyTakesTokensBack) {
  MultimodalPositions positions(RulesOf(VideoTime::kFrames));
  ExpectOk(positions.AppendText(4, nullptr));
  const MultimodalPositions before = positions;
  ExpectOk(positions.AppendVision({1, 4, 6}, nullptr));
  positions = before;
  Room room(1);
  ExpectOk(positions.AppendText(1, room.buffer()));
  EXPECT_EQ(room.Component(0), (Ids{4}));
  EXPECT_EQ(positions.tokens(), 5);
}

// With a table of three axes, each pair turns as a 1-D table at its own
// component would make it; a decoded token has one id for all axes.
TEST(MultimodalPositionsTest, AnglesFollowTheComponents) {
  Frequencies frequencies = PlainOf(8, 1e4);
  const TablePointer plain = Build(frequencies);
  frequencies.axis = {0, 1, 2, 0};
  const TablePointer table = Build(frequencies);
  MultimodalPositions positions(RulesOf(VideoTime::kFrames));
  Room room(20);
  ExpectOk(positions.AppendText(3, room.buffer()));
  ExpectOk(positions.AppendVision({2, 4, 6}, room.buffer()));
  const AngleRows rows = Filled(*table, room.buffer()->positions());
  ASSERT_EQ(rows.rows(), 15);
  for (int pair = 0; pair < 4; ++pair) {
    const Ids ids =
        room.Component(frequencies.axis.at(static_cast<size_t>(pair)));
    const AngleRows want = Filled(*plain, Positions(ids.data(), 15));
    for (int64_t t = 0; t < 15; ++t) {
      EXPECT_EQ(rows.cos(t)[pair], want.cos(t)[pair]) << t << " " << pair;
      EXPECT_EQ(rows.sin(t)[pair], want.sin(t)[pair]) << t << " " << pair;
    }
  }
  const int64_t next = 15 + positions.decode_delta();
  EXPECT_EQ(next, 6);
  EXPECT_EQ(Values(Filled(*table, Positions::Components(&next, 3, 1, 0))),
            Values(Filled(*plain, Positions(&next, 1))));
}

TEST(MultimodalPositionsTest, NothingIsAllocated) {
  MultimodalPositions positions(RulesOf(VideoTime::kFrames));
  Room room(100);
  const int64_t before = allocations;
  const bool ok = positions.AppendText(20, room.buffer()).ok() &&
                  positions.AppendVision({2, 8, 8}, room.buffer()).ok() &&
                  !positions.AppendText(1000, room.buffer()).ok();
  EXPECT_EQ(allocations, before);
  EXPECT_TRUE(ok);
}

}  // namespace
}  // namespace ropewalk::test
