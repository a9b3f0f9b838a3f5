// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Position ids of prompts of text, images and video: the (t, h, w) of
// M-RoPE. Which pair of a head follows which component is the frequencies'
// matter (Frequencies::axis), not that of positions.
#pragma once
#include <cstdint>

#include "ropewalk/export.h"
#include "ropewalk/position_buffer.h"
#include "ropewalk/status.h"

namespace ropewalk {

/// How t grows from frame to frame of a video. The values are fixed.
enum class VideoTime : uint8_t {
  kFrames = 0,   ///< By 1: Qwen2-VL.
  kSeconds = 1,  ///< With the seconds: Qwen2.5-VL.
  /// Not at all: timestamps in the text stand before the frames, each of which
  /// is a span of its own with t = 1. Qwen3-VL.
  kTimestamps = 2,
};

/// What a model says about its images.
///
/// Requires:  merge_size >= 1; tokens_per_second >= 0 and a float32.
struct MultimodalRules {
  VideoTime video_time = VideoTime::kFrames;
  /// So many patches by so many become one token: HF's spatial_merge_size.
  int64_t merge_size = 2;
  /// kSeconds only; 2 in the config.json of Qwen2.5-VL.
  double tokens_per_second = 2;
};

/// An image, or a video: its grid of patches before they are merged, as HF's
/// image_grid_thw and video_grid_thw.
///
/// Requires:  t, h and w at least 1; h and w multiples of merge_size; t = 1
///            with kTimestamps; seconds_per_frame >= 0 and a float32.
struct VisionSpan {
  int64_t t = 1;
  int64_t h = 0;
  int64_t w = 0;
  /// kSeconds only: from one t to the next, HF's second_per_grid_ts. Frames of
  /// a model that merges two in time lie 2 / fps apart.
  double seconds_per_frame = 1;
};

/// The positions of one sequence, span after span, in as many steps as the
/// caller likes:
///   text    t = h = w, from next_position() on. Markers around images are
///           text too.
///   vision  t * (h / m) * (w / m) tokens for merge_size m, row by row, frame
///           by frame: next_position() + (time, row, column), where the time
///           of frame i is i, or i * seconds_per_frame * tokens_per_second cut
///           to an integer, rounded to float32 after each product.
/// After a span, next_position() is one past the largest component so far.
///
/// A fourth component, where the buffer has one, is 0: ggml's t, h, w, e.
///
/// To decode from a stored delta: the token after n cached ones has the
/// position n + decode_delta() in t, h and w, as in
/// Positions::Components(&position, 3, 1, 0); a fourth is 0 there too.
///
/// A value without pointers: a copy branches a sequence, or takes it back.
///
/// Shape:     buffers of 3 or 4 components. Null instead of a buffer goes on
///            without writing: a prefix that is cached already.
/// Errors:    kInvalidArgument: a negative count, a span or rules against
///            theirs, text inside a span, too little room; kOutOfRange: a size
///            or position past int64. On an error nothing has been written and
///            nothing has changed. The rules are checked where a span begins.
/// Threads:   as a plain struct; allocates nothing.
/// Source:    Wang et al. 2024, arXiv:2409.12191; HF's get_rope_index.
class MultimodalPositions {
 public:
  explicit MultimodalPositions(const MultimodalRules& rules) noexcept
      : rules_(rules) {}

  ROPEWALK_EXPORT Status AppendText(int64_t tokens,
                                    PositionBuffer* buffer) noexcept;

  /// A whole image or video.
  ROPEWALK_EXPORT Status AppendVision(const VisionSpan& span,
                                      PositionBuffer* buffer) noexcept;

  /// Starts an image or video whose tokens follow in steps, and writes
  /// nothing.
  ROPEWALK_EXPORT Status BeginVision(const VisionSpan& span) noexcept;

  /// The next tokens of it, vision_tokens_left() at most.
  ROPEWALK_EXPORT Status ContinueVision(int64_t tokens,
                                        PositionBuffer* buffer) noexcept;

  int64_t vision_tokens_left() const noexcept { return span_.tokens - done_; }

  /// Appended so far.
  int64_t tokens() const noexcept { return tokens_; }

  /// One past the largest component of all spans, the one that has begun as a
  /// whole: where text goes on.
  int64_t next_position() const noexcept { return next_; }

  /// HF's mrope_position_delta of a sequence without padding: next_position()
  /// minus the tokens, those left of the span that has begun included.
  int64_t decode_delta() const noexcept {
    return next_ - (tokens_ + vision_tokens_left());
  }

 private:
  // A span in tokens.
  struct Span {
    int64_t first = 0;  // added to every component
    int64_t frames = 0;
    int64_t rows = 0;
    int64_t columns = 0;
    int64_t tokens = 0;
    float seconds_per_frame = 0;
  };

  Status ValidateRules() const noexcept;
  Status ValidateSpan(const VisionSpan& span) const noexcept;
  Status MakeSpan(const VisionSpan& vision, Span* span,
                  int64_t* next) const noexcept;
  Status LastTime(const Span& span, int64_t* time) const noexcept;
  int64_t Time(const Span& span, int64_t frame) const noexcept;
  void WriteVision(int64_t tokens, PositionBuffer* buffer) const noexcept;

  MultimodalRules rules_;
  Span span_;
  int64_t done_ = 0;  // tokens of span_
  int64_t tokens_ = 0;
  int64_t next_ = 0;
};

}  // namespace ropewalk
