// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A prompt that is filled in chunks gets the ids that it gets at once,
// wherever it is cut.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "positions/room.h"
#include "ropewalk/multimodal_positions.h"

namespace ropewalk::test {
namespace {

struct Part {
  int64_t text;  // tokens; 0: the span
  VisionSpan span;
};

// Two images and a video between texts; the images are no squares, and the
// second follows the first's marker alone.
std::vector<Part> PromptOf(VideoTime time) {
  std::vector<Part> prompt = {{5, {}},
                              {0, {1, 4, 6}},  // 6 tokens
                              {1, {}},
                              {0, {1, 8, 4}},  // 8
                              {2, {}}};
  if (time == VideoTime::kTimestamps) {
    for (int frame = 0; frame < 3; ++frame) {
      prompt.push_back({2, {}});
      prompt.push_back({0, {1, 4, 4}});
    }
  } else {
    prompt.push_back({0, {3, 4, 4, 1.5}});  // 12
  }
  prompt.push_back({4, {}});
  return prompt;
}

// An engine's loop: the tokens that are next, whatever they belong to.
class Feeder {
 public:
  explicit Feeder(VideoTime time)
      : prompt_(PromptOf(time)), positions_(RulesOf(time)) {}

  static MultimodalRules RulesOf(VideoTime time) {
    MultimodalRules rules;
    rules.video_time = time;
    return rules;
  }

  void Feed(int64_t tokens, PositionBuffer* buffer) {
    while (tokens > 0) {
      const Part& part = prompt_.at(part_);
      if (part.text == 0 && !begun_) {
        ExpectOk(positions_.BeginVision(part.span));
      }
      begun_ = true;
      const int64_t left = part.text == 0 ? positions_.vision_tokens_left()
                                          : part.text - text_done_;
      const int64_t count = std::min(left, tokens);
      ExpectOk(part.text == 0 ? positions_.ContinueVision(count, buffer)
                              : positions_.AppendText(count, buffer));
      tokens -= count;
      text_done_ += part.text == 0 ? 0 : count;
      if (count == left) {
        ++part_;
        text_done_ = 0;
        begun_ = false;
      }
    }
  }

  const MultimodalPositions& positions() const { return positions_; }

 private:
  std::vector<Part> prompt_;
  MultimodalPositions positions_;
  size_t part_ = 0;
  int64_t text_done_ = 0;
  bool begun_ = false;
};

using Components = std::array<Ids, 3>;

Components ComponentsOf(const Room& room) {
  return {room.Component(0), room.Component(1), room.Component(2)};
}

// The rule said anew, over whole lists: a part begins one past the largest id
// so far.
Components ByTheRule(VideoTime time) {
  // 1.5 seconds a frame at 2 tokens a second.
  const int64_t per_frame = time == VideoTime::kSeconds ? 3 : 1;
  Components ids;
  for (const Part& part : PromptOf(time)) {
    int64_t start = 0;
    for (const Ids& component : ids) {
      for (const int64_t id : component) start = std::max(start, id + 1);
    }
    for (int64_t i = 0; i < part.text; ++i) {
      for (Ids& component : ids) component.push_back(start + i);
    }
    const VisionSpan span = part.text == 0 ? part.span : VisionSpan{0, 0, 0};
    for (int64_t t = 0; t < span.t; ++t) {
      for (int64_t h = 0; h < span.h / 2; ++h) {
        for (int64_t w = 0; w < span.w / 2; ++w) {
          ids[0].push_back(start + t * per_frame);
          ids[1].push_back(start + h);
          ids[2].push_back(start + w);
        }
      }
    }
  }
  return ids;
}

class MultimodalChunksTest : public testing::TestWithParam<VideoTime> {
 protected:
  // The prompt at once, span by span.
  void SetUp() override {
    Room room(100);
    MultimodalPositions positions(Feeder::RulesOf(GetParam()));
    for (const Part& part : PromptOf(GetParam())) {
      ExpectOk(part.text == 0 ? positions.AppendVision(part.span, room.buffer())
                              : positions.AppendText(part.text, room.buffer()));
    }
    want_ = ComponentsOf(room);
    tokens_ = positions.tokens();
    delta_ = positions.decode_delta();
    next_ = positions.next_position();
  }

