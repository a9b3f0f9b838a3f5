// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "frequencies/ladder.h"
#include "frequencies/schemes.h"
#include "frequencies/validate_parameters.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

// Plain RoPE on the base that makes the last pair slower by growth.
Result<Frequencies> OnNtkBase(const SchemeInput& input, double growth) {
  RopeParameters changed;
  changed.rotary_dim = input.parameters.rotary_dim;
  // A base that is not a number is reported as it was given.
  ROPEWALK_RETURN_IF_ERROR(ValidatePositive("base", input.parameters.base));
  changed.base = NtkBase(input.parameters.base, growth, changed.rotary_dim);
  if (!std::isfinite(changed.base)) {
    return Error(StatusCode::kOutOfRange,
                 "base = %g: infinite once it is multiplied for a growth of %g",
                 input.parameters.base, growth);
  }
  return Build({changed, 0}, NoScaling{});
}

}  // namespace

Result<Frequencies> Build(const SchemeInput& input, const NtkScaling& scheme) {
  ROPEWALK_RETURN_IF_ERROR(ValidatePositive("factor", scheme.factor));
  return OnNtkBase(input, scheme.factor);
}

Result<Frequencies> Build(const SchemeInput& input,
                          const NtkAlphaScaling& scheme) {
  ROPEWALK_RETURN_IF_ERROR(ValidatePositive("alpha", scheme.alpha));
  return OnNtkBase(input, scheme.alpha);
}

// In this form nothing can become negative below the maximum.
double DynamicGrowth(const DynamicNtkScaling& scheme, int64_t sequence_length) {
  if (sequence_length <= scheme.max_positions) return 1.0;
  const auto past = static_cast<double>(sequence_length - scheme.max_positions);
  return 1.0 + scheme.factor * past / static_cast<double>(scheme.max_positions);
}

Result<Frequencies> Build(const SchemeInput& input,
                          const DynamicNtkScaling& scheme) {
  ROPEWALK_RETURN_IF_ERROR(ValidatePositive("factor", scheme.factor));
  ROPEWALK_RETURN_IF_ERROR(
      ValidatePositions("max_positions", scheme.max_positions));
  auto frequencies =
      OnNtkBase(input, DynamicGrowth(scheme, input.sequence_length));
  if (frequencies.ok()) frequencies.value().length_dependent = true;
  return frequencies;
}

// 2^(k + 1) - 1 for the least k with original * 2^k >= length: the logarithm
// of the formula without its rounding.
double QwenGrowth(const QwenDynamicNtkScaling& scheme,
                  int64_t sequence_length) {
  if (sequence_length <= scheme.original_positions) return 1.0;
  double power = 1.0;
  for (auto reach = static_cast<double>(scheme.original_positions);
       reach < static_cast<double>(sequence_length); reach *= 2) {
    power *= 2;
  }
  return 2 * power - 1;
}

Result<Frequencies> Build(const SchemeInput& input,
                          const QwenDynamicNtkScaling& scheme) {
  ROPEWALK_RETURN_IF_ERROR(
      ValidatePositions("original_positions", scheme.original_positions));
  if (!std::isfinite(scheme.attention_slope) || scheme.attention_slope < 0) {
    return Error(StatusCode::kInvalidArgument,
                 "attention_slope = %g: must be finite and not negative",
                 scheme.attention_slope);
  }
  auto frequencies =
      OnNtkBase(input, QwenGrowth(scheme, input.sequence_length));
  if (!frequencies.ok()) return frequencies;
  frequencies.value().length_dependent = true;
  if (input.sequence_length > scheme.original_positions) {
    frequencies.value().attention_factor =
        1.0 + scheme.attention_slope *
                  std::log(static_cast<double>(input.sequence_length) /
                           static_cast<double>(scheme.original_positions));
  }
  return frequencies;
}

}  // namespace ropewalk::internal
