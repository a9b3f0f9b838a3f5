// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What is computed from positions, and positions of images: C gives what C++
// gives.
#include <cstdint>
#include <limits>
#include <vector>

#include "c_api/c_call.h"
#include "gtest/gtest.h"
#include "ropewalk/grid_positions.h"
#include "ropewalk/multimodal_positions.h"
#include "ropewalk/position_transforms.h"
#include "ropewalk/query_scale.h"

namespace ropewalk::test {
namespace {

constexpr int64_t kIds[] = {0, 1, 8191, 8192, 100000, 7, -3};

ropewalk_positions FirstIds(int64_t count) {
  ropewalk_positions positions = ROPEWALK_POSITIONS_INIT;
  positions.kind = ROPEWALK_POSITIONS_INT64;
  positions.ids = kIds;
  positions.count = count;
  return positions;
}

TEST(CQueryScaleTest, EveryRuleGivesTheBitsOrTheErrorOfCpp) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int32_t rule = 0; rule < 5; ++rule) {
    for (const int64_t length : {8192, 1, 0, -1}) {
      for (const double beta : {0.1, -1.0, nan}) {
        const QueryScale scale{static_cast<QueryScaleRule>(rule), length, beta};
        ropewalk_query_scale c_scale = ROPEWALK_QUERY_SCALE_INIT;
        c_scale.rule = rule;
        c_scale.positions = length;
        c_scale.beta = beta;
        std::vector<float> got(7, -5);
        std::vector<float> want = got;
        const ropewalk_positions positions = FirstIds(7);
        ropewalk_error error = UsedError();
        const ropewalk_status code = ropewalk_write_query_scale(
            &positions, &c_scale, got.data(), &error);
        EXPECT_TRUE(
            Alike(code, error,
                  WriteQueryScale(Positions(kIds, 7), scale, want.data())));
        EXPECT_EQ(got, want);
      }
    }
  }
}

TEST(CDualChunkTest, EveryListIsThatOfCpp) {
  for (const int64_t count : {6, 7}) {  // the last one is negative
    for (const int64_t local : {8, 0, 64, -1}) {
      std::vector<std::vector<int64_t>> got(6, std::vector<int64_t>(7, -9));
      std::vector<std::vector<int64_t>> want = got;
      ropewalk_dual_chunk chunk = ROPEWALK_DUAL_CHUNK_INIT;
      chunk.chunk_size = 64;
      chunk.local_size = local;
      ropewalk_dual_chunk_ids ids = ROPEWALK_DUAL_CHUNK_IDS_INIT;
      ids.key = got[0].data();
      ids.query_intra = got[1].data();
      ids.query_successive = got[2].data();
      ids.query_inter = got[3].data();
      ids.query_successive_critical = got[4].data();
      ids.query_inter_critical = local == 0 ? nullptr : got[5].data();
      const DualChunkIds cc_ids{
          want[0].data(), want[1].data(),
          want[2].data(), want[3].data(),
          want[4].data(), local == 0 ? nullptr : want[5].data()};
      const ropewalk_positions positions = FirstIds(count);
      ropewalk_error error = UsedError();
      const ropewalk_status code =
          ropewalk_dual_chunk_positions(&positions, &chunk, &ids, &error);
      EXPECT_TRUE(Alike(
          code, error,
          DualChunkPositions(Positions(kIds, count), {64, local}, cc_ids)));
      EXPECT_EQ(got, want);
      EXPECT_EQ(code == ROPEWALK_OK, count == 6 && local >= 0 && local < 64);
    }
  }
}

// One array in two memories; the one of C as a struct.
struct Buffers {
  Buffers(int components, int64_t capacity)
      : c_ids(static_cast<size_t>(components * capacity), -1), cc_ids(c_ids) {
    c.components = components;
    c.ids = c_ids.data();
    c.capacity = capacity;
    cc = {cc_ids.data(), components, capacity, 0};
  }
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  bool Same() const { return c_ids == cc_ids && c.count == cc.count; }

  std::vector<int64_t> c_ids;
  std::vector<int64_t> cc_ids;
  ropewalk_position_buffer c = ROPEWALK_POSITION_BUFFER_INIT;
  PositionBuffer cc;
};

TEST(CGridTest, PositionsAreThoseOfCpp) {
  const PatchGrid grids[] = {{4, 6, 2, 0, ClassToken::kNone},
                             {3, 5, 1, 1, ClassToken::kLast},
                             {2, 2, 1, -7, ClassToken::kFirst},
                             {3, 4, 2, 0, ClassToken::kNone},
                             {0, 4, 1, 0, ClassToken::kNone},
                             {4, 4, 0, 0, ClassToken::kNone},
                             {2, 2, 1, 0, static_cast<ClassToken>(3)},
                             {1 << 20, 1 << 20, 1, 0, ClassToken::kNone}};
  Buffers buffers(2, 50);
  for (const PatchGrid& grid : grids) {
    ropewalk_patch_grid c_grid = ROPEWALK_PATCH_GRID_INIT;
    c_grid.height = grid.height;
    c_grid.width = grid.width;
    c_grid.merge_size = grid.merge_size;
    c_grid.first = grid.first;
    c_grid.class_token = static_cast<int32_t>(grid.class_token);
    ropewalk_error error = UsedError();
    const ropewalk_status code =
        ropewalk_append_grid_positions(&c_grid, &buffers.c, &error);
    EXPECT_TRUE(Alike(code, error, AppendGridPositions(grid, &buffers.cc)));
    EXPECT_TRUE(buffers.Same());
  }
  EXPECT_EQ(buffers.c.count, 24 + 16 + 5);
}

