// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "angles/resolve_options.h"

#include "angles/aligned_memory.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

Status ValidateEnums(const AngleOptions& options) noexcept {
  if (options.mode > AngleMode::kFloat32Recurrence) {
    return Error(StatusCode::kInvalidArgument,
                 "mode = %d: must be kExact, kFloat32 or kFloat32Recurrence",
                 static_cast<int>(options.mode));
  }
  if (options.kind > TableKind::kDirect) {
    return Error(StatusCode::kInvalidArgument,
                 "kind = %d: must be kAuto, kFactored, kDense or kDirect",
                 static_cast<int>(options.kind));
  }
  if (options.round_to > DataType::kF16) {
    return Error(StatusCode::kInvalidArgument,
                 "round_to = %d: must be kF32, kBF16 or kF16",
                 static_cast<int>(options.round_to));
  }
  return Status();
}

Status ValidateDense(const AngleOptions& options, int64_t pairs) noexcept {
  const int64_t rows = options.dense_positions;
  if (rows < 0 || (rows == 0 && options.kind == TableKind::kDense)) {
    return Error(StatusCode::kInvalidArgument,
                 "dense_positions = %lld: must be %s",
                 static_cast<long long>(rows),
                 rows < 0 ? "at least 0" : "positive for a dense table");
  }
  int64_t bytes = 0;
  constexpr int64_t kPairBytes = 2 * sizeof(float);
  if (options.kind == TableKind::kDense &&
      !MultiplySizes(rows, pairs * kPairBytes, &bytes)) {
    return Error(StatusCode::kOutOfRange,
                 "dense_positions = %lld: a table of %lld pairs is too large",
                 static_cast<long long>(rows), static_cast<long long>(pairs));
  }
  return Status();
}

}  // namespace

Status ValidateRounding(const char* name, DataType type,
                        double attention_factor) noexcept {
  constexpr double kMaxF16 = 65504;
  if (type != DataType::kF16 || attention_factor <= kMaxF16) return Status();
  return Error(StatusCode::kOutOfRange,
               "%s = kF16: attention_factor = %g must be at most %g", name,
               attention_factor, kMaxF16);
}

Status ResolveOptions(const Frequencies& frequencies,
                      AngleOptions* options) noexcept {
  ROPEWALK_RETURN_IF_ERROR(ValidateEnums(*options));
  if (options->mode == AngleMode::kFloat32Recurrence &&
      !frequencies.recurrence.has_value()) {
    return Error(StatusCode::kUnsupported,
                 "mode = kFloat32Recurrence: only GgmlScaling defines its "
                 "recurrence");
  }
  ROPEWALK_RETURN_IF_ERROR(ValidateRounding("round_to", options->round_to,
                                            frequencies.attention_factor));
  const bool exact = options->mode == AngleMode::kExact;
  if (options->kind == TableKind::kFactored && !exact) {
    return Error(StatusCode::kInvalidArgument,
                 "kind = kFactored: mode must be kExact, rounded angles do not "
                 "add");
  }
  ROPEWALK_RETURN_IF_ERROR(ValidateDense(
      *options, static_cast<int64_t>(frequencies.inv_freq.size())));
  if (options->kind == TableKind::kAuto) {
    options->kind = exact && !frequencies.length_dependent
                        ? TableKind::kFactored
                        : TableKind::kDirect;
  }
  if (options->kind != TableKind::kDense) options->dense_positions = 0;
  return Status();
}

}  // namespace ropewalk::internal
