// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "encodings/t5_rows.h"

#include "simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/encodings/t5_rows.cc"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

#include "encodings/t5_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

void AddT5OfTarget(const T5Job& job, int64_t begin, int64_t end) {
  switch (job.rows.scores.type) {
    case DataType::kF32:
      return AddT5To<F32Codec>(job, begin, end);
    case DataType::kBF16:
      return AddT5To<BF16Codec>(job, begin, end);
    case DataType::kF16:
      return AddT5To<F16Codec>(job, begin, end);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace ropewalk::internal {

HWY_EXPORT(AddT5OfTarget);

void AddT5Rows(const T5Job& job, int64_t begin, int64_t end) noexcept {
  ROPEWALK_DISPATCH(AddT5OfTarget)(job, begin, end);
}

}  // namespace ropewalk::internal

#endif  // HWY_ONCE
