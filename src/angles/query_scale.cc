// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/query_scale.h"

#include <algorithm>
#include <cmath>

#include "angles/position_reader.h"
#include "status/error.h"

namespace ropewalk {
namespace {

using internal::PositionReader;

// The positions, the length by which they are divided, and where to write.
Status Validate(PositionReader* reader, const char* name, int64_t length,
                int64_t least, const float* scale) noexcept {
  ROPEWALK_RETURN_IF_ERROR(reader->Validate());
  if (reader->components() != 1) {
    return internal::Error(StatusCode::kInvalidArgument,
                           "positions of %d components: must have 1",
                           reader->components());
  }
  if (length < least) {
    return internal::Error(
        StatusCode::kInvalidArgument, "%s = %lld: must be at least %lld", name,
        static_cast<long long>(length), static_cast<long long>(least));
  }
  if (scale == nullptr && reader->count() > 0) {
    return internal::Error(StatusCode::kInvalidArgument,
                           "scale = null: must have room for %lld tokens",
                           static_cast<long long>(reader->count()));
  }
  return Status();
}

// Written so that a NaN fails too.
Status ValidateBeta(double beta) noexcept {
  if (beta >= 0 && beta <= 0x1p120) return Status();
  return internal::Error(StatusCode::kInvalidArgument,
                         "beta = %g: must be from 0 to 2^120", beta);
}

bool IsNegative(const PositionReader& reader, int64_t token) noexcept {
  return reader.is_real() ? reader.Real(0, token) < 0
                          : reader.Integer(0, token) < 0;
}

// The position without its fraction: floor((p + k) / n) does not depend on it.
// Requires: !IsNegative.
uint64_t Whole(const PositionReader& reader, int64_t token) noexcept {
  return reader.is_real() ? static_cast<uint64_t>(reader.Real(0, token))
                          : static_cast<uint64_t>(reader.Integer(0, token));
}

// floor((p + raise) / length) steps.
struct Temperature {
  const char* length_name;
  int64_t length;
  uint64_t raise;
  double beta;
};

Status WriteTemperature(const Positions& positions, const Temperature& of,
                        float* scale) noexcept {
  PositionReader reader(positions);
  ROPEWALK_RETURN_IF_ERROR(
      Validate(&reader, of.length_name, of.length, 1, scale));
  ROPEWALK_RETURN_IF_ERROR(ValidateBeta(of.beta));
  for (int64_t t = 0; t < reader.count(); ++t) {
    const uint64_t steps =
        IsNegative(reader, t)
            ? 0
            : (Whole(reader, t) + of.raise) / static_cast<uint64_t>(of.length);
    scale[t] = static_cast<float>(
        1.0 + of.beta * std::log(static_cast<double>(steps) + 1.0));
  }
  return Status();
}

}  // namespace

Status LogNQueryScale(const Positions& positions, int64_t original_positions,
                      float* scale) noexcept {
  PositionReader reader(positions);
  ROPEWALK_RETURN_IF_ERROR(
      Validate(&reader, "original_positions", original_positions, 2, scale));
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

Status Llama4QueryScale(const Positions& positions, int64_t floor_scale,
                        double beta, float* scale) noexcept {
  return WriteTemperature(positions, {"floor_scale", floor_scale, 1, beta},
                          scale);
}

Status Mistral3QueryScale(const Positions& positions,
                          int64_t original_positions, double beta,
                          float* scale) noexcept {
  return WriteTemperature(
      positions, {"original_positions", original_positions, 0, beta}, scale);
}

Status WriteQueryScale(const Positions& positions, const QueryScale& scale,
                       float* factors) noexcept {
  switch (scale.rule) {
    case QueryScaleRule::kNone: {
      PositionReader reader(positions);
      ROPEWALK_RETURN_IF_ERROR(Validate(&reader, "positions", 0, 0, factors));
      std::fill_n(factors, reader.count(), 1.0f);
      return Status();
    }
    case QueryScaleRule::kLogN:
      return LogNQueryScale(positions, scale.positions, factors);
    case QueryScaleRule::kLlama4:
      return Llama4QueryScale(positions, scale.positions, scale.beta, factors);
    case QueryScaleRule::kMistral3:
      return Mistral3QueryScale(positions, scale.positions, scale.beta,
                                factors);
  }
  return internal::Error(StatusCode::kInvalidArgument,
                         "rule = %d: must be one of QueryScaleRule",
                         static_cast<int>(scale.rule));
}

}  // namespace ropewalk
