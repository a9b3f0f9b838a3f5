// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "frequencies/validate_parameters.h"

#include <cmath>

#include "status/error.h"

namespace ropewalk::internal {

Status ValidatePositive(const char* name, double value) noexcept {
  if (std::isfinite(value) && value > 0.0) return Status();
  return Error(StatusCode::kInvalidArgument,
               "%s = %g: must be finite and positive", name, value);
}

Status ValidateOptional(const char* name, const std::optional<double>& value,
                        bool zero_too) noexcept {
  if (!value.has_value() || (zero_too && *value == 0)) return Status();
  return ValidatePositive(name, *value);
}

Status ValidatePositions(const char* name, int64_t positions,
                         int64_t least) noexcept {
  if (positions >= least) return Status();
  return Error(StatusCode::kInvalidArgument, "%s = %lld: must be at least %lld",
               name, static_cast<long long>(positions),
               static_cast<long long>(least));
}

template <class Number>
Status ValidateDivisors(const char* name, const std::vector<Number>& list,
                        int rotary_dim) noexcept {
  const size_t pairs = static_cast<size_t>(rotary_dim) / 2;
  if (list.size() != pairs) {
    return Error(StatusCode::kInvalidArgument,
                 "%s has %zu entries: must have %zu, half of rotary_dim", name,
                 list.size(), pairs);
  }
  for (size_t i = 0; i < pairs; ++i) {
    const double entry = double{list[i]};
    if (std::isfinite(entry) && entry > 0.0) continue;
    return Error(StatusCode::kInvalidArgument,
                 "%s[%zu] = %g: must be finite and positive", name, i, entry);
  }
  return Status();
}

template Status ValidateDivisors(const char*, const std::vector<double>&,
                                 int) noexcept;
template Status ValidateDivisors(const char*, const std::vector<float>&,
                                 int) noexcept;

}  // namespace ropewalk::internal
