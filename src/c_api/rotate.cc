// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/c/rotate.h"

#include <array>
#include <vector>

#include "c_api/call.h"
#include "c_api/handles.h"
#include "c_api/read_types.h"
#include "c_api/struct_size.h"
#include "ropewalk/rotate.h"
#include "ropewalk/weights.h"

namespace ropewalk::internal {
namespace {

// Tensors of a call that need no allocation. Q and K have an array of their
// own: clearing a larger one shows in a decode.
constexpr int kTwoTensors = 2;
constexpr int kFewTensors = 8;

Status ReadRotateOptions(const ropewalk_rotate_options* given,
                         RotateOptions* options) noexcept {
  if (given == nullptr) return Status();
  ropewalk_rotate_options in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct("options", given, &in));
  ROPEWALK_RETURN_IF_ERROR(
      ReadEnum("options", "direction", in.direction, &options->direction));
  ROPEWALK_RETURN_IF_ERROR(Read("parallel", in.parallel, &options->parallel));
  return Read("transform", in.transform, &options->transform);
}

Status ReadTensors(const ropewalk_heads* tensors, int count,
                   HeadsView* views) noexcept {
  for (int i = 0; i < count; ++i) {
    if (i > 0) {
      ROPEWALK_RETURN_IF_ERROR(CheckSameSize("tensors", tensors, i));
    }
    ROPEWALK_RETURN_IF_ERROR(
        Read("tensors", i > 0 ? Element(tensors, i) : tensors, &views[i]));
  }
  return Status();
}

template <int kMost>
Status RotateFew(const AngleRows& rows, const RotaryLayout& layout,
                 const ropewalk_heads* tensors, int count,
                 const RotateOptions& options) noexcept {
  std::array<HeadsView, kMost> views;
  ROPEWALK_RETURN_IF_ERROR(ReadTensors(tensors, count, views.data()));
  return Rotate(rows, layout, views.data(), count, options);
}

Status RotateTensors(const AngleRows& rows, const RotaryLayout& layout,
                     const ropewalk_heads* tensors, int count,
                     const RotateOptions& options) {
  if (count < 0) {
    return Error(StatusCode::kInvalidArgument,
                 "count = %d: must not be negative", count);
  }
  if (count <= kTwoTensors) {
    return RotateFew<kTwoTensors>(rows, layout, tensors, count, options);
  }
  if (count <= kFewTensors) {
    return RotateFew<kFewTensors>(rows, layout, tensors, count, options);
  }
  std::vector<HeadsView> views(static_cast<size_t>(count));
  ROPEWALK_RETURN_IF_ERROR(ReadTensors(tensors, count, views.data()));
  return Rotate(rows, layout, views.data(), count, options);
}

}  // namespace
}  // namespace ropewalk::internal

namespace rw = ropewalk;
namespace internal = ropewalk::internal;

ropewalk_status ropewalk_rotate(const ropewalk_angle_rows* rows,
                                const ropewalk_rotary_layout* layout,
                                const ropewalk_heads* tensors, int32_t count,
                                const ropewalk_rotate_options* options,
                                ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::RotaryLayout cc_layout;
    rw::RotateOptions cc_options;
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("rows", rows));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("layout", layout, &cc_layout));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadRotateOptions(options, &cc_options));
    return internal::RotateTensors(rows->value, cc_layout, tensors, count,
                                   cc_options);
  });
}

ropewalk_status ropewalk_rotate_to(const ropewalk_angle_rows* rows,
                                   const ropewalk_rotary_layout* layout,
                                   const ropewalk_const_heads* in,
                                   const ropewalk_heads* out,
                                   const ropewalk_rotate_options* options,
                                   ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::RotaryLayout cc_layout;
    rw::RotateOptions cc_options;
    rw::ConstHeadsView cc_in;
    rw::HeadsView cc_out;
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("rows", rows));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("layout", layout, &cc_layout));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("in", in, &cc_in));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("out", out, &cc_out));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadRotateOptions(options, &cc_options));
    return rw::Rotate(rows->value, cc_layout, cc_in, cc_out, cc_options);
  });
}

ropewalk_status ropewalk_permute_pairing(const ropewalk_projection* projection,
                                         const ropewalk_rotary_layout* layout,
                                         ropewalk_pairing pairing,
                                         const ropewalk_parallel* parallel,
                                         ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ropewalk_projection in;
    rw::ProjectionView view;
    rw::RotaryLayout cc_layout;
    rw::Parallel cc_parallel = rw::Parallel::Serial();
    ROPEWALK_RETURN_IF_ERROR(
        internal::ReadStruct("projection", projection, &in));
    ROPEWALK_RETURN_IF_ERROR(
        internal::ReadType("projection", "type", in.type, &view.type));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("layout", layout, &cc_layout));
    const auto cc_pairing = internal::ReadPairing("pairing", pairing);
    ROPEWALK_RETURN_IF_ERROR(cc_pairing.status());
    ROPEWALK_RETURN_IF_ERROR(
        internal::Read("parallel", parallel, &cc_parallel));
    view.data = in.data;
    view.heads = in.heads;
    view.columns = in.columns;
    view.row_stride = in.row_stride;
    return rw::PermutePairing(view, cc_layout, cc_pairing.value(), cc_parallel);
  });
}
