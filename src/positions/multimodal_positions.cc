// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/multimodal_positions.h"

#include <algorithm>
#include <cfloat>
#include <numeric>

#include "angles/aligned_memory.h"
#include "positions/validate_buffer.h"
#include "status/error.h"

namespace ropewalk {
namespace {

using internal::Error;

Status ValidateTokens(int64_t tokens) noexcept {
  if (tokens >= 0) return Status();
  return Error(StatusCode::kInvalidArgument,
               "tokens = %lld: must not be negative",
               static_cast<long long>(tokens));
}

// A null buffer takes any number of tokens.
Status ValidateRoom(const PositionBuffer* buffer, int64_t tokens) noexcept {
  if (buffer == nullptr) return Status();
  if (buffer->components != 3 && buffer->components != 4) {
    return Error(StatusCode::kInvalidArgument,
                 "buffer.components = %d: must be 3 (t, h, w) or 4 (and 0)",
                 buffer->components);
  }
  return internal::ValidateBuffer(*buffer, tokens);
}

Status ValidateSide(const char* name, int64_t patches,
                    int64_t merge_size) noexcept {
  if (patches < 1) {
    return Error(StatusCode::kInvalidArgument,
                 "span.%s = %lld: must be at least 1", name,
                 static_cast<long long>(patches));
  }
  if (patches % merge_size != 0) {
    return Error(StatusCode::kInvalidArgument,
                 "span.%s = %lld: must be a multiple of merge_size = %lld",
                 name, static_cast<long long>(patches),
                 static_cast<long long>(merge_size));
  }
  return Status();
}

// Written so that a NaN fails too.
Status ValidateReal(const char* name, double value) noexcept {
  if (value >= 0 && value <= double{FLT_MAX}) return Status();
  return Error(StatusCode::kInvalidArgument,
               "%s = %g: must be at least 0 and a float32", name, value);
}

Status ValidateNext(int64_t next, int64_t more) noexcept {
  if (more <= INT64_MAX - next) return Status();
  return Error(StatusCode::kOutOfRange,
               "next_position = %lld: %lld positions from there on pass "
               "2^63 - 1",
               static_cast<long long>(next), static_cast<long long>(more));
}

// Counts tokens whose t, h and w are there, after making the fourth component.
void Finish(int64_t tokens, PositionBuffer* buffer) noexcept {
  if (buffer->components == 4) {
    std::fill_n(internal::Free(*buffer, 3), tokens, 0);
  }
  buffer->count += tokens;
}

void WriteText(int64_t first, int64_t tokens, PositionBuffer* buffer) noexcept {
  for (int c = 0; c < 3; ++c) {
    int64_t* ids = internal::Free(*buffer, c);
    std::iota(ids, ids + tokens, first);
  }
  Finish(tokens, buffer);
}

// Each product is rounded to float32, as in HF's and vLLM's tensors.
float Seconds(float tokens_per_second, float seconds_per_frame,
              int64_t frame) noexcept {
  const float seconds = static_cast<float>(frame) * seconds_per_frame;
  return seconds * tokens_per_second;
}

}  // namespace

Status MultimodalPositions::ValidateRules() const noexcept {
  if (rules_.video_time > VideoTime::kTimestamps) {
    return Error(StatusCode::kInvalidArgument,
                 "rules.video_time = %d: is no VideoTime",
                 static_cast<int>(rules_.video_time));
  }
  if (rules_.merge_size < 1) {
    return Error(StatusCode::kInvalidArgument,
                 "rules.merge_size = %lld: must be at least 1",
                 static_cast<long long>(rules_.merge_size));
  }
  if (rules_.video_time != VideoTime::kSeconds) return Status();
  return ValidateReal("rules.tokens_per_second", rules_.tokens_per_second);
}

Status MultimodalPositions::ValidateSpan(
    const VisionSpan& span) const noexcept {
  ROPEWALK_RETURN_IF_ERROR(ValidateSide("t", span.t, 1));
  ROPEWALK_RETURN_IF_ERROR(ValidateSide("h", span.h, rules_.merge_size));
  ROPEWALK_RETURN_IF_ERROR(ValidateSide("w", span.w, rules_.merge_size));
  if (rules_.video_time == VideoTime::kTimestamps && span.t != 1) {
    return Error(StatusCode::kInvalidArgument,
                 "span.t = %lld: must be 1 with kTimestamps, where each frame "
                 "is a span of its own",
                 static_cast<long long>(span.t));
  }
  if (rules_.video_time != VideoTime::kSeconds) return Status();
  return ValidateReal("span.seconds_per_frame", span.seconds_per_frame);
}

int64_t MultimodalPositions::Time(const Span& span,
                                  int64_t frame) const noexcept {
  if (rules_.video_time != VideoTime::kSeconds) return frame;
  return static_cast<int64_t>(
      Seconds(static_cast<float>(rules_.tokens_per_second),
              span.seconds_per_frame, frame));
}

// The times grow with the frames, so that all others fit where this one does.
Status MultimodalPositions::LastTime(const Span& span,
                                     int64_t* time) const noexcept {
  const int64_t last = span.frames - 1;
  if (rules_.video_time == VideoTime::kSeconds) {
    const float end = Seconds(static_cast<float>(rules_.tokens_per_second),
                              span.seconds_per_frame, last);
    // Written so that a NaN, infinity times 0, fails too.
    if (!(end < 0x1p62f)) {
      return Error(StatusCode::kOutOfRange,
                   "span.t = %lld: %g tokens a second and %g seconds a frame "
                   "reach 2^62",
                   static_cast<long long>(span.frames),
                   rules_.tokens_per_second,
                   static_cast<double>(span.seconds_per_frame));
    }
  }
  *time = Time(span, last);
  return Status();
}

Status MultimodalPositions::MakeSpan(const VisionSpan& vision, Span* span,
                                     int64_t* next) const noexcept {
  span->first = next_;
  span->frames = vision.t;
  span->rows = vision.h / rules_.merge_size;
  span->columns = vision.w / rules_.merge_size;
  if (rules_.video_time == VideoTime::kSeconds) {
    span->seconds_per_frame = static_cast<float>(vision.seconds_per_frame);
  }
  int64_t area = 0;
  if (!internal::MultiplySizes(span->rows, span->columns, &area) ||
      !internal::MultiplySizes(span->frames, area, &span->tokens) ||
      span->tokens > INT64_MAX - tokens_) {
    return Error(
        StatusCode::kOutOfRange,
        "span.t, h, w = %lld, %lld, %lld: its tokens after %lld do "
        "not fit int64",
        static_cast<long long>(vision.t), static_cast<long long>(vision.h),
        static_cast<long long>(vision.w), static_cast<long long>(tokens_));
  }
  int64_t last = 0;
  ROPEWALK_RETURN_IF_ERROR(LastTime(*span, &last));
  last = std::max({last, span->rows - 1, span->columns - 1});
  ROPEWALK_RETURN_IF_ERROR(ValidateNext(next_, last + 1));
  *next = next_ + last + 1;
  return Status();
}

Status MultimodalPositions::BeginVision(const VisionSpan& span) noexcept {
  ROPEWALK_RETURN_IF_ERROR(ValidateRules());
  ROPEWALK_RETURN_IF_ERROR(ValidateSpan(span));
  if (vision_tokens_left() > 0) {
    return Error(StatusCode::kInvalidArgument,
                 "span: begins where %lld tokens of the last are left",
                 static_cast<long long>(vision_tokens_left()));
  }
  Span begun;
  int64_t next = 0;
  ROPEWALK_RETURN_IF_ERROR(MakeSpan(span, &begun, &next));
  span_ = begun;
  done_ = 0;
  next_ = next;
  return Status();
}

// Row by row: t and h are constant in one.
void MultimodalPositions::WriteVision(int64_t tokens,
                                      PositionBuffer* buffer) const noexcept {
  int64_t* t = internal::Free(*buffer, 0);
  int64_t* h = internal::Free(*buffer, 1);
  int64_t* w = internal::Free(*buffer, 2);
  for (int64_t i = 0; i < tokens;) {
    const int64_t row = (done_ + i) / span_.columns;
    const int64_t column = (done_ + i) % span_.columns;
    const int64_t count = std::min(span_.columns - column, tokens - i);
    std::fill_n(t + i, count, span_.first + Time(span_, row / span_.rows));
    std::fill_n(h + i, count, span_.first + row % span_.rows);
    std::iota(w + i, w + i + count, span_.first + column);
    i += count;
  }
  Finish(tokens, buffer);
}

Status MultimodalPositions::ContinueVision(int64_t tokens,
                                           PositionBuffer* buffer) noexcept {
  ROPEWALK_RETURN_IF_ERROR(ValidateTokens(tokens));
  if (tokens > vision_tokens_left()) {
    return Error(StatusCode::kInvalidArgument,
                 "tokens = %lld: must be at most the %lld that are left",
                 static_cast<long long>(tokens),
                 static_cast<long long>(vision_tokens_left()));
  }
  ROPEWALK_RETURN_IF_ERROR(ValidateRoom(buffer, tokens));
  if (buffer != nullptr && tokens > 0) WriteVision(tokens, buffer);
  done_ += tokens;
  tokens_ += tokens;
  return Status();
}

Status MultimodalPositions::AppendVision(const VisionSpan& span,
                                         PositionBuffer* buffer) noexcept {
  MultimodalPositions after = *this;
  ROPEWALK_RETURN_IF_ERROR(after.BeginVision(span));
  ROPEWALK_RETURN_IF_ERROR(after.ContinueVision(after.span_.tokens, buffer));
  *this = after;
  return Status();
}

Status MultimodalPositions::AppendText(int64_t tokens,
                                       PositionBuffer* buffer) noexcept {
  ROPEWALK_RETURN_IF_ERROR(ValidateTokens(tokens));
  if (vision_tokens_left() > 0) {
    return Error(StatusCode::kInvalidArgument,
                 "tokens = %lld: text begins where %lld tokens of a span are "
                 "left",
                 static_cast<long long>(tokens),
                 static_cast<long long>(vision_tokens_left()));
  }
  ROPEWALK_RETURN_IF_ERROR(ValidateNext(next_, tokens));
  if (tokens > INT64_MAX - tokens_) {
    return Error(
        StatusCode::kOutOfRange, "tokens = %lld: do not fit int64 after %lld",
        static_cast<long long>(tokens), static_cast<long long>(tokens_));
  }
  ROPEWALK_RETURN_IF_ERROR(ValidateRoom(buffer, tokens));
  if (buffer != nullptr && tokens > 0) WriteText(next_, tokens, buffer);
  tokens_ += tokens;
  next_ += tokens;
  return Status();
}

}  // namespace ropewalk
