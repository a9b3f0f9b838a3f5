// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Prompts of text, images and video, span after span: a call fails and changes
// neither the ids nor the state, or appends exactly its tokens.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "fuzz/arena.h"
#include "fuzz/c_call.h"
#include "fuzz/drawn_buffer.h"
#include "fuzz/require.h"
#include "ropewalk/c/multimodal_positions.h"
#include "support/operator_new.h"

namespace ropewalk::fuzz {
namespace {

constexpr auto kInvalid = ROPEWALK_INVALID_ARGUMENT;
constexpr auto kRange = ROPEWALK_OUT_OF_RANGE;

// The state that a caller can ask for.
struct State {
  explicit State(const ropewalk_multimodal_positions* positions)
      : left(ropewalk_vision_tokens_left(positions)),
        tokens(ropewalk_multimodal_tokens(positions)),
        next(ropewalk_multimodal_next_position(positions)) {}
  bool operator==(const State& other) const {
    return left == other.left && tokens == other.tokens && next == other.next;
  }
  int64_t left;
  int64_t tokens;
  int64_t next;
};

struct Prompt {
  explicit Prompt(Draw* draw) {
    rules.video_time = draw->Value(draw->Int(0, 2));
    rules.merge_size = draw->Size(draw->In(1, 3));
    rules.tokens_per_second = draw->Double(2.0);
    const Sized<ropewalk_multimodal_rules> sized(draw, rules, &verdict);
    MakeCall(draw, JudgeCreate(), [&](ropewalk_error* error) {
      return ropewalk_multimodal_positions_create(sized.get(), &positions,
                                                  error);
    });
  }
  ~Prompt() { ropewalk_multimodal_positions_destroy(positions); }
  Prompt(const Prompt&) = delete;
  Prompt& operator=(const Prompt&) = delete;

  // An unknown value may be found at once, or where a span begins.
  Verdict JudgeCreate() const {
    Verdict out = verdict;
    out.May(kInvalid);
    return out;
  }

