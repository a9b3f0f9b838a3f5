// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "encodings/alibi_rows.h"

#include "simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/encodings/alibi_rows.cc"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

#include "encodings/alibi_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

void AddAlibiOfTarget(const AlibiJob& job, int64_t begin, int64_t end) {
  switch (job.rows.scores.type) {
    case DataType::kF32:
      return AddAlibiTo<F32Codec>(job, begin, end);
    case DataType::kBF16:
      return AddAlibiTo<BF16Codec>(job, begin, end);
    case DataType::kF16:
      return AddAlibiTo<F16Codec>(job, begin, end);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace ropewalk::internal {

HWY_EXPORT(AddAlibiOfTarget);

void AddAlibiRows(const AlibiJob& job, int64_t begin, int64_t end) noexcept {
  ROPEWALK_DISPATCH(AddAlibiOfTarget)(job, begin, end);
}

}  // namespace ropewalk::internal

#endif  // HWY_ONCE
