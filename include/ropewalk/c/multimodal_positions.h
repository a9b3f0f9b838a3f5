/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Position ids of vision towers, and of prompts of text, images and video:
 * position_buffer.h, grid_positions.h and multimodal_positions.h for C. */
#ifndef ROPEWALK_C_MULTIMODAL_POSITIONS_H_
#define ROPEWALK_C_MULTIMODAL_POSITIONS_H_

#include <stdint.h>

#include "ropewalk/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A caller's array of ids, [components][capacity], of which `count` tokens
 *  are in use: calls that append raise it. As ropewalk_positions:
 *  ROPEWALK_POSITIONS_INT64 with component_stride = capacity. */
typedef struct ropewalk_position_buffer {
  uint32_t struct_size;
  int32_t components;
  int64_t* ids;
  int64_t capacity; /**< Tokens. */
  int64_t count;
} ropewalk_position_buffer;
#define ROPEWALK_POSITION_BUFFER_INIT \
  { sizeof(ropewalk_position_buffer), 3, 0, 0, 0 }

enum {
  ROPEWALK_NO_CLASS_TOKEN = 0,
  ROPEWALK_CLASS_TOKEN_FIRST = 1,
  ROPEWALK_CLASS_TOKEN_LAST = 2
};

/** The patches of one image inside a vision tower; PatchGrid in
 *  grid_positions.h.
 *
 *  Requires:  height and width at least 1, multiples of merge_size >= 1. */
typedef struct ropewalk_patch_grid {
  uint32_t struct_size;
  int32_t class_token; /**< At (0, 0); ROPEWALK_NO_CLASS_TOKEN, ... */
  int64_t height;
  int64_t width;
  int64_t merge_size; /**< Blocks of so many by so many stand together. */
  int64_t first;      /**< Of the first row and column (Llama 4: 1). */
} ropewalk_patch_grid;
#define ROPEWALK_PATCH_GRID_INIT \
  { sizeof(ropewalk_patch_grid), ROPEWALK_NO_CLASS_TOKEN, 0, 0, 1, 0 }

/** Appends (y, x) of a grid's tokens, the class token included.
 *
 *  Shape:     a buffer of 2 components.
 *  Errors:    ROPEWALK_INVALID_ARGUMENT, ROPEWALK_OUT_OF_RANGE; on an error
 *             nothing is written. */
ROPEWALK_EXPORT ropewalk_status ropewalk_append_grid_positions(
    const ropewalk_patch_grid* grid, ropewalk_position_buffer* buffer,
    ropewalk_error* error);

enum {
  ROPEWALK_VIDEO_FRAMES = 0,    /**< Qwen2-VL. */
  ROPEWALK_VIDEO_SECONDS = 1,   /**< Qwen2.5-VL. */
  ROPEWALK_VIDEO_TIMESTAMPS = 2 /**< Qwen3-VL. */
};

/** What a model says about its images; MultimodalRules. */
typedef struct ropewalk_multimodal_rules {
  uint32_t struct_size;
  int32_t video_time; /**< ROPEWALK_VIDEO_FRAMES, ... */
  int64_t merge_size;
  double tokens_per_second; /**< ROPEWALK_VIDEO_SECONDS only; 0 stands for 2. */
} ropewalk_multimodal_rules;
#define ROPEWALK_MULTIMODAL_RULES_INIT \
  { sizeof(ropewalk_multimodal_rules), ROPEWALK_VIDEO_FRAMES, 2, 2.0 }

/** An image or video: its grid of patches before they are merged. */
typedef struct ropewalk_vision_span {
  uint32_t struct_size;
  int64_t t;
  int64_t h;
  int64_t w;
  double seconds_per_frame; /**< ROPEWALK_VIDEO_SECONDS only; 0 stands for 1. */
} ropewalk_vision_span;
#define ROPEWALK_VISION_SPAN_INIT \
  { sizeof(ropewalk_vision_span), 1, 0, 0, 1.0 }

/** The positions of one sequence of text, images and video, span after span;
 *  MultimodalPositions in multimodal_positions.h has the rules.
 *
 *  Shape:     buffers of 3 or 4 components; null goes on without writing.
 *  Errors:    ROPEWALK_INVALID_ARGUMENT, ROPEWALK_OUT_OF_RANGE; on an error
 *             nothing has been written and nothing has changed.
 *  Threads:   one at a time. */
typedef struct ropewalk_multimodal_positions ropewalk_multimodal_positions;

/** Errors:    ROPEWALK_OUT_OF_MEMORY. The rules are checked where a span
 *             begins. */
ROPEWALK_EXPORT ropewalk_status ropewalk_multimodal_positions_create(
    const ropewalk_multimodal_rules* rules,
    ropewalk_multimodal_positions** positions, ropewalk_error* error);
/** A copy branches a sequence, or takes it back. */
ROPEWALK_EXPORT ropewalk_status ropewalk_multimodal_positions_copy(
    const ropewalk_multimodal_positions* from,
    ropewalk_multimodal_positions** positions, ropewalk_error* error);
/** Null is legal, here and in every other destroy. */
ROPEWALK_EXPORT void ropewalk_multimodal_positions_destroy(
    ropewalk_multimodal_positions* positions);

ROPEWALK_EXPORT ropewalk_status
ropewalk_append_text(ropewalk_multimodal_positions* positions, int64_t tokens,
                     ropewalk_position_buffer* buffer, ropewalk_error* error);
/** A whole image or video. */
ROPEWALK_EXPORT ropewalk_status ropewalk_append_vision(
    ropewalk_multimodal_positions* positions, const ropewalk_vision_span* span,
    ropewalk_position_buffer* buffer, ropewalk_error* error);
/** Starts one whose tokens follow in steps, and writes nothing. */
ROPEWALK_EXPORT ropewalk_status
ropewalk_begin_vision(ropewalk_multimodal_positions* positions,
                      const ropewalk_vision_span* span, ropewalk_error* error);
/** The next tokens of it. */
ROPEWALK_EXPORT ropewalk_status ropewalk_continue_vision(
    ropewalk_multimodal_positions* positions, int64_t tokens,
    ropewalk_position_buffer* buffer, ropewalk_error* error);

/** 0 for null, as all that follow. */
ROPEWALK_EXPORT int64_t
ropewalk_vision_tokens_left(const ropewalk_multimodal_positions* positions);
/** Appended so far. */
ROPEWALK_EXPORT int64_t
ropewalk_multimodal_tokens(const ropewalk_multimodal_positions* positions);
/** Where text goes on. */
ROPEWALK_EXPORT int64_t ropewalk_multimodal_next_position(
    const ropewalk_multimodal_positions* positions);
/** The token after n cached ones has the position n plus this. */
ROPEWALK_EXPORT int64_t ropewalk_multimodal_decode_delta(
    const ropewalk_multimodal_positions* positions);

#ifdef __cplusplus
}
#endif

#endif /* ROPEWALK_C_MULTIMODAL_POSITIONS_H_ */