// Drives both along, and compares after every call.
class Prompt {
 public:
  Prompt(const MultimodalRules& rules, Buffers* buffers)
      : buffers_(buffers), cc_(rules) {
    ropewalk_multimodal_rules c_rules = ROPEWALK_MULTIMODAL_RULES_INIT;
    c_rules.video_time = static_cast<int32_t>(rules.video_time);
    c_rules.merge_size = rules.merge_size;
    c_rules.tokens_per_second = rules.tokens_per_second;
    ropewalk_multimodal_positions* made = nullptr;
    EXPECT_EQ(ropewalk_multimodal_positions_create(&c_rules, &made, nullptr),
              ROPEWALK_OK);
    c_.reset(made);
  }

  void Text(int64_t tokens) {
    Compare(ropewalk_append_text(c_.get(), tokens, C(), &error_),
            cc_.AppendText(tokens, Cc()));
  }
  void Vision(const VisionSpan& span) {
    const ropewalk_vision_span c_span = Span(span);
    Compare(ropewalk_append_vision(c_.get(), &c_span, C(), &error_),
            cc_.AppendVision(span, Cc()));
  }
  void Begin(const VisionSpan& span) {
    const ropewalk_vision_span c_span = Span(span);
    Compare(ropewalk_begin_vision(c_.get(), &c_span, &error_),
            cc_.BeginVision(span));
  }
  void Continue(int64_t tokens) {
    Compare(ropewalk_continue_vision(c_.get(), tokens, C(), &error_),
            cc_.ContinueVision(tokens, Cc()));
  }
  // Goes on with a copy.
  void Branch() {
    ropewalk_multimodal_positions* copy = nullptr;
    Compare(ropewalk_multimodal_positions_copy(c_.get(), &copy, &error_),
            Status());
    c_.reset(copy);
  }
  int successes() const { return successes_; }

 private:
  static ropewalk_vision_span Span(const VisionSpan& span) {
    ropewalk_vision_span out = ROPEWALK_VISION_SPAN_INIT;
    out.t = span.t;
    out.h = span.h;
    out.w = span.w;
    out.seconds_per_frame = span.seconds_per_frame;
    return out;
  }
  ropewalk_position_buffer* C() {
    return buffers_ != nullptr ? &buffers_->c : nullptr;
  }
  PositionBuffer* Cc() { return buffers_ != nullptr ? &buffers_->cc : nullptr; }
  void Compare(ropewalk_status code, const Status& want) {
    EXPECT_TRUE(Alike(code, error_, want));
    EXPECT_EQ(ropewalk_vision_tokens_left(c_.get()), cc_.vision_tokens_left());
    EXPECT_EQ(ropewalk_multimodal_tokens(c_.get()), cc_.tokens());
    EXPECT_EQ(ropewalk_multimodal_next_position(c_.get()), cc_.next_position());
    EXPECT_EQ(ropewalk_multimodal_decode_delta(c_.get()), cc_.decode_delta());
    if (buffers_ != nullptr) {
      EXPECT_TRUE(buffers_->Same());
    }
    successes_ += want.ok();
  }

  Buffers* buffers_;
  CMultimodal c_;
  MultimodalPositions cc_;
  ropewalk_error error_ = UsedError();
  int successes_ = 0;
};

TEST(CMultimodalTest, PromptsAreThoseOfCpp) {
  const MultimodalRules all_rules[] = {{VideoTime::kFrames, 2, 2},
                                       {VideoTime::kSeconds, 2, 25},
                                       {VideoTime::kTimestamps, 1, 2},
                                       {static_cast<VideoTime>(3), 2, 2},
                                       {VideoTime::kFrames, 0, 2}};
  int successes = 0;
  for (const MultimodalRules& rules : all_rules) {
    for (const int components : {3, 4, 0}) {  // 0: without a buffer
      Buffers buffers(components == 0 ? 3 : components, 200);
      Prompt prompt(rules, components == 0 ? nullptr : &buffers);
      prompt.Text(5);
      prompt.Text(-1);
      prompt.Vision({1, 4, 6, 1});
      prompt.Vision({3, 4, 4, 0.7});
      prompt.Vision({1, 3, 4, 1});
      prompt.Begin({1, 8, 4, 1});
      prompt.Branch();
      prompt.Text(1);
      prompt.Continue(3);
      prompt.Continue(1000);
      prompt.Continue(5);
      prompt.Text(2);
      successes += prompt.successes();
    }
  }
  EXPECT_GT(successes, 60);
}

TEST(CMultimodalTest, TooLittleRoomChangesNothing) {
  Buffers buffers(3, 4);
  Prompt prompt({VideoTime::kFrames, 2, 2}, &buffers);
  prompt.Text(3);
  prompt.Text(2);
  prompt.Vision({1, 4, 4, 1});
  EXPECT_EQ(prompt.successes(), 1);
  EXPECT_EQ(buffers.c.count, 3);
}

}  // namespace
}  // namespace ropewalk::test
