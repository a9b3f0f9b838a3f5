// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/c/model.h"

#include <cstddef>

#include "c_api/call.h"
#include "c_api/model_handle.h"
#include "c_api/struct_size.h"

namespace rw = ropewalk;
namespace internal = ropewalk::internal;

namespace {

rw::Status RequireVision(const ropewalk_model* model) noexcept {
  ROPEWALK_RETURN_IF_ERROR(internal::NotNull("model", model));
  if (model->vision.has_value()) return rw::Status();
  return internal::Error(rw::StatusCode::kOutOfRange,
                         "model: has no vision encoder that rotates");
}

}  // namespace

void ropewalk_model_destroy(ropewalk_model* model) { delete model; }

ropewalk_status ropewalk_model_get_info(const ropewalk_model* model,
                                        ropewalk_model_info* info,
                                        ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("model", model));
    ROPEWALK_RETURN_IF_ERROR(internal::CheckSize("info", info));
    internal::WriteStruct(model->info, info);
    return rw::Status();
  });
}

ropewalk_status ropewalk_model_layer_type(const ropewalk_model* model,
                                          int32_t index,
                                          ropewalk_layer_rope* layer,
                                          ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("model", model));
    ROPEWALK_RETURN_IF_ERROR(internal::CheckSize("layer", layer));
    if (index < 0 || index >= model->info.layer_type_count) {
      return internal::Error(
          rw::StatusCode::kOutOfRange,
          "index = %d: must be from 0 to %d, the last kind of layer",
          static_cast<int>(index),
          static_cast<int>(model->info.layer_type_count) - 1);
    }
    internal::WriteStruct(model->layers[static_cast<size_t>(index)].value(),
                          layer);
    return rw::Status();
  });
}

ropewalk_status ropewalk_model_find_layer_type(const ropewalk_model* model,
                                               const char* layer_type,
                                               ropewalk_layer_rope* layer,
                                               ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("model", model));
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("layer_type", layer_type));
    ROPEWALK_RETURN_IF_ERROR(internal::CheckSize("layer", layer));
    const rw::LayerRope* const found = model->rope.Find(layer_type);
    if (found == nullptr) {
      return internal::Error(rw::StatusCode::kOutOfRange,
                             "layer_type = %.80s: must be one of the model's",
                             layer_type);
    }
    const auto index = found - model->rope.layer_types.data();
    internal::WriteStruct(model->layers[static_cast<size_t>(index)].value(),
                          layer);
    return rw::Status();
  });
}

ropewalk_status ropewalk_model_vision(const ropewalk_model* model,
                                      ropewalk_vision_rope* vision,
                                      ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::CheckSize("vision", vision));
    ROPEWALK_RETURN_IF_ERROR(RequireVision(model));
    internal::WriteStruct(model->vision->value(), vision);
    return rw::Status();
  });
}

ropewalk_status ropewalk_model_patch_grid(const ropewalk_model* model,
                                          int64_t height, int64_t width,
                                          ropewalk_patch_grid* grid,
                                          ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::CheckSize("grid", grid));
    ROPEWALK_RETURN_IF_ERROR(RequireVision(model));
    internal::WriteStruct(model->vision->Grid(height, width), grid);
    return rw::Status();
  });
}
