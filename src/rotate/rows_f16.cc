// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "rotate/rows.h"
#include "simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/rotate/rows_f16.cc"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

#include "rotate/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

void RotateFromF16(const RowsJob& job, int64_t begin, int64_t end) {
  RotateUnitsFrom<F16Codec>(job, begin, end);
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace ropewalk::internal {

HWY_EXPORT(RotateFromF16);

void RotateRowsF16(const RowsJob& job, int64_t begin, int64_t end) {
  ROPEWALK_DISPATCH(RotateFromF16)(job, begin, end);
}

}  // namespace ropewalk::internal

#endif  // HWY_ONCE