  // Each chunk goes to an array of its own, which is exactly full.
  void ExpectSameWhenCutAt(const std::vector<int64_t>& ends) {
    Feeder feeder(GetParam());
    Components got;
    int64_t begin = 0;
    for (const int64_t end : ends) {
      Room chunk(end - begin);
      feeder.Feed(end - begin, chunk.buffer());
      EXPECT_EQ(chunk.buffer()->count, end - begin);
      EXPECT_EQ(feeder.positions().tokens(), end);
      for (int c = 0; c < 3; ++c) {
        const Ids ids = chunk.Component(c);
        got[static_cast<size_t>(c)].insert(got[static_cast<size_t>(c)].end(),
                                           ids.begin(), ids.end());
      }
      begin = end;
    }
    EXPECT_EQ(got, want_);
    EXPECT_EQ(feeder.positions().decode_delta(), delta_);
    EXPECT_EQ(feeder.positions().next_position(), next_);
  }

  Components want_;
  int64_t tokens_ = 0;
  int64_t delta_ = 0;
  int64_t next_ = 0;
};

TEST_P(MultimodalChunksTest, TheWholeFollowsTheRule) {
  EXPECT_EQ(want_, ByTheRule(GetParam()));
}

TEST_P(MultimodalChunksTest, EverySplitGivesTheSameIds) {
  ASSERT_GT(tokens_, 30);
  ExpectSameWhenCutAt({tokens_});
  for (int64_t cut = 1; cut < tokens_; ++cut) {
    SCOPED_TRACE(cut);
    ExpectSameWhenCutAt({cut, tokens_});
  }
}

TEST_P(MultimodalChunksTest, EveryTwoSplitsGiveTheSameIds) {
  for (int64_t cut = 1; cut < tokens_; ++cut) {
    for (int64_t other = cut + 1; other < tokens_; ++other) {
      SCOPED_TRACE(testing::Message() << cut << ", " << other);
      ExpectSameWhenCutAt({cut, other, tokens_});
    }
  }
}

TEST_P(MultimodalChunksTest, TokenByTokenGivesTheSameIds) {
  std::vector<int64_t> ends;
  for (int64_t end = 1; end <= tokens_; ++end) ends.push_back(end);
  ExpectSameWhenCutAt(ends);
}

// The rule itself: the next text stands one past the largest id, and the delta
// leads there from the number of tokens.
TEST_P(MultimodalChunksTest, DecodingGoesOnPastTheLargestId) {
  int64_t largest = 0;
  for (const Ids& ids : want_) {
    largest = std::max(largest, *std::max_element(ids.begin(), ids.end()));
  }
  Feeder feeder(GetParam());
  feeder.Feed(tokens_, nullptr);
  MultimodalPositions positions = feeder.positions();
  for (int64_t step = 0; step < 3; ++step) {
    Room room(1);
    EXPECT_EQ(positions.decode_delta(), delta_);
    ExpectOk(positions.AppendText(1, room.buffer()));
    for (int c = 0; c < 3; ++c) {
      EXPECT_EQ(room.Component(c), (Ids{largest + 1 + step})) << c;
    }
    EXPECT_EQ(tokens_ + step + delta_, largest + 1 + step);
  }
}

// An image of 2 x 3 tokens after 4 of text ends at 6, and 4 + 6 - 3 = 7.
TEST(MultimodalDeltaTest, IsThatOfTheWholeSpanInsideIt) {
  MultimodalPositions positions((MultimodalRules()));
  ExpectOk(positions.AppendText(4, nullptr));
  EXPECT_EQ(positions.decode_delta(), 0);
  ExpectOk(positions.BeginVision({1, 4, 6}));
  for (int64_t left = 6; left >= 0; --left) {
    EXPECT_EQ(positions.vision_tokens_left(), left);
    EXPECT_EQ(positions.next_position(), 7);
    EXPECT_EQ(positions.decode_delta(), -3);
    if (left > 0) ExpectOk(positions.ContinueVision(1, nullptr));
  }
}

std::string NameOf(const testing::TestParamInfo<VideoTime>& info) {
  switch (info.param) {
    case VideoTime::kFrames:
      return "frames";
    case VideoTime::kSeconds:
      return "seconds";
    case VideoTime::kTimestamps:
      break;
  }
  return "timestamps";
}

INSTANTIATE_TEST_SUITE_P(Rules, MultimodalChunksTest,
                         testing::Values(VideoTime::kFrames,
                                         VideoTime::kSeconds,
                                         VideoTime::kTimestamps),
                         NameOf);

}  // namespace
}  // namespace ropewalk::test
