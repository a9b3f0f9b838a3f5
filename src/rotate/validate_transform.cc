// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "rotate/validate_transform.h"

#include <cmath>
#include <cstdint>

#include "status/error.h"

namespace ropewalk::internal {
namespace {

Status ValidateNorm(const HeadNorm& norm, int head_dim) noexcept {
  if (norm.offset < 0 || norm.size < 0 ||
      int64_t{norm.offset} + norm.size > head_dim) {
    return Error(StatusCode::kInvalidArgument,
                 "norm.offset = %d, norm.size = %d: must lie inside head_dim = "
                 "%d",
                 norm.offset, norm.size, head_dim);
  }
  if (norm.kind > HeadNorm::Kind::kLayer) {
    return Error(StatusCode::kInvalidArgument,
                 "norm.kind = %d: must be kRms or kLayer",
                 static_cast<int>(norm.kind));
  }
  if (norm.weight_type > DataType::kF16) {
    return Error(StatusCode::kInvalidArgument,
                 "norm.weight_type = %d: must be kF32, kBF16 or kF16",
                 static_cast<int>(norm.weight_type));
  }
  if (!std::isfinite(norm.epsilon) || norm.epsilon < 0.0f) {
    return Error(StatusCode::kInvalidArgument,
                 "norm.epsilon = %g: must be finite and not negative",
                 static_cast<double>(norm.epsilon));
  }
  if (norm.bias != nullptr && norm.kind == HeadNorm::Kind::kRms) {
    return Error(StatusCode::kInvalidArgument,
                 "norm.bias = %p: must be null with kRms", norm.bias);
  }
  const auto misaligned = [&](const void* data) {
    return reinterpret_cast<uintptr_t>(data) %
               static_cast<uintptr_t>(ElementSize(norm.weight_type)) !=
           0;
  };
  if (misaligned(norm.weight) || misaligned(norm.bias)) {
    return Error(StatusCode::kInvalidArgument,
                 "norm.weight = %p, norm.bias = %p: must be aligned to the "
                 "element size %d",
                 norm.weight, norm.bias,
                 static_cast<int>(ElementSize(norm.weight_type)));
  }
  return Status();
}

}  // namespace

Status ValidateTransform(const HeadTransform& transform,
                         int head_dim) noexcept {
  if (!std::isfinite(transform.scale)) {
    return Error(StatusCode::kInvalidArgument, "scale = %g: must be finite",
                 static_cast<double>(transform.scale));
  }
  if (!IsActive(transform)) return Status();
  if (head_dim > kMaxTransformDim) {
    return Error(StatusCode::kUnsupported,
                 "head_dim = %d: must be at most %d with a transform", head_dim,
                 kMaxTransformDim);
  }
  if (transform.norm.size == 0) return Status();
  return ValidateNorm(transform.norm, head_dim);
}

}  // namespace ropewalk::internal
