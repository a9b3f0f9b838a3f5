// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Sends RopeParameters to the builder of their scheme; the rules that all
// schemes share are checked here.
#include <new>

#include "frequencies/schemes.h"
#include "frequencies/validate_frequencies.h"
#include "ropewalk/scaling.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

Status ValidateRotaryDim(int rotary_dim) noexcept {
  if (rotary_dim < 0) {
    return Error(StatusCode::kInvalidArgument,
                 "rotary_dim = %d: must not be negative", rotary_dim);
  }
  if (rotary_dim % 2 != 0) {
    return Error(StatusCode::kInvalidArgument, "rotary_dim = %d: must be even",
                 rotary_dim);
  }
  if (rotary_dim > kMaxRotaryDim) {
    return Error(StatusCode::kOutOfRange, "rotary_dim = %d: must be at most %d",
                 rotary_dim, kMaxRotaryDim);
  }
  return Status();
}

Result<Frequencies> Compute(const RopeParameters& parameters,
                            int64_t sequence_length) {
  ROPEWALK_RETURN_IF_ERROR(ValidateRotaryDim(parameters.rotary_dim));
  if (sequence_length < 0) {
    return Error(StatusCode::kInvalidArgument,
                 "sequence_length = %lld: must not be negative",
                 static_cast<long long>(sequence_length));
  }
  if (parameters.scaling.valueless_by_exception()) {
    return Error(StatusCode::kInvalidArgument,
                 "scaling = valueless: must hold a scheme");
  }
  const SchemeInput input = {parameters, sequence_length};
  Result<Frequencies> frequencies =
      std::visit([&](const auto& scheme) { return Build(input, scheme); },
                 parameters.scaling);
  if (!frequencies.ok()) return frequencies;
  frequencies.value().axis = parameters.axis;
  ROPEWALK_RETURN_IF_ERROR(ValidateFrequencies(frequencies.value()));
  return frequencies;
}

}  // namespace
}  // namespace internal

Result<Frequencies> ComputeFrequencies(const RopeParameters& parameters,
                                       int64_t sequence_length) noexcept {
  try {
    return internal::Compute(parameters, sequence_length);
  } catch (const std::bad_alloc&) {
    return internal::Error(StatusCode::kOutOfMemory,
                           "frequencies of rotary_dim = %d: out of memory",
                           parameters.rotary_dim);
  }
}

}  // namespace ropewalk
