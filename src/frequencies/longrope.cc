// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <optional>

#include "frequencies/schemes.h"
#include "frequencies/validate_parameters.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

Status Validate(const LongRopeScaling& scheme, int rotary_dim) noexcept {
  ROPEWALK_RETURN_IF_ERROR(
      ValidateDivisors("short_factor", scheme.short_factor, rotary_dim));
  ROPEWALK_RETURN_IF_ERROR(
      ValidateDivisors("long_factor", scheme.long_factor, rotary_dim));
  ROPEWALK_RETURN_IF_ERROR(
      ValidatePositions("original_positions", scheme.original_positions, 2));
  ROPEWALK_RETURN_IF_ERROR(
      ValidatePositions("max_positions", scheme.max_positions, 0));
  ROPEWALK_RETURN_IF_ERROR(
      ValidatePositions("context_limit", scheme.context_limit, 0));
  ROPEWALK_RETURN_IF_ERROR(ValidateOptional("factor", scheme.factor));
  ROPEWALK_RETURN_IF_ERROR(
      ValidateOptional("attention_factor", scheme.attention_factor));
  ROPEWALK_RETURN_IF_ERROR(ValidateOptional("short_attention_factor",
                                            scheme.short_attention_factor));
  ROPEWALK_RETURN_IF_ERROR(
      ValidateOptional("long_attention_factor", scheme.long_attention_factor));
  if (scheme.policy > LongRopePolicy::kForceLong) {
    return Error(StatusCode::kInvalidArgument,
                 "policy = %d: must be one of LongRopePolicy",
                 static_cast<int>(scheme.policy));
  }
  if (scheme.policy == LongRopePolicy::kByContextLimit &&
      scheme.context_limit == 0 && scheme.max_positions == 0) {
    return Error(StatusCode::kInvalidArgument,
                 "context_limit = 0: kByContextLimit needs it, or "
                 "max_positions");
  }
  return Status();
}

bool IsLong(const LongRopeScaling& scheme, int64_t sequence_length) {
  switch (scheme.policy) {
    case LongRopePolicy::kByContextLimit:
      return (scheme.context_limit != 0
                  ? scheme.context_limit
                  : scheme.max_positions) > scheme.original_positions;
    case LongRopePolicy::kBySequenceLength:
      return sequence_length > scheme.original_positions;
    default:
      return scheme.policy == LongRopePolicy::kForceLong;
  }
}

Result<double> AttentionFactor(const LongRopeScaling& scheme, bool is_long) {
  const std::optional<double>& own =
      is_long ? scheme.long_attention_factor : scheme.short_attention_factor;
  if (own.has_value()) return *own;
  if (scheme.attention_factor.has_value()) return *scheme.attention_factor;
  if (!scheme.factor.has_value() && scheme.max_positions == 0) {
    return Error(StatusCode::kInvalidArgument,
                 "max_positions = 0: must be positive where neither factor nor "
                 "attention_factor is given");
  }
  const auto original = static_cast<double>(scheme.original_positions);
  const double s = scheme.factor.value_or(
      static_cast<double>(scheme.max_positions) / original);
  return s <= 1 ? 1.0 : std::sqrt(1.0 + std::log(s) / std::log(original));
}

}  // namespace

Result<Frequencies> Build(const SchemeInput& input,
                          const LongRopeScaling& scheme) {
  ROPEWALK_RETURN_IF_ERROR(Validate(scheme, input.parameters.rotary_dim));
  const bool is_long = IsLong(scheme, input.sequence_length);
  const auto factor = AttentionFactor(scheme, is_long);
  if (!factor.ok()) return factor.status();
  const auto other = AttentionFactor(scheme, !is_long);
  if (!other.ok()) return other.status();
  auto frequencies =
      Build(input,
            FrequencyFactors{is_long ? scheme.long_factor : scheme.short_factor,
                             factor.value()});
  if (frequencies.ok()) {
    frequencies.value().length_dependent =
        scheme.policy == LongRopePolicy::kBySequenceLength &&
        (scheme.short_factor != scheme.long_factor ||
         factor.value() != other.value());
  }
  return frequencies;
}

}  // namespace ropewalk::internal
