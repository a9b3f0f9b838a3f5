// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/validate_options.h"

#include "status/error.h"

namespace ropewalk::internal {

Status ValidateConfigOptions(const ConfigOptions& options) noexcept {
  if (options.pairing && *options.pairing != Pairing::kHalf &&
      *options.pairing != Pairing::kInterleaved) {
    return Error(StatusCode::kInvalidArgument,
                 "pairing = %d: must be kHalf or kInterleaved",
                 static_cast<int>(*options.pairing));
  }
  if (options.context_limit < 0) {
    return Error(StatusCode::kInvalidArgument,
                 "context_limit = %lld: must not be negative",
                 static_cast<long long>(options.context_limit));
  }
  if (options.long_rope_policy > LongRopePolicy::kForceLong) {
    return Error(StatusCode::kInvalidArgument,
                 "long_rope_policy = %d: must be a LongRopePolicy",
                 static_cast<int>(options.long_rope_policy));
  }
  return Status();
}

}  // namespace ropewalk::internal