  ropewalk_multimodal_rules rules = ROPEWALK_MULTIMODAL_RULES_INIT;
  Verdict verdict;
  ropewalk_multimodal_positions* positions = nullptr;
};

ropewalk_vision_span DrawSpan(Draw* draw, const Prompt& prompt) {
  ropewalk_vision_span span = ROPEWALK_VISION_SPAN_INIT;
  const bool timestamps = prompt.rules.video_time == ROPEWALK_VIDEO_TIMESTAMPS;
  const int64_t merge =
      prompt.rules.merge_size > 0 && prompt.rules.merge_size < 99
          ? prompt.rules.merge_size
          : 1;
  span.t = draw->Size(timestamps ? 1 : draw->In(1, 3));
  span.h = draw->Size(merge * draw->In(1, 4));
  span.w = draw->Size(merge * draw->In(1, 4));
  span.seconds_per_frame = draw->Double(0.5);
  return span;
}

// Tokens of a span that keeps its rules; -1 of others.
__int128 JudgeSpan(const ropewalk_vision_span& span, const Prompt& prompt,
                   Verdict* verdict) {
  const ropewalk_multimodal_rules& rules = prompt.rules;
  const bool timed = rules.video_time == ROPEWALK_VIDEO_SECONDS;
  const auto is_time = [](double value) {
    return value >= 0 && value <= static_cast<double>(__FLT_MAX__);
  };
  Verdict own;
  own.MustIf(rules.video_time < 0 || rules.video_time > 2, kInvalid);
  own.MustIf(rules.merge_size < 1, kInvalid);
  own.MustIf(timed && (!is_time(rules.tokens_per_second) ||
                       !is_time(span.seconds_per_frame)),
             kInvalid);
  own.MayIf(
      !is_time(rules.tokens_per_second) || !is_time(span.seconds_per_frame),
      kInvalid);
  own.MustIf(span.t < 1 || span.h < 1 || span.w < 1, kInvalid);
  own.MustIf(rules.merge_size >= 1 && (span.h % rules.merge_size != 0 ||
                                       span.w % rules.merge_size != 0),
             kInvalid);
  own.MustIf(rules.video_time == ROPEWALK_VIDEO_TIMESTAMPS && span.t != 1,
             kInvalid);
  // Times are products of real numbers: which is the last is not modelled.
  own.MayIf(timed, kRange);
  verdict->Add(own);
  if (own.MustFail()) return -1;
  const auto plane = static_cast<__int128>(span.h / rules.merge_size) *
                     (span.w / rules.merge_size);
  const bool many = plane > INT64_MAX || plane * span.t > INT64_MAX;
  verdict->MustIf(many, kRange);
  verdict->MayIf(std::max({span.t, span.h, span.w}) > INT64_C(1) << 60, kRange);
  return many ? -1 : plane * span.t;
}

void Continue(Draw* draw, Prompt* prompt, Arena* arena) {
  const State before(prompt->positions);
  const ropewalk_vision_span span = DrawSpan(draw, *prompt);
  const Buffer buffer(draw, arena, draw->Int(3, 4));
  const int call = draw->Int(0, 3);
  Verdict verdict;
  verdict.MustIf(prompt->positions == nullptr, kInvalid);
  Sized<ropewalk_vision_span> sized;
  __int128 tokens = draw->Size(
      call == 0
          ? draw->In(0, 9)
          : draw->In(0, std::clamp(before.left, INT64_C(0), INT64_C(40))));
  if (call == 0 || call >= 2) {
    // Text, and another span, wait until a span has ended.
    if (call != 3) verdict.MustIf(before.left != 0, kInvalid);
  }
  if (call == 1) verdict.MustIf(before.left != 0, kInvalid);
  if (call == 1 || call == 2) {
    sized = Sized<ropewalk_vision_span>(draw, span, &verdict);
    tokens = JudgeSpan(span, *prompt, &verdict);
    if (tokens < 0) tokens = 0;
  } else {
    verdict.MustIf(tokens < 0, kInvalid);
    verdict.MustIf(call == 3 && tokens > before.left, kInvalid);
  }
  verdict.MustIf(call == 0 && tokens > 0 &&
                     (before.next > INT64_MAX - tokens ||
                      before.tokens > INT64_MAX - tokens),
                 kRange);
  verdict.MayIf(before.tokens > INT64_MAX / 4 || before.next > INT64_MAX / 4 ||
                    tokens > INT64_MAX / 4,
                kRange);
  const auto appended =
      static_cast<int64_t>(std::max(tokens, static_cast<__int128>(0)));
  if (call != 1) {
    buffer.Judge(appended,
                 buffer.value.components == 3 || buffer.value.components == 4,
                 &verdict);
  }
  if (buffer.lies && buffer.sized.get() != nullptr && !verdict.MustFail()) {
    return;
  }
  // Where a sum may pass int64 nothing is said of what is written then.
  if (before.tokens > INT64_MAX / 4 || before.next > INT64_MAX / 4) return;
  arena->Remember();
  auto* const p = prompt->positions;
  const ropewalk_status code =
      MakeCall(draw, verdict, [&](ropewalk_error* error) {
        switch (call) {
          case 0:
            return ropewalk_append_text(p, static_cast<int64_t>(tokens),
                                        buffer.sized.get(), error);
          case 1:
            return ropewalk_begin_vision(p, sized.get(), error);
          case 2:
            return ropewalk_append_vision(p, sized.get(), buffer.sized.get(),
                                          error);
          default:
            return ropewalk_continue_vision(p, static_cast<int64_t>(tokens),
                                            buffer.sized.get(), error);
        }
      });
  const int64_t written = call == 1 ? 0 : appended;
  buffer.Check(code, written, arena);
  const State after(prompt->positions);
  if (code != ROPEWALK_OK) {
    return Require(after == before, "nothing has changed");
  }
  Require(after.tokens == before.tokens + written, "tokens are counted");
  Require(call != 1 || after.left == appended, "a span has begun");
  Require(call != 3 || after.left == before.left - appended, "a span goes on");
  if (call != 0 || buffer.sized.get() == nullptr) return;
  for (int64_t t = 0; t < appended; ++t) {
    for (int64_t c = 0; c < buffer.value.components; ++c) {
      Require(buffer.Id(t, c) == (c == 3 ? 0 : before.next + t),
              "text counts in t, h and w");
    }
  }
}

void Fuzz(const uint8_t* data, size_t size) {
  static Arena arena;
  test::refused_from = size_t{32} << 20;
  Draw draw(data, size);
  arena.Fill(draw.Seed(), true);
  Prompt prompt(&draw);
  for (int call = 0; call < 6 && !draw.done(); ++call) {
    Continue(&draw, &prompt, &arena);
  }
}

}  // namespace
}  // namespace ropewalk::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ropewalk::fuzz::Fuzz(data, size);
  return 0;
}
