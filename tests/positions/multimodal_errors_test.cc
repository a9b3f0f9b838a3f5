// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What MultimodalPositions refuses, by name, value and rule; nothing is
// written then, and nothing changes.
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "cache/refusal.h"
#include "gtest/gtest.h"
#include "positions/room.h"
#include "ropewalk/multimodal_positions.h"

namespace ropewalk::test {
namespace {

constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;
constexpr StatusCode kRange = StatusCode::kOutOfRange;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Words = std::vector<std::string>;
using Call = std::function<Status(MultimodalPositions*, PositionBuffer*)>;

// Two tokens of text, then the call with room for six more.
void ExpectRefusal(const MultimodalRules& rules, StatusCode code,
                   const Words& words, const Call& call) {
  MultimodalPositions positions(rules);
  Room room(8);
  ExpectOk(positions.AppendText(2, room.buffer()));
  const Ids before = room.all();
  ExpectRefused(call(&positions, room.buffer()), code, words);
  EXPECT_EQ(room.all(), before);
  EXPECT_EQ(positions.tokens(), 2);
  EXPECT_EQ(positions.next_position(), 2);
  EXPECT_EQ(positions.vision_tokens_left(), 0);
}

void ExpectSpanRefusal(const MultimodalRules& rules, const VisionSpan& span,
                       StatusCode code, const Words& words) {
  ExpectRefusal(rules, code, words,
                [&](MultimodalPositions* positions, PositionBuffer* buffer) {
                  return positions->AppendVision(span, buffer);
                });
  ExpectRefusal(rules, code, words,
                [&](MultimodalPositions* positions, PositionBuffer*) {
                  return positions->BeginVision(span);
                });
}

TEST(MultimodalErrorsTest, Spans) {
  const MultimodalRules rules;
  ExpectSpanRefusal(rules, {1, 3, 4}, kInvalid,
                    {"span.h = 3", "multiple of merge_size = 2"});
  ExpectSpanRefusal(rules, {1, 4, 5}, kInvalid,
                    {"span.w = 5", "multiple of merge_size = 2"});
  ExpectSpanRefusal(rules, {0, 4, 4}, kInvalid, {"span.t = 0", "at least 1"});
  ExpectSpanRefusal(rules, {1, 0, 4}, kInvalid, {"span.h = 0", "at least 1"});
  ExpectSpanRefusal(rules, {1, 4, -2}, kInvalid, {"span.w = -2", "at least 1"});
}

TEST(MultimodalErrorsTest, Rules) {
  MultimodalRules rules;
  rules.merge_size = 0;
  ExpectSpanRefusal(rules, {1, 2, 2}, kInvalid,
                    {"rules.merge_size = 0", "at least 1"});
  rules = MultimodalRules{};
  rules.video_time = static_cast<VideoTime>(3);
  ExpectSpanRefusal(rules, {1, 2, 2}, kInvalid, {"rules.video_time = 3"});
  rules.video_time = VideoTime::kTimestamps;
  ExpectSpanRefusal(rules, {2, 2, 2}, kInvalid,
                    {"span.t = 2", "must be 1 with kTimestamps"});
}

TEST(MultimodalErrorsTest, Seconds) {
  MultimodalRules rules;
  rules.video_time = VideoTime::kSeconds;
  for (const double bad : {-1.0, kNan, 1e39}) {
    ExpectSpanRefusal(rules, {1, 2, 2, bad}, kInvalid,
                      {"span.seconds_per_frame = ", "at least 0"});
  }
  for (const double bad : {-1.0, kNan, 1e39}) {
    rules.tokens_per_second = bad;
    ExpectSpanRefusal(rules, {1, 2, 2}, kInvalid,
                      {"rules.tokens_per_second = ", "at least 0"});
  }
  for (const double fast : {0x1p62, 1e30}) {
    rules.tokens_per_second = fast;
    ExpectSpanRefusal(rules, {2, 2, 2, 1.0}, kRange, {"span.t = 2", "2^62"});
  }
  // Infinity times 0.
  rules.tokens_per_second = 0;
  ExpectSpanRefusal(rules, {3, 2, 2, 3e38}, kRange, {"span.t = 3", "2^62"});
}

TEST(MultimodalErrorsTest, SizesPastInt64) {
  MultimodalRules rules;
  rules.merge_size = 1;
  const int64_t side = int64_t{1} << 32;
  ExpectSpanRefusal(rules, {1, side, side}, kRange,
                    {"4294967296", "do not fit int64"});
  ExpectSpanRefusal(rules, {INT64_MAX, 1, 1}, kRange,
                    {"9223372036854775807", "do not fit int64"});
  ExpectRefusal(rules, kRange, {"next_position = 2", "pass 2^63 - 1"},
                [](MultimodalPositions* positions, PositionBuffer*) {
                  return positions->AppendText(INT64_MAX - 1, nullptr);
                });
}

// More positions than tokens, so that the positions end first, and the other
// way around.
TEST(MultimodalErrorsTest, TheLastPositionAndToken) {
  MultimodalRules rules;
  rules.video_time = VideoTime::kSeconds;
  rules.tokens_per_second = 0x1p61;
  MultimodalPositions fast(rules);
  for (int span = 0; span < 3; ++span) {
    ExpectOk(fast.AppendVision({2, 2, 2, 1.0}, nullptr));
  }
  EXPECT_EQ(fast.next_position(), 3 * (int64_t{1} << 61) + 3);
  ExpectOk(fast.AppendText((int64_t{1} << 61) - 4, nullptr));
  EXPECT_EQ(fast.next_position(), INT64_MAX);
  ExpectRefused(fast.AppendVision({1, 2, 2}, nullptr), kRange,
                {"next_position = 9223372036854775807", "1 positions"});
  MultimodalPositions wide((MultimodalRules()));
  // 2^61 tokens, of which the longer side is 2^31.
  const VisionSpan span = {1, int64_t{1} << 31, int64_t{1} << 32};
  for (int i = 0; i < 3; ++i) ExpectOk(wide.AppendVision(span, nullptr));
  ExpectRefused(wide.AppendVision(span, nullptr), kRange,
                {"after 6917529027641081856", "fit int64"});
  ExpectRefused(wide.AppendText(int64_t{1} << 61, nullptr), kRange,
                {"tokens = 2305843009213693952", "fit int64"});
}

TEST(MultimodalErrorsTest, Counts) {
  ExpectRefusal({}, kInvalid, {"tokens = -1", "not be negative"},
                [](MultimodalPositions* positions, PositionBuffer* buffer) {
                  return positions->AppendText(-1, buffer);
                });
  ExpectRefusal({}, kInvalid, {"tokens = -1", "not be negative"},
                [](MultimodalPositions* positions, PositionBuffer* buffer) {
                  return positions->ContinueVision(-1, buffer);
                });
  ExpectRefusal({}, kInvalid, {"tokens = 1", "at most the 0 that are left"},
                [](MultimodalPositions* positions, PositionBuffer* buffer) {
                  return positions->ContinueVision(1, buffer);
                });
}

// Both ways to write, by the same rules.
void ExpectBufferRefusal(const std::function<void(PositionBuffer*)>& change,
                         StatusCode code, const Words& words) {
  const auto changed = [&](PositionBuffer buffer) {
    change(&buffer);
    return buffer;
  };
  ExpectRefusal({}, code, words,
                [&](MultimodalPositions* positions, PositionBuffer* buffer) {
                  PositionBuffer bad = changed(*buffer);
                  return positions->AppendText(4, &bad);
                });
  ExpectRefusal({}, code, words,
                [&](MultimodalPositions* positions, PositionBuffer* buffer) {
                  PositionBuffer bad = changed(*buffer);
                  return positions->AppendVision({1, 4, 4}, &bad);
                });
}

TEST(MultimodalErrorsTest, Buffers) {
  ExpectBufferRefusal([](PositionBuffer* buffer) { buffer->capacity = 5; },
                      kInvalid,
                      {"buffer.capacity = 5", "4 tokens after the 2 in use"});
  ExpectBufferRefusal([](PositionBuffer* buffer) { buffer->capacity = -1; },
                      kInvalid, {"buffer.capacity = -1", "not be negative"});
  ExpectBufferRefusal(
      [](PositionBuffer* buffer) { buffer->capacity = INT64_MAX / 8; }, kRange,
      {"buffer.capacity = 1152921504606846975", "does not fit int64"});
  ExpectBufferRefusal([](PositionBuffer* buffer) { buffer->count = 9; },
                      kInvalid, {"buffer.count = 9", "0 to the capacity 8"});
  ExpectBufferRefusal([](PositionBuffer* buffer) { buffer->count = -1; },
                      kInvalid, {"buffer.count = -1", "0 to the capacity 8"});
  ExpectBufferRefusal([](PositionBuffer* buffer) { buffer->components = 2; },
                      kInvalid, {"buffer.components = 2", "3 (t, h, w) or 4"});
  ExpectBufferRefusal([](PositionBuffer* buffer) { buffer->ids = nullptr; },
                      kInvalid, {"buffer.ids = null", "4 tokens"});
}

TEST(MultimodalErrorsTest, InsideASpan) {
  MultimodalPositions positions((MultimodalRules()));
  ExpectOk(positions.BeginVision({1, 4, 4}));
  Room room(8);
  ExpectOk(positions.ContinueVision(1, room.buffer()));
  ExpectRefused(positions.AppendText(1, room.buffer()), kInvalid,
                {"tokens = 1", "3 tokens of a span are left"});
  ExpectRefused(positions.BeginVision({1, 2, 2}), kInvalid,
                {"span", "3 tokens of the last are left"});
  ExpectRefused(positions.AppendVision({1, 2, 2}, room.buffer()), kInvalid,
                {"span", "3 tokens of the last are left"});
  ExpectRefused(positions.ContinueVision(4, room.buffer()), kInvalid,
                {"tokens = 4", "at most the 3 that are left"});
  EXPECT_EQ(room.buffer()->count, 1);
  ExpectOk(positions.ContinueVision(3, room.buffer()));
  EXPECT_EQ(room.Component(1), (Ids{0, 0, 1, 1}));
}

// A span that found no room can be written in smaller steps.
TEST(MultimodalErrorsTest, TooLittleRoomChangesNothing) {
  MultimodalPositions positions((MultimodalRules()));
  Room room(3);
  ExpectRefused(positions.AppendVision({1, 4, 4}, room.buffer()), kInvalid,
                {"buffer.capacity = 3", "4 tokens after the 0 in use"});
  EXPECT_EQ(positions.vision_tokens_left(), 0);
  EXPECT_EQ(room.all(), Ids(9, kUnwritten));
  ExpectOk(positions.BeginVision({1, 4, 4}));
  ExpectOk(positions.ContinueVision(3, room.buffer()));
  EXPECT_EQ(room.Component(2), (Ids{0, 1, 0}));
}

}  // namespace
}  // namespace ropewalk::test
