// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/c/multimodal_positions.h"

#include "c_api/call.h"
#include "c_api/handles.h"
#include "c_api/read_types.h"
#include "c_api/struct_size.h"
#include "ropewalk/grid_positions.h"
#include "ropewalk/position_buffer.h"

namespace ropewalk::internal {
namespace {

Status ReadRules(const char* name, const ropewalk_multimodal_rules* given,
                 MultimodalRules* rules) noexcept {
  ropewalk_multimodal_rules in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  rules->merge_size = in.merge_size;
  if (in.tokens_per_second != 0) {
    rules->tokens_per_second = in.tokens_per_second;
  }
  return ReadEnum(name, "video_time", in.video_time, &rules->video_time);
}

Status ReadSpan(const char* name, const ropewalk_vision_span* given,
                VisionSpan* span) noexcept {
  ropewalk_vision_span in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  *span = {in.t, in.h, in.w,
           in.seconds_per_frame != 0 ? in.seconds_per_frame : 1};
  return Status();
}

Status ReadGrid(const char* name, const ropewalk_patch_grid* given,
                PatchGrid* grid) noexcept {
  ropewalk_patch_grid in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  grid->height = in.height;
  grid->width = in.width;
  grid->merge_size = in.merge_size;
  grid->first = in.first;
  return ReadEnum(name, "class_token", in.class_token, &grid->class_token);
}

// Lets `append` fill the caller's buffer, whose count it raises.
template <class Append>
Status AppendTo(ropewalk_position_buffer* given, const Append& append) {
  ropewalk_position_buffer in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct("buffer", given, &in));
  PositionBuffer buffer{in.ids, in.components, in.capacity, in.count};
  ROPEWALK_RETURN_IF_ERROR(append(&buffer));
  given->count = buffer.count;
  return Status();
}

// The same, or null where nothing is to be written.
template <class Append>
Status MaybeAppendTo(ropewalk_position_buffer* given, const Append& append) {
  if (given == nullptr) return append(nullptr);
  return AppendTo(given, append);
}

}  // namespace
}  // namespace ropewalk::internal

namespace rw = ropewalk;
namespace internal = ropewalk::internal;

ropewalk_status ropewalk_append_grid_positions(const ropewalk_patch_grid* grid,
                                               ropewalk_position_buffer* buffer,
                                               ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::PatchGrid cc_grid;
    ROPEWALK_RETURN_IF_ERROR(internal::ReadGrid("grid", grid, &cc_grid));
    return internal::AppendTo(buffer, [&](rw::PositionBuffer* out) {
      return rw::AppendGridPositions(cc_grid, out);
    });
  });
}

ropewalk_status ropewalk_multimodal_positions_create(
    const ropewalk_multimodal_rules* rules,
    ropewalk_multimodal_positions** positions, ropewalk_error* error) {
  if (positions != nullptr) *positions = nullptr;
  return internal::Call(error, [&]() -> rw::Status {
    rw::MultimodalRules cc_rules;
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("positions", positions));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadRules("rules", rules, &cc_rules));
    *positions =
        new ropewalk_multimodal_positions{rw::MultimodalPositions(cc_rules)};
    return rw::Status();
  });
}

ropewalk_status ropewalk_multimodal_positions_copy(
    const ropewalk_multimodal_positions* from,
    ropewalk_multimodal_positions** positions, ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("positions", positions));
    *positions = nullptr;
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("from", from));
    *positions = new ropewalk_multimodal_positions(*from);
    return rw::Status();
  });
}

void ropewalk_multimodal_positions_destroy(
    ropewalk_multimodal_positions* positions) {
  delete positions;
}

ropewalk_status ropewalk_append_text(ropewalk_multimodal_positions* positions,
                                     int64_t tokens,
                                     ropewalk_position_buffer* buffer,
                                     ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("positions", positions));
    return internal::MaybeAppendTo(buffer, [&](rw::PositionBuffer* out) {
      return positions->value.AppendText(tokens, out);
    });
  });
}

ropewalk_status ropewalk_append_vision(ropewalk_multimodal_positions* positions,
                                       const ropewalk_vision_span* span,
                                       ropewalk_position_buffer* buffer,
                                       ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::VisionSpan cc_span;
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("positions", positions));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadSpan("span", span, &cc_span));
    return internal::MaybeAppendTo(buffer, [&](rw::PositionBuffer* out) {
      return positions->value.AppendVision(cc_span, out);
    });
  });
}

ropewalk_status ropewalk_begin_vision(ropewalk_multimodal_positions* positions,
                                      const ropewalk_vision_span* span,
                                      ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::VisionSpan cc_span;
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("positions", positions));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadSpan("span", span, &cc_span));
    return positions->value.BeginVision(cc_span);
  });
}

ropewalk_status ropewalk_continue_vision(
    ropewalk_multimodal_positions* positions, int64_t tokens,
    ropewalk_position_buffer* buffer, ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("positions", positions));
    return internal::MaybeAppendTo(buffer, [&](rw::PositionBuffer* out) {
      return positions->value.ContinueVision(tokens, out);
    });
  });
}

int64_t ropewalk_vision_tokens_left(
    const ropewalk_multimodal_positions* positions) {
  return positions != nullptr ? positions->value.vision_tokens_left() : 0;
}

int64_t ropewalk_multimodal_tokens(
    const ropewalk_multimodal_positions* positions) {
  return positions != nullptr ? positions->value.tokens() : 0;
}

int64_t ropewalk_multimodal_next_position(
    const ropewalk_multimodal_positions* positions) {
  return positions != nullptr ? positions->value.next_position() : 0;
}

int64_t ropewalk_multimodal_decode_delta(
    const ropewalk_multimodal_positions* positions) {
  return positions != nullptr ? positions->value.decode_delta() : 0;
}
