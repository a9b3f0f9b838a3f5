// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/query_scale.h"

#include <algorithm>
#include <cmath>

#include "angles/position_reader.h"
#include "status/error.h"

namespace ropewalk {

Status LogNQueryScale(const Positions& positions, int64_t original_positions,
                      float* scale) noexcept {
  internal::PositionReader reader(positions);
  ROPEWALK_RETURN_IF_ERROR(reader.Validate());
  if (original_positions < 2) {
    return internal::Error(StatusCode::kInvalidArgument,
                           "original_positions = %lld: must be at least 2",
                           static_cast<long long>(original_positions));
  }
  if (scale == nullptr && reader.count() > 0) {
    return internal::Error(StatusCode::kInvalidArgument,
                           "scale = null: must have room for %lld tokens",
                           static_cast<long long>(reader.count()));
  }
  const double whole = std::log(static_cast<double>(original_positions));
  for (int64_t t = 0; t < reader.count(); ++t) {
    const double position = std::max(
        0.0, reader.is_real() ? reader.Real(0, t)
                              : static_cast<double>(reader.Integer(0, t)));
    scale[t] =
        static_cast<float>(std::max(1.0, std::log(position + 1.0) / whole));
  }
  return Status();
}

}  // namespace ropewalk
